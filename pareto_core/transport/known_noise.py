"""Gaussian noise of known covariance, as the kernels of the transportation cost read it."""

from typing import NamedTuple

import numpy as np

from pareto_core.checks.arguments import LARGEST, check_array, check_magnitude, shown
from pareto_core.instances.checks import checked_covariance, correlation_of
from pareto_core.instances.instance import Problem

__all__ = ["KnownNoise", "checked_noise", "in_units", "known_noise", "noise_of"]

MOST_RATIO = 1e30  # of the variances of two arms in one objective


class KnownNoise(NamedTuple):
    """Covariances of the arms' rewards, and what is computed from them once.

    Attributes
    ----------
    covariance : ndarray, shape (K, d, d)
    precision : ndarray, shape (K, d, d)
        Inverses of the covariances.
    variance : ndarray, shape (K, d)
        Diagonals of the covariances.
    independent : ndarray of bool, shape (K,)
        Whether the objectives of an arm are uncorrelated.
    """

    covariance: np.ndarray
    precision: np.ndarray
    variance: np.ndarray
    independent: np.ndarray


def known_noise(covariance: np.ndarray) -> KnownNoise:
    """Prepare covariances for the kernels.

    Parameters
    ----------
    covariance : ndarray, shape (K, d, d)
        Positive definite, see `checked_covariances`.
    """
    covariance = np.array(covariance, dtype=float, order="C")
    variance = np.diagonal(covariance, axis1=1, axis2=2).copy()
    deviation = np.sqrt(variance)
    precision = np.linalg.inv(correlation_of(covariance))
    precision = 0.5 * (precision + precision.transpose(0, 2, 1))
    precision /= deviation[:, :, None] * deviation[:, None, :]
    precision = np.ascontiguousarray(precision)
    away = covariance * (1 - np.eye(variance.shape[1]))
    return KnownNoise(covariance, precision, variance, ~away.any(axis=(1, 2)))


def noise_of(problem: Problem) -> KnownNoise:
    """Noise of a problem for the kernels, with empty arrays if it has unit variance."""
    if problem.covariance is not None:
        return known_noise(problem.covariance)
    n_objectives = problem.n_objectives
    return KnownNoise(
        np.empty((0, n_objectives, n_objectives)),
        np.empty((0, n_objectives, n_objectives)),
        np.empty((0, n_objectives)),
        np.empty(0, np.bool_),
    )


def checked_noise(variance, covariance, n_arms, n_objectives):
    """Return the covariance of each arm's rewards, shape (K, d, d), from one of the arguments.

    Raises
    ------
    ValueError
        If both are given, ``variance`` is not an array of positive numbers of shape (d,) or (K, d),
        or ``covariance`` is not an array of positive definite matrices of shape (d, d) or
        (K, d, d).
    """
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
    """Means and noise in units of about the largest standard deviation of each objective.

    The units are powers of 2, so that only the exponents of the numbers change.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    covariance : ndarray, shape (K, d, d)

    Returns
    -------
    means : ndarray, shape (K, d)
    noise : KnownNoise
    units : ndarray, shape (d,)

    Raises
    ------
    ValueError
        If the variances of an objective differ by a factor of more than `MOST_RATIO`, or a mean
        exceeds `LARGEST` standard deviations.
    """
    variance = np.diagonal(covariance, axis1=1, axis2=2)
    least, largest = variance.min(axis=0), variance.max(axis=0)
    if not (largest / MOST_RATIO <= least).all():
        raise ValueError(
            f"variances of one objective from {least[(least / largest).argmin()]:.3g} to "
            f"{largest[(least / largest).argmin()]:.3g}; expected a factor of at most {MOST_RATIO}"
        )
    units = np.exp2(np.round(0.5 * np.log2(largest)))
    if not (np.abs(means) / LARGEST <= np.sqrt(least)).all():
        raise ValueError(f"means exceed {LARGEST} standard deviations; expected smaller means")
    noise = known_noise(covariance / units[:, None] / units)
    return means / units, noise, units
