r"""Alternatives that confuse the best arm of an objective in a linear model.

The best arm b of an objective and a challenger i meet at the cost
:math:`(\mu_b-\mu_i)^2/(2\|x_b-x_i\|^2_{V^{-1}})`, see `linear_oracle`. An arm with the features of
the best arm is as good in all alternatives, so that no best arm is unique and the cost is 0.
"""

import numpy as np

from pareto_core.compiling.kernels import kernel
from pareto_core.transport.linear_oracle import (
    allocate_linear_response,
    whiten_features,
    write_linear_alternative,
)
from pareto_core.transport.linear_search import squared_distance
from pareto_core.transport.oracle import write_gradient


@kernel
def linear_confusion(means, objective, best, challenger, response):
    """Cost at which both arms meet, for a regular V."""
    distance = squared_distance(response.whitened, best, challenger)
    gap = means[best, objective] - means[challenger, objective]
    return 0.5 * gap * gap / distance if distance > 0.0 else 0.0


@kernel
def write_linear_confusion(means, objective, best, challenger, response):
    """Record the move in which both arms meet.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    objective, best, challenger : int
    response : LinearResponse
        With the whitened features. Modified in place.
    """
    whitened, shift = response.whitened, response.shift
    distance = squared_distance(whitened, best, challenger)
    gap = means[best, objective] - means[challenger, objective]
    shift[:, :] = 0.0
    if distance > 0.0:
        for f in range(whitened.shape[1]):
            shift[objective, f] = gap / distance * (whitened[challenger, f] - whitened[best, f])
    response.found[0]["moved"] = challenger
    response.found[0]["winner"] = best


@kernel
def _confuse_freely(means, response):
    """Record a confusion without cost, for a singular V: of the two that are farthest apart."""
    best, challenger, largest = means[:, 0].argmax(), 0, -1.0
    for k in range(means.shape[0]):
        distance = squared_distance(response.whitened, best, k)
        if distance > largest:
            challenger, largest = k, distance
    write_linear_confusion(means, 0, best, challenger, response)


@kernel
def cheapest_linear_confusion(means, features, weights, upper, response):
    """Cost of the cheapest confusion below ``upper``, recorded in ``response``. O(K d h).

    Returns ``upper``, with -1 recorded, if no confusion is cheaper.

    Parameters
    ----------
    means : ndarray, shape (K, d)
        Linear in the features, up to rounding.
    features : ndarray, shape (K, h)
        Of full column rank.
    weights : ndarray, shape (K,)
    upper : float
    response : LinearResponse
        Modified in place: its move, ``moved`` (the challenger) and ``winner`` (the best arm).
    """
    response.found[0]["moved"] = -1
    response.found[0]["winner"] = -1
    if not whiten_features(features, weights, response):
        if upper > 0.0:
            _confuse_freely(means, response)
        return min(upper, 0.0)
    cost, objective, best, challenger = upper, -1, -1, -1
    for m in range(means.shape[1]):
        leader = means[:, m].argmax()
        for i in range(means.shape[0]):
            if i != leader:
                found = linear_confusion(means, m, leader, i, response)
                if found < cost:
                    cost, objective, best, challenger = found, m, leader, i
    if objective >= 0:
        write_linear_confusion(means, objective, best, challenger, response)
    return cost


@kernel
def linear_confusion_cost(means, features, weights, gradient, alternative):
    """Fill ``gradient`` and ``alternative``; return the cost and the challenger.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    features : ndarray, shape (K, h)
        Of full column rank.
    weights : ndarray, shape (K,)
    gradient : ndarray, shape (K,)
        Modified in place.
    alternative : ndarray, shape (K, d)
        Modified in place.
    """
    response = allocate_linear_response(means.shape[0], features.shape[1], means.shape[1])
    value = cheapest_linear_confusion(means, features, weights, np.inf, response)
    write_linear_alternative(means, response, alternative)
    write_gradient(means, alternative, gradient)
    return value, response.found[0]["moved"]
