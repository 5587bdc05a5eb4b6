"""Running a page that summarises the others without a kernel: it only joins and draws.

A kernel would take seconds to start for what is done in a fraction of one, whenever a word of a
claim changes.
"""

import traceback
from pathlib import Path

import matplotlib as mpl
import nbformat
from IPython.core.displayhook import DisplayHook
from IPython.core.interactiveshell import InteractiveShell
from IPython.display import display
from IPython.utils.capture import capture_output
from papermill.exceptions import PapermillExecutionError
from papermill.iorw import load_notebook_node
from papermill.parameterize import parameterize_notebook
from traitlets.config import Config

__all__ = ["run_summary"]

LANGUAGE = {"name": "python", "pygments_lexer": "ipython3"}
QUIET = Config({"HistoryManager": {"enabled": False}})


class _Shown(DisplayHook):
    """Shows the value of the last line of a cell like its other outputs."""

    def __call__(self, result=None):
        if result is not None and not self.quiet():
            display(result)


class _Shell(InteractiveShell):
    displayhook_class = _Shown


def run_summary(parameters: dict, source: Path, output: Path) -> None:
    """Run the cells of a summary page into another notebook file."""
    notebook = parameterize_notebook(load_notebook_node(str(source)), parameters)
    notebook.metadata["language_info"] = LANGUAGE
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    shell = _Shell.instance(config=QUIET)
    try:
        with mpl.rc_context():
            for number, cell in enumerate(code, start=1):
                _run(shell, cell, number)
    finally:
        _Shell.clear_instance()
        nbformat.write(notebook, output)


def _run(shell, cell, number):
    """Run a cell and keep what it prints and shows."""
    with capture_output(stderr=False) as captured:
        result = shell.run_cell(cell.source, store_history=True)
    cell.execution_count, cell.outputs = number, []
    if captured.stdout:
        cell.outputs.append(nbformat.v4.new_output("stream", text=captured.stdout))
    cell.outputs += [
        nbformat.v4.new_output("display_data", data=shown.data, metadata=shown.metadata or {})
        for shown in captured.outputs
    ]
    error = result.error_before_exec or result.error_in_exec
    if error is not None:
        lines = traceback.format_exception(error)
        raise PapermillExecutionError(
            number, number, cell.source, type(error).__name__, str(error), lines
        )
