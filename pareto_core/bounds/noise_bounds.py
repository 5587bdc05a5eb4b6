"""Linear bounds on the transportation cost under noise of known covariance."""

import numpy as np

from pareto_core.questions import BEST_ARMS, CONSTRAINED_PARETO_SET, PARETO_SET, PARTITION
from pareto_core.transport.near_with_noise import (
    near_confusions_with_noise,
    near_constrained_gradients_with_noise,
    near_gradients_with_noise,
    near_partition_gradients_with_noise,
)
from pareto_core.transport.noise_cost import given_noise, rows_in_units

NEAR_GRADIENTS = {
    PARETO_SET.name: near_gradients_with_noise,
    BEST_ARMS.name: near_confusions_with_noise,
    CONSTRAINED_PARETO_SET.name: near_constrained_gradients_with_noise,
    PARTITION.name: near_partition_gradients_with_noise,
}


def bounds_with_noise(means, problem, polyhedron, reasons, eta, variance, covariance, most):
    """Means and region in units of the noise, and a function that maps weights to cost and bounds.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    problem : str
    polyhedron : Polyhedron or None
        The feasible region, if the problem needs one.
    reasons : ndarray of int, shape (K,), or None
        Those of a valid partition, if the problem is that of a partition.
    eta : float
    variance, covariance : array_like or None
        See `checked_noise`.
    most : int
        Largest number of bounds.

    Returns
    -------
    means : ndarray, shape (K, d)
    region : tuple of ndarray or None
        Normals and offsets of the feasible region in the same units.
    linear_bounds : Callable

    Raises
    ------
    ValueError
        If the noise is invalid, or ``eta`` is positive.
    """
    means, noise, units = given_noise(means, variance, covariance)
    if eta > 0:
        raise ValueError(f"eta = {eta!r} with known noise or costs; expected 0")
    near = NEAR_GRADIENTS[problem]
    region = None if polyhedron is None else rows_in_units(polyhedron, units)
    answer = (*(region or ()), *(() if reasons is None else (reasons,)))

    def linear_bounds(weights):
        gradients = np.empty((most, means.shape[0]))
        value, count = near(means, weights, noise, *answer, gradients)
        return value, gradients[:count]

    return means, region, linear_bounds
