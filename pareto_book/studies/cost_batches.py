"""Transportation costs of many instances in one call, by the two algorithms of a paper.

These are the algorithms as Crepon et al. (2024) describe them, for measuring their times. Unlike
`transport_cost`, the sweep skips no arm by a lower bound. One call from Python, which costs
more than the sweep over a few arms, processes a whole batch.
"""

import numpy as np

from pareto_core.compiling.kernels import kernel
from pareto_core.questions import OPTIMAL
from pareto_core.transport.cells import cheapest_alternative_by_cells
from pareto_core.transport.oracle import BRANCH_AND_BOUND, SWEEP, allocate_oracle, label_answer
from pareto_core.transport.sweep import free_target_2d
from pareto_core.transport.walk import cheapest_adjacent_removal


def sweep_costs(means, weights, costs):
    """Transportation costs by the speed-up for two objectives (Appendix D)."""
    _sweep_costs(means, weights, allocate_oracle(*means.shape[1:], method=SWEEP), costs)


def cell_costs(means, weights, costs):
    """Transportation costs by enumerating cells, for any number d of objectives (Section 3)."""
    _cell_costs(means, weights, allocate_oracle(*means.shape[1:], method=BRANCH_AND_BOUND), costs)


@kernel
def _sweep_costs(means, weights, oracle, costs):
    for n in range(means.shape[0]):
        size = label_answer(means[n], None, None, oracle)
        front, point, rows = oracle.front, oracle.point, oracle.rows
        best = cheapest_adjacent_removal(means[n], weights[n], np.inf, oracle)
        for k in range(means.shape[1]):
            if oracle.labels[k] != OPTIMAL:
                cost = free_target_2d(means[n], weights[n], front, size, k, np.inf, point, rows)
                best = min(best, cost)
        costs[n] = best


@kernel
def _cell_costs(means, weights, oracle, costs):
    for n in range(means.shape[0]):
        costs[n] = cheapest_alternative_by_cells(means[n], weights[n], oracle)
