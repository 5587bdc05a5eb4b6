"""Metrics: what it costs to move the mean of an arm.

Arm k moves by x at the cost x' P_k x / 2. There are three metrics, and each kernel is compiled for
the one that the types of its arguments select:

* noise of unit variance: weights (K,), and ``noise`` is None. P_k = w_k I;
* separate measurements: weights (K, d), and ``noise`` is None. P_k = diag(w_k1, ..., w_kd);
* noise of known covariance: weights (K,), and ``noise`` is `KnownNoise`. P_k = w_k Sigma_k^-1.

The price of an objective is what a move in this objective costs if the others may follow: the
reciprocal of an entry of the diagonal of P_k^-1.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.checks.arguments import LARGEST, check_array, check_magnitude, shown
from pareto_core.compiling.kernels import inner, kernel, part
from pareto_core.instances.checks import checked_covariance, correlation_of
from pareto_core.instances.instance import Problem
from pareto_core.transport.prices import price

MOST_RATIO = 1e30  # of the variances of two arms in one objective


class KnownNoise(NamedTuple):
    """Covariances of the arms' rewards, and what is computed from them once."""

    covariance: np.ndarray  # (K, d, d)
    precision: np.ndarray  # (K, d, d) inverses
    variance: np.ndarray  # (K, d) diagonals
    independent: np.ndarray  # (K,) whether the objectives of an arm are uncorrelated


class Region(NamedTuple):
    """Polyhedron of the feasible means; None in its place if all means are feasible."""

    normals: np.ndarray  # (m, d), of unit length unless the noise is known
    offsets: np.ndarray  # (m,)


def known_noise(covariance: np.ndarray) -> KnownNoise:
    """Prepare positive definite covariances, shape (K, d, d), for the kernels."""
    covariance = np.array(covariance, dtype=float, order="C")
    variance = np.diagonal(covariance, axis1=1, axis2=2).copy()
    deviation = np.sqrt(variance)
    precision = np.linalg.inv(correlation_of(covariance))
    precision = 0.5 * (precision + precision.transpose(0, 2, 1))
    precision /= deviation[:, :, None] * deviation[:, None, :]
    precision = np.ascontiguousarray(precision)
    away = covariance * (1 - np.eye(variance.shape[1]))
    return KnownNoise(covariance, precision, variance, ~away.any(axis=(1, 2)))


def noise_of(problem: Problem) -> KnownNoise | None:
    """Noise of a problem for the kernels; None if it has unit variance."""
    return None if problem.covariance is None else known_noise(problem.covariance)


def checked_noise(variance, covariance, n_arms, n_objectives):
    """Return the covariance of each arm's rewards, shape (K, d, d), from one of the arguments."""
    shape = n_arms, n_objectives, n_objectives
    if covariance is not None:
        if variance is not None:
            raise ValueError("variance and covariance are both given; expected one of them")
        given = checked_covariance(covariance, n_arms, n_objectives)
        return np.array(np.broadcast_to(given, shape))
    given = check_magnitude(check_array(variance, "variance"), "variance")
    if given.shape not in ((n_objectives,), (n_arms, n_objectives)) or not (given > 0).all():
        raise ValueError(
            f"variance = {shown(variance)}; expected positive numbers, one per objective, or one "
            f"per arm and objective in an array of shape {(n_arms, n_objectives)}"
        )
    return np.array(np.broadcast_to(given[..., None] * np.eye(n_objectives), shape))


def in_units(means, covariance):
    """Means, noise and units, about the largest standard deviation of each objective."""
    variance = np.diagonal(covariance, axis1=1, axis2=2)
    least, largest = variance.min(axis=0), variance.max(axis=0)
    if not (largest / MOST_RATIO <= least).all():
        raise ValueError(
            f"variances of one objective from {least[(least / largest).argmin()]:.3g} to "
            f"{largest[(least / largest).argmin()]:.3g}; expected a factor of at most {MOST_RATIO}"
        )
    units = np.exp2(np.round(0.5 * np.log2(largest)))  # only exponents of the numbers change
    if not (np.abs(means) / LARGEST <= np.sqrt(least)).all():
        raise ValueError(f"means exceed {LARGEST} standard deviations; expected smaller means")
    noise = known_noise(covariance / units[:, None] / units)
    return means / units, noise, units


def given_noise(means, variance, covariance):
    """Means, `KnownNoise` and units, see `in_units`; means, None and None without noise."""
    if variance is None and covariance is None:
        return means, None, None
    return in_units(means, checked_noise(variance, covariance, *means.shape))


def region_of(polyhedron, units=None):
    """`Region` of a polyhedron, or None without one, for means that are divided by ``units``."""
    if polyhedron is None:
        return None
    normals, offsets = polyhedron.rows()
    if units is None:
        return Region(normals, offsets)
    normals *= units  # powers of 2; so are the factors that bring the largest entries to 1/2 to 1
    _, exponents = np.frexp(np.abs(normals).max(axis=1))
    return Region(np.ldexp(normals, -exponents[:, None]), np.ldexp(offsets, -exponents))


@inner
def noise_price(weights, noise, arm, c):
    """Price of objective ``c`` of an arm."""
    if noise is None:
        return price(weights, arm, c)
    else:
        return weights[arm] / noise.variance[arm, c]


@inner
def write_prices(weights, noise, prices):
    """Write the prices, on which all moves depend."""
    for k in range(weights.shape[0]):
        if prices.ndim == 1:
            prices[k] = weights[k]
        else:
            for c in range(prices.shape[1]):
                prices[k, c] = noise_price(weights, noise, k, c)


@inner
def is_weightless(weights, arm):
    """Whether the arm has an objective that can be moved at no cost."""
    if weights.ndim == 1:
        return weights[arm] == 0.0
    else:
        return weights[arm].min() == 0.0


@part
def _variance_along(noise, arm, normal):
    """Variance of the rewards of an arm along a normal, a' Sigma a."""
    variance = 0.0
    for b in range(normal.shape[0]):
        for c in range(normal.shape[0]):
            variance += normal[b] * normal[c] * noise.covariance[arm, b, c]
    return variance


@inner
def facet_room(means, noise, region, arm, facet):
    """Room of an arm to the plane of a facet in its standard deviations; negative beyond it."""
    normal = region.normals[facet]
    room = region.offsets[facet]
    for c in range(normal.shape[0]):
        room -= normal[c] * means[arm, c]
    if noise is not None:
        room /= np.sqrt(_variance_along(noise, arm, normal))
    return room


@kernel
def write_exit(means, noise, region, arm, facet, room, point):
    """Write the cheapest mean of an arm on the plane of a facet, at this room from it."""
    normal = region.normals[facet]
    if noise is None:
        for c in range(normal.shape[0]):
            point[c] = means[arm, c] + room * normal[c]
    else:
        step = room / np.sqrt(_variance_along(noise, arm, normal))
        for b in range(normal.shape[0]):
            point[b] = means[arm, b]
            for c in range(normal.shape[0]):
                point[b] += step * noise.covariance[arm, b, c] * normal[c]


@part
def shift(means, noise, arm, c, level, alternative, gradient):
    """Move an arm to ``level`` in objective ``c``, and by regression in the others."""
    if noise is not None:
        fall = (means[arm, c] - level) / noise.variance[arm, c]
        for b in range(means.shape[1]):
            alternative[arm, b] = means[arm, b] - noise.covariance[arm, b, c] * fall
        gradient[arm] = 0.5 * (means[arm, c] - level) ** 2 / noise.variance[arm, c]
    alternative[arm, c] = level


@part
def move_to(means, noise, arm, point, alternative, gradient):
    """Move an arm to a point."""
    for c in range(means.shape[1]):
        alternative[arm, c] = point[c]
    if noise is not None:
        for b in range(means.shape[1]):
            for c in range(means.shape[1]):
                both = (point[b] - means[arm, b]) * (point[c] - means[arm, c])
                gradient[arm] += 0.5 * both * noise.precision[arm, b, c]


@inner
def write_gradient(means, alternative, gradient):
    """Write half the squared distances to the alternative: of arms, or of arms and objectives."""
    for k in range(means.shape[0]):
        squares = 0.0
        for c in range(means.shape[1]):
            square = (means[k, c] - alternative[k, c]) ** 2
            squares += square
            if gradient.ndim == 2:
                gradient[k, c] = 0.5 * square
        if gradient.ndim == 1:
            gradient[k] = 0.5 * squares
