"""Gaussian noise of known covariance, as the kernels of the transportation cost read it."""

from typing import NamedTuple

import numpy as np

from pareto_core.instances.checks import correlation_of

__all__ = ["KnownNoise", "known_noise"]


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
    precision = np.linalg.inv([correlation_of(each) for each in covariance])
    precision = 0.5 * (precision + precision.transpose(0, 2, 1))
    precision /= deviation[:, :, None] * deviation[:, None, :]
    away = covariance * (1 - np.eye(variance.shape[1]))
    return KnownNoise(covariance, precision, variance, ~away.any(axis=(1, 2)))
