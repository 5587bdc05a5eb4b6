"""Alternatives that confuse the best arm of an objective (Chen et al. 2024, Section 3)."""

import numpy as np

from pareto_core.compiling.copies import copy_matrix
from pareto_core.compiling.kernels import kernel
from pareto_core.transport.removal import meeting_weight, write_removal


@kernel
def cheapest_confusion(means, weights):
    """Cheapest way to make a second arm as good as the best arm of an objective. O(K d).

    Returns the cost, the objective, its best arm and the challenger. If several arms are best,
    the first counts as the best arm, and a second costs nothing as the challenger.
    """
    cost, objective, best, challenger = np.inf, -1, -1, -1
    for m in range(means.shape[1]):
        leader = means[:, m].argmax()
        for i in range(means.shape[0]):
            if i != leader:
                gap = means[leader, m] - means[i, m]
                found = 0.5 * meeting_weight(weights[i], weights[leader]) * gap * gap
                if found < cost:
                    cost, objective, best, challenger = found, m, leader, i
    return cost, objective, best, challenger


@kernel
def confusion_cost(means, weights):
    """Cost of the cheapest confusion, g of Equation (7)."""
    return cheapest_confusion(means, weights)[0]


@kernel
def write_confusion(means, weights, objective, best, challenger, alternative):
    """Write the means at which both arms meet in ``objective``.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    objective, best, challenger : int
        As returned by `cheapest_confusion`.
    alternative : ndarray, shape (K, d)
        Modified in place.
    """
    copy_matrix(alternative, means)
    column = slice(objective, objective + 1)
    write_removal(means[:, column], weights, best, challenger, alternative[:, column])
