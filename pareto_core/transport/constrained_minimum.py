"""Cheapest mean of an admitted arm in the polyhedron, for one assignment of the optimal arms.

    minimise  w0/2 |x - mu0|^2 + sum_i w_i/2 ((mu_i_c(i) - x_c(i))_+)^2   subject to  x in P,

over the arms i that are assigned to an objective c(i). As long as no coordinate passes the
mean of an assigned arm, the cost is a quadratic with a diagonal metric, and its minimum over
P is a projection. Most of these projections are onto a single plane and need no quadratic
program. If the same arms are above that minimum, it is the minimum of the whole cost, which is
convex and smooth. Otherwise the step to it is taken if it lowers the cost, and shortened to the
best point of the segment if not. The cost falls in every step, and close to the minimum every
quadratic has the same minimum (Newton's method for piecewise quadratics).
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel, part
from pareto_core.geometry.projection import ProjectionSpace, project, projection_space


class MinimumSpace(NamedTuple):
    """Arrays of one minimisation, allocated once for m rows and d objectives."""

    metric: np.ndarray  # (d,) second derivatives of the quadratic
    centre: np.ndarray  # (d,) unconstrained minimiser of the quadratic
    trial: np.ndarray  # (d,) minimiser of the quadratic in the polyhedron
    projection: ProjectionSpace


@kernel
def minimum_space(n_rows, n_objectives):
    """Allocate a `MinimumSpace`."""
    return MinimumSpace(
        np.empty(n_objectives),
        np.empty(n_objectives),
        np.empty(n_objectives),
        projection_space(n_rows, n_objectives),
    )


@part
def _on_one_plane(normals, offsets, metric, start, point):
    """Try the projection onto the plane of the row that is violated most; return whether valid.

    The projection is valid if it violates no row; without a violated row it is ``start``. It is
    written to ``point`` in any case.
    """
    farthest, plane = 0.0, -1
    for k in range(normals.shape[0]):
        excess, squares = -offsets[k], 0.0
        for c in range(start.shape[0]):
            excess += normals[k, c] * start[c]
            squares += normals[k, c] * normals[k, c] / metric[c]
        if excess > 0.0 and excess * excess > farthest * squares:
            farthest, plane = excess * excess / squares, k
    for c in range(start.shape[0]):
        point[c] = start[c]
    if plane < 0:
        return True
    excess, squares = -offsets[plane], 0.0
    for c in range(start.shape[0]):
        excess += normals[plane, c] * start[c]
        squares += normals[plane, c] * normals[plane, c] / metric[c]
    for c in range(start.shape[0]):
        point[c] -= excess / squares * normals[plane, c] / metric[c]
    for k in range(normals.shape[0]):
        room = offsets[k]
        for c in range(start.shape[0]):
            room -= normals[k, c] * point[c]
        if k != plane and room < 0.0:
            return False
    return True


@kernel
def project_fast(normals, offsets, metric, start, point, space):
    """Write the projection of ``start`` to ``point``; return whether the polyhedron has a point.

    As `projection.project`, faster if one plane is enough.

    Parameters
    ----------
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    metric : ndarray, shape (d,)
        Weights of the squared coordinates.
    start : ndarray, shape (d,)
    point : ndarray, shape (d,)
        Modified in place.
    space : MinimumSpace
        Modified in place.
    """
    if _on_one_plane(normals, offsets, metric, start, point):
        return True
    return project(normals, offsets, metric, start, point, space.projection) < np.inf


@part
def point_cost(means, weights, target, arms, objectives, count, point):
    """Cost of moving ``target`` to ``point`` and lowering the assigned arms to it.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    target : int
    arms, objectives : ndarray of int, shape (n,)
        The assignment: the first ``count`` entries.
    count : int
    point : ndarray, shape (d,)
    """
    squares = 0.0
    for c in range(means.shape[1]):
        squares += (point[c] - means[target, c]) ** 2
    cost = weights[target] * squares
    for i in range(count):
        above = means[arms[i], objectives[i]] - point[objectives[i]]
        if above > 0.0:
            cost += weights[arms[i]] * above * above
    return 0.5 * cost


@part
def _write_quadratic(means, weights, target, arms, objectives, count, point, space):
    """Write the quadratic of the assigned arms above ``point``.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    target : int
    arms, objectives : ndarray of int, shape (n,)
        The assignment: the first ``count`` entries.
    count : int
    point : ndarray, shape (d,)
    space : MinimumSpace
        Modified in place: ``metric`` and ``centre``.
    """
    for c in range(means.shape[1]):
        space.metric[c] = weights[target]
        space.centre[c] = 0.0
    for i in range(count):
        c = objectives[i]
        level = means[arms[i], c]
        if level > point[c]:
            space.metric[c] += weights[arms[i]]
            space.centre[c] += weights[arms[i]] * (level - means[target, c])
    for c in range(means.shape[1]):
        space.centre[c] = means[target, c] + space.centre[c] / space.metric[c]


@part
def same_above(means, arms, objectives, count, point, other):
    """Whether the same assigned arms are above both points.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    arms, objectives : ndarray of int, shape (n,)
        The assignment: the first ``count`` entries.
    count : int
    point, other : ndarray, shape (d,)
    """
    for i in range(count):
        level = means[arms[i], objectives[i]]
        if (level > point[objectives[i]]) != (level > other[objectives[i]]):
            return False
    return True


@kernel
def _best_step(means, weights, target, arms, objectives, count, point, end):
    """Fraction of the segment from ``point`` to ``end`` at which the cost is least.

    Moves along the segment from one mean of an assigned arm to the next, with the derivative
    and the curvature of the quadratic between them.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    target : int
    arms, objectives : ndarray of int, shape (n,)
        The assignment: the first ``count`` entries.
    count : int
    point, end : ndarray, shape (d,)
    """
    at = 0.0
    while True:
        slope, curvature, stop = 0.0, 0.0, 1.0
        for c in range(means.shape[1]):
            length = end[c] - point[c]
            slope += weights[target] * length * (point[c] - means[target, c] + at * length)
            curvature += weights[target] * length * length
        for i in range(count):
            c = objectives[i]
            length, above = end[c] - point[c], means[arms[i], c] - point[c]
            meeting = above / length if length != 0.0 else np.inf
            if meeting > at:
                stop = min(stop, meeting)
            if (meeting > at and above > 0.0) or (meeting <= at and length < 0.0):
                slope -= weights[arms[i]] * length * (above - at * length)
                curvature += weights[arms[i]] * length * length
        best = at - slope / curvature
        if best <= stop or stop >= 1.0:
            return min(max(best, at), 1.0)
        at = stop


@kernel
def cheapest_point(means, weights, normals, offsets, target, arms, objectives, count, point, space):
    """Minimise the cost of moving ``target`` into the polyhedron, for one assignment.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    target : int
        An arm of positive weight.
    arms, objectives : ndarray of int, shape (n,)
        The assignment: the first ``count`` entries.
    count : int
    point : ndarray, shape (d,)
        Any point of the polyhedron. Modified in place: the minimiser.
    space : MinimumSpace
        Modified in place.

    Returns
    -------
    float
        The cost.
    """
    trial = space.trial
    cost = point_cost(means, weights, target, arms, objectives, count, point)
    for _ in range(100 * (count + 1)):
        _write_quadratic(means, weights, target, arms, objectives, count, point, space)
        if not project_fast(normals, offsets, space.metric, space.centre, trial, space):
            break
        found = point_cost(means, weights, target, arms, objectives, count, trial)
        if same_above(means, arms, objectives, count, point, trial):
            copy_vector(point, trial)
            return found
        if not found < cost:
            step = _best_step(means, weights, target, arms, objectives, count, point, trial)
            for c in range(point.shape[0]):
                trial[c] = point[c] + step * (trial[c] - point[c])
            found = point_cost(means, weights, target, arms, objectives, count, trial)
        if not found < cost:
            break
        copy_vector(point, trial)
        cost = found
    return cost
