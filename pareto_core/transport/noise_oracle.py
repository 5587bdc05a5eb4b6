"""The cheapest alternative under Gaussian noise of known covariance, Sigma_k for each arm k.

It minimises sum_k w_k (mu_k - lambda_k)' Sigma_k^-1 (mu_k - lambda_k) / 2 over the means lambda
with a different answer. As for independent noise of unit variance (`oracle`), an optimal arm leaves
the Pareto set because another *optimal* arm meets it (removal): if no dominated arm becomes
optimal, the new Pareto set is a part of the old one, and an arm of it dominates the one that left.
Otherwise a dominated arm becomes optimal (addition). An arm that is moved in some objectives moves
in the others by regression.
"""

import numpy as np

from pareto_core.compiling.copies import copy_matrix, copy_vector
from pareto_core.compiling.kernels import kernel, part
from pareto_core.geometry.dominance import _pareto_set
from pareto_core.transport.addition import blocks
from pareto_core.transport.noise_addition import dominator_price_bound, free_target_at_prices
from pareto_core.transport.noise_removal import (
    may_meet,
    meeting_forces,
    meeting_share,
    write_difference,
)
from pareto_core.transport.noise_response import (
    NoiseResponse,
    allocate_noise_response,
    write_prices,
)
from pareto_core.transport.oracle import weightless_arm

__all__ = [
    "NoiseResponse",
    "allocate_noise_response",
    "cheapest_alternative_with_noise",
    "cheapest_confusion_with_noise",
    "cheapest_removal_with_noise",
    "confuse",
    "find_front_with_noise",
    "free_arm_with_noise",
    "free_weightless_with_noise",
    "meet",
    "write_alternative_with_noise",
    "write_gradient_with_noise",
]


@kernel
def find_front_with_noise(means, weights, noise, response):
    """Find the Pareto set and the prices; forget the alternative."""
    size = _pareto_set(means, response.front)
    response.optimal[:] = False
    for f in range(size):
        response.optimal[response.front[f]] = True
    write_prices(weights, noise, response.prices)
    found = response.found[0]
    found["size"] = size
    found["moved"], found["loser"], found["winner"] = -1, -1, -1
    return size


@kernel
def meet(means, weights, noise, loser, winner, upper, response):
    """Cheapest cost below ``upper`` at which ``winner`` is as good as ``loser``, else ``upper``.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    noise : KnownNoise
    loser, winner : int
    upper : float
        Costs of at least this are not searched for.
    response : NoiseResponse
        Modified in place: the alternative, if its cost is below ``upper``.
    """
    share = meeting_share(weights[loser], weights[winner])
    for c in range(means.shape[1]):
        response.lead[c] = means[loser, c] - means[winner, c]
    write_difference(noise, loser, winner, share, response.matrix)
    cost = meeting_forces(
        response.matrix, response.lead, response.held, response.trial, response.factor
    )
    cost *= share * weights[loser]
    if cost >= upper:
        return upper
    copy_vector(response.forces, response.trial)
    found = response.found[0]
    found["moved"], found["loser"], found["winner"] = loser, loser, winner
    return cost


@kernel
def cheapest_removal_with_noise(means, weights, noise, upper, response):
    """Cheapest ordered pair of Pareto optimal arms below ``upper``, else ``upper``. O(p^2 d).

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    noise : KnownNoise
    upper : float
        Costs of at least this are not searched for.
    response : NoiseResponse
        With the front found. Modified in place: the alternative, if its cost is below ``upper``.
    """
    front, variance, best = response.front, noise.variance, upper
    for f in range(response.found[0]["size"]):
        for g in range(f):
            loser, winner = front[f], front[g]
            share = meeting_share(weights[loser], weights[winner])
            limit = 2.0 * best / (share * weights[loser])
            if may_meet(means, variance, loser, winner, share, limit):
                best = meet(means, weights, noise, loser, winner, best, response)
                limit = 2.0 * best / (share * weights[loser])
            if may_meet(means, variance, winner, loser, 1.0 - share, limit):
                best = meet(means, weights, noise, winner, loser, best, response)
    return best


@kernel
def free_arm_with_noise(means, weights, noise, target, upper, response):
    """Cheapest cost below ``upper`` of adding ``target``, else ``upper``.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    noise : KnownNoise
    target : int
        A dominated arm of positive weight.
    upper : float
        Costs of at least this are not searched for.
    response : NoiseResponse
        With the front found. Modified in place: the alternative, if its cost is below ``upper``.
    """
    coupled = not noise.independent[target]
    if coupled:
        for b in range(means.shape[1]):
            for c in range(means.shape[1]):
                response.matrix[b, c] = weights[target] * noise.precision[target, b, c]
    cost = free_target_at_prices(
        means,
        response.prices,
        response.matrix,
        coupled,
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
def free_weightless_with_noise(means, noise, target, response):
    """Record the addition of an arm of weight 0: above all optimal arms in objective 0."""
    rise = 0.0
    for f in range(response.found[0]["size"]):
        rise = max(rise, means[response.front[f], 0] - means[target, 0])
    for c in range(means.shape[1]):
        slope = noise.covariance[target, c, 0] / noise.variance[target, 0]
        response.point[c] = means[target, c] + slope * rise
    for f in range(response.found[0]["size"]):
        response.point[0] = max(response.point[0], means[response.front[f], 0])
    response.found[0]["moved"] = target


@kernel
def cheapest_alternative_with_noise(means, weights, noise, upper, response):
    """Cost of the cheapest alternative below ``upper``, recorded in ``response``.

    Returns ``upper``, with -1 recorded, if no alternative is cheaper. The order of the search is
    that of `oracle.cheapest_alternative`.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    noise : KnownNoise
    upper : float
        Costs of at least this are not searched for.
    response : NoiseResponse
        Modified in place.
    """
    size = find_front_with_noise(means, weights, noise, response)
    front, optimal, bounds, prices = (
        response.front,
        response.optimal,
        response.bounds,
        response.prices,
    )
    weightless = weightless_arm(weights, optimal)
    if upper > 0.0 and weightless >= 0:
        free_weightless_with_noise(means, noise, weightless, response)
        return 0.0
    best, lowest = cheapest_removal_with_noise(means, weights, noise, upper, response), -1
    limit = best
    for k in range(means.shape[0]):
        if not optimal[k]:
            bounds[k] = dominator_price_bound(means, prices, front, size, k, limit)
            if lowest < 0 or bounds[k] < bounds[lowest]:
                lowest = k
                limit = min(limit, bounds[k])
    if lowest < 0 or bounds[lowest] >= best:
        return best
    best = free_arm_with_noise(means, weights, noise, lowest, best, response)
    for k in range(means.shape[0]):
        if not optimal[k] and k != lowest and bounds[k] < best:
            if dominator_price_bound(means, prices, front, size, k, best) < best:
                best = free_arm_with_noise(means, weights, noise, k, best, response)
    return best


@kernel
def confuse(means, weights, noise, objective, best, challenger, upper, response):
    """Cost below ``upper`` at which ``challenger`` meets the best arm there, else ``upper``.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    noise : KnownNoise
    objective, best, challenger : int
    upper : float
        Costs of at least this are ignored.
    response : NoiseResponse
        Modified in place: the alternative, if its cost is below ``upper``.
    """
    share = meeting_share(weights[best], weights[challenger])
    variance = (
        share * noise.variance[best, objective]
        + (1.0 - share) * noise.variance[challenger, objective]
    )
    gap = means[best, objective] - means[challenger, objective]
    cost = 0.5 * gap * gap / variance * (share * weights[best])
    if cost >= upper:
        return upper
    response.forces[:] = 0.0
    response.held[:] = False
    response.held[objective] = True
    response.forces[objective] = gap / variance
    found = response.found[0]
    found["moved"], found["loser"], found["winner"] = challenger, best, challenger
    return cost


@kernel
def cheapest_confusion_with_noise(means, weights, noise, upper, response):
    """As `cheapest_alternative_with_noise`, for the best arm of every objective.

    If several arms are best in an objective, the first counts as the best arm, and another costs
    nothing as the challenger.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    noise : KnownNoise
    upper : float
        Costs of at least this are not searched for.
    response : NoiseResponse
        Modified in place.
    """
    response.found[0]["moved"] = -1
    best = upper
    for m in range(means.shape[1]):
        leader = means[:, m].argmax()
        for i in range(means.shape[0]):
            if i != leader:
                best = confuse(means, weights, noise, m, leader, i, best, response)
    return best


@part
def _sidestep(means, noise, arm, point):
    """Objective in which ``arm`` exceeds ``point`` least, in its standard deviations."""
    objective, least = 0, np.inf
    for c in range(means.shape[1]):
        lead = means[arm, c] - point[c]
        cost = lead * lead / noise.variance[arm, c]
        if cost < least:
            objective, least = c, cost
    return objective


@kernel
def _write_meeting(means, weights, noise, response, alternative):
    """Write the means of the loser and the winner."""
    found = response.found[0]
    loser, winner = found["loser"], found["winner"]
    share = meeting_share(weights[loser], weights[winner])
    for c in range(means.shape[1]):
        fall, rise = 0.0, 0.0
        for b in range(means.shape[1]):
            fall += share * noise.covariance[loser, c, b] * response.forces[b]
            rise += (1.0 - share) * noise.covariance[winner, c, b] * response.forces[b]
        alternative[loser, c] = means[loser, c] - fall
        alternative[winner, c] = means[winner, c] + rise
        if response.forces[c] > 0.0:  # the arms meet; the shorter move has a smaller error
            both = alternative[loser, c] if abs(fall) < abs(rise) else alternative[winner, c]
            alternative[loser, c], alternative[winner, c] = both, both


@kernel
def write_alternative_with_noise(means, weights, noise, response, alternative):
    """Write the means of the recorded alternative.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    noise : KnownNoise
    response : NoiseResponse
    alternative : ndarray, shape (K, d)
        Modified in place.
    """
    copy_matrix(alternative, means)
    found, point = response.found[0], response.point
    if found["moved"] < 0:
        return
    if found["winner"] >= 0:
        _write_meeting(means, weights, noise, response, alternative)
        return
    for f in range(found["size"]):
        arm = response.front[f]
        if blocks(means, arm, point):
            c = _sidestep(means, noise, arm, point)
            fall = (means[arm, c] - point[c]) / noise.variance[arm, c]
            for b in range(means.shape[1]):
                alternative[arm, b] = means[arm, b] - noise.covariance[arm, b, c] * fall
            alternative[arm, c] = point[c]
    alternative[found["moved"], :] = point


@kernel
def write_gradient_with_noise(means, weights, noise, response, gradient):
    """Write the gradient in the weights, (mu_k - lambda_k)' Sigma_k^-1 (mu_k - lambda_k) / 2.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    noise : KnownNoise
    response : NoiseResponse
        With the alternative lambda.
    gradient : ndarray, shape (K,)
        Modified in place.
    """
    gradient[:] = 0.0
    found, point, forces = response.found[0], response.point, response.forces
    if found["moved"] < 0:
        return
    if found["winner"] >= 0:
        loser, winner = found["loser"], found["winner"]
        share = meeting_share(weights[loser], weights[winner])
        for b in range(means.shape[1]):
            for c in range(means.shape[1]):
                both = 0.5 * forces[b] * forces[c]
                gradient[loser] += share**2 * both * noise.covariance[loser, b, c]
                gradient[winner] += (1.0 - share) ** 2 * both * noise.covariance[winner, b, c]
        return
    for f in range(found["size"]):
        arm = response.front[f]
        if blocks(means, arm, point):
            c = _sidestep(means, noise, arm, point)
            gradient[arm] = 0.5 * (means[arm, c] - point[c]) ** 2 / noise.variance[arm, c]
    moved = found["moved"]
    for b in range(means.shape[1]):
        for c in range(means.shape[1]):
            both = (point[b] - means[moved, b]) * (point[c] - means[moved, c])
            gradient[moved] += 0.5 * both * noise.precision[moved, b, c]
