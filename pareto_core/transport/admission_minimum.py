"""Cheapest mean of an admitted arm in the polyhedron, for one assignment of the optimal arms.

    minimise  (x - mu0)' P (x - mu0) / 2 + sum_i W_ic(i) ((mu_ic(i) - x_c(i))_+)^2 / 2

over the points x of the polyhedron, where each arm i is assigned to an objective c(i). With
weights, P = w_0 I and W_ic = w_i; under known noise they are the precision P = w_0 Sigma_0^-1 of
the target's mean and the `prices`.
As long as no coordinate passes the mean of an assigned arm, the cost is a quadratic of the metric
P + diag(sums of W), and its minimum over the polyhedron is a projection. With weights most of these
are onto a single plane and need no quadratic program. If the same arms are above that minimum, it
is the minimum of the whole cost, which is convex and smooth. Otherwise the step to it is taken if
it lowers the cost, and shortened to the best point of the segment if not. The cost falls in every
step, and close to the minimum every quadratic has the same minimum (Newton's method for piecewise
quadratics).
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel, part
from pareto_core.geometry.half_spaces import HalfSpaces, allocate_half_spaces, project
from pareto_core.geometry.triangles import factorise, solve_lower, solve_upper
from pareto_core.transport.prices import price


class MinimumSpace(NamedTuple):
    """Arrays of one minimisation, allocated once for m rows and d objectives."""

    metric: np.ndarray  # (d,) second derivatives of the quadratic, without P under known noise
    factor: np.ndarray  # (d,) the metric, or (d, d) Cholesky's factor of it under known noise
    centre: np.ndarray  # (d,) unconstrained minimiser of the quadratic
    trial: np.ndarray  # (d,) minimiser of the quadratic in the polyhedron
    projection: HalfSpaces


def minimum_space(n_rows, d, is_noise_known):
    """Allocate a `MinimumSpace`."""
    metric = np.empty(d)
    factor = np.empty((d, d)) if is_noise_known else metric
    return MinimumSpace(metric, factor, np.empty(d), np.empty(d), allocate_half_spaces(n_rows, d))


@part
def _on_one_plane(region, metric, start, point):
    """Project onto the plane of the most violated row; return whether the point is inside."""
    normals, offsets = region.normals, region.offsets
    farthest, plane, step = 0.0, -1, 0.0
    for k in range(normals.shape[0]):
        excess, squares = -offsets[k], 0.0
        for c in range(start.shape[0]):
            excess += normals[k, c] * start[c]
            squares += normals[k, c] * normals[k, c] / metric[c]
        if excess > 0.0 and excess * excess > farthest * squares:
            farthest, plane, step = excess * excess / squares, k, excess / squares
    for c in range(start.shape[0]):
        point[c] = start[c]
        if plane >= 0:
            point[c] -= step * normals[plane, c] / metric[c]
    if plane < 0:
        return True
    for k in range(normals.shape[0]):
        room = offsets[k]
        for c in range(start.shape[0]):
            room -= normals[k, c] * point[c]
        if k != plane and room < 0.0:
            return False
    return True


@kernel
def _project(region, factor, start, point, space):
    """Write the projection of ``start`` to ``point``; return whether the polyhedron has a point."""
    if factor.ndim == 1:
        if _on_one_plane(region, factor, start, point):
            return True
    return project(region.normals, region.offsets, factor, start, point, space) < np.inf


@kernel
def own_cost(means, precision, target, point):
    """Cost of moving ``target`` to ``point``, at weight 1 and unit variance without a precision."""
    squares = 0.0
    if precision is None:
        for c in range(means.shape[1]):
            squares += (point[c] - means[target, c]) ** 2
    else:
        for b in range(means.shape[1]):
            for c in range(means.shape[1]):
                move = (point[b] - means[target, b]) * (point[c] - means[target, c])
                squares += precision[b, c] * move
    return 0.5 * squares


@kernel
def nearest_inside(means, precision, region, target, point, space):
    """Write the point of the polyhedron with the least `own_cost` of ``target``; return it."""
    if precision is None:
        space.metric[:] = 1.0
    else:
        space.metric[:] = 0.0
        factorise(precision, space.metric, space.factor)
    if not _project(region, space.factor, means[target], point, space.projection):
        return np.inf
    return own_cost(means, precision, target, point)


@kernel
def weighted_cost(weights, target, cost):
    """The `own_cost` of a target at its weight, which a precision already has."""
    if weights.ndim == 1:
        return weights[target] * cost
    else:
        return cost


@part
def _point_cost(means, weights, precision, target, space, count, point):
    """Cost of moving ``target`` to ``point`` and lowering the assigned arms to it."""
    cost = weighted_cost(weights, target, own_cost(means, precision, target, point))
    for i in range(count):
        arm, c = space.candidates[i], space.objectives[i]
        above = means[arm, c] - point[c]
        if above > 0.0:
            cost += 0.5 * price(weights, arm, c) * above * above
    return cost


@kernel
def _write_centre(precision, space):
    """Turn the forces at the target's mean into the way from there to the centre."""
    if precision is None:
        for c in range(space.centre.shape[0]):
            space.centre[c] /= space.metric[c]
    else:
        factorise(precision, space.metric, space.factor)
        solve_lower(space.factor, space.centre)
        solve_upper(space.factor, space.centre)


@part
def _write_quadratic(means, weights, precision, target, space, count, point):
    """Write the metric and the centre of the quadratic of the assigned arms above ``point``."""
    minimum = space.minimum
    for c in range(means.shape[1]):
        minimum.metric[c] = price(weights, target, c) if precision is None else 0.0
        minimum.centre[c] = 0.0
    for i in range(count):
        arm, c = space.candidates[i], space.objectives[i]
        level, weight = means[arm, c], price(weights, arm, c)
        if level > point[c]:
            minimum.metric[c] += weight
            minimum.centre[c] += weight * (level - means[target, c])
    _write_centre(precision, minimum)
    for c in range(means.shape[1]):
        minimum.centre[c] += means[target, c]


@part
def _same_above(means, space, count, point, other):
    """Whether the same assigned arms are above both points."""
    for i in range(count):
        c = space.objectives[i]
        level = means[space.candidates[i], c]
        if (level > point[c]) != (level > other[c]):
            return False
    return True


@kernel
def _own_slope(means, weights, precision, target, point, end, at):
    """Slope and curvature of the target's own cost along a segment, at a fraction of it."""
    slope, curvature = 0.0, 0.0
    if weights.ndim == 1:
        for c in range(means.shape[1]):
            length = end[c] - point[c]
            slope += weights[target] * length * (point[c] - means[target, c] + at * length)
            curvature += weights[target] * length * length
    else:
        for b in range(means.shape[1]):
            move = point[b] - means[target, b] + at * (end[b] - point[b])
            for c in range(means.shape[1]):
                pull = precision[b, c] * (end[c] - point[c])
                slope += move * pull
                curvature += (end[b] - point[b]) * pull
    return slope, curvature


@kernel
def _best_step(means, weights, precision, target, space, count, point, end):
    """Fraction of the segment from ``point`` to ``end`` at which the cost is least."""
    at = 0.0
    while True:
        slope, curvature = _own_slope(means, weights, precision, target, point, end, at)
        stop = 1.0  # or the next mean of an assigned arm: one quadratic holds until there
        for i in range(count):
            arm, c = space.candidates[i], space.objectives[i]
            length, above = end[c] - point[c], means[arm, c] - point[c]
            meeting = above / length if length != 0.0 else np.inf
            if meeting > at:
                stop = min(stop, meeting)
            if (meeting > at and above > 0.0) or (meeting <= at and length < 0.0):
                weight = price(weights, arm, c)
                slope -= weight * length * (above - at * length)
                curvature += weight * length * length
        best = at - slope / curvature
        if best <= stop or stop >= 1.0:
            return min(max(best, at), 1.0)
        at = stop


@kernel
def cheapest_point(means, weights, precision, region, target, space, count, point):
    """Move ``point``, which is inside, to the cheapest for ``count`` arms; return its cost."""
    minimum, trial = space.minimum, space.minimum.trial
    cost = _point_cost(means, weights, precision, target, space, count, point)
    for _ in range(100 * (count + 1)):
        _write_quadratic(means, weights, precision, target, space, count, point)
        if not _project(region, minimum.factor, minimum.centre, trial, minimum.projection):
            break
        found = _point_cost(means, weights, precision, target, space, count, trial)
        if _same_above(means, space, count, point, trial):
            copy_vector(point, trial)
            return found
        if not found < cost:
            step = _best_step(means, weights, precision, target, space, count, point, trial)
            for c in range(point.shape[0]):
                trial[c] = point[c] + step * (trial[c] - point[c])
            found = _point_cost(means, weights, precision, target, space, count, trial)
        if not found < cost:
            break
        copy_vector(point, trial)
        cost = found
    return cost
