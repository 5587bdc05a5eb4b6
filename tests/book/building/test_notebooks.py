"""The executed chapters are complete; ``make test`` executes them first.

This has to be tested because a notebook without outputs passes a comparison of outputs.
"""

import nbformat
import pytest

from pareto_book import paths

pytestmark = pytest.mark.built

CHAPTERS = sorted(path.stem for path in paths.NOTEBOOKS.glob("*.md"))


@pytest.fixture(params=CHAPTERS)
def code_cells(request):
    path = paths.BUILD / "executed" / "fast" / f"{request.param}.ipynb"
    if not path.exists():
        pytest.skip(f"{request.param} has not been executed; make test does it")
    cells = nbformat.read(path, as_version=4).cells
    return [cell for cell in cells if cell.cell_type == "code"]


def test_every_cell_was_executed(code_cells):
    counts = [cell.execution_count for cell in code_cells]
    assert counts == list(range(1, len(code_cells) + 1))


def test_no_cell_failed_or_wrote_to_stderr(code_cells):
    for cell in code_cells:
        for output in cell.outputs:
            assert output.output_type != "error", cell.source
            assert output.get("name") != "stderr", output.text
