"""Cheapest addition of one dominated arm, by branch and bound over assignments.

An assignment maps each Pareto optimal arm to the objective in which it is lowered. For
arms assigned to objective c, the target's best coordinate there minimises

    w0_c/2 (x - mu0_c)^2 + sum_i w_ic/2 (mu_ic - x)_+^2,

with the weights of the arms, or their `prices` in this objective. So the cost of a *partial*
assignment is a sum of d such minima, and assigning one more arm never lowers it. The search is
depth-first over partial assignments:

* arms already below the target in some objective need no assignment;
* two lower bounds hold on what the unassigned arms add: the largest, over these arms,
  of the cheapest assignment of that arm alone; and the mean, weighted by its share of all, of what
  each arm would cost if it had the weight of all (a convex combination of the d one-dimensional
  problems; it holds for any shares, and prices are divided by them);
* it branches on the arm that attains the first bound, cheapest objective first.

If the target's objectives are correlated, `coupled` assigns arms in the same search. Crepon et al.
(2024) enumerate the assignments of non-empty cells instead.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import inner, kernel, part
from pareto_core.transport.addition import blocks
from pareto_core.transport.prices import is_priced, pooled_price, price, total_price

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
    tail: np.ndarray  # (d, n + 1) the target's price plus that of this arm and all above it
    sides: np.ndarray  # (d,) SIDE: number of arms assigned; the first that is above the target
    position: np.ndarray  # (d,) the target's best coordinates for the partial assignment
    slope: np.ndarray  # (d,) derivative of the cost there: not 0, for a coordinate is rounded
    levels: np.ndarray  # (n + 1,) LEVEL: an assignment, how to undo it, the cost before it
    branch_cost: np.ndarray  # (n + 2, d) cost that each assignment still to try at a level adds
    nodes: np.ndarray  # (1,) number of partial assignments that the last search bounded


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
    """Cost that an arm adds, the new coordinate, and the rank of the first arm still above it."""
    at = space.position[c]
    rank = space.sides[c]["first"]
    count = space.sides[c]["count"]
    slope_at = space.slope[c]
    cost = 0.0  # a sum of non-negative terms, so nothing cancels
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
def refresh_tail(weights, target, space, c, lowest):
    """Recompute the sums of prices of objective ``c``, from the highest arm down to a rank."""
    count = space.sides[c]["count"]
    space.tail[c, count] = price(weights, target, c)
    for rank in range(count - 1, lowest - 1, -1):
        space.tail[c, rank] = space.tail[c, rank + 1] + price(weights, space.order[c, rank], c)


@part
def insert(means, space, depth, c):
    """Insert the arm of level ``depth`` among those assigned to objective ``c``."""
    arm, side = space.candidates[depth], space.sides[c]
    rank = side["count"]
    while rank > side["first"] and means[space.order[c, rank - 1], c] > means[arm, c]:
        space.order[c, rank] = space.order[c, rank - 1]
        rank -= 1
    space.order[c, rank] = arm
    space.levels[depth]["objective"] = c
    space.levels[depth]["rank"] = rank
    side["count"] += 1


@part
def remove(space, depth):
    """Take the arm of level ``depth`` out of the arms assigned; return its objective."""
    c = space.levels[depth]["objective"]
    side = space.sides[c]
    side["count"] -= 1
    for rank in range(space.levels[depth]["rank"], side["count"]):
        space.order[c, rank] = space.order[c, rank + 1]
    return c


@inner
def _assign(means, weights, target, space, depth, c):
    """Assign the arm of level ``depth`` to objective ``c`` and record how to undo it."""
    arm = space.candidates[depth]
    _, stop, first = added_cost(means, space, c, means[arm, c], price(weights, arm, c))
    side, undo = space.sides[c], space.levels[depth]
    undo["old_first"] = side["first"]
    undo["old_position"] = space.position[c]
    undo["old_slope"] = space.slope[c]
    insert(means, space, depth, c)
    refresh_tail(weights, target, space, c, side["first"])
    side["first"] = first
    space.position[c] = stop
    # next to a heavy arm, rounding ``stop`` is a force
    space.slope[c] = price(weights, target, c) * (stop - means[target, c])
    for i in range(first, side["count"]):
        other = space.order[c, i]
        space.slope[c] -= price(weights, other, c) * (means[other, c] - stop)


@inner
def _undo(weights, target, space, depth):
    """Undo the assignment made at ``depth``."""
    c, undo = remove(space, depth), space.levels[depth]
    space.position[c] = undo["old_position"]
    space.slope[c] = undo["old_slope"]
    space.sides[c]["first"] = undo["old_first"]
    refresh_tail(weights, target, space, c, undo["old_first"])


@inner
def start(means, weights, front, size, target, may_fall, space):
    """Set up the empty assignment; return how many arms may block a target that may fall or not."""
    for c in range(means.shape[1]):
        space.sides[c]["count"] = 0
        space.sides[c]["first"] = 0
        space.position[c] = means[target, c]
        space.slope[c] = 0.0
        space.tail[c, 0] = price(weights, target, c)
    space.levels[0]["value"] = 0.0
    space.nodes[0] = 0
    n = 0
    for f in range(size):
        if is_priced(weights, front[f]) and (may_fall or blocks(means, front[f], space.position)):
            space.candidates[n] = front[f]
            n += 1
    return n


@inner
def _choose_branch(means, weights, space, n, depth):
    """Move the costliest blocking arm to ``depth``; return its cost or -1, and all their price."""
    costliest = -1.0
    pending = 0.0
    chosen = depth
    costs = space.branch_cost[depth + 1]
    for k in range(depth, n):
        arm = space.candidates[k]
        if not blocks(means, arm, space.position):
            continue
        pending += total_price(weights, arm)
        cheapest = np.inf
        for c in range(means.shape[1]):
            costs[c], _, _ = added_cost(means, space, c, means[arm, c], price(weights, arm, c))
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


@inner
def _pooled_bound(means, weights, space, n, depth, pending):
    """Mean cost of lowering all weight ``pending`` from the mean of each blocking arm."""
    bound = 0.0
    for k in range(depth, n):
        arm = space.candidates[k]
        if not blocks(means, arm, space.position):
            continue
        cheapest, share = np.inf, total_price(weights, arm) / pending
        for c in range(means.shape[1]):
            pooled = pooled_price(weights, arm, c, share, pending)
            cost, _, _ = added_cost(means, space, c, means[arm, c], pooled)
            cheapest = min(cheapest, cost)
        bound += share * cheapest
    return bound


@inner
def open_node(means, weights, space, n, depth, best, point):
    """Close a partial assignment unless it may improve; return the best, written to ``point``."""
    space.nodes[0] += 1
    room = best - space.levels[depth]["value"]
    costliest, pending = np.inf, 0.0
    if room > 0.0:
        costliest, pending = _choose_branch(means, weights, space, n, depth)
    closed = costliest >= room
    if costliest < 0.0:
        closed = True
        best = space.levels[depth]["value"]
        copy_vector(point, space.position)
    elif not closed and pending > total_price(weights, space.candidates[depth]):
        closed = _pooled_bound(means, weights, space, n, depth, pending) >= room
    if closed:
        space.branch_cost[depth, :] = np.inf
    return best


@part
def take_cheapest(costs):
    """Take the cheapest assignment still to try at a level; return (objective, cost)."""
    c = costs.argmin()
    cost = costs[c]
    costs[c] = np.inf
    return c, cost


@kernel
def free_target(means, weights, front, size, target, upper, point, space):
    """Cheapest cost below ``upper`` at which no optimal arm dominates ``target``, or ``upper``."""
    n = start(means, weights, front, size, target, False, space)
    depth = np.int64(0)
    best = open_node(means, weights, space, n, depth, upper, point)
    while depth >= 0:
        c, cost = take_cheapest(space.branch_cost[depth])
        value = space.levels[depth]["value"] + cost
        if value >= best:
            depth -= 1
            if depth >= 0:
                _undo(weights, target, space, depth)
            continue
        _assign(means, weights, target, space, depth, c)
        depth += 1
        space.levels[depth]["value"] = value
        best = open_node(means, weights, space, n, depth, best, point)
    return best
