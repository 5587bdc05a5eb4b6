"""Best point of a dominated arm for an assignment, if its objectives are correlated.

It minimises a strictly convex, piecewise quadratic function: with P the precision of the target's
mean and W the weight of each arm in its objective,

    (x - mu)' P (x - mu) / 2 + sum over c, and arms i assigned to c, of W_ic (mu_ic - x_c)_+^2 / 2.

Newton's method solves each piece exactly, and ends in the piece that holds its own solution.
"""

import numpy as np

from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel, part

EPSILON = 2.0**-52
MOST_STEPS = 100
MOST_HALVINGS = 60
FLAT = 0.5  # the search along a step ends where the slope is this small against that at its start


@part
def rank_above(means, space, c, at, rank):
    """Rank of the first arm assigned to objective ``c`` that is above ``at``, from a guess."""
    while rank < space.sides[c]["count"] and means[space.order[c, rank], c] <= at:
        rank += 1
    while rank > 0 and means[space.order[c, rank - 1], c] > at:
        rank -= 1
    return rank


@part
def pull(means, prices, space, c, at, rank):
    """Force of the arms from ``rank`` on, which are above ``at``.

    Parameters
    ----------
    means, prices : ndarray, shape (K, d)
    space : SearchSpace
    c, rank : int
        Objective, and rank of the first arm above ``at``.
    at : float
        Value of the objective.
    """
    force = 0.0
    for i in range(rank, space.sides[c]["count"]):
        arm = space.order[c, i]
        force += prices[arm, c] * (means[arm, c] - at)
    return force


@part
def _write_slope(means, prices, precision, target, space, at, slope):
    """Write the gradient at a point, whose ranks are those of ``space``.

    Parameters
    ----------
    means, prices : ndarray, shape (K, d)
    precision : ndarray, shape (d, d)
    target : int
    space : SearchSpace
    at : ndarray, shape (d,)
    slope : ndarray, shape (d,)
        Modified in place.
    """
    for c in range(at.shape[0]):
        value = -pull(means, prices, space, c, at[c], space.sides[c]["first"])
        for b in range(at.shape[0]):
            value += precision[c, b] * (at[b] - means[target, b])
        slope[c] = value


@part
def _held(space, c):
    """Sum of the prices of the arms of objective ``c`` that are above the target."""
    first, count = space.sides[c]["first"], space.sides[c]["count"]
    return space.tail[c, first] - space.tail[c, count]


@part
def _solve(precision, added, factor, vector):
    """Solve (precision + diag(added)) x = vector in place, by Cholesky's factor.

    Parameters
    ----------
    precision : ndarray, shape (d, d)
    added : ndarray, shape (d,)
    factor : ndarray, shape (d, d)
        Work array. Modified in place.
    vector : ndarray, shape (d,)
        Modified in place.
    """
    for b in range(vector.shape[0]):
        pivot = precision[b, b] + added[b]
        for c in range(b):
            entry = precision[b, c]
            for a in range(c):
                entry -= factor[b, a] * factor[c, a]
            factor[b, c] = entry / factor[c, c]
            vector[b] -= factor[b, c] * vector[c]
            pivot -= factor[b, c] * factor[b, c]
        factor[b, b] = np.sqrt(max(pivot, EPSILON * precision[b, b]))
        vector[b] /= factor[b, b]
    for b in range(vector.shape[0] - 1, -1, -1):
        for c in range(b + 1, vector.shape[0]):
            vector[b] -= factor[c, b] * vector[c]
        vector[b] /= factor[b, b]


@part
def refresh_tail(prices, space, c, own):
    """Recompute the sums of prices of objective ``c``, from the highest arm down to all of them.

    ``own`` is the curvature of the cost without these arms.
    """
    count = space.sides[c]["count"]
    space.tail[c, count] = own
    for rank in range(count - 1, -1, -1):
        space.tail[c, rank] = space.tail[c, rank + 1] + prices[space.order[c, rank], c]


@part
def _move(means, prices, precision, target, search, length):
    """Write the point at this ``length`` of the step, and its gradient; return the slope along.

    Parameters
    ----------
    means, prices : ndarray, shape (K, d)
    precision : ndarray, shape (d, d)
    target : int
    search : JointSearch
        Modified in place: ``trial``, ``trial_slope``, and the ranks of its space.
    length : float
    """
    space = search.space
    for c in range(search.step.shape[0]):
        search.trial[c] = space.position[c] + length * search.step[c]
        first = rank_above(means, space, c, search.trial[c], space.sides[c]["first"])
        space.sides[c]["first"] = first
    _write_slope(means, prices, precision, target, space, search.trial, search.trial_slope)
    along = 0.0
    for c in range(search.step.shape[0]):
        along += search.trial_slope[c] * search.step[c]
    return along


@kernel
def _shorten(means, prices, precision, target, search, start, end):
    """Shorten a step past the minimum along it, by the rule of Illinois.

    Parameters
    ----------
    means, prices : ndarray, shape (K, d)
    precision : ndarray, shape (d, d)
    target : int
    search : JointSearch
        Modified in place, as by `_move`.
    start, end : float
        Slopes at both ends of the step, negative and positive.
    """
    low, high = 0.0, 1.0
    low_slope, high_slope = start, end
    for _ in range(MOST_HALVINGS):
        length = low + (high - low) * (low_slope / (low_slope - high_slope))
        along = _move(means, prices, precision, target, search, length)
        if abs(along) <= -FLAT * start:
            break
        if along < 0.0:
            low, low_slope, high_slope = length, along, 0.5 * high_slope
        else:
            high, high_slope, low_slope = length, along, 0.5 * low_slope


@part
def _cost_at(means, prices, precision, target, space):
    """Cost at the position of ``space``."""
    cost = 0.0
    for c in range(means.shape[1]):
        at = space.position[c]
        moved = 0.0
        for b in range(means.shape[1]):
            moved += precision[c, b] * (space.position[b] - means[target, b])
        cost += 0.5 * moved * (at - means[target, c])
        for i in range(space.sides[c]["first"], space.sides[c]["count"]):
            arm = space.order[c, i]
            cost += 0.5 * prices[arm, c] * (means[arm, c] - at) ** 2
    return cost


@kernel
def settle(means, prices, precision, target, search):
    """Move the target to its best point for the arms assigned; return the cost there.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    prices : ndarray, shape (K, d)
        Weight of each arm in each objective.
    precision : ndarray, shape (d, d)
        Inverse covariance of the target's estimated mean.
    target : int
    search : JointSearch
        Modified in place: position, slope and ranks of its space.
    """
    space = search.space
    search.step[:] = 0.0
    _move(means, prices, precision, target, search, 0.0)
    copy_vector(space.slope, search.trial_slope)
    for _ in range(MOST_STEPS):
        for c in range(means.shape[1]):
            search.added[c] = _held(space, c)
            search.step[c] = -space.slope[c]
        _solve(precision, search.added, search.factor, search.step)
        small, start = True, 0.0
        for c in range(means.shape[1]):
            search.ranks[c] = space.sides[c]["first"]
            start += space.slope[c] * search.step[c]
            small = small and abs(search.step[c]) <= EPSILON * abs(space.position[c])
        end = _move(means, prices, precision, target, search, 1.0)
        done = True
        for c in range(means.shape[1]):
            done = done and search.ranks[c] == space.sides[c]["first"]
        if not (done or small) and end > -FLAT * start:
            _shorten(means, prices, precision, target, search, start, end)
        copy_vector(space.position, search.trial)
        copy_vector(space.slope, search.trial_slope)
        if done or small:
            break
    return _cost_at(means, prices, precision, target, space)
