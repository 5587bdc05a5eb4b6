"""The kernels that execute the chapters have separate sockets, and print nothing but results."""

import sys
import tempfile

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
needs_sockets = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows has no sockets in the file system"
)


def outputs(code, settings=None):
    """Outputs of a cell, in a kernel with these settings."""
    cell = nbformat.v4.new_code_cell(code)
    client = NotebookClient(nbformat.v4.new_notebook(cells=[cell]), config=settings)
    client.kernel_name = "python3"
    return client.execute().cells[0].outputs


def transport(settings):
    """Transport that a kernel with these settings reports."""
    return outputs(TRANSPORT, settings)[0].data["text/plain"]


@pytest.mark.slow
def test_progress_is_output_unless_a_chapter_sets_the_style_of_the_book(monkeypatch):
    monkeypatch.delenv("TQDM_DISABLE")
    style = "from pareto_book.figures.plots import use_style\nuse_style()\n"
    assert outputs(style + BAR) == []
    assert outputs(BAR)[0].name == "stderr"


@pytest.mark.slow
@needs_sockets
def test_a_kernel_uses_sockets_in_the_folder():
    with tempfile.TemporaryDirectory() as folder:
        assert transport(own_sockets(folder)) == "'ipc'"


@pytest.mark.slow
def test_a_kernel_uses_ports_if_the_name_is_too_long(tmp_path):
    folder = tmp_path / ("long" * 30)
    folder.mkdir()
    assert transport(own_sockets(folder)) == "'tcp'"
