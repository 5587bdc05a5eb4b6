"""What is said while an algorithm is compiled, so that no program seems to hang."""

import contextlib
import json
import sys
import threading
import time
from collections.abc import Iterator

from pareto_core.checks.environment import newest_bar
from pareto_core.compiling.kernels import folder

PATIENCE = 1.0  # seconds before anything is said


@contextlib.contextmanager
def announced(name: str) -> Iterator[None]:
    """Say that an algorithm is compiled and about how long, on the newest bar or a terminal."""
    began, bar = time.monotonic(), newest_bar()
    took = _read_seconds().get(name)
    about = "up to a minute" if took is None else f"{took:.0f} s last time"
    message = f"compiling {name} ({about})"
    before = None if bar is None else bar.desc
    timer = threading.Timer(PATIENCE, _say, (bar, message))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        if bar is not None:
            bar.unpause()
            bar.set_description_str(before)
    seconds = time.monotonic() - began
    if seconds > PATIENCE:
        _write_seconds(name, seconds)


def _say(bar, message):
    if bar is not None:
        bar.set_description(message)
    elif sys.stderr.isatty():
        sys.stderr.write(f"{message}\n")
        sys.stderr.flush()


def _read_seconds():
    """Seconds that each algorithm took to compile the last time."""
    try:
        return json.loads((folder() / "seconds.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def _write_seconds(name, seconds):
    found = {**_read_seconds(), name: round(seconds, 1)}
    with contextlib.suppress(OSError):
        (folder() / "seconds.json").write_text(json.dumps(found), encoding="utf-8")
