"""Pages that are run without a kernel show what a kernel would."""

import nbformat
import pytest
from papermill.exceptions import PapermillExecutionError

from pareto_book.building.summaries import run_summary

KERNELSPEC = {"name": "python3", "display_name": "Python 3", "language": "python"}


@pytest.fixture
def run(tmp_path):
    """Run cells after a cell of parameters, and return the code cells."""

    def run_cells(*sources):
        cells = [nbformat.v4.new_code_cell(source) for source in ("name = 1", *sources)]
        cells[0].metadata["tags"] = ["parameters"]
        notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": KERNELSPEC})
        nbformat.write(notebook, tmp_path / "source.ipynb")
        run_summary({"name": 2}, tmp_path / "source.ipynb", tmp_path / "output.ipynb")
        return nbformat.read(tmp_path / "output.ipynb", as_version=4).cells

    return run_cells


def test_a_cell_keeps_what_it_prints_and_shows(run):
    cells = run(
        "from IPython.display import HTML\nprint(name)\nHTML('<b>shown</b>')",
        "from myst_nb import glue\nglue('ratio', 1.5, display=False)\nname;",
    )
    printed, shown = cells[2].outputs
    assert printed.text == "2\n"
    assert shown.data["text/html"] == "<b>shown</b>"
    (glued,) = cells[3].outputs
    assert glued.metadata["scrapbook"]["name"] == "ratio"
    assert [cell.execution_count for cell in cells] == [1, 2, 3, 4]


def test_pages_do_not_share_variables(run):
    run("shared = 1")
    with pytest.raises(PapermillExecutionError, match="shared"):
        run("shared")


@pytest.mark.parametrize("source", ["1 / 0", "1 +"])
def test_a_cell_that_fails_is_reported(run, source):
    with pytest.raises(PapermillExecutionError) as error:
        run("print('fine')", source, "print('never')")
    assert error.value.exec_count == 4
    assert error.value.ename in ("ZeroDivisionError", "SyntaxError")
