"""The inputs of a chapter include the modules of all names that its cells use, but no prose."""

import jupytext
import nbformat
import pytest

from pareto_book import paths
from pareto_book.building.chapter_inputs import changes, chapter_inputs


def inputs_of(*sources):
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    return chapter_inputs(nbformat.v4.new_notebook(cells=cells), "fast", 0)


def test_a_cell_can_use_the_imports_of_another_cell():
    modules = inputs_of("import pareto_core as pc", "pc.APE()")["modules"]
    assert "pareto_core/algorithms/pareto/ape.py" in modules
    assert "pareto_core/algorithms/pareto/racing.py" not in modules


@pytest.mark.parametrize(
    ("chapter", "module"),
    [
        ("auer2016", "pareto/ape.py"),
        ("auer2016", "pareto/racing.py"),
        ("crepon2024", "pareto/track_and_stop.py"),
        ("kone2025linear", "linear/gege.py"),
        ("kone2025constrained", "constrained/ecape.py"),
        ("arena", "pareto/uniform.py"),
    ],
)
def test_the_modules_of_its_algorithms_are_inputs_of_a_chapter(chapter, module):
    notebook = jupytext.read(paths.NOTEBOOKS / f"{chapter}.md")
    modules = chapter_inputs(notebook, "fast", 0)["modules"]
    assert f"pareto_core/algorithms/{module}" in modules


def test_prose_is_not_an_input():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 + 1")])
    before = chapter_inputs(notebook, "fast", 0)
    notebook.cells.append(nbformat.v4.new_markdown_cell("A remark."))
    assert not changes(before, chapter_inputs(notebook, "fast", 0))
    notebook.cells.append(nbformat.v4.new_code_cell("2 + 2"))
    assert list(changes(before, chapter_inputs(notebook, "fast", 0))) == ["its code"]
