"""A message on a terminal when compiling takes long, so that no program seems to hang."""

import contextlib
import multiprocessing
import sys
import threading
import time

from pareto_core.compiling.kept import folder

PATIENCE = 2.0  # seconds of compiling, in all, before the message


class _Clock:
    """Seconds left until the message, and whether a kernel is being compiled."""

    left = PATIENCE
    running = False


@contextlib.contextmanager
def announced():
    """Report once per process that it compiles, after two seconds of compiling in all.

    Loading kernels that are kept on disk is not compiling.
    """
    if _Clock.running or _Clock.left <= 0 or multiprocessing.parent_process() is not None:
        yield
        return
    began = time.monotonic()
    timer = threading.Timer(_Clock.left, _report)
    timer.daemon = True
    timer.start()
    _Clock.running = True
    try:
        yield
    finally:
        timer.cancel()
        _Clock.running = False
        _Clock.left -= time.monotonic() - began


def _report():
    message = f"pareto_core is compiling kernels, which are kept in {folder()} where possible\n"
    if sys.stderr.isatty():
        sys.stderr.write(message)
        sys.stderr.flush()
