"""The cheapest alternative if each objective of an arm has a weight of its own.

It minimises sum_kc w_kc (mu_kc - lambda_kc)^2 / 2 over the means lambda with a different Pareto
set, as when each objective of an arm is measured by itself and the objectives are independent. The
alternatives are those of `noise_oracle`, since they do not depend on the weights. The cost of a
removal is a sum over objectives, and an addition is that of `noise_addition`, whose prices are
these weights. With two objectives the sweep does not apply: the objective in which an arm is
lowered depends on its own weights, so the assignments are not those of a staircase.
"""

import numpy as np

from pareto_core.compiling.copies import copy_matrix
from pareto_core.compiling.kernels import kernel, part
from pareto_core.geometry.dominance import _pareto_set
from pareto_core.transport.addition import blocks
from pareto_core.transport.noise_addition import dominator_price_bound, free_target_at_prices
from pareto_core.transport.noise_removal import meeting_share
from pareto_core.transport.removal import meeting_weight

__all__ = [
    "cheapest_separate_alternative",
    "find_separate_front",
    "free_arm_separately",
    "meet_separately",
    "write_separate_alternative",
    "write_separate_gradient",
]


@kernel
def find_separate_front(means, response):
    """Find the Pareto set, and forget the alternative; return the size of the set."""
    size = _pareto_set(means, response.front)
    response.optimal[:] = False
    for f in range(size):
        response.optimal[response.front[f]] = True
    found = response.found[0]
    found["size"] = size
    found["moved"], found["loser"], found["winner"] = -1, -1, -1
    return size


@part
def meet_separately(means, weights, loser, winner, upper, response):
    """Cost below ``upper`` at which ``winner`` is as good as ``loser``, else ``upper``.

    Parameters
    ----------
    means, weights : ndarray, shape (K, d)
    loser, winner : int
    upper : float
        Costs of at least this are ignored.
    response : NoiseResponse
        Modified in place: the alternative, if its cost is below ``upper``.
    """
    cost = 0.0
    for c in range(means.shape[1]):
        lead = means[loser, c] - means[winner, c]
        if lead > 0.0:
            cost += 0.5 * meeting_weight(weights[loser, c], weights[winner, c]) * lead * lead
            if cost >= upper:
                return upper
    if cost >= upper:
        return upper
    found = response.found[0]
    found["moved"], found["loser"], found["winner"] = loser, loser, winner
    return cost


@kernel
def free_arm_separately(means, weights, target, upper, response):
    """Cheapest cost below ``upper`` of adding ``target``, else ``upper``.

    Parameters
    ----------
    means, weights : ndarray, shape (K, d)
    target : int
        A dominated arm of positive weights.
    upper : float
        Costs of at least this are not searched for.
    response : NoiseResponse
        With the front found. Modified in place: the alternative, if its cost is below ``upper``.
    """
    cost = free_target_at_prices(
        means,
        weights,
        response.matrix,
        False,
        response.front,
        response.found[0]["size"],
        target,
        upper,
        response.point,
        response.search,
    )
    if cost < upper:
        found = response.found[0]
        found["moved"], found["loser"], found["winner"] = target, -1, -1
    return cost


@kernel
def _free_weightless(means, weights, response):
    """Record the addition of a dominated arm that has a weight of 0; return whether there is one.

    It rises above all optimal arms in that objective, which costs nothing.
    """
    for k in range(means.shape[0]):
        for c in range(means.shape[1]):
            if weights[k, c] == 0.0 and not response.optimal[k]:
                for b in range(means.shape[1]):
                    response.point[b] = means[k, b]
                for f in range(response.found[0]["size"]):
                    response.point[c] = max(response.point[c], means[response.front[f], c])
                response.found[0]["moved"] = k
                return True
    return False


@kernel
def cheapest_separate_alternative(means, weights, upper, response):
    """Cost of the cheapest alternative below ``upper``, recorded in ``response``.

    Returns ``upper``, with -1 recorded, if no alternative is cheaper. The order of the search is
    that of `oracle.cheapest_alternative`.

    Parameters
    ----------
    means, weights : ndarray, shape (K, d)
    upper : float
        Costs of at least this are not searched for.
    response : NoiseResponse
        Modified in place.
    """
    size = find_separate_front(means, response)
    front, optimal, bounds = response.front, response.optimal, response.bounds
    if upper > 0.0 and _free_weightless(means, weights, response):
        return 0.0
    best, lowest = upper, -1
    for f in range(size):
        for g in range(size):
            if f != g:
                best = meet_separately(means, weights, front[f], front[g], best, response)
    limit = best
    for k in range(means.shape[0]):
        if not optimal[k]:
            bounds[k] = dominator_price_bound(means, weights, front, size, k, limit)
            if lowest < 0 or bounds[k] < bounds[lowest]:
                lowest = k
                limit = min(limit, bounds[k])
    if lowest < 0 or bounds[lowest] >= best:
        return best
    best = free_arm_separately(means, weights, lowest, best, response)
    for k in range(means.shape[0]):
        if not optimal[k] and k != lowest and bounds[k] < best:
            if dominator_price_bound(means, weights, front, size, k, best) < best:
                best = free_arm_separately(means, weights, k, best, response)
    return best


@part
def _sidestep(means, weights, arm, point):
    """Objective in which lowering ``arm`` to ``point`` costs least."""
    objective, least = 0, np.inf
    for c in range(means.shape[1]):
        lead = means[arm, c] - point[c]
        cost = weights[arm, c] * lead * lead
        if cost < least:
            objective, least = c, cost
    return objective


@kernel
def write_separate_alternative(means, weights, response, alternative):
    """Write the means of the recorded alternative.

    Parameters
    ----------
    means, weights : ndarray, shape (K, d)
    response : NoiseResponse
    alternative : ndarray, shape (K, d)
        Modified in place.
    """
    copy_matrix(alternative, means)
    found, point = response.found[0], response.point
    loser, winner = found["loser"], found["winner"]
    if found["moved"] < 0:
        return
    if winner >= 0:
        for c in range(means.shape[1]):
            lead = means[loser, c] - means[winner, c]
            if lead > 0.0:
                share = meeting_share(weights[loser, c], weights[winner, c])
                both = means[loser, c] - share * lead
                if share > 0.5:  # the shorter move rounds less
                    both = means[winner, c] + (1.0 - share) * lead
                alternative[loser, c], alternative[winner, c] = both, both
        return
    for f in range(found["size"]):
        arm = response.front[f]
        if blocks(means, arm, point):
            c = _sidestep(means, weights, arm, point)
            alternative[arm, c] = point[c]
    alternative[found["moved"], :] = point


@kernel
def write_separate_gradient(means, weights, response, gradient):
    """Write the gradient in the weights, (mu_kc - lambda_kc)^2 / 2.

    Parameters
    ----------
    means, weights : ndarray, shape (K, d)
    response : NoiseResponse
        With the alternative lambda.
    gradient : ndarray, shape (K, d)
        Modified in place.
    """
    gradient[:] = 0.0
    found, point = response.found[0], response.point
    moved, loser, winner = found["moved"], found["loser"], found["winner"]
    if moved < 0:
        return
    if winner >= 0:
        for c in range(means.shape[1]):
            lead = means[loser, c] - means[winner, c]
            if lead > 0.0:
                falls = meeting_share(weights[loser, c], weights[winner, c])
                rises = (
                    1.0 if falls == 0.0 else meeting_share(weights[winner, c], weights[loser, c])
                )
                gradient[loser, c] = 0.5 * (falls * lead) ** 2
                gradient[winner, c] = 0.5 * (rises * lead) ** 2
        return
    for f in range(found["size"]):
        arm = response.front[f]
        if blocks(means, arm, point):
            c = _sidestep(means, weights, arm, point)
            gradient[arm, c] = 0.5 * (means[arm, c] - point[c]) ** 2
    for c in range(means.shape[1]):
        gradient[moved, c] = 0.5 * (point[c] - means[moved, c]) ** 2
