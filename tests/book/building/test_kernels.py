"""The kernels that execute the chapters: each is reached by files of its own."""

import sys
import tempfile

import nbformat
import pytest
from nbclient import NotebookClient

from pareto_book.building.kernels import own_sockets

TRANSPORT = "from ipykernel import get_connection_info as told; told(unpack=True)['transport']"
needs_files = pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")


def transport(settings):
    """How a kernel started with these settings says that it is reached."""
    cell = nbformat.v4.new_code_cell(TRANSPORT)
    client = NotebookClient(nbformat.v4.new_notebook(cells=[cell]), config=settings)
    client.kernel_name = "python3"
    return client.execute().cells[0].outputs[0].data["text/plain"]


@pytest.mark.slow
@needs_files
def test_no_port_is_looked_for():
    with tempfile.TemporaryDirectory() as folder:
        assert transport(own_sockets(folder)) == "'ipc'"


@pytest.mark.slow
def test_where_the_name_is_too_long_it_is_ports(tmp_path):
    folder = tmp_path / ("long" * 30)
    folder.mkdir()
    assert transport(own_sockets(folder)) == "'tcp'"


@needs_files
def test_each_folder_has_names_of_its_own(tmp_path):
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        names = {own_sockets(folder).KernelManager.ip for folder in (one, other)}
    assert len(names) == 2
