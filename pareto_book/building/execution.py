"""Execute one chapter by papermill, completely or not at all."""

import copy
import re
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import nbformat
import papermill
from nbclient.exceptions import DeadKernelError
from papermill.exceptions import PapermillExecutionError

from pareto_book.building.kernels import own_sockets
from pareto_book.records.stamps import write_atomically


class ChapterError(Exception):
    """A cell of a chapter failed; the message contains the cell and the error."""


class Task(NamedTuple):
    """One chapter to execute."""

    chapter: str
    notebook: nbformat.NotebookNode
    parameters: dict
    target: Path  # of the executed notebook
    failed: Path  # of the partially executed one, if a cell fails
    home: Path  # working directory


def execute(task: Task) -> float:
    """Execute a chapter, write its target, and return the seconds that it took."""
    started = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="replicate-") as folder:
        source, output = Path(folder) / "source.ipynb", Path(folder) / "executed.ipynb"
        nbformat.write(task.notebook, source)
        _check_parameters(task, source)
        try:
            run_papermill(task, source, output)
        except (PapermillExecutionError, DeadKernelError) as error:
            write_atomically(task.failed, output.read_bytes())
            raise ChapterError(_failure(task, error)) from None
        notebook = clean(nbformat.read(output, as_version=4))
        write_atomically(task.target, as_bytes(notebook))
    task.failed.unlink(missing_ok=True)
    return time.perf_counter() - started


def run_papermill(task: Task, source: Path, output: Path) -> None:
    """Execute a notebook file and write the result to another one."""
    papermill.execute_notebook(
        source,
        output,
        task.parameters,
        cwd=task.home,
        progress_bar=False,
        coalesce_streams=True,
        extra_arguments=["--log-level=CRITICAL"],
        config=own_sockets(source.parent),
    )


def clean(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Remove metadata that differ between executions, and hide the injected parameters."""
    for name in ("papermill", "jupytext", "expected", "summary"):
        notebook.metadata.pop(name, None)
    for number, cell in enumerate(notebook.cells, start=1):
        cell.id = f"cell-{number:03d}"
        for name in ("papermill", "execution"):
            cell.metadata.pop(name, None)
        tags = cell.metadata.get("tags", [])
        if not tags:  # papermill gives every cell a list
            cell.metadata.pop("tags", None)
        if "injected-parameters" in tags and "remove-cell" not in tags:
            cell.metadata["tags"] = [*tags, "remove-cell"]
    return notebook


def with_prose_of(
    source: nbformat.NotebookNode, executed: nbformat.NotebookNode
) -> nbformat.NotebookNode:
    """Combine the text and layout of a source with the outputs of an executed notebook."""
    done = iter([cell for cell in executed.cells if cell.cell_type == "code"])
    result = copy.deepcopy(executed)
    result.cells = []
    for cell in copy.deepcopy(source.cells):
        result.cells.append(cell)
        if cell.cell_type == "code":
            twin = next(done)
            cell.outputs, cell.execution_count = twin.outputs, twin.execution_count
            if "parameters" in cell.metadata.get("tags", []):
                result.cells.append(next(done))  # the injected parameters
    return clean(result)


def as_bytes(notebook: nbformat.NotebookNode) -> bytes:
    """Content of the file of a notebook."""
    return nbformat.writes(notebook).encode() + b"\n"


def _check_parameters(task, source):
    """Refuse a parameter that the parameters cell of the chapter lacks."""
    known = sorted(papermill.inspect_notebook(str(source)))
    for name in task.parameters:
        if name not in known:
            expected = f"it has {', '.join(known)}" if known else "the cell is missing or empty"
            raise ValueError(
                f"chapter {task.chapter!r} has no parameter {name!r} in its cell tagged "
                f"'parameters': {expected}"
            )


def _failure(task, error):
    if isinstance(error, PapermillExecutionError):
        what = f"cell {error.exec_count} failed:\n\n{error.source}\n"
        what += "\n".join(error.traceback)
    else:
        what = f"the kernel died: {error}"
    plain = re.sub(r"\x1b\[[0-9;]*m", "", what)
    return f"{task.chapter}: {plain}\n\nThe partially executed notebook is {task.failed}"
