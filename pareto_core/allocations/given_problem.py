"""Means and noise of a problem, as the public functions of the allocations check them."""

import numpy as np

from pareto_core.checks.arguments import check_means
from pareto_core.transport.known_noise import checked_noise, in_units


def given_problem(means, variance, covariance):
    """Means and covariances of the arms in units of the noise, see `in_units`.

    Parameters
    ----------
    means : array_like, shape (K, d)
    variance, covariance : array_like or None
        See `checked_noise`; unit variance if neither is given.

    Returns
    -------
    means : ndarray, shape (K, d)
    covariance : ndarray, shape (K, d, d)

    Raises
    ------
    ValueError
        If an argument is invalid.
    """
    means = check_means(means)
    if variance is None and covariance is None:
        variance = np.ones(means.shape[1])
    means, noise, _ = in_units(means, checked_noise(variance, covariance, *means.shape))
    return means, noise.covariance


def with_unit_range(means):
    """Means times a power of 2, such that the largest difference is about 1.

    The shares of an allocation do not change, and their rates neither overflow nor vanish.
    """
    largest = np.ptp(means, axis=0).max()
    return means if largest == 0.0 else means * np.exp2(-np.round(np.log2(largest)))
