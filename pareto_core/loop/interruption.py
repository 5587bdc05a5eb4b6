"""How a run hears that it is interrupted, while compiled code runs.

Python hears of Ctrl-C between two of its instructions, in its main thread only; a compiled loop
contains no such instruction. So the loop reads an array of one entry, its *flag*, after each
sample, and returns to Python if the flag is set: to `PAUSE` by a thread that does so ten times a
second, so that Python hears of signals, or to `END` by the owner of a pool of threads.
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
    """Array of one entry, shape (1,), that lets the runs that read it go on."""
    return np.full(1, GO_ON, np.int64)


def follow(flag: np.ndarray) -> None:
    """Let all runs in this thread, one of a pool, read this flag from now on."""
    _flag.set(flag)


@contextlib.contextmanager
def interruptible() -> Iterator[np.ndarray]:
    """Flag that the runs in this thread read.

    It is the one that the thread follows, or that an enclosing call has made. Otherwise it is
    a new one, set to `PAUSE` at regular times until the end of the ``with`` statement.
    """
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
    """Go on after a pause.

    Raises
    ------
    KeyboardInterrupt
        If the flag is `END`.
    """
    if flag[0] == END:
        raise KeyboardInterrupt
    if flag[0] == PAUSE:  # that of a pool is left alone: it may be set to END just now
        flag[0] = GO_ON
