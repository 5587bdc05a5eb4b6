"""Execute one chapter, in a separate process or in this one."""

import contextlib
import copy
import os
import re
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple

import nbformat
import papermill
import psutil
from nbclient.exceptions import DeadKernelError
from papermill.exceptions import PapermillExecutionError

from pareto_book.building.kernels import kernel_environment, own_sockets
from pareto_book.building.reporting import write_status
from pareto_book.building.summaries import run_summary
from pareto_book.records.stamps import write_atomically


class ChapterError(Exception):
    """A cell of a chapter failed; the message contains the cell and the error."""


class Task(NamedTuple):
    """One chapter to execute.

    Attributes
    ----------
    chapter : str
        Name of the chapter.
    notebook : nbformat.NotebookNode
        Source of the chapter.
    parameters : dict
        Values of its parameters.
    target : pathlib.Path
        Path of the executed notebook.
    failed : pathlib.Path
        Path of the partially executed notebook, if a cell fails.
    home : pathlib.Path
        Working directory of the execution.
    status : pathlib.Path
        Folder to which the execution reports its progress.
    """

    chapter: str
    notebook: nbformat.NotebookNode
    parameters: dict
    target: Path
    failed: Path
    home: Path
    status: Path


class Execution(NamedTuple):
    """Time and memory of an execution."""

    seconds: float
    peak_bytes: int  # largest observed memory of the processes of the chapter


def execute(task: Task) -> Execution:
    """Execute a chapter and write its target, completely or not at all."""
    started = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="replicate-") as folder:
        source, output = Path(folder) / "source.ipynb", Path(folder) / "executed.ipynb"
        nbformat.write(task.notebook, source)
        _check_parameters(task, source)
        try:
            with _Memory() as memory, _environment(task.status):
                if "summary" in task.notebook.metadata:
                    run_summary(task.parameters, source, output)
                else:
                    run_papermill(task, source, output)
        except (PapermillExecutionError, DeadKernelError) as error:
            write_atomically(task.failed, output.read_bytes())
            raise ChapterError(_failure(task, error)) from None
        notebook = clean(nbformat.read(output, as_version=4))
        write_atomically(task.target, as_bytes(notebook))
    task.failed.unlink(missing_ok=True)
    return Execution(time.perf_counter() - started, memory.peak)


def run_papermill(task: Task, source: Path, output: Path) -> None:
    """Execute a notebook file, write the result to another one, and report the progress."""
    code = [cell for cell in task.notebook.cells if cell.cell_type == "code"]
    counter = iter(range(1, len(code) + 2))  # one more for the injected parameters

    def start(cell, cell_index):
        if cell.cell_type == "code":
            write_status(task.status, next(counter), len(code) + 1)

    papermill.execute_notebook(
        source,
        output,
        task.parameters,
        cwd=task.home,
        progress_bar=False,
        on_cell_start=start,
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


@contextlib.contextmanager
def _environment(status):
    """Set the variables that have a chapter report to a folder, and put back what was there."""
    before = dict(os.environ)
    os.environ.update(kernel_environment(status))
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


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


class _Memory:
    """Largest observed memory of all processes that this one has started."""

    def __init__(self):
        self.peak = 0
        self._finished = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *exception):
        self._finished.set()
        self._thread.join()

    def _watch(self):
        while not self._finished.wait(0.5):
            self.peak = max(self.peak, _memory_of_children())


def _memory_of_children():
    """Current memory of all processes that this one has started, in bytes."""
    total = 0
    for process in psutil.Process().children(recursive=True):
        try:
            total += process.memory_info().rss
        except psutil.NoSuchProcess:
            continue
    return total
