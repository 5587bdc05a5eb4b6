"""Run times of several programs, side by side."""

import time
from collections.abc import Callable, Sequence

import numpy as np

__all__ = ["seconds_side_by_side"]


def seconds_side_by_side(programs: Sequence[Callable], batches: Sequence[tuple]) -> np.ndarray:
    """Time several programs on the same inputs, in turn, after one call that is not timed.

    Parameters
    ----------
    programs : sequence of callable, length m
        What to time.
    batches : sequence of tuple, length n
        Arguments of each call.

    Returns
    -------
    ndarray, shape (n, m)
        Seconds of this thread.

    Examples
    --------
    >>> seconds_side_by_side([sorted, max], [([3, 1, 2],), ([2, 1],)]).shape
    (2, 2)
    """
    seconds = np.empty((len(batches), len(programs)))
    for program in programs:
        program(*batches[0])
    for arguments, row in zip(batches, seconds, strict=True):
        for k, program in enumerate(programs):
            start = time.thread_time()
            program(*arguments)
            row[k] = time.thread_time() - start
    return seconds
