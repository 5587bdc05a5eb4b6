"""Linear bounds on the transportation cost under noise of known covariance."""

import numpy as np

from pareto_core.questions import BEST_ARMS, CONSTRAINED_PARETO_SET
from pareto_core.transport.near_with_noise import (
    near_confusions_with_noise,
    near_constrained_gradients_with_noise,
    near_gradients_with_noise,
)
from pareto_core.transport.noise_cost import given_noise, rows_in_units


def bounds_with_noise(means, problem, polyhedron, eta, variance, covariance, most):
    """Means and region in units of the noise, and a function that maps weights to cost and bounds.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    problem : str
    polyhedron : Polyhedron or None
        The feasible region, if the problem needs one.
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
        If the problem does not use the noise, the noise is invalid, or ``eta`` is positive.
    """
    means, noise, units = given_noise(means, problem, variance, covariance)
    if eta > 0:
        raise ValueError(f"eta = {eta!r} with known noise or costs; expected 0")
    near, region = near_gradients_with_noise, None
    if problem == BEST_ARMS.name:
        near = near_confusions_with_noise
    elif problem == CONSTRAINED_PARETO_SET.name:
        near, region = near_constrained_gradients_with_noise, rows_in_units(polyhedron, units)

    def linear_bounds(weights):
        gradients = np.empty((most, means.shape[0]))
        value, count = near(means, weights, noise, *(region or ()), gradients)
        return value, gradients[:count]

    return means, region, linear_bounds
