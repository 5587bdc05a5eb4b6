"""As `constrained_minimum`, under noise of known covariance.

    minimise  (x - mu0)' P (x - mu0) / 2 + sum_i W_ic(i) ((mu_ic(i) - x_c(i))_+)^2 / 2

over the points x of the polyhedron, with the precision P = w_0 Sigma_0^-1 of the target's mean, and
the price W_ic = w_i / Sigma_i[c, c] of lowering an arm in one objective. Between the means of the
assigned arms the cost is a quadratic of the metric P + diag(sums of prices), and its minimum over
the polyhedron is a projection. The steps are those of `constrained_minimum`: its argument needs a
convex, piecewise quadratic, smooth cost, but no particular metric.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel, part
from pareto_core.geometry.metric_projection import (
    factorise,
    project_in_metric,
    solve_lower,
    solve_upper,
)
from pareto_core.geometry.projection import ProjectionSpace, projection_space
from pareto_core.transport.constrained_minimum import same_above


class NoiseMinimumSpace(NamedTuple):
    """Arrays of one minimisation, allocated once for m rows and d objectives."""

    added: np.ndarray  # (d,) second derivatives of the penalties
    centre: np.ndarray  # (d,) unconstrained minimiser of the quadratic
    trial: np.ndarray  # (d,) minimiser of the quadratic in the polyhedron
    factor: np.ndarray  # (d, d) Cholesky factor of the metric
    projection: ProjectionSpace


@kernel
def noise_minimum_space(n_rows, n_objectives):
    """Allocate a `NoiseMinimumSpace`."""
    return NoiseMinimumSpace(
        np.empty(n_objectives),
        np.empty(n_objectives),
        np.empty(n_objectives),
        np.empty((n_objectives, n_objectives)),
        projection_space(n_rows, n_objectives),
    )


@part
def own_cost(means, precision, target, point):
    """Cost of moving ``target`` to ``point``."""
    squares = 0.0
    for b in range(means.shape[1]):
        for c in range(means.shape[1]):
            move = (point[b] - means[target, b]) * (point[c] - means[target, c])
            squares += precision[b, c] * move
    return 0.5 * squares


@part
def _point_cost(means, prices, precision, target, arms, objectives, count, point):
    """Cost of moving ``target`` to ``point`` and lowering the assigned arms to it.

    Parameters
    ----------
    means, prices : ndarray, shape (K, d)
    precision : ndarray, shape (d, d)
    target : int
    arms, objectives : ndarray of int, shape (n,)
        The assignment: the first ``count`` entries.
    count : int
    point : ndarray, shape (d,)
    """
    cost = own_cost(means, precision, target, point)
    for i in range(count):
        c = objectives[i]
        above = means[arms[i], c] - point[c]
        if above > 0.0:
            cost += 0.5 * prices[arms[i], c] * above * above
    return cost


@part
def _write_quadratic(means, prices, precision, target, arms, objectives, count, point, space):
    """Write the quadratic of the assigned arms above ``point``.

    Parameters
    ----------
    means, prices : ndarray, shape (K, d)
    precision : ndarray, shape (d, d)
    target : int
    arms, objectives : ndarray of int, shape (n,)
        The assignment: the first ``count`` entries.
    count : int
    point : ndarray, shape (d,)
    space : NoiseMinimumSpace
        Modified in place: ``added``, ``factor`` and ``centre``.
    """
    for c in range(means.shape[1]):
        space.added[c] = 0.0
        space.centre[c] = 0.0
    for i in range(count):
        c = objectives[i]
        level = means[arms[i], c]
        if level > point[c]:
            space.added[c] += prices[arms[i], c]
            space.centre[c] += prices[arms[i], c] * (level - means[target, c])
    factorise(precision, space.added, space.factor)
    solve_lower(space.factor, space.centre)
    solve_upper(space.factor, space.centre)
    for c in range(means.shape[1]):
        space.centre[c] += means[target, c]


@kernel
def _best_step(means, prices, precision, target, arms, objectives, count, point, end):
    """Fraction of the segment from ``point`` to ``end`` at which the cost is least.

    As `constrained_minimum._best_step`.

    Parameters
    ----------
    means, prices : ndarray, shape (K, d)
    precision : ndarray, shape (d, d)
    target : int
    arms, objectives : ndarray of int, shape (n,)
        The assignment: the first ``count`` entries.
    count : int
    point, end : ndarray, shape (d,)
    """
    start, bend = 0.0, 0.0
    for b in range(means.shape[1]):
        for c in range(means.shape[1]):
            length = precision[b, c] * (end[c] - point[c])
            start += (point[b] - means[target, b]) * length
            bend += (end[b] - point[b]) * length
    at = 0.0
    while True:
        slope, curvature, stop = start + at * bend, bend, 1.0
        for i in range(count):
            c = objectives[i]
            length, above = end[c] - point[c], means[arms[i], c] - point[c]
            meeting = above / length if length != 0.0 else np.inf
            if meeting > at:
                stop = min(stop, meeting)
            if (meeting > at and above > 0.0) or (meeting <= at and length < 0.0):
                slope -= prices[arms[i], c] * length * (above - at * length)
                curvature += prices[arms[i], c] * length * length
        best = at - slope / curvature
        if best <= stop or stop >= 1.0:
            return min(max(best, at), 1.0)
        at = stop


@kernel
def cheapest_point_with_noise(
    means, prices, precision, normals, offsets, target, arms, objectives, count, point, space
):
    """Minimise the cost of moving ``target`` into the polyhedron, for one assignment.

    Parameters
    ----------
    means, prices : ndarray, shape (K, d)
    precision : ndarray, shape (d, d)
        Inverse covariance of the target's estimated mean.
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    target : int
        An arm of positive weight.
    arms, objectives : ndarray of int, shape (n,)
        The assignment: the first ``count`` entries.
    count : int
    point : ndarray, shape (d,)
        Any point of the polyhedron. Modified in place: the minimiser.
    space : NoiseMinimumSpace
        Modified in place.

    Returns
    -------
    float
        The cost.
    """
    trial = space.trial
    cost = _point_cost(means, prices, precision, target, arms, objectives, count, point)
    for _ in range(100 * (count + 1)):
        _write_quadratic(means, prices, precision, target, arms, objectives, count, point, space)
        if not nearest_to_centre(normals, offsets, trial, space):
            break
        found = _point_cost(means, prices, precision, target, arms, objectives, count, trial)
        if same_above(means, arms, objectives, count, point, trial):
            copy_vector(point, trial)
            return found
        if not found < cost:
            step = _best_step(
                means, prices, precision, target, arms, objectives, count, point, trial
            )
            for c in range(point.shape[0]):
                trial[c] = point[c] + step * (trial[c] - point[c])
            found = _point_cost(means, prices, precision, target, arms, objectives, count, trial)
        if not found < cost:
            break
        copy_vector(point, trial)
        cost = found
    return cost


@part
def nearest_to_centre(normals, offsets, point, space):
    """Write the projection of the centre; return whether the polyhedron has a point."""
    return (
        project_in_metric(normals, offsets, space.factor, space.centre, point, space.projection)
        < np.inf
    )


@kernel
def nearest_inside_with_noise(means, precision, normals, offsets, target, point, space):
    """Write the point of the polyhedron to which ``target`` moves at least cost; return the cost.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    precision : ndarray, shape (d, d)
        Inverse covariance of the target's estimated mean.
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    target : int
    point : ndarray, shape (d,)
        Modified in place.
    space : NoiseMinimumSpace
        Modified in place.
    """
    space.added[:] = 0.0
    copy_vector(space.centre, means[target])
    factorise(precision, space.added, space.factor)
    if not nearest_to_centre(normals, offsets, point, space):
        return np.inf
    return own_cost(means, precision, target, point)
