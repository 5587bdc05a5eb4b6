"""Alternatives that confuse the best arm of an objective (Chen et al. 2024, Section 3)."""

import numpy as np

from pareto_core.compiling.copies import copy_matrix
from pareto_core.compiling.kernels import kernel
from pareto_core.transport.removal import meeting_weight, write_removal


@kernel
def cheapest_confusion(means, weights):
    """Cheapest way to make another arm as good as the best one of an objective. O(KM).

    Returns the cost, the objective, its best arm and the other one. Of several best arms the
    first counts, and another one is as good as it for free.
    """
    cost, where, best, challenger = np.inf, -1, -1, -1
    for m in range(means.shape[1]):
        leader = means[:, m].argmax()
        for i in range(means.shape[0]):
            if i != leader:
                gap = means[leader, m] - means[i, m]
                found = 0.5 * meeting_weight(weights[i], weights[leader]) * gap * gap
                if found < cost:
                    cost, where, best, challenger = found, m, leader, i
    return cost, where, best, challenger


@kernel
def confusion_cost(means, weights):
    """Cost of the cheapest confusion, g of Equation (7)."""
    return cheapest_confusion(means, weights)[0]


@kernel
def write_confusion(means, weights, objective, best, challenger, alternative):
    """Write the means with both arms where they meet in that objective."""
    copy_matrix(alternative, means)
    column = slice(objective, objective + 1)
    write_removal(means[:, column], weights, best, challenger, alternative[:, column])
