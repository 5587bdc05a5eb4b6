"""Small chapters for a book in a temporary folder."""

import jupytext
import nbformat

from pareto_book import paths

KERNELSPEC = {"name": "python3", "display_name": "Python 3", "language": "python"}
INJECTED = "injected-parameters"
PARAMETERS = 'profile = "fast"\nseed = 0\nn_jobs = 1'
CODE = "print(profile)"


def write_chapter(name, *cells, parameters=PARAMETERS, **metadata):
    """Write a chapter from the sources of its cells."""
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source) for source in (parameters, *cells)],
        metadata={
            "kernelspec": KERNELSPEC,
            "jupytext": {"notebook_metadata_filter": "all"},
            **metadata,
        },
    )
    notebook.cells[0].metadata["tags"] = ["parameters"]
    jupytext.write(notebook, paths.NOTEBOOKS / f"{name}.md", fmt="md:myst")


def published(name):
    """Path of the executed copy of a chapter that the pages are built from."""
    return paths.CHAPTERS / f"{name}.ipynb"
