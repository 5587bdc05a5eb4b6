"""One thread at a time inside a session."""

import functools
import threading
from collections.abc import Callable
from typing import TypeVar

Method = TypeVar("Method", bound=Callable)


class Guard:
    """A lock that its thread may take again; the copy of a session has a lock of its own."""

    def __init__(self):
        self._lock = threading.RLock()

    def __enter__(self):
        self._lock.acquire()

    def __exit__(self, *error):
        self._lock.release()

    def __reduce__(self):
        return Guard, ()


def one_at_a_time(method: Method) -> Method:
    """A method of a session that waits until no other thread is inside it."""

    @functools.wraps(method)
    def guarded(self, *args, **options):
        with self._guard:
            return method(self, *args, **options)

    return guarded
