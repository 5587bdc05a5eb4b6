"""Linear bounds on the transportation cost under noise of known covariance."""

import numpy as np

from pareto_core.questions import BEST_ARMS
from pareto_core.transport.near_with_noise import (
    near_confusions_with_noise,
    near_gradients_with_noise,
)
from pareto_core.transport.noise_cost import given_noise


def bounds_with_noise(means, problem, eta, variance, covariance, most):
    """Means in units of the noise, and a function that maps weights to the cost and its bounds.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    problem : str
    eta : float
    variance, covariance : array_like or None
        See `checked_noise`.
    most : int
        Largest number of bounds.

    Raises
    ------
    ValueError
        If the problem does not use the noise, the noise is invalid, or ``eta`` is positive.
    """
    means, noise, _ = given_noise(means, problem, variance, covariance)
    if eta > 0:
        raise ValueError(f"eta = {eta!r} with known noise or costs; expected 0")
    of_best_arms = problem == BEST_ARMS.name
    near = near_confusions_with_noise if of_best_arms else near_gradients_with_noise

    def linear_bounds(weights):
        gradients = np.empty((most, means.shape[0]))
        value, count = near(means, weights, noise, gradients)
        return value, gradients[:count]

    return means, linear_bounds
