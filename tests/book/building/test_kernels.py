"""The kernels that execute the chapters have separate sockets, and print nothing but results."""

import nbformat
import pytest
from nbclient import NotebookClient

from pareto_book.building.kernels import own_sockets

TRANSPORT = "from ipykernel import get_connection_info as told; told(unpack=True)['transport']"
BAR = """
from pareto_core.checks.environment import progress_bar
with progress_bar(2, "runs") as bar:
    bar.update()
"""
STYLE = "from pareto_book.figures.plots import use_style\nuse_style()\n"


@pytest.mark.slow
def test_a_kernel_uses_sockets_in_the_folder_and_shows_progress_unless_a_chapter_sets_its_style(
    monkeypatch, tmp_path_factory
):
    monkeypatch.delenv("TQDM_DISABLE")
    cells = [nbformat.v4.new_code_cell(source) for source in (TRANSPORT, BAR, STYLE + BAR)]
    notebook, folder = nbformat.v4.new_notebook(cells=cells), tmp_path_factory.mktemp("k")
    client = NotebookClient(notebook, config=own_sockets(str(folder)), kernel_name="python3")
    (transport,), bar, none = (cell.outputs for cell in client.execute().cells)
    assert transport.data["text/plain"] == "'ipc'"
    assert bar[0].name == "stderr"
    assert none == []


def test_a_kernel_uses_ports_if_the_name_is_too_long(tmp_path):
    assert own_sockets(str(tmp_path / ("long" * 30))) == {}
