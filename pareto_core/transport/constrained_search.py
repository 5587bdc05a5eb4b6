"""Cheapest admission of one arm to the constrained Pareto set, by branch and bound.

The arm moves to a point of the polyhedron, and every optimal arm above that point in all
objectives is lowered to it in one objective. The search is depth-first over partial assignments
of optimal arms to objectives:

* the minimum of the cost under a partial assignment (`constrained_minimum`) is a lower bound on
  the cost of every completion, and is attained if no other optimal arm is above the minimiser;
* away from the minimiser the cost grows at least like its curvature, to which an assigned arm
  contributes all the way if its mean is no lower than that of a new arm. This bounds what any
  arm adds. As in `branch_and_bound`, the mean of what each blocking arm would add if all
  their weight had its mean bounds what they add together;
* it branches on an arm above the minimiser for which the cheapest objective adds most.

Two objectives need no search, because only the assignments of the cuts have to be tried.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel, part
from pareto_core.transport.addition import blocks
from pareto_core.transport.constrained_minimum import (
    MinimumSpace,
    cheapest_point,
    minimum_space,
    project_fast,
)
from pareto_core.transport.removal import meeting_weight


class ConstrainedSpace(NamedTuple):
    """Arrays of one search, allocated once for up to n arms, m rows and d objectives."""

    candidates: np.ndarray  # (n,) optimal arms; assigned arms come first, by level
    objectives: np.ndarray  # (n,) objectives of the assigned arms
    points: np.ndarray  # (n + 1, d) best mean of the target under the assignment of a level
    values: np.ndarray  # (n + 1,) cost of that point
    branch_cost: np.ndarray  # (n + 1, d) lower bound on what each assignment still to try adds
    minimum: MinimumSpace  # or a NoiseMinimumSpace


@kernel
def search_space(n_arms, n_objectives, minimum):
    """Allocate a `ConstrainedSpace` around the arrays of a minimisation."""
    return ConstrainedSpace(
        np.empty(n_arms, np.int64),
        np.empty(n_arms, np.int64),
        np.empty((n_arms + 1, n_objectives)),
        np.empty(n_arms + 1),
        np.empty((n_arms + 1, n_objectives)),
        minimum,
    )


@kernel
def constrained_space(n_rows, n_arms, n_objectives):
    """Allocate a `ConstrainedSpace` for independent noise of unit variance."""
    return search_space(n_arms, n_objectives, minimum_space(n_rows, n_objectives))


@kernel
def nearest_inside(means, normals, offsets, target, point, space):
    """Write the projection of ``target`` onto the polyhedron; return half the squared distance.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    target : int
    point : ndarray, shape (d,)
        Modified in place.
    space : MinimumSpace
        Modified in place.
    """
    space.metric[:] = 1.0
    if not project_fast(normals, offsets, space.metric, means[target], point, space):
        return np.inf
    squares = 0.0
    for c in range(means.shape[1]):
        squares += (point[c] - means[target, c]) ** 2
    return 0.5 * squares


@part
def _start(means, weights, normals, offsets, front, size, target, space):
    """Set up the empty assignment; return the number of optimal arms of positive weight.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    front : ndarray of int, shape (K,)
        Optimal arms, the first ``size`` entries.
    size, target : int
    space : ConstrainedSpace
        Modified in place.
    """
    n = 0
    for f in range(size):
        if weights[front[f]] > 0.0:
            space.candidates[n] = front[f]
            n += 1
    half_squares = nearest_inside(means, normals, offsets, target, space.points[0], space.minimum)
    space.values[0] = weights[target] * half_squares
    return n


@part
def _least_added(means, weights, target, space, depth, arm, c, weight):
    """Lower bound on what ``weight`` at the mean of ``arm`` adds if lowered in objective ``c``.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    target : int
    space : ConstrainedSpace
    depth : int
        Number of arms assigned.
    arm, c : int
    weight : float
    """
    level = means[arm, c]
    gap = level - space.points[depth, c]
    held = weights[target]
    for i in range(depth):
        other = space.candidates[i]
        if space.objectives[i] == c and means[other, c] >= level:
            held += weights[other]
    return 0.5 * meeting_weight(held, weight) * gap * gap


@part
def _cheapest_added(means, weights, target, space, depth, arm, weight):
    """Minimum of `_least_added` over all objectives.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    target : int
    space : ConstrainedSpace
    depth : int
        Number of arms assigned.
    arm : int
    weight : float
    """
    cheapest = np.inf
    for c in range(means.shape[1]):
        added = _least_added(means, weights, target, space, depth, arm, c, weight)
        cheapest = min(cheapest, added)
    return cheapest


@kernel
def _choose_branch(means, weights, target, space, n, depth):
    """Move the costliest blocking arm to position ``depth``, with its costs.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    target : int
    space : ConstrainedSpace
        Modified in place.
    n, depth : int
        The arms not yet assigned are ``space.candidates[depth:n]``.

    Returns
    -------
    tuple of two floats
        The lower bound on what that arm adds, negative if no arm blocks the target; and the
        weight of all blocking arms.
    """
    costliest, chosen, pending = -1.0, depth, 0.0
    for k in range(depth, n):
        arm = space.candidates[k]
        if blocks(means, arm, space.points[depth]):
            pending += weights[arm]
            added = _cheapest_added(means, weights, target, space, depth, arm, weights[arm])
            if added > costliest:
                costliest, chosen = added, k
    if costliest >= 0.0:
        arm = space.candidates[chosen]
        space.candidates[chosen] = space.candidates[depth]
        space.candidates[depth] = arm
        for c in range(means.shape[1]):
            added = _least_added(means, weights, target, space, depth, arm, c, weights[arm])
            space.branch_cost[depth, c] = added
    return costliest, pending


@kernel
def _pooled_bound(means, weights, target, space, n, depth, pending):
    """Mean lower bound on lowering the weight ``pending`` from the mean of each blocking arm.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    target : int
    space : ConstrainedSpace
    n, depth : int
        The arms not yet assigned are ``space.candidates[depth:n]``.
    pending : float
        Weight of all blocking arms.
    """
    bound = 0.0
    for k in range(depth, n):
        arm = space.candidates[k]
        if blocks(means, arm, space.points[depth]):
            added = _cheapest_added(means, weights, target, space, depth, arm, pending)
            bound += weights[arm] / pending * added
    return bound


@part
def _open_node(means, weights, target, space, n, depth, best, point):
    """Close the partial assignment of ``depth`` if it cannot improve or is a solution.

    A solution that improves on ``best`` is written to ``point``. Returns the best value
    known afterwards.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    target : int
    space : ConstrainedSpace
        Modified in place.
    n, depth : int
        The arms not yet assigned are ``space.candidates[depth:n]``.
    best : float
        The best value known.
    point : ndarray, shape (d,)
        Modified in place.
    """
    costliest, pending = _choose_branch(means, weights, target, space, n, depth)
    room = best - space.values[depth]
    closed = costliest >= room
    if costliest < 0.0:
        closed = True
        if room > 0.0:
            best = space.values[depth]
            copy_vector(point, space.points[depth])
    elif not closed and pending > weights[space.candidates[depth]]:
        closed = _pooled_bound(means, weights, target, space, n, depth, pending) >= room
    if closed:
        space.branch_cost[depth, :] = np.inf
    return best


@kernel
def admit_target(means, weights, normals, offsets, front, size, target, upper, point, space):
    """Cheapest cost below ``upper`` at which ``target`` is feasible and not dominated.

    Returns ``upper``, and does not modify ``point``, if no admission is cheaper.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    front : ndarray of int, shape (K,)
        Optimal arms, the first ``size`` entries.
    size : int
    target : int
        An arm of positive weight that is not optimal.
    upper : float
        Costs of at least this are not searched for.
    point : ndarray, shape (d,)
        Modified in place: the new mean of the target.
    space : ConstrainedSpace
        Modified in place.
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
        trial = space.points[depth]
        copy_vector(trial, space.points[depth - 1])
        space.values[depth] = cheapest_point(
            means,
            weights,
            normals,
            offsets,
            target,
            space.candidates,
            space.objectives,
            depth,
            trial,
            space.minimum,
        )
        fresh = space.values[depth] < best
        depth -= not fresh
    return best


@kernel
def admit_target_2d(means, weights, normals, offsets, front, size, target, upper, point, space):
    """As `admit_target`, for two objectives.

    Only the assignments of a cut can be best: the arms left of it are lowered in the
    first objective, those right of it in the second (see `sweep`).

    Parameters
    ----------
    means : ndarray, shape (K, 2)
    weights : ndarray, shape (K,)
    normals, offsets : ndarray, shapes (m, 2) and (m,)
        The polyhedron.
    front : ndarray of int, shape (K,)
        Optimal arms, the first ``size`` entries, sorted by `sorted_front`.
    size : int
    target : int
        An arm of positive weight that is not optimal.
    upper : float
        Costs of at least this are not searched for.
    point : ndarray, shape (2,)
        Modified in place: the new mean of the target, if the cost is below ``upper``.
    space : ConstrainedSpace
        Modified in place.
    """
    n = _start(means, weights, normals, offsets, front, size, target, space)
    best = upper
    if space.values[0] >= best:
        return best
    trial = space.points[0]
    space.objectives[:n] = 1
    for cut in range(n + 1):
        if cut > 0:
            space.objectives[cut - 1] = 0
        value = cheapest_point(
            means,
            weights,
            normals,
            offsets,
            target,
            space.candidates,
            space.objectives,
            n,
            trial,
            space.minimum,
        )
        if value < best:
            best = value
            copy_vector(point, trial)
    return best
