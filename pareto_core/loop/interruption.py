"""Interruption of a run while compiled code executes.

Python handles Ctrl-C between two bytecode instructions of its main thread, and a compiled loop
contains no such instruction. Therefore the loop reads an array of one entry, its *flag*, after each
sample, and returns to Python if the flag is set. A thread sets it to `PAUSE` ten times a second, so
that Python can handle signals; the owner of a pool of threads sets it to `END`.
"""

import contextlib
import contextvars
import threading
from collections.abc import Iterator

import numpy as np

GO_ON, PAUSE, END = 0, 1, 2
SECONDS = 0.1  # between two pauses

_flag = contextvars.ContextVar("flag", default=None)


def new_flag() -> np.ndarray:
    """Allocate a flag, an array of shape (1,), with the value `GO_ON`."""
    return np.full(1, GO_ON, np.int64)


def follow(flag: np.ndarray) -> None:
    """Make all future runs of this thread, one of a pool, read this flag."""
    _flag.set(flag)


@contextlib.contextmanager
def interruptible() -> Iterator[np.ndarray]:
    """Flag that the runs in this thread read: the one that it follows, or a new one with pauses."""
    flag = _flag.get()
    if flag is not None:
        yield flag
        return
    flag, has_ended = new_flag(), threading.Event()

    def pause():
        while not has_ended.wait(SECONDS):
            flag[0] = PAUSE

    before = _flag.set(flag)
    try:
        threading.Thread(target=pause, daemon=True).start()
        yield flag
    finally:
        _flag.reset(before)
        has_ended.set()


def obey(flag: np.ndarray) -> None:
    """Reset a flag after a pause; raise a KeyboardInterrupt if it is `END`."""
    if flag[0] == END:
        raise KeyboardInterrupt
    if flag[0] == PAUSE:  # the flag of a pool is not reset: it may become END at any time
        flag[0] = GO_ON
