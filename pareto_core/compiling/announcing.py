"""What is said while an algorithm is compiled, so that no program seems to hang."""

import contextlib
import sys
import threading
from collections.abc import Iterator

from pareto_core.checks.environment import newest_bar

PATIENCE = 1.0  # seconds before anything is said


@contextlib.contextmanager
def announced(name: str) -> Iterator[None]:
    """Say that an algorithm is compiled, on the newest bar or a terminal."""
    bar = newest_bar()
    before = None if bar is None else bar.desc
    timer = threading.Timer(PATIENCE, _say, (bar, f"compiling {name} (up to a minute)"))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        if bar is not None:
            bar.unpause()
            bar.set_description_str(before)


def _say(bar, message):
    if bar is not None:
        bar.set_description(message)
    elif sys.stderr.isatty():
        sys.stderr.write(f"{message}\n")
        sys.stderr.flush()
