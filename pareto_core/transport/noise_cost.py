"""Transportation cost under noise of known covariance, as `transport_cost` calls it."""

import numpy as np

from pareto_core.checks.arguments import shown
from pareto_core.compiling.kernels import kernel
from pareto_core.questions import BEST_ARMS
from pareto_core.transport.known_noise import checked_noise, in_units
from pareto_core.transport.noise_oracle import (
    allocate_noise_response,
    cheapest_alternative_with_noise,
    cheapest_confusion_with_noise,
    write_alternative_with_noise,
    write_gradient_with_noise,
)
from pareto_core.transport.noise_partitions import cheapest_wrong_partition_with_noise
from pareto_core.transport.noise_region import (
    allocate_noise_region_response,
    cheapest_constrained_alternative_with_noise,
    write_constrained_alternative_with_noise,
    write_constrained_gradient_with_noise,
)


def given_noise(means, variance, covariance):
    """Means and noise in units of the noise, see `in_units`.

    Raises
    ------
    ValueError
        If the noise is invalid.
    """
    return in_units(means, checked_noise(variance, covariance, *means.shape))


def rows_in_units(polyhedron, units):
    """Normals and offsets of a polyhedron for means that are divided by ``units``.

    Both are multiplied by a power of 2 for each row, so that the largest entry of a normal is
    between 1/2 and 1. As the units are powers of 2, only exponents change.
    """
    normals, offsets = polyhedron.rows()
    normals *= units
    _, exponents = np.frexp(np.abs(normals).max(axis=1))
    return np.ldexp(normals, -exponents[:, None]), np.ldexp(offsets, -exponents)


def refuse_noise_with_features(variance, covariance):
    """Refuse noise that is given together with features, whose oracle needs unit variance.

    Raises
    ------
    ValueError
        If ``variance`` or ``covariance`` is given.
    """
    for name, value in (("variance", variance), ("covariance", covariance)):
        if value is not None:
            raise ValueError(f"{name} = {shown(value)} with features; expected None")


def cost_with_noise(means, weights, noise, units, problem, gradient, alternative):
    """Fill ``gradient`` and ``alternative``; return the cost and the arm of `TransportCost`.

    Parameters
    ----------
    means : ndarray, shape (K, d)
        In units of the noise.
    weights : ndarray, shape (K,)
    noise : KnownNoise
    units : ndarray, shape (d,)
        The units.
    problem : str
        ``"pareto_set"`` or ``"best_arm_per_objective"``.
    gradient : ndarray, shape (K,)
        Modified in place.
    alternative : ndarray, shape (K, d)
        Modified in place: in the units of the caller.
    """
    best_arms = problem == BEST_ARMS.name
    value, arm = _cost_with_noise(means, weights, noise, best_arms, gradient, alternative)
    alternative *= units
    return value, arm


@kernel
def _cost_with_noise(means, weights, noise, best_arms, gradient, alternative):
    """As `cost_with_noise`, in units of the noise.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    noise : KnownNoise
    best_arms : bool
        Whether the answer is the best arm of every objective instead of the Pareto set.
    gradient : ndarray, shape (K,)
        Modified in place.
    alternative : ndarray, shape (K, d)
        Modified in place.
    """
    response = allocate_noise_response(means.shape[0], means.shape[1])
    if best_arms:
        value = cheapest_confusion_with_noise(means, weights, noise, np.inf, response)
    else:
        value = cheapest_alternative_with_noise(means, weights, noise, np.inf, response)
    write_alternative_with_noise(means, weights, noise, response, alternative)
    write_gradient_with_noise(means, weights, noise, response, gradient)
    return value, response.found[0]["moved"]


def constrained_cost_with_noise(means, weights, noise, units, polyhedron, gradient, alternative):
    """As `cost_with_noise`, for the Pareto set of the feasible arms.

    Parameters
    ----------
    means : ndarray, shape (K, d)
        In units of the noise.
    weights : ndarray, shape (K,)
    noise : KnownNoise
    units : ndarray, shape (d,)
        The units.
    polyhedron : Polyhedron
        In the units of the caller.
    gradient : ndarray, shape (K,)
        Modified in place.
    alternative : ndarray, shape (K, d)
        Modified in place: in the units of the caller.
    """
    rows = rows_in_units(polyhedron, units)
    value, arm = _constrained_cost_with_noise(means, weights, noise, *rows, gradient, alternative)
    alternative *= units
    return value, arm


@kernel
def _constrained_cost_with_noise(means, weights, noise, normals, offsets, gradient, alternative):
    """As `constrained_cost_with_noise`, in units of the noise.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    noise : KnownNoise
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    gradient : ndarray, shape (K,)
        Modified in place.
    alternative : ndarray, shape (K, d)
        Modified in place.
    """
    response = allocate_noise_region_response(normals.shape[0], means.shape[0], means.shape[1])
    value = cheapest_constrained_alternative_with_noise(
        means, weights, noise, normals, offsets, np.inf, response
    )
    write_constrained_alternative_with_noise(means, weights, noise, response, alternative)
    write_constrained_gradient_with_noise(means, weights, noise, response, gradient)
    return value, response.plain.found[0]["moved"]


def partition_cost_with_noise(
    means, weights, noise, units, polyhedron, reasons, gradient, alternative
):
    """As `constrained_cost_with_noise`, for a valid partition.

    Parameters
    ----------
    means : ndarray, shape (K, d)
        In units of the noise.
    weights : ndarray, shape (K,)
    noise : KnownNoise
    units : ndarray, shape (d,)
        The units.
    polyhedron : Polyhedron
        In the units of the caller.
    reasons : ndarray of int, shape (K,)
        See `pareto_core.transport.partitions.reasons_of`.
    gradient : ndarray, shape (K,)
        Modified in place.
    alternative : ndarray, shape (K, d)
        Modified in place: in the units of the caller.
    """
    rows = rows_in_units(polyhedron, units)
    value, arm = _partition_cost_with_noise(
        means, weights, noise, *rows, reasons, gradient, alternative
    )
    alternative *= units
    return value, arm


@kernel
def _partition_cost_with_noise(
    means, weights, noise, normals, offsets, reasons, gradient, alternative
):
    """As `partition_cost_with_noise`, in units of the noise.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    noise : KnownNoise
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    reasons : ndarray of int, shape (K,)
    gradient : ndarray, shape (K,)
        Modified in place.
    alternative : ndarray, shape (K, d)
        Modified in place.
    """
    response = allocate_noise_region_response(normals.shape[0], means.shape[0], means.shape[1])
    value = cheapest_wrong_partition_with_noise(
        means, weights, noise, normals, offsets, reasons, np.inf, response
    )
    write_constrained_alternative_with_noise(means, weights, noise, response, alternative)
    write_constrained_gradient_with_noise(means, weights, noise, response, gradient)
    return value, response.plain.found[0]["moved"]
