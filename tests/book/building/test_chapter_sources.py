"""What each chapter has in its source, and after its execution."""

import re
from itertools import pairwise

import jupytext
import nbformat
import pytest
import yaml
from jupytext.config import load_jupytext_config
from references.held_sentences import prose_of

from pareto_book import paths

SOURCES = sorted(paths.NOTEBOOKS.glob("*.md"))
CAPTION = re.compile(r"\(fig:\S+\)=\n[*A-Z]")
EXERCISES = re.compile(r"^## Exercises\n(.*?)(?=^## |^---$|\Z)", re.MULTILINE | re.DOTALL)
# Lists in answers are indented or fenced, so only exercises start at the beginning of a line.
ANSWER = re.compile(r"^(`{3,})\{dropdown\} Answer to (\d+)\n(.*?)^\1\n", re.MULTILINE | re.DOTALL)
# Roles of the pages that JupyterLab shows as they are written, or as a bare label.
HIDDEN = re.compile(r"\{(?:glue(?::\w+)?|row|numref)\}|\{(?:ref|doc|prf:ref)\}`[^`<]*`")

each_chapter = pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)


@each_chapter
def test_a_saved_figure_is_followed_by_its_caption(source):
    """The build stops at a caption without a figure."""
    for cell, following in pairwise(jupytext.read(source).cells):
        assert "figure" not in cell.metadata.get("mystnb", {})
        if cell.cell_type == "code" and "plots.save(" in cell.source:
            assert CAPTION.match(following.source), cell.source[-80:]


@each_chapter
def test_every_exercise_has_an_answer_and_a_cell(source):
    for section in EXERCISES.findall(source.read_text(encoding="utf-8")):
        numbers = re.findall(r"^(\d+)\. ", ANSWER.sub("", section), re.MULTILINE)
        answers = [number for _, number, _ in ANSWER.findall(section)]
        assert numbers == answers == [str(k) for k in range(1, len(numbers) + 1)] != []
        assert len(re.findall(r"^```\{code-cell\}", section, re.MULTILINE)) == len(numbers)


@each_chapter
def test_jupyterlab_can_show_all_roles(source):
    assert HIDDEN.findall(prose_of(source)) == []


@each_chapter
def test_a_chapter_can_be_executed_anywhere_and_saved(source):
    notebook = jupytext.read(source)
    assert notebook.metadata["kernelspec"]["name"] == "python3"
    (cell,) = (c for c in notebook.cells if "parameters" in c.metadata.get("tags", []))
    defaults = {}
    exec(cell.source, defaults)
    assert (defaults["profile"], defaults["seed"], defaults["n_jobs"]) == ("fast", 0, 1)
    saved = jupytext.writes(notebook, fmt="md:myst", config=load_jupytext_config(str(source)))
    header, again = (text.split("---\n")[1] for text in (source.read_text("utf-8"), saved))
    assert yaml.safe_load(again) == yaml.safe_load(header)


@pytest.mark.built
@each_chapter
def test_every_cell_was_executed_without_an_error(source):
    """A notebook without outputs would pass a comparison of outputs."""
    path = paths.BUILD / "executed" / "fast" / f"{source.stem}.ipynb"
    if not path.exists():
        pytest.skip(f"{source.stem} has not been executed; make test does it")
    code = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    for output in (output for cell in code for output in cell.outputs):
        assert output.output_type != "error"
        assert output.get("name") != "stderr", output.text
