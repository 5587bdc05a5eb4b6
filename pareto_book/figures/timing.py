"""Run times of several programs on the same inputs."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pareto_core.checks.arguments import check_count

__all__ = ["seconds_side_by_side", "shortest_time"]


def seconds_side_by_side(programs: Sequence[Callable], batches: Sequence[tuple]) -> np.ndarray:
    """Measure the run times of several programs, in turn, after one warm-up call of each."""
    seconds = np.empty((len(batches), len(programs)))
    for program in programs:
        program(*batches[0])
    for arguments, row in zip(batches, seconds, strict=True):
        for k, program in enumerate(programs):
            start = time.thread_time()
            program(*arguments)
            row[k] = time.thread_time() - start
    return seconds


def shortest_time(
    function: Callable, *arguments: Any, repeats: int = 5, **options: Any
) -> tuple[float, Any]:
    """Measure the shortest time of several calls with the same arguments."""
    times = []
    for _ in range(check_count(repeats, "repeats")):
        start = time.thread_time()
        result = function(*arguments, **options)
        times.append(time.thread_time() - start)
    return min(times), result
