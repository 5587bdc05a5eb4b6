"""Progress reports while chapters are executed: the current cell."""

import shutil
import sys
import threading
import time


def write_status(folder, cell, n_cells):
    """Record that a cell of a chapter starts."""
    (folder / "status").write_text(f"cell {cell} of {n_cells}\n{time.time()}", encoding="utf-8")


class Reporter:
    """Print the progress of all chapters on standard error, at least every two seconds.

    Parameters
    ----------
    folders : dict of str to pathlib.Path
        For each chapter that is being executed, the folder with its status. The caller may change
        the dictionary during the report.
    """

    def __init__(self, folders):
        self._folders = folders
        self._on_terminal = sys.stderr.isatty()
        self._finished = threading.Event()
        self._thread = threading.Thread(target=self._report_until_finished, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *exception):
        self._finished.set()
        self._thread.join()

    def _report_until_finished(self):
        steps = 0
        while not self._finished.wait(0.5):
            steps += 1
            if self._on_terminal or steps % 3 == 0:
                self._print(" | ".join(_line(*each) for each in list(self._folders.items())))
        self._print(None)

    def _print(self, line):
        """Print a line, on a terminal instead of the previous one. None ends the report."""
        if self._on_terminal:
            width = shutil.get_terminal_size().columns - 1
            sys.stderr.write(f"\r\x1b[K{(line or '')[:width]}")
        elif line:
            sys.stderr.write(f"  {line}\n")
        sys.stderr.flush()


def _line(chapter, folder):
    text = _read(folder / "status")
    if not text:
        return f"{chapter}: starting the kernel"
    cell, began = text.split("\n")
    return f"{chapter}: {cell}, {time.time() - float(began):.0f} s"


def _read(path):
    return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
