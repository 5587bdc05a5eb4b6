"""Alternatives that confuse the best arm of an objective (Chen et al. 2024, Section 3).

Another arm, the challenger, becomes as good as the best arm of an objective, where the two meet.
Under known noise their other objectives follow by regression.
"""

import numpy as np

from pareto_core.compiling.copies import copy_matrix
from pareto_core.compiling.kernels import kernel
from pareto_core.transport.metric import noise_price, shift, write_gradient
from pareto_core.transport.removal import meeting_level, meeting_weight
from pareto_core.transport.walk import NEAR


@kernel
def confusion_at(means, weights, noise, objective, best, challenger):
    """Cost at which two arms meet in an objective."""
    gap = means[best, objective] - means[challenger, objective]
    own, other = (
        noise_price(weights, noise, challenger, objective),
        noise_price(weights, noise, best, objective),
    )
    return 0.5 * meeting_weight(own, other) * gap * gap


@kernel
def cheapest_confusion(means, weights, noise):
    """Cost, objective, (first) best arm and challenger of the cheapest confusion. O(K d)."""
    cost, objective, best, challenger = np.inf, -1, -1, -1
    for m in range(means.shape[1]):
        leader = means[:, m].argmax()
        for i in range(means.shape[0]):
            if i != leader:
                found = confusion_at(means, weights, noise, m, leader, i)
                if found < cost:
                    cost, objective, best, challenger = found, m, leader, i
    return cost, objective, best, challenger


@kernel
def confusion_cost(means, weights):
    """Cost of the cheapest confusion with unit variance, g of Equation (7)."""
    return cheapest_confusion(means, weights, None)[0]


@kernel
def write_confusion(means, weights, noise, confusion, alternative, gradient):
    """Write the means at which two arms meet, and the gradient of the cost in the weights."""
    objective, best, challenger = confusion
    copy_matrix(alternative, means)
    if noise is not None:
        gradient[:] = 0.0
    high, low = means[best, objective], means[challenger, objective]
    if high > low:
        own = noise_price(weights, noise, best, objective)
        level = meeting_level(high, low, own, noise_price(weights, noise, challenger, objective))
        shift(means, noise, best, objective, level, alternative, gradient)
        shift(means, noise, challenger, objective, level, alternative, gradient)
    if noise is None:
        write_gradient(means, alternative, gradient)


@kernel
def near_confusions(means, weights, noise, gradients):
    """As `walk.near_moves`, for the best arm of every objective."""
    alternative = np.empty_like(means)
    value, objective, leader, challenger = cheapest_confusion(means, weights, noise)
    confusion = (objective, leader, challenger)
    write_confusion(means, weights, noise, confusion, alternative, gradients[0])
    count = 1
    for m in range(means.shape[1]):
        best = means[:, m].argmax()
        for i in range(means.shape[0]):
            if i == best or count == gradients.shape[0]:
                continue
            if confusion_at(means, weights, noise, m, best, i) < NEAR * value:
                confusion = (m, best, i)
                write_confusion(means, weights, noise, confusion, alternative, gradients[count])
                count += 1
    return value, count
