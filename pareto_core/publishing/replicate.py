"""Execute the chapters of the book, and only those whose inputs have changed.

Run it as ``python -m pareto_core.publishing.replicate [CHAPTER ...]``. A chapter is a MyST
notebook in ``notebooks/``. It is executed from top to bottom by papermill, and
the result becomes ``_build/executed/<profile>/<chapter>.ipynb``, with a stamp
beside it that says what it was made from. The book is built from the copy in
``book/chapters/``.
"""

import argparse
import hashlib
import json
import os
import platform
import re
import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path

import jupytext
import matplotlib.font_manager  # noqa: F401  (makes its font cache here, not in a chapter)
import nbformat
import papermill
import psutil
from nbclient.exceptions import DeadKernelError
from papermill.exceptions import PapermillExecutionError

from pareto_core import _paths
from pareto_core._checks import check_choice, check_count
from pareto_core.publishing.stamps import executed_path, make_stamp, rows_path, stamp_path

PROFILES = ("fast", "full")
CHAPTERS = _paths.ROOT / "book" / "chapters"
LOCK = _paths.ROOT / "requirements.lock"
NOTEBOOKS = _paths.ROOT / "notebooks"
PACKAGE = _paths.ROOT / "pareto_core"
SCORECARD = "scorecard"  # the chapter that collects what all others say, executed last


class ChapterError(Exception):
    """A cell of a chapter failed; the message says which one, and how."""


def main(arguments=None):
    """Execute what has to be executed and return the exit status of the process."""
    options = _parse(arguments)
    try:
        replicate(**vars(options))
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except ChapterError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _parse(arguments):
    parser = argparse.ArgumentParser(
        prog="python -m pareto_core.publishing.replicate", description=__doc__
    )
    parser.add_argument("chapters", nargs="*", metavar="CHAPTER", help="default: all of them")
    parser.add_argument("--profile", default="fast", help="fast (default) or full")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="default: all cores")
    parser.add_argument("--seed", type=int, default=0, help="default: 0")
    parser.add_argument("--force", action="store_true", help="execute even what is up to date")
    parser.add_argument(
        "--no-publish", dest="publish", action="store_false", help="leave book/chapters as it is"
    )
    return parser.parse_args(arguments)


def replicate(chapters=(), profile="fast", jobs=1, seed=0, force=False, publish=True):
    """Execute chapters and hand the results to the book.

    Parameters
    ----------
    chapters : sequence of str
        Names of notebooks, without ``.md``. All of them when empty. When some are
        named, the others keep the copy that the book has of them; one that the book
        does not have yet is executed under the profile ``fast``.
    profile : {"fast", "full"}
        How many runs the chapters make.
    jobs : int
        Number of threads a chapter may use; the results do not depend on it.
    seed : int
        Seed of all simulations.
    force : bool
        Execute chapters that are up to date as well.
    publish : bool
        Copy the results to ``book/chapters/``.

    Raises
    ------
    ValueError
        If a name or a number is not what it should be.
    ChapterError
        If a cell fails. The notebook as far as it got is then in ``_build/failed/``.
    """
    known = sorted(path.stem for path in NOTEBOOKS.glob("*.md"))
    _check_options(chapters, known, profile, jobs, seed)
    profiles = {}  # of what the scorecard speaks of: the copies in the book, or these executions
    for chapter in known:
        if chapter == SCORECARD:
            continue
        published = _published_profile(chapter) if publish else None
        if not chapters or chapter in chapters:
            profiles[chapter] = profile
            executed = _bring_up_to_date(chapter, profile, seed, jobs, force)
        elif publish and published is None:
            profiles[chapter] = "fast"
            executed = _bring_up_to_date(chapter, "fast", seed, jobs, force=False)
        else:
            profiles[chapter] = published or profile
            continue
        if publish:
            _publish(executed)
    if SCORECARD in known and (publish or not chapters or SCORECARD in chapters):
        executed = _bring_up_to_date(SCORECARD, profile, seed, jobs, force, profiles)
        if publish:
            _publish(executed)


def _publish(executed):
    """Hand an executed notebook and its stamp to the book."""
    for path in (executed, stamp_path(executed)):
        _write_atomically(CHAPTERS / path.name, path.read_bytes())


def _published_profile(chapter):
    """Profile of the copy of a chapter that the book has, or None if it has none."""
    stamp = stamp_path(CHAPTERS / f"{chapter}.ipynb")
    if not (CHAPTERS / f"{chapter}.ipynb").exists() or not stamp.exists():
        return None
    return json.loads(stamp.read_text(encoding="utf-8"))["inputs"]["profile"]


def _check_options(chapters, known, profile, jobs, seed):
    for chapter in chapters:
        check_choice(chapter, "chapter", known)
    check_choice(profile, "profile", PROFILES)
    check_count(jobs, "jobs")
    check_count(seed, "seed", at_least=0)


def _bring_up_to_date(chapter, profile, seed, jobs, force, profiles=None):
    """Execute a chapter if need be and return the path of its executed notebook.

    ``profiles`` are those of the other chapters, for the one that speaks of them.
    """
    target = executed_path(chapter, profile)
    inputs = _inputs(chapter, profile, seed)
    parameters = {"profile": profile, "seed": seed, "n_jobs": jobs}
    if profiles is not None:
        inputs["chapters"] = _digest_of_executed(profiles)
        parameters["profiles"] = profiles
    reason = "forced to" if force else _reason_to_execute(target, inputs)
    if reason is None:
        print(f"{chapter} ({profile}): up to date", flush=True)
        return target
    print(f"{chapter} ({profile}): executing, {reason}", flush=True)
    started = time.perf_counter()
    peak_bytes = _execute(chapter, target, parameters)
    seconds = time.perf_counter() - started
    stamp = make_stamp(inputs, _digest([target]), seconds, jobs, peak_bytes)
    _write_atomically(stamp_path(target), json.dumps(stamp, indent=2).encode() + b"\n")
    _failed_path(chapter).unlink(missing_ok=True)
    print(f"{chapter} ({profile}): done in {seconds:.1f} s", flush=True)
    return target


# What a chapter is made from


def _inputs(chapter, profile, seed):
    """Collect what decides the content of an executed chapter, each under a name to tell."""
    package = [path for path in PACKAGE.rglob("*.py") if path.name != "replicate.py"]
    data = [path for path in _paths.DATA.rglob("*") if path.is_file()]
    return {
        "notebook": _digest([NOTEBOOKS / f"{chapter}.md"]),
        "pareto_core": _digest(package),
        "data": _digest(data),
        "requirements.lock": _digest([LOCK]),
        "profile": profile,
        "seed": seed,
        "python": ".".join(platform.python_version_tuple()[:2]),
        "PARETO_DATA_DIR": os.environ.get("PARETO_DATA_DIR", ""),
    }


def _digest(paths):
    """SHA-256 of the names and contents of files."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{path.relative_to(_paths.ROOT)} {content}\n".encode())
    return digest.hexdigest()


def _digest_of_executed(profiles):
    """Digest of the stamps and scorecard rows of executed chapters."""
    notebooks = [executed_path(chapter, profile) for chapter, profile in profiles.items()]
    paths = [path(notebook) for notebook in notebooks for path in (stamp_path, rows_path)]
    return _digest([path for path in paths if path.exists()])


def _reason_to_execute(target, inputs):
    """Say why an executed notebook has to be made anew, or None if it need not be."""
    if not target.exists() or not stamp_path(target).exists():
        return "not executed before"
    stamp = json.loads(stamp_path(target).read_text(encoding="utf-8"))
    changed = [name for name in inputs if stamp["inputs"].get(name) != inputs[name]]
    if changed:
        return f"changed since: {', '.join(changed)}"
    if stamp["executed"] != _digest([target]):
        return "the executed notebook was edited"
    return None


# Executing


def _execute(chapter, target, parameters):
    """Execute a chapter into ``target``, which is written whole or not at all.

    Returns the most memory that its process was seen to use, in bytes.
    """
    with tempfile.TemporaryDirectory(prefix="replicate-") as folder:
        source, output = Path(folder) / "source.ipynb", Path(folder) / "executed.ipynb"
        jupytext.write(jupytext.read(NOTEBOOKS / f"{chapter}.md"), source)
        _check_parameters(chapter, source, parameters)
        try:
            peak_bytes = _run_papermill(chapter, source, output, parameters)
        except (PapermillExecutionError, DeadKernelError) as error:
            _write_atomically(_failed_path(chapter), output.read_bytes())
            raise ChapterError(_failure(chapter, error)) from error
        notebook = nbformat.read(output, as_version=4)
        _write_atomically(target, nbformat.writes(_clean(notebook)).encode() + b"\n")
    rows = _paths.SCORECARDS / f"{chapter}-{parameters['profile']}.csv"
    if rows.exists():  # another execution, of a reader or a test, makes them anew
        _write_atomically(rows_path(target), rows.read_bytes())
    return peak_bytes


def _check_parameters(chapter, source, parameters):
    """Refuse a name that the chapter's parameters cell does not have."""
    known = sorted(papermill.inspect_notebook(str(source)))
    for name in parameters:
        if name not in known:
            expected = f"it has {', '.join(known)}" if known else "there is none, or it is empty"
            raise ValueError(
                f"chapter {chapter!r} has no parameter {name!r} in its cell tagged "
                f"'parameters': {expected}"
            )


def _run_papermill(chapter, source, output, parameters):
    progress_file = output.with_name("progress.txt")
    progress_file.touch()
    os.environ.update(kernel_environment(progress_file))
    cells = nbformat.read(source, as_version=4).cells
    n_cells = 1 + sum(cell.cell_type == "code" for cell in cells)  # 1 for the parameters injected
    with _Reporter(chapter, n_cells, progress_file) as reporter:
        papermill.execute_notebook(
            source,
            output,
            parameters,
            cwd=NOTEBOOKS,
            progress_bar=False,
            on_cell_start=lambda cell, cell_index: reporter.start_cell(cell),
            coalesce_streams=True,
            extra_arguments=["--log-level=CRITICAL"],
        )
    return reporter.peak_bytes


def kernel_environment(progress_file):
    """Environment variables of a kernel whose output is to be the same every time.

    Parameters
    ----------
    progress_file : path
        File that takes the chapter's progress bars.

    Returns
    -------
    dict of str to str
    """
    return {
        "PARETO_PROGRESS_FILE": str(progress_file),
        "PYTHONHASHSEED": "0",
        "SOURCE_DATE_EPOCH": "0",
        # A sum split among threads is rounded in another order.
        "MKL_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }


def _failed_path(chapter):
    return _paths.BUILD / "failed" / f"{chapter}.ipynb"


def _failure(chapter, error):
    if isinstance(error, PapermillExecutionError):
        what = f"cell {error.exec_count} failed:\n\n{error.source}\n"
        what += "\n".join(error.traceback)
    else:
        what = f"the kernel died: {error}"
    plain = re.sub(r"\x1b\[[0-9;]*m", "", what)
    return f"{chapter}: {plain}\n\nThe notebook as far as it got is {_failed_path(chapter)}"


def _clean(notebook):
    """Remove what differs from one execution to the next, and hide the injected parameters."""
    for name in ("papermill", "jupytext"):
        notebook.metadata.pop(name, None)
    for number, cell in enumerate(notebook.cells, start=1):
        cell.id = f"cell-{number:03d}"
        for name in ("papermill", "execution"):
            cell.metadata.pop(name, None)
        tags = cell.metadata.get("tags", [])
        if "injected-parameters" in tags:
            cell.metadata["tags"] = [*tags, "remove-cell"]
    return notebook


def _write_atomically(target, content):
    """Write a file so that it is at no time half written."""
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.part")
    temporary.write_bytes(content)
    temporary.replace(target)


class _Reporter:
    """Say on standard error, at least every other second, which cell runs and how far it is."""

    def __init__(self, chapter, n_cells, progress_file):
        self._chapter = chapter
        self._n_cells = n_cells
        self._progress_file = progress_file
        self.peak_bytes = 0
        self._cell = 0
        self._cell_started = time.perf_counter()
        self._on_terminal = sys.stderr.isatty()
        self._finished = threading.Event()
        self._thread = threading.Thread(target=self._report_until_finished, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *exception):
        self._finished.set()
        self._thread.join()

    def start_cell(self, cell):
        """Take note that a cell starts; only code cells count."""
        if cell.cell_type == "code":
            self._cell += 1
            self._cell_started = time.perf_counter()

    def _report_until_finished(self):
        steps = 0
        while not self._finished.wait(0.5):
            self.peak_bytes = max(self.peak_bytes, _memory_of_children())
            steps += 1
            if self._on_terminal or steps % 3 == 0:
                self._print(self._line())
        self._print(None)

    def _print(self, line):
        """Print one line; on a terminal, in place of the line before. None ends the report."""
        if self._on_terminal:
            width = shutil.get_terminal_size().columns - 1
            sys.stderr.write(f"\r\x1b[K{(line or '')[:width]}")
        elif line:
            sys.stderr.write(f"{line}\n")
        sys.stderr.flush()

    def _line(self):
        seconds = time.perf_counter() - self._cell_started
        where = f"cell {self._cell} of {self._n_cells}" if self._cell else "starting the kernel"
        return f"  {self._chapter}: {where}, {seconds:.0f} s  {self._last_bar()}".rstrip()

    def _last_bar(self):
        """Return the newest state of the chapter's progress bars; a closed bar is blank."""
        text = self._progress_file.read_text(encoding="utf-8", errors="replace")
        states = [state for state in re.split(r"[\r\n]", text) if state]
        return states[-1].strip() if states else ""


def _memory_of_children():
    """Bytes of memory that the processes started by this one use now."""
    total = 0
    for process in psutil.Process().children(recursive=True):
        try:
            total += process.memory_info().rss
        except psutil.NoSuchProcess:
            continue
    return total


if __name__ == "__main__":
    sys.exit(main())
