r"""The cheapest alternative in a linear model: means that are linear in known features.

Arm k has the mean :math:`\Theta^\top x_k`, and all alternatives have the same features. With
:math:`V=\sum_kw_kx_kx_k^\top`, an alternative :math:`\Theta'` costs

.. math::
    \sum_k\frac{w_k}2\|(\Theta-\Theta')^\top x_k\|^2
    =\frac12\sum_c\|\theta_c-\theta_c'\|_V^2.

As without features, the cheapest one either lets an optimal arm fall below another (removal),
which costs :math:`\sum_c(\mu_{kc}-\mu_{jc})_+^2/(2\|x_k-x_j\|^2_{V^{-1}})`, or makes a dominated
arm optimal (addition, see `linear_search`). Arms with equal features are equal in all
alternatives.

The kernels expect features of full column rank. A weight below 1e-24 times the largest counts as
0. If the arms of positive weight do not span the features, V is singular: some arms then move
without cost relative to others, and the cost is 0.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import kernel, part
from pareto_core.geometry.dominance import _pareto_set
from pareto_core.questions import BEST_ARMS, PARETO_SET
from pareto_core.regression.design import orthonormal_points
from pareto_core.regression.least_squares import linear_points
from pareto_core.regression.triangle import weighted_triangle, whiten
from pareto_core.transport.linear_search import (
    LinearSearch,
    allocate_linear_search,
    free_linear_target,
    linear_addition_bound,
    squared_distance,
)
from pareto_core.transport.oracle import FOUND, write_gradient

NEGLIGIBLE = 1e-24  # share of the largest weight that counts as 0
EQUAL = 1e-20  # share of a squared distance that may be a rounding error
SINGULAR = 1e-13  # share of a column of the triangle on its diagonal that may be a rounding error


def check_linear(problem, means, features):
    """Return the features in an orthonormal basis of their span; None without features.

    Raises
    ------
    ValueError
        If the problem is neither the Pareto set nor the best arm of every objective, or
        `linear_points` refuses the features.
    """
    if features is None:
        return None
    if problem not in (PARETO_SET.name, BEST_ARMS.name):
        raise ValueError(f"features for problem = {problem!r}; expected None")
    return linear_points(means, features)


class LinearResponse(NamedTuple):
    """The cheapest alternative found last in a linear model, and work arrays of the search."""

    front: np.ndarray  # (K,) the Pareto optimal arms: the first ``found[0]["size"]`` entries
    optimal: np.ndarray  # (K,) whether an arm is Pareto optimal
    found: np.ndarray  # (1,) FOUND: ``moved`` falls below ``winner``, or is added (winner -1)
    shift: np.ndarray  # (d, h) the move of each objective: arm k moves by its inner products
    bounds: np.ndarray  # (K,) lower bound on the cost of adding each arm
    counted: np.ndarray  # (K,) weights, without those that count as 0
    triangle: np.ndarray  # (h, h) R with R'R = V
    whitened: np.ndarray  # (K, h) features times R^-1; if V is singular, their parts in its kernel
    row: np.ndarray  # (h,) work array
    search: LinearSearch


@kernel
def allocate_linear_response(n_arms, n_features, n_objectives):
    """Allocate a `LinearResponse`."""
    return LinearResponse(
        np.empty(n_arms, np.int64),
        np.zeros(n_arms, np.bool_),
        np.zeros(1, FOUND),
        np.zeros((n_objectives, n_features)),
        np.empty(n_arms),
        np.empty(n_arms),
        np.empty((n_features, n_features)),
        np.empty((n_arms, n_features)),
        np.empty(n_features),
        allocate_linear_search(n_arms, n_features, n_objectives),
    )


@kernel
def find_linear_front(means, response):
    """Find the Pareto set; return its size."""
    size = _pareto_set(means, response.front)
    response.found[0]["size"] = size
    response.optimal[:] = False
    for f in range(size):
        response.optimal[response.front[f]] = True
    return size


@kernel
def whiten_features(features, weights, response):
    """Write the whitened features; return whether V is regular.

    If it is singular, the parts of the features in its kernel are written instead. Arms whose
    parts differ move relative to each other without cost.
    """
    counted = response.counted
    largest = 0.0
    for k in range(weights.shape[0]):
        largest = max(largest, weights[k])
    for k in range(weights.shape[0]):
        counted[k] = weights[k] if weights[k] > NEGLIGIBLE * largest else 0.0
    share = weighted_triangle(features, counted, response.triangle, response.row)
    if share > SINGULAR or not _write_free_parts(features, counted, response.whitened):
        whiten(features, response.triangle, response.whitened)
        return True
    return False


@kernel
def _write_free_parts(features, counted, parts):
    """Write each arm's part that is orthogonal to all arms with weight; return if any is left."""
    inside = orthonormal_points(features[counted > 0.0].T)
    if inside.shape[1] == features.shape[1]:
        return False
    for k in range(features.shape[0]):
        for f in range(features.shape[1]):
            parts[k, f] = features[k, f]
        length = 0.0
        for _ in range(2):
            for g in range(inside.shape[1]):
                along = 0.0
                for f in range(features.shape[1]):
                    along += inside[f, g] * parts[k, f]
                for f in range(features.shape[1]):
                    parts[k, f] -= along * inside[f, g]
        for f in range(features.shape[1]):
            length += features[k, f] ** 2 - (parts[k, f] / SINGULAR) ** 2
        for f in range(features.shape[1]):
            if counted[k] > 0.0 or length > 0.0:
                parts[k, f] = 0.0
    return True


@part
def linear_removal_cost(means, whitened, loser, winner):
    """Cheapest cost at which ``winner`` is at least as good as ``loser`` in every objective.

    Infinite if both have the same features.
    """
    squares = 0.0
    for c in range(means.shape[1]):
        lead = means[loser, c] - means[winner, c]
        if lead > 0.0:
            squares += lead * lead
    distance = squared_distance(whitened, loser, winner)
    return 0.5 * squares / distance if distance > 0.0 else np.inf


@kernel
def _cheapest_linear_removal(means, upper, response):
    """Cheapest ordered pair of optimal arms below ``upper``, recorded in ``response.found``."""
    best = upper
    found, front = response.found[0], response.front
    for f in range(found["size"]):
        for g in range(found["size"]):
            if f != g:
                cost = linear_removal_cost(means, response.whitened, front[f], front[g])
                if cost < best:
                    best = cost
                    found["moved"] = front[f]
                    found["winner"] = front[g]
    return best


@kernel
def write_linear_removal(means, loser, winner, response):
    """Record the removal of ``loser`` by ``winner``, and its move.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    loser, winner : int
        Optimal arms with different features.
    response : LinearResponse
        With the whitened features. Modified in place.
    """
    response.found[0]["moved"] = loser
    response.found[0]["winner"] = winner
    whitened, shift = response.whitened, response.shift
    distance = squared_distance(whitened, loser, winner)
    for c in range(means.shape[1]):
        step = max(means[loser, c] - means[winner, c], 0.0) / distance
        for f in range(whitened.shape[1]):
            shift[c, f] = step * (whitened[winner, f] - whitened[loser, f])


@kernel
def free_linear_arm(means, target, upper, response):
    """Cheapest cost below ``upper`` of adding ``target``, recorded in ``response``; else ``upper``.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    target : int
        A dominated arm.
    upper : float
        Costs of at least this are not searched for.
    response : LinearResponse
        With the front and the whitened features of a regular V. Modified in place.
    """
    front, size = response.front, response.found[0]["size"]
    cost = free_linear_target(
        means, response.whitened, front, size, target, upper, response.shift, response.search
    )
    if cost < upper:
        response.found[0]["moved"] = target
        response.found[0]["winner"] = -1
    return cost


@kernel
def _farthest(response, optimal):
    """Arm of this status whose whitened features are farthest from the first optimal arm's.

    Returns the arm and the squared distance; 0 if all of them have the same features.
    """
    first, farthest, largest = response.front[0], -1, 0.0
    for k in range(response.optimal.shape[0]):
        if response.optimal[k] == optimal:
            distance = squared_distance(response.whitened, first, k)
            if distance > largest:
                farthest, largest = k, distance
    return farthest, largest


@kernel
def _move_freely(means, response):
    """Record an alternative without cost, for a singular V.

    Either two optimal arms move relative to each other, or the optimal arms keep their distances
    and a dominated arm moves past them.
    """
    front, whitened, shift = response.front, response.whitened, response.shift
    rival, apart = _farthest(response, True)
    k, distance = _farthest(response, False)
    if apart > EQUAL * distance:
        write_linear_removal(means, front[0], rival, response)
        return
    lead = 0.0
    for f in range(response.found[0]["size"]):
        lead = max(lead, means[front[f], 0] - means[k, 0])
    shift[:, :] = 0.0
    for f in range(whitened.shape[1]):
        shift[0, f] = lead / distance * (whitened[k, f] - whitened[front[0], f])
    response.found[0]["moved"] = k
    response.found[0]["winner"] = -1


@kernel
def _cheapest_linear_addition(means, upper, response):
    """Cheapest addition below ``upper``, the arm with the lowest bound first."""
    front, size, bounds = response.front, response.found[0]["size"], response.bounds
    lowest, limit = -1, upper
    for k in range(means.shape[0]):
        if not response.optimal[k]:
            bounds[k] = linear_addition_bound(means, response.whitened, front, size, k, limit)
            if bounds[k] < limit:
                lowest, limit = k, bounds[k]
    if lowest < 0:
        return upper
    best = free_linear_arm(means, lowest, upper, response)
    for k in range(means.shape[0]):
        if not response.optimal[k] and k != lowest and bounds[k] < best:
            bound = linear_addition_bound(means, response.whitened, front, size, k, best)
            if bound < best:
                best = free_linear_arm(means, k, best, response)
    return best


@kernel
def cheapest_linear_alternative(means, features, weights, upper, response):
    """Cost of the cheapest alternative below ``upper``, recorded in ``response``.

    Returns ``upper``, with -1 recorded, if no alternative is cheaper.

    Parameters
    ----------
    means : ndarray, shape (K, d)
        Linear in the features, up to rounding.
    features : ndarray, shape (K, h)
        Of full column rank.
    weights : ndarray, shape (K,)
    upper : float
    response : LinearResponse
        Modified in place.
    """
    find_linear_front(means, response)
    response.found[0]["moved"] = -1
    response.found[0]["winner"] = -1
    if not whiten_features(features, weights, response):
        if upper > 0.0:
            _move_freely(means, response)
        return min(upper, 0.0)
    best = _cheapest_linear_removal(means, upper, response)
    loser, winner = response.found[0]["moved"], response.found[0]["winner"]
    found = _cheapest_linear_addition(means, best, response)
    if found == best and loser >= 0:
        write_linear_removal(means, loser, winner, response)
    return found


@kernel
def write_linear_alternative(means, response, alternative):
    """Write the means of the recorded alternative."""
    whitened, shift = response.whitened, response.shift
    for k in range(means.shape[0]):
        for c in range(means.shape[1]):
            moved = 0.0
            for f in range(whitened.shape[1]):
                moved += whitened[k, f] * shift[c, f]
            alternative[k, c] = means[k, c] + moved


@kernel
def linear_cost(means, features, weights, gradient, alternative):
    """Fill ``gradient`` and ``alternative``; return the cost and the arm whose status changes.

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
    value = cheapest_linear_alternative(means, features, weights, np.inf, response)
    write_linear_alternative(means, response, alternative)
    write_gradient(means, alternative, gradient)
    return value, response.found[0]["moved"]
