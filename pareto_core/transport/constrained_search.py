"""Cheapest way to admit one arm to the constrained Pareto set, by branch and bound.

The arm goes to a place of the polyhedron, and every optimal arm above that place in all
objectives steps aside in one of them. The search is depth-first over partial assignments of
optimal arms to objectives:

* the minimum of the cost under a partial assignment (`constrained_minimum`) bounds from below
  what any completion costs, and is reached if no other optimal arm is above that place;
* away from that minimum the cost grows at least like its curvature, to which assigned arms
  count all the way whose mean is no lower than that of a new one. This bounds what any arm
  adds; and, as in `branch_and_bound`, the mean of what each pending arm would add if all
  their weight stood at its place bounds what they add together;
* it branches on an arm above that place for which the cheapest objective adds most.

With two objectives there are so few assignments to try that no search is needed.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel, part
from pareto_core.transport.addition import in_the_way
from pareto_core.transport.constrained_minimum import (
    MinimumSpace,
    cheapest_place,
    minimum_space,
    project_fast,
)
from pareto_core.transport.removal import meeting_weight


class ConstrainedSpace(NamedTuple):
    """Arrays of one search, allocated once for up to n arms, m rows and d objectives."""

    candidates: np.ndarray  # (n,) optimal arms; those assigned come first, by level
    objectives: np.ndarray  # (n,) what those are assigned to
    places: np.ndarray  # (n + 1, d) best place of the target under the assignment of a level
    values: np.ndarray  # (n + 1,) its cost
    branch_cost: np.ndarray  # (n + 1, d) least that each assignment still to try adds
    minimum: MinimumSpace


@kernel
def constrained_space(n_rows, n_arms, n_objectives):
    """Allocate a `ConstrainedSpace`."""
    return ConstrainedSpace(
        np.empty(n_arms, np.int64),
        np.empty(n_arms, np.int64),
        np.empty((n_arms + 1, n_objectives)),
        np.empty(n_arms + 1),
        np.empty((n_arms + 1, n_objectives)),
        minimum_space(n_rows, n_objectives),
    )


@kernel
def nearest_inside(means, normals, offsets, target, point, space):
    """Write the projection of ``target`` onto the polyhedron; return half its squared distance."""
    space.metric[:] = 1.0
    if not project_fast(normals, offsets, space.metric, means[target], point, space):
        return np.inf
    squares = 0.0
    for c in range(means.shape[1]):
        squares += (point[c] - means[target, c]) ** 2
    return 0.5 * squares


@part
def _start(means, weights, normals, offsets, front, size, target, space):
    """Set up the empty assignment; return the number of optimal arms that may be in the way."""
    n = 0
    for f in range(size):
        if weights[front[f]] > 0.0:
            space.candidates[n] = front[f]
            n += 1
    half_squares = nearest_inside(means, normals, offsets, target, space.places[0], space.minimum)
    space.values[0] = weights[target] * half_squares
    return n


@part
def _least_added(means, weights, target, space, depth, arm, c, weight):
    """Lower bound on what it adds that ``weight`` at the place of ``arm`` steps aside in ``c``."""
    level = means[arm, c]
    gap = level - space.places[depth, c]
    held = weights[target]
    for i in range(depth):
        other = space.candidates[i]
        if space.objectives[i] == c and means[other, c] >= level:
            held += weights[other]
    return 0.5 * meeting_weight(held, weight) * gap * gap


@part
def _cheapest_added(means, weights, target, space, depth, arm, weight):
    """The smallest of these bounds over all objectives."""
    cheapest = np.inf
    for c in range(means.shape[1]):
        added = _least_added(means, weights, target, space, depth, arm, c, weight)
        cheapest = min(cheapest, added)
    return cheapest


@kernel
def _choose_branch(means, weights, target, space, n, depth):
    """Put the dearest arm that is in the way at ``depth``, with its costs.

    Returns (its cheapest added cost, the weight of all arms in the way); the first is
    negative when no arm is in the way.
    """
    dearest, chosen, pending = -1.0, depth, 0.0
    for k in range(depth, n):
        arm = space.candidates[k]
        if in_the_way(means, arm, space.places[depth]):
            pending += weights[arm]
            added = _cheapest_added(means, weights, target, space, depth, arm, weights[arm])
            if added > dearest:
                dearest, chosen = added, k
    if dearest >= 0.0:
        arm = space.candidates[chosen]
        space.candidates[chosen] = space.candidates[depth]
        space.candidates[depth] = arm
        for c in range(means.shape[1]):
            added = _least_added(means, weights, target, space, depth, arm, c, weights[arm])
            space.branch_cost[depth, c] = added
    return dearest, pending


@kernel
def _pooled_bound(means, weights, target, space, n, depth, pending):
    """Mean cost of clearing the weight ``pending`` from where each pending arm stands."""
    bound = 0.0
    for k in range(depth, n):
        arm = space.candidates[k]
        if in_the_way(means, arm, space.places[depth]):
            added = _cheapest_added(means, weights, target, space, depth, arm, pending)
            bound += weights[arm] / pending * added
    return bound


@part
def _open_node(means, weights, target, space, n, depth, best, point):
    """Close the partial assignment of ``depth`` if it can't improve or is a solution.

    A solution that improves on ``best`` is written to ``point``. Returns the best value
    known afterwards.
    """
    dearest, pending = _choose_branch(means, weights, target, space, n, depth)
    room = best - space.values[depth]
    closed = dearest >= room
    if dearest < 0.0:
        closed = True
        if room > 0.0:
            best = space.values[depth]
            copy_vector(point, space.places[depth])
    elif not closed and pending > weights[space.candidates[depth]]:
        closed = _pooled_bound(means, weights, target, space, n, depth, pending) >= room
    if closed:
        space.branch_cost[depth, :] = np.inf
    return best


@kernel
def admit_target(means, weights, normals, offsets, front, size, target, upper, point, space):
    """Cheapest cost below ``upper`` at which ``target`` is feasible and no optimal arm above it.

    Writes its new place to ``point``; returns ``upper`` and leaves ``point`` alone if there
    is nothing cheaper. ``weights[target]`` must be positive.
    """
    n = _start(means, weights, normals, offsets, front, size, target, space)
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
        place = space.places[depth]
        copy_vector(place, space.places[depth - 1])
        space.values[depth] = cheapest_place(
            means,
            weights,
            normals,
            offsets,
            target,
            space.candidates,
            space.objectives,
            depth,
            place,
            space.minimum,
        )
        fresh = space.values[depth] < best
        depth -= not fresh
    return best


@kernel
def admit_target_2d(means, weights, normals, offsets, front, size, target, upper, point, space):
    """As `admit_target`, for a front sorted by `sorted_front`.

    Of all assignments only those of a cut can be best: the arms left of it step aside in the
    first objective, those right of it in the second (see `sweep`).
    """
    n = _start(means, weights, normals, offsets, front, size, target, space)
    best = upper
    if space.values[0] >= best:
        return best
    place = space.places[0]
    space.objectives[:n] = 1
    for cut in range(n + 1):
        if cut > 0:
            space.objectives[cut - 1] = 0
        value = cheapest_place(
            means,
            weights,
            normals,
            offsets,
            target,
            space.candidates,
            space.objectives,
            n,
            place,
            space.minimum,
        )
        if value < best:
            best = value
            copy_vector(point, place)
    return best
