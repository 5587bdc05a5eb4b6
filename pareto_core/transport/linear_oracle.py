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

For the best arm of every objective, the best arm b and a challenger i meet at the cost
:math:`(\mu_b-\mu_i)^2/(2\|x_b-x_i\|^2_{V^{-1}})` (confusion). An arm with the features of the best
arm is as good in all alternatives, so that no best arm is unique and the cost is 0.

The kernels expect features of full column rank. A weight below 1e-24 times the largest counts as
0. If the arms of positive weight do not span the features, V is singular: some arms then move
without cost relative to others, namely those whose features differ in the kernel of V, and the
cost is 0.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import kernel, part
from pareto_core.compiling.lending import lend
from pareto_core.geometry.dominance import _pareto_set
from pareto_core.geometry.triangles import factorise_information, whiten
from pareto_core.questions import BEST_ARMS, PARETO_SET
from pareto_core.regression.design import orthonormal_points
from pareto_core.regression.least_squares import linear_points
from pareto_core.transport.linear_search import (
    LinearSearch,
    allocate_linear_search,
    free_linear_target,
    linear_addition_bound,
    squared_distance,
)
from pareto_core.transport.metric import write_gradient

FOUND = np.dtype([("size", np.int64), ("moved", np.int64), ("winner", np.int64)], align=True)
NEAR = 1.3  # alternatives up to this multiple of the minimum are near: most are close together
NEGLIGIBLE = 1e-24  # share of the largest weight that counts as 0
EQUAL = 1e-20  # share of a squared distance that may be a rounding error
SINGULAR = 1e-13  # share of a row of the factor on its diagonal that may be a rounding error


def check_linear(problem, means, features):
    """Return the features in an orthonormal basis, or None; refuse other questions than two."""
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
    factor: np.ndarray  # (h, h) L with LL' = V
    whitened: np.ndarray  # (K, h) L^-1 features; if V is singular, their parts in its kernel
    row: np.ndarray  # (h,) work array
    search: LinearSearch


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
    """Write the whitened features, or their parts in the kernel of V; return whether regular."""
    counted = response.counted
    largest = 0.0
    for k in range(weights.shape[0]):
        largest = max(largest, weights[k])
    for k in range(weights.shape[0]):
        counted[k] = weights[k] if weights[k] > NEGLIGIBLE * largest else 0.0
    share = factorise_information(features, counted, response.factor, response.row)
    if share > SINGULAR or not _write_free_parts(features, counted, response.whitened):
        whiten(features, response.factor, response.whitened)
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
    """Cost at which ``winner`` is as good as ``loser`` in every objective; inf if never."""
    squares = 0.0
    for c in range(means.shape[1]):
        lead = means[loser, c] - means[winner, c]
        if lead > 0.0:
            squares += lead * lead
    distance = squared_distance(whitened, loser, winner)
    return 0.5 * squares / distance if distance > 0.0 else np.inf


@part
def linear_confusion(means, objective, best, challenger, response):
    """Cost at which both arms meet in ``objective``; 0 if they always do."""
    distance = squared_distance(response.whitened, best, challenger)
    gap = means[best, objective] - means[challenger, objective]
    return 0.5 * gap * gap / distance if distance > 0.0 else 0.0


@kernel
def _write_meeting(means, loser, winner, first, last, response):
    """Record the move in which ``winner`` reaches ``loser`` in the objectives in this range."""
    response.found[0]["moved"] = loser
    response.found[0]["winner"] = winner
    whitened, shift = response.whitened, response.shift
    distance = squared_distance(whitened, loser, winner)
    shift[:, :] = 0.0
    for c in range(first, last):
        lead = means[loser, c] - means[winner, c]
        if lead > 0.0 and distance > 0.0:
            for f in range(whitened.shape[1]):
                shift[c, f] = lead / distance * (whitened[winner, f] - whitened[loser, f])


@kernel
def write_linear_removal(means, loser, winner, response):
    """Record the removal of ``loser`` by ``winner``, and its move."""
    _write_meeting(means, loser, winner, 0, means.shape[1], response)


@kernel
def write_linear_confusion(means, objective, best, challenger, response):
    """Record the move in which both arms meet; the challenger is ``moved``."""
    _write_meeting(means, best, challenger, objective, objective + 1, response)
    response.found[0]["moved"] = challenger
    response.found[0]["winner"] = best


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
def free_linear_arm(means, target, upper, response):
    """Cheapest cost below ``upper`` of adding ``target``, recorded; otherwise ``upper``."""
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
    """Arm of this status whose features are farthest from the first optimal arm's; distance."""
    first, farthest, largest = response.front[0], -1, 0.0
    for k in range(response.optimal.shape[0]):
        if response.optimal[k] == optimal:
            distance = squared_distance(response.whitened, first, k)
            if distance > largest:
                farthest, largest = k, distance
    return farthest, largest


@kernel
def _move_freely(means, response):
    """Record a removal without cost, for a singular V, or else an addition without cost."""
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
def _confuse_freely(means, response):
    """Record a confusion without cost, for a singular V: of the two that are farthest apart."""
    best, challenger, largest = means[:, 0].argmax(), 0, -1.0
    for k in range(means.shape[0]):
        distance = squared_distance(response.whitened, best, k)
        if distance > largest:
            challenger, largest = k, distance
    write_linear_confusion(means, 0, best, challenger, response)


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
    """Cost of the cheapest alternative below ``upper``, recorded; else ``upper``, and -1."""
    means, features, weights, response = lend(means), lend(features), lend(weights), lend(response)
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
def cheapest_linear_confusion(means, features, weights, upper, response):
    """As `cheapest_linear_alternative`, for the best arms, one of which is ``winner``. O(K d h)."""
    means, features, weights, response = lend(means), lend(features), lend(weights), lend(response)
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
def write_linear_move(means, response, alternative, gradient):
    """Write the recorded alternative and the gradient of its cost."""
    means, response = lend(means), lend(response)
    alternative, gradient = lend(alternative), lend(gradient)
    write_linear_alternative(means, response, alternative)
    write_gradient(means, alternative, gradient)


@kernel
def near_linear_gradients(means, weights, features, response, alternative, gradients):
    """Fill rows of ``gradients``, the cheapest alternative first; return its cost and the count."""
    means, features, weights = lend(means), lend(features), lend(weights)
    response, alternative, gradients = lend(response), lend(alternative), lend(gradients)
    value = cheapest_linear_alternative(means, features, weights, np.inf, response)
    write_linear_move(means, response, alternative, gradients[0])
    count = 1
    if value == 0.0:
        return value, count
    limit = NEAR * value
    front, whitened = response.front[: response.found[0]["size"]], response.whitened
    for loser in front:
        for winner in front:
            if loser != winner and count < gradients.shape[0]:
                if linear_removal_cost(means, whitened, loser, winner) < limit:
                    write_linear_removal(means, loser, winner, response)
                    write_linear_move(means, response, alternative, gradients[count])
                    count += 1
    for k in range(means.shape[0]):
        if response.optimal[k] or count == gradients.shape[0]:
            continue
        if linear_addition_bound(means, whitened, front, front.size, k, limit) < limit:
            if free_linear_arm(means, k, limit, response) < limit:
                write_linear_move(means, response, alternative, gradients[count])
                count += 1
    return value, count


@kernel
def near_linear_confusions(means, weights, features, response, alternative, gradients):
    """As `near_linear_gradients`, for the best arm of every objective."""
    means, features, weights = lend(means), lend(features), lend(weights)
    response, alternative, gradients = lend(response), lend(alternative), lend(gradients)
    value = cheapest_linear_confusion(means, features, weights, np.inf, response)
    write_linear_move(means, response, alternative, gradients[0])
    count = 1
    if value == 0.0:
        return value, count
    for m in range(means.shape[1]):
        best = means[:, m].argmax()
        for i in range(means.shape[0]):
            if i != best and count < gradients.shape[0]:
                if linear_confusion(means, m, best, i, response) < NEAR * value:
                    write_linear_confusion(means, m, best, i, response)
                    write_linear_move(means, response, alternative, gradients[count])
                    count += 1
    return value, count
