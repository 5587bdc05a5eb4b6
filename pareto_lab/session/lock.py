"""A lock that lets one thread at a time use a session."""

import functools
import threading
from collections.abc import Callable
from typing import TypeVar

Method = TypeVar("Method", bound=Callable)


class SessionLock:
    """A reentrant lock; the copy of a session gets a lock of its own."""

    def __init__(self):
        self._lock = threading.RLock()

    def __enter__(self):
        self._lock.acquire()

    def __exit__(self, *error):
        self._lock.release()

    def __reduce__(self):
        return SessionLock, ()


def synchronized(method: Method) -> Method:
    """Make a method of a session wait until no other thread uses the session."""

    @functools.wraps(method)
    def waiting(self, *args, **options):
        with self._lock:
            return method(self, *args, **options)

    return waiting
