"""Cheapest addition of one dominated arm, by branch and bound over assignments.

An assignment maps each Pareto optimal arm to the objective in which it is lowered. For
arms assigned to objective c, the target's best coordinate there minimises

    w0/2 (x - mu0_c)^2 + sum_i w_i/2 (mu_i_c - x)_+^2,

so the cost of a *partial* assignment is a sum of d such minima, and assigning one
more arm never lowers it. The search is depth-first over partial assignments:

* arms already below the target in some objective need no assignment;
* two lower bounds hold on what the unassigned arms add: the largest, over these arms,
  of the cheapest assignment of that arm alone; and the mean, weighted by w_k, of
  what each arm would cost if all their weight had its mean (the convex
  combination with shares w_k / sum w of the d one-dimensional problems);
* it branches on the arm that attains the first bound, cheapest objective first.

Crepon et al. (2024) enumerate the assignments of non-empty cells instead.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel, part
from pareto_core.transport.addition import blocks

SIDE = np.dtype([("count", np.int64), ("first", np.int64)], align=True)
LEVEL = np.dtype(
    [
        ("objective", np.int64),
        ("rank", np.int64),
        ("old_first", np.int64),
        ("old_position", np.float64),
        ("old_slope", np.float64),
        ("value", np.float64),
    ],
    align=True,
)


class SearchSpace(NamedTuple):
    """Arrays of one search, allocated once for up to ``n`` arms and ``d`` objectives."""

    candidates: np.ndarray  # (n,) arms above the target; those assigned come first, by level
    order: np.ndarray  # (d, n) arms assigned to an objective, by ascending mean
    tail: np.ndarray  # (d, n + 1) the target's weight plus that of this arm and all above it
    sides: np.ndarray  # (d,) SIDE: number of arms assigned; the first that is above the target
    position: np.ndarray  # (d,) the target's best coordinates for the partial assignment
    slope: np.ndarray  # (d,) derivative of the cost there: not 0, for a coordinate is rounded
    levels: np.ndarray  # (n + 1,) LEVEL: an assignment, how to undo it, the cost before it
    branch_cost: np.ndarray  # (n + 2, d) cost that each assignment still to try at a level adds
    nodes: np.ndarray  # (1,) number of partial assignments that the last search bounded


@kernel
def search_space(n, d):
    """Allocate a `SearchSpace`."""
    return SearchSpace(
        np.empty(n, np.int64),
        np.empty((d, n), np.int64),
        np.empty((d, n + 1)),
        np.empty(d, SIDE),
        np.empty(d),
        np.empty(d),
        np.empty(n + 1, LEVEL),
        np.empty((n + 2, d)),
        np.zeros(1, np.int64),
    )


@part
def added_cost(means, space, c, level, weight):
    """Cost that an arm with this ``weight`` and mean ``level`` adds in objective ``c``.

    Follows the derivative of the piecewise quadratic cost up from its minimum; all
    terms are non-negative, so nothing cancels. Returns (cost, new coordinate, first
    arm still above it).
    """
    at = space.position[c]
    rank = space.sides[c]["first"]
    count = space.sides[c]["count"]
    slope_at = space.slope[c]
    cost = 0.0
    stop = at
    while True:
        slope = space.tail[c, rank]
        stop = at + (weight * (level - at) - slope_at) / (slope + weight)
        if rank == count or stop <= means[space.order[c, rank], c]:
            break
        step = means[space.order[c, rank], c] - at
        cost += step * (slope_at + 0.5 * slope * step)
        slope_at += slope * step
        at += step
        rank += 1
    step = stop - at
    cost += step * (slope_at + 0.5 * slope * step) + 0.5 * weight * (level - stop) ** 2
    return cost, stop, rank


@part
def _refresh_tail(weights, space, c):
    """Recompute the sums of weights of objective ``c``, from the highest arm down."""
    for rank in range(space.sides[c]["count"] - 1, space.sides[c]["first"] - 1, -1):
        space.tail[c, rank] = space.tail[c, rank + 1] + weights[space.order[c, rank]]


@kernel
def _assign(means, weights, own, start, space, depth, c):
    """Assign the arm of level ``depth`` to objective ``c`` and record how to undo it.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    own, start : float
        Weight of the target, and its mean in objective ``c``.
    space : SearchSpace
        Modified in place.
    depth, c : int
    """
    arm = space.candidates[depth]
    level = means[arm, c]
    _, stop, first = added_cost(means, space, c, level, weights[arm])
    side = space.sides[c]
    rank = side["count"]
    while rank > side["first"] and means[space.order[c, rank - 1], c] > level:
        space.order[c, rank] = space.order[c, rank - 1]
        rank -= 1
    space.order[c, rank] = arm
    undo = space.levels[depth]
    undo["objective"] = c
    undo["rank"] = rank
    undo["old_first"] = side["first"]
    undo["old_position"] = space.position[c]
    undo["old_slope"] = space.slope[c]
    space.position[c] = stop
    side["count"] += 1
    space.tail[c, side["count"]] = own
    _refresh_tail(weights, space, c)
    side["first"] = first
    space.slope[c] = own * (stop - start)  # next to a heavy arm, rounding ``stop`` is a force
    for i in range(first, side["count"]):
        other = space.order[c, i]
        space.slope[c] -= weights[other] * (means[other, c] - stop)


@kernel
def _undo(weights, own, space, depth):
    """Undo the assignment made at ``depth``."""
    undo = space.levels[depth]
    c = undo["objective"]
    side = space.sides[c]
    side["count"] -= 1
    for rank in range(undo["rank"], side["count"]):
        space.order[c, rank] = space.order[c, rank + 1]
    space.position[c] = undo["old_position"]
    space.slope[c] = undo["old_slope"]
    side["first"] = undo["old_first"]
    space.tail[c, side["count"]] = own
    _refresh_tail(weights, space, c)


@kernel
def _start(means, weights, front, size, target, space):
    """Set up the empty assignment; return the number of arms that block the target.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    front : ndarray of int, shape (K,)
        Pareto optimal arms, the first ``size`` entries.
    size : int
    target : int
        The dominated arm.
    space : SearchSpace
        Modified in place.
    """
    for c in range(means.shape[1]):
        space.sides[c]["count"] = 0
        space.sides[c]["first"] = 0
        space.position[c] = means[target, c]
        space.slope[c] = 0.0
        space.tail[c, 0] = weights[target]
    space.levels[0]["value"] = 0.0
    space.nodes[0] = 0
    n = 0
    for f in range(size):
        if weights[front[f]] > 0.0 and blocks(means, front[f], space.position):
            space.candidates[n] = front[f]
            n += 1
    return n


@kernel
def _choose_branch(means, weights, space, n, depth):
    """Move the costliest blocking arm to position ``depth``, with its costs.

    Returns (its cheapest added cost, the weight of all blocking arms); the former is
    negative if no arm blocks the target.
    """
    costliest = -1.0
    pending = 0.0
    chosen = depth
    costs = space.branch_cost[depth + 1]
    for k in range(depth, n):
        arm = space.candidates[k]
        if not blocks(means, arm, space.position):
            continue
        pending += weights[arm]
        cheapest = np.inf
        for c in range(means.shape[1]):
            costs[c], _, _ = added_cost(means, space, c, means[arm, c], weights[arm])
            cheapest = min(cheapest, costs[c])
        if cheapest > costliest:
            costliest = cheapest
            chosen = k
            for c in range(means.shape[1]):
                space.branch_cost[depth, c] = costs[c]
    if costliest >= 0.0:
        arm = space.candidates[chosen]
        space.candidates[chosen] = space.candidates[depth]
        space.candidates[depth] = arm
    return costliest, pending


@kernel
def _pooled_bound(means, weights, space, n, depth, pending):
    """Mean cost of lowering the weight ``pending`` from the mean of each blocking arm.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    space : SearchSpace
    n, depth : int
        The arms not yet assigned are ``space.candidates[depth:n]``.
    pending : float
        Weight of all blocking arms.
    """
    bound = 0.0
    for k in range(depth, n):
        arm = space.candidates[k]
        if not blocks(means, arm, space.position):
            continue
        cheapest = np.inf
        for c in range(means.shape[1]):
            cost, _, _ = added_cost(means, space, c, means[arm, c], pending)
            cheapest = min(cheapest, cost)
        bound += weights[arm] / pending * cheapest
    return bound


@kernel
def _open_node(means, weights, space, n, depth, best, point):
    """Bound the partial assignment of ``depth``; close it if it cannot improve.

    A complete assignment that improves on ``best`` is written to ``point``. Returns
    the best value known afterwards.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    space : SearchSpace
        Modified in place.
    n, depth : int
        The arms not yet assigned are ``space.candidates[depth:n]``.
    best : float
        The best value known.
    point : ndarray, shape (d,)
        Modified in place.
    """
    space.nodes[0] += 1
    costliest, pending = _choose_branch(means, weights, space, n, depth)
    room = best - space.levels[depth]["value"]
    closed = costliest >= room
    if costliest < 0.0:
        closed = True
        if room > 0.0:
            best = space.levels[depth]["value"]
            copy_vector(point, space.position)
    elif not closed and pending > weights[space.candidates[depth]]:
        closed = _pooled_bound(means, weights, space, n, depth, pending) >= room
    if closed:
        space.branch_cost[depth, :] = np.inf
    return best


@part
def take_cheapest(space, depth):
    """Take the cheapest assignment still to try at a level; return (objective, cost)."""
    costs = space.branch_cost[depth]
    c = costs.argmin()
    cost = costs[c]
    costs[c] = np.inf
    return c, cost


@kernel
def free_target(means, weights, front, size, target, upper, point, space):
    """Cheapest cost below ``upper`` at which no optimal arm dominates ``target``.

    Returns ``upper``, and does not modify ``point``, if no addition is cheaper.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    front : ndarray of int, shape (K,)
        Pareto optimal arms, the first ``size`` entries.
    size : int
    target : int
        A dominated arm of positive weight.
    upper : float
        Costs of at least this are not searched for.
    point : ndarray, shape (d,)
        Modified in place: the new mean of the target.
    space : SearchSpace
        Modified in place.
    """
    own = weights[target]
    n = _start(means, weights, front, size, target, space)
    depth = np.int64(0)
    best = _open_node(means, weights, space, n, depth, upper, point)
    while depth >= 0:
        c, cost = take_cheapest(space, depth)
        value = space.levels[depth]["value"] + cost
        if value >= best:
            depth -= 1
            if depth >= 0:
                _undo(weights, own, space, depth)
            continue
        _assign(means, weights, own, means[target, c], space, depth, c)
        depth += 1
        space.levels[depth]["value"] = value
        best = _open_node(means, weights, space, n, depth, best, point)
    return best
