"""Run times of several programs on the same inputs."""

import time
from collections.abc import Callable, Sequence

import numpy as np

__all__ = ["seconds_side_by_side"]


def seconds_side_by_side(programs: Sequence[Callable], batches: Sequence[tuple]) -> np.ndarray:
    """Measure the run times of several programs, in turn, after one warm-up call of each.

    Parameters
    ----------
    programs : sequence of callable, length m
        Programs to time.
    batches : sequence of tuple, length n
        Arguments of each call of all programs.

    Returns
    -------
    ndarray, shape (n, m)
        Processor time of this thread, in seconds.

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
