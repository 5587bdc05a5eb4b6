"""Cheapest addition of one dominated arm whose objectives are correlated.

A blocking arm i is lowered in one objective c, at the price of that objective's variance alone,
because its other objectives move by regression: W_ic = w_i / Sigma_i[c, c]. The target pays in its
own covariance, with the precision P = w_0 Sigma_0^-1 of its mean. For an assignment its best point
minimises a strictly convex, piecewise quadratic function,

    (x - mu_0)' P (x - mu_0) / 2 + sum over assigned arms i of W_ic(i) (mu_ic(i) - x_c(i))_+^2 / 2.

Newton's method solves each piece exactly, and ends in the piece that holds its own solution. The
search over assignments is that of `branch_and_bound`, with these differences:

* the best point may move down, so that arms that did not dominate the target can block it;
* what one more arm adds is bounded at that point: the other objectives' penalties are replaced by
  their tangents there, which are below them. The minimum over the other coordinates leaves the
  problem of one objective, with the target's price w_0 / Sigma_0[c, c].
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import inner, kernel, part
from pareto_core.geometry.triangles import factorise, solve_lower, solve_upper
from pareto_core.transport.branch_and_bound import (
    SearchSpace,
    free_target,
    insert,
    open_node,
    refresh_tail,
    remove,
    search_space,
    start,
    take_cheapest,
)

EPSILON = 2.0**-52
MOST_STEPS = 100
MOST_HALVINGS = 60
FLAT = 0.5  # the search along a step ends where the slope is this small against that at its start


class JointSearch(NamedTuple):
    """Arrays of one search, allocated once for up to ``n`` arms and ``d`` objectives."""

    space: SearchSpace  # its levels have what is not in the arrays below
    old_position: np.ndarray  # (n + 1, d) the position before the assignment of each level
    old_slope: np.ndarray  # (n + 1, d)
    old_first: np.ndarray  # (n + 1, d)
    factor: np.ndarray  # (d, d) Cholesky factor
    added: np.ndarray  # (d,) curvature of the penalties
    step: np.ndarray  # (d,) Newton's step
    trial: np.ndarray  # (d,) the point to which it leads
    trial_slope: np.ndarray  # (d,) the gradient there
    ranks: np.ndarray  # (d,) first arms above the point where the step begins


def joint_search(n, d):
    """Allocate a `JointSearch`."""
    return JointSearch(
        search_space(n, d),
        *np.empty((2, n + 1, d)),
        np.empty((n + 1, d), np.int64),
        np.empty((d, d)),
        *np.empty((4, d)),
        np.empty(d, np.int64),
    )


@part
def _rank_above(means, space, c, at, rank):
    """Rank of the first arm assigned to objective ``c`` that is above ``at``, from a guess."""
    while rank < space.sides[c]["count"] and means[space.order[c, rank], c] <= at:
        rank += 1
    while rank > 0 and means[space.order[c, rank - 1], c] > at:
        rank -= 1
    return rank


@part
def _write_slope(means, prices, precision, target, space, at, slope):
    """Write the gradient at a point, whose ranks are those of ``space``."""
    for c in range(at.shape[0]):
        force = 0.0
        for i in range(space.sides[c]["first"], space.sides[c]["count"]):
            arm = space.order[c, i]
            force += prices[arm, c] * (means[arm, c] - at[c])
        slope[c] = -force
        for b in range(at.shape[0]):
            slope[c] += precision[c, b] * (at[b] - means[target, b])


@part
def _move(means, prices, precision, target, search, length):
    """Write the point at this ``length`` of the step, and its gradient; return the slope along."""
    space = search.space
    for c in range(search.step.shape[0]):
        search.trial[c] = space.position[c] + length * search.step[c]
        first = _rank_above(means, space, c, search.trial[c], space.sides[c]["first"])
        space.sides[c]["first"] = first
    _write_slope(means, prices, precision, target, space, search.trial, search.trial_slope)
    along = 0.0
    for c in range(search.step.shape[0]):
        along += search.trial_slope[c] * search.step[c]
    return along


@inner
def _shorten(means, prices, precision, target, search, low_slope, high_slope):
    """Shorten a step past the minimum, by the slopes at its ends and the rule of Illinois."""
    low, high, flat = 0.0, 1.0, -FLAT * low_slope
    for _ in range(MOST_HALVINGS):
        length = low + (high - low) * (low_slope / (low_slope - high_slope))
        along = _move(means, prices, precision, target, search, length)
        if abs(along) <= flat:
            break
        if along < 0.0:
            low, low_slope, high_slope = length, along, 0.5 * high_slope
        else:
            high, high_slope, low_slope = length, along, 0.5 * low_slope


@part
def _write_step(precision, search):
    """Write Newton's step from the position; return the slope along it."""
    space, step = search.space, search.step
    for c in range(step.shape[0]):
        first, count = space.sides[c]["first"], space.sides[c]["count"]
        search.added[c] = space.tail[c, first] - space.tail[c, count]
        step[c] = -space.slope[c]
    factorise(precision, search.added, search.factor)
    solve_lower(search.factor, step)
    solve_upper(search.factor, step)
    along = 0.0
    for c in range(step.shape[0]):
        along += space.slope[c] * step[c]
    return along


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
    """Move the target to its best point for the arms assigned; return the cost there."""
    space = search.space
    search.step[:] = 0.0
    _move(means, prices, precision, target, search, 0.0)
    copy_vector(space.slope, search.trial_slope)
    for _ in range(MOST_STEPS):
        beginning = _write_step(precision, search)
        small = True
        for c in range(means.shape[1]):
            search.ranks[c] = space.sides[c]["first"]
            small = small and abs(search.step[c]) <= EPSILON * abs(space.position[c])
        end = _move(means, prices, precision, target, search, 1.0)
        done = True
        for c in range(means.shape[1]):
            done = done and search.ranks[c] == space.sides[c]["first"]
        if not (done or small) and end > -FLAT * beginning:
            _shorten(means, prices, precision, target, search, beginning, end)
        copy_vector(space.position, search.trial)
        copy_vector(space.slope, search.trial_slope)
        if done or small:
            break
    return _cost_at(means, prices, precision, target, space)


@inner
def _assign(means, prices, precision, target, search, depth, c):
    """Assign the arm of level ``depth`` to objective ``c``; return the cost of the assignment."""
    space = search.space
    for b in range(means.shape[1]):
        search.old_position[depth, b] = space.position[b]
        search.old_slope[depth, b] = space.slope[b]
        search.old_first[depth, b] = space.sides[b]["first"]
    insert(means, space, depth, c)
    refresh_tail(prices, target, space, c, 0)
    return settle(means, prices, precision, target, search)


@inner
def _undo(prices, target, search, depth):
    """Undo the assignment made at ``depth``."""
    space = search.space
    refresh_tail(prices, target, space, remove(space, depth), 0)
    for b in range(search.old_position.shape[1]):
        space.position[b] = search.old_position[depth, b]
        space.slope[b] = search.old_slope[depth, b]
        space.sides[b]["first"] = search.old_first[depth, b]


@kernel
def free_target_at_prices(
    means, prices, precision, coupled, front, size, target, upper, point, search
):
    """As `free_target`, in the metric of ``precision`` if the target's objectives are coupled."""
    space = search.space
    if not coupled:
        return free_target(means, prices, front, size, target, upper, point, space)
    n = start(means, prices, front, size, target, True, space)
    depth = np.int64(0)
    best = open_node(means, prices, space, n, depth, upper, point)
    while depth >= 0:
        c, cost = take_cheapest(space.branch_cost[depth])
        if space.levels[depth]["value"] + cost >= best:
            depth -= 1
            if depth >= 0:
                _undo(prices, target, search, depth)
            continue
        space.levels[depth + 1]["value"] = _assign(
            means, prices, precision, target, search, depth, c
        )
        depth += 1
        best = open_node(means, prices, space, n, depth, best, point)
    return best
