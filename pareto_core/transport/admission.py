"""Cheapest admission of one arm to the constrained Pareto set, by branch and bound.

The arm moves to a point of the polyhedron, and every optimal arm above that point in all
objectives is lowered to it in one objective, at its weight or at its price in this objective
(`prices`). The search is depth-first over partial assignments of optimal arms to objectives:

* the minimum of the cost under a partial assignment (`admission_minimum`) is a lower bound on
  the cost of every completion, and is attained if no other optimal arm is above the minimiser;
* away from the minimiser the cost grows at least like its curvature, since the polyhedron is
  convex, and an assigned arm contributes to it all the way to the mean of a new arm if its own mean
  is no lower. Over the other coordinates the minimum of the target's part has the curvature of its
  price. This bounds what any arm adds. As in `branch_and_bound`, the mean of what each blocking arm
  would add if it had the weight of all bounds what they add together;
* it branches on an arm above the minimiser for which the cheapest objective adds most.

Two objectives need no search if the arms have weights, because only the assignments of the cuts
have to be tried: the arms left of a cut are lowered in the first objective, those right of it in
the second (see `sweep`). With different prices in them, other assignments can be best.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel, part
from pareto_core.transport.addition import blocks
from pareto_core.transport.admission_minimum import (
    MinimumSpace,
    cheapest_point,
    minimum_space,
    nearest_inside,
    weighted_cost,
)
from pareto_core.transport.prices import is_priced, pooled_price, price, total_price
from pareto_core.transport.removal import meeting_weight


class ConstrainedSpace(NamedTuple):
    """Arrays of one search, allocated once for up to n arms, m rows and d objectives."""

    candidates: np.ndarray  # (n,) optimal arms; assigned arms come first, by level
    objectives: np.ndarray  # (n,) objectives of the assigned arms
    points: np.ndarray  # (n + 1, d) best mean of the target under the assignment of a level
    values: np.ndarray  # (n + 1,) cost of that point
    branch_cost: np.ndarray  # (n + 1, d) lower bound on what each assignment still to try adds
    minimum: MinimumSpace


def admission_space(n_rows, n_arms, n_objectives, is_noise_known):
    """Allocate a `ConstrainedSpace`, for m rows."""
    d = n_objectives
    return ConstrainedSpace(
        np.empty(n_arms, np.int64),
        np.empty(n_arms, np.int64),
        np.empty((n_arms + 1, d)),
        np.empty(n_arms + 1),
        np.empty((n_arms + 1, d)),
        minimum_space(n_rows, d, is_noise_known),
    )


@kernel
def _start(means, weights, precision, region, front, size, target, space):
    """Set up the empty assignment; return the number of optimal arms that cost something."""
    n = 0
    for f in range(size):
        if is_priced(weights, front[f]):
            space.candidates[n] = front[f]
            n += 1
    cost = nearest_inside(means, precision, region, target, space.points[0], space.minimum)
    space.values[0] = weighted_cost(weights, target, cost)
    return n


@part
def _least_added(means, weights, target, space, depth, arm, c, weight):
    """Lower bound on what ``weight`` at the mean of ``arm`` adds if lowered in objective ``c``."""
    level = means[arm, c]
    gap = level - space.points[depth, c]
    held = price(weights, target, c)
    for i in range(depth):
        other = space.candidates[i]
        if space.objectives[i] == c and means[other, c] >= level:
            held += price(weights, other, c)
    return 0.5 * meeting_weight(held, weight) * gap * gap


@part
def _cheapest_added(means, weights, target, space, depth, arm, share, pending):
    """Minimum of `_least_added` over all objectives, if the arm's share of ``pending`` were all."""
    cheapest = np.inf
    for c in range(means.shape[1]):
        weight = pooled_price(weights, arm, c, share, pending)
        added = _least_added(means, weights, target, space, depth, arm, c, weight)
        cheapest = min(cheapest, added)
    return cheapest


@kernel
def _choose_branch(means, weights, target, space, n, depth):
    """Move the costliest blocking arm to ``depth``; return its bound or -1, and all their price."""
    costliest, chosen, pending = -1.0, depth, 0.0
    for k in range(depth, n):
        arm = space.candidates[k]
        if blocks(means, arm, space.points[depth]):
            own = total_price(weights, arm)
            pending += own
            added = _cheapest_added(means, weights, target, space, depth, arm, 1.0, own)
            if added > costliest:
                costliest, chosen = added, k
    if costliest >= 0.0:
        arm = space.candidates[chosen]
        space.candidates[chosen] = space.candidates[depth]
        space.candidates[depth] = arm
        for c in range(means.shape[1]):
            weight = price(weights, arm, c)
            added = _least_added(means, weights, target, space, depth, arm, c, weight)
            space.branch_cost[depth, c] = added
    return costliest, pending


@kernel
def _pooled_bound(means, weights, target, space, n, depth, pending):
    """Mean lower bound on lowering the weight ``pending`` from the mean of each blocking arm."""
    bound = 0.0
    for k in range(depth, n):
        arm = space.candidates[k]
        if blocks(means, arm, space.points[depth]):
            share = total_price(weights, arm) / pending
            added = _cheapest_added(means, weights, target, space, depth, arm, share, pending)
            bound += share * added
    return bound


@part
def _open_node(means, weights, target, space, n, depth, best, point):
    """Close a partial assignment unless it may improve; return the best, written to ``point``."""
    costliest, pending = _choose_branch(means, weights, target, space, n, depth)
    room = best - space.values[depth]
    closed = costliest >= room
    if costliest < 0.0:
        closed = True
        if room > 0.0:
            best = space.values[depth]
            copy_vector(point, space.points[depth])
    elif not closed and pending > total_price(weights, space.candidates[depth]):
        closed = _pooled_bound(means, weights, target, space, n, depth, pending) >= room
    if closed:
        space.branch_cost[depth, :] = np.inf
    return best


@kernel
def admit_target(means, weights, precision, region, front, size, target, upper, point, space):
    """Cheapest cost below ``upper`` at which ``target`` is feasible and optimal, or ``upper``."""
    n = _start(means, weights, precision, region, front, size, target, space)
    best, depth, fresh = upper, np.int64(0), True
    while depth >= 0:
        if fresh:
            best = _open_node(means, weights, target, space, n, depth, best, point)
        c = space.branch_cost[depth].argmin()
        fresh = False
        if space.values[depth] + space.branch_cost[depth, c] >= best:
            depth -= 1
            continue
        space.branch_cost[depth, c] = np.inf
        space.objectives[depth] = c
        depth += 1
        trial = space.points[depth]
        copy_vector(trial, space.points[depth - 1])
        space.values[depth] = cheapest_point(
            means, weights, precision, region, target, space, depth, trial
        )
        fresh = space.values[depth] < best
        depth -= not fresh
    return best


@kernel
def admit_target_2d(means, weights, region, front, size, target, upper, point, space):
    """As `admit_target`, for two objectives, weights (K,) and a front sorted by `sorted_front`."""
    n = _start(means, weights, None, region, front, size, target, space)
    best = upper
    if space.values[0] >= best:
        return best
    trial = space.points[0]
    space.objectives[:n] = 1
    for cut in range(n + 1):
        if cut > 0:
            space.objectives[cut - 1] = 0
        value = cheapest_point(means, weights, None, region, target, space, n, trial)
        if value < best:
            best = value
            copy_vector(point, trial)
    return best
