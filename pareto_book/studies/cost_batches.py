"""Transportation costs of many instances in one call, by the two algorithms of a paper.

These are the algorithms as Crepon et al. (2024) describe them, for measuring their times. Unlike
`transport_cost`, the sweep skips no arm by a lower bound. One call from Python, which costs
more than the sweep over a few arms, processes a whole batch.
"""

import numpy as np

from pareto_core.compiling.kernels import kernel
from pareto_core.transport.oracle import (
    SWEEP,
    allocate_response,
    cheapest_alternative_by_cells,
    find_front,
)
from pareto_core.transport.sweep import cheapest_adjacent_removal, free_target_2d


@kernel
def sweep_costs(means, weights, costs):
    """Transportation costs by the speed-up for two objectives (Appendix D)."""
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
    """Transportation costs by enumerating cells, for any number d of objectives (Section 3)."""
    response = allocate_response(means.shape[1], means.shape[2])
    for n in range(means.shape[0]):
        costs[n] = cheapest_alternative_by_cells(means[n], weights[n], response)
