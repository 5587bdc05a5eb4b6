"""Run times of two programs side by side, for the table of the speed-up with two objectives.

A call from Python costs more than the sweep over a few arms, so the kernels run over many
instances at one call. They are the two algorithms as Crepon et al. (2024) describe them: no
lower bound spares the sweep an arm, as it does in `transport_cost`.
"""

import time
from collections.abc import Callable, Sequence

import numpy as np

from pareto_core._kernels import kernel
from pareto_core.transport.oracle import (
    SWEEP,
    allocate_response,
    cheapest_alternative_by_cells,
    find_front,
)
from pareto_core.transport.sweep import cheapest_adjacent_removal, free_target_2d

__all__ = ["cell_costs", "seconds_side_by_side", "sweep_costs"]


@kernel
def sweep_costs(means, weights, costs):
    """Transportation costs by the speed-up for two objectives (Appendix D).

    Parameters
    ----------
    means : ndarray, shape (n, K, 2)
        Means of n instances.
    weights : ndarray, shape (n, K)
        Positive weights.
    costs : ndarray, shape (n,)
        Modified in place: the costs.
    """
    response = allocate_response(means.shape[1], 2)
    for n in range(means.shape[0]):
        size = find_front(means[n], SWEEP, response)
        front, point, rows = response.front, response.point, response.rows
        best = cheapest_adjacent_removal(means[n], weights[n], front, size, np.inf, response.found)
        for k in range(means.shape[1]):
            if not response.optimal[k]:
                cost = free_target_2d(means[n], weights[n], front, size, k, np.inf, point, rows)
                best = min(best, cost)
        costs[n] = best


@kernel
def cell_costs(means, weights, costs):
    """Transportation costs by enumerating cells, for any number d of objectives (Section 3).

    Parameters
    ----------
    means : ndarray, shape (n, K, d)
        Means of n instances.
    weights : ndarray, shape (n, K)
        Positive weights.
    costs : ndarray, shape (n,)
        Modified in place: the costs.
    """
    response = allocate_response(means.shape[1], means.shape[2])
    for n in range(means.shape[0]):
        costs[n] = cheapest_alternative_by_cells(means[n], weights[n], response)


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
