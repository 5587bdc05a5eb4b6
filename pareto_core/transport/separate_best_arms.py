"""Alternatives that confuse the best arm of an objective, with weights per arm and objective."""

import numpy as np

from pareto_core.compiling.copies import copy_matrix
from pareto_core.compiling.kernels import kernel
from pareto_core.transport.removal import meeting_weight, write_removal


@kernel
def cheapest_separate_confusion(means, weights):
    """Cheapest way to make a second arm as good as the best arm of an objective. O(K d).

    Only these two arms move, in this objective. Returns what `best_arms.cheapest_confusion` does.

    Parameters
    ----------
    means, weights : ndarray, shape (K, d)
    """
    cost, objective, best, challenger = np.inf, -1, -1, -1
    for c in range(means.shape[1]):
        leader = means[:, c].argmax()
        for i in range(means.shape[0]):
            if i != leader:
                gap = means[leader, c] - means[i, c]
                found = 0.5 * meeting_weight(weights[i, c], weights[leader, c]) * gap * gap
                if found < cost:
                    cost, objective, best, challenger = found, c, leader, i
    return cost, objective, best, challenger


@kernel
def write_separate_confusion(means, weights, confusion, gradient, alternative):
    """Write the means at which two arms meet, and the derivative of the cost in each weight.

    Parameters
    ----------
    means, weights : ndarray, shape (K, d)
    confusion : tuple of int
        Objective, best arm and challenger, as `cheapest_separate_confusion` returned them.
    gradient, alternative : ndarray, shape (K, d)
        Modified in place.
    """
    objective, best, challenger = confusion
    column = slice(objective, objective + 1)
    copy_matrix(alternative, means)
    write_removal(means[:, column], weights[:, objective], best, challenger, alternative[:, column])
    gradient[:] = 0.0
    for k in (best, challenger):
        gradient[k, objective] = 0.5 * (means[k, objective] - alternative[k, objective]) ** 2
