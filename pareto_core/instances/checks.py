"""Checks of the parts of an instance."""

import numpy as np

from pareto_core.checks.arguments import (
    check_array,
    check_magnitude,
    check_means,
    index_of,
    shown,
)

ROUNDING = 16 * np.finfo(float).eps


def correlation_of(covariance):
    """Correlation matrices of covariances, of the same shape (..., d, d)."""
    deviation = np.sqrt(np.diagonal(covariance, axis1=-2, axis2=-1))
    correlation = covariance / (deviation[..., :, None] * deviation[..., None, :])
    index = np.arange(correlation.shape[-1])
    correlation[..., index, index] = 1.0
    return correlation


def is_diagonal(covariance):
    """Whether each of the covariances, shape (..., d, d), has no entry off the diagonal."""
    away = ~np.eye(covariance.shape[-1], dtype=bool)
    return ~(covariance * away).any(axis=(-2, -1))


def is_covariance(matrices):
    """Whether matrices are symmetric and positive definite, independently of units."""
    diagonal = np.diagonal(matrices, axis1=-2, axis2=-1)
    if not np.array_equal(matrices, np.swapaxes(matrices, -2, -1)) or not (diagonal > 0).all():
        return False
    try:
        np.linalg.cholesky(correlation_of(matrices))
    except np.linalg.LinAlgError:
        return False
    return True


def checked_covariance(covariance, n_arms, n_objectives):
    """Return ``covariance`` as a new array of shape (d, d) or (K, d, d)."""
    given = _symmetric(check_magnitude(check_array(covariance, "covariance"), "covariance"))
    common = (n_objectives, n_objectives)
    if given.shape not in (common, (n_arms, *common)) or not is_covariance(given):
        raise ValueError(
            f"covariance = {shown(covariance)}; expected a symmetric, positive definite array "
            f"of shape {common}, or one for each arm in an array of shape {(n_arms, *common)}"
        )
    return given


def _symmetric(matrices):
    """Mean of the matrices and their transposes, if they differ by no more than rounding."""
    if matrices.ndim not in (2, 3) or matrices.shape[-1] != matrices.shape[-2]:
        return matrices
    transposed = np.swapaxes(matrices, -2, -1)
    deviation = np.sqrt(np.abs(np.diagonal(matrices, axis1=-2, axis2=-1)))
    rounding = ROUNDING * deviation[..., :, None] * deviation[..., None, :]
    if (np.abs(matrices - transposed) > rounding).any():
        return matrices
    return 0.5 * matrices + 0.5 * transposed


def checked_observations(observations):
    """Recorded rewards of each arm, as a tuple of read-only arrays."""
    try:
        given = list(observations)
    except TypeError as error:
        raise ValueError(
            f"observations = {shown(observations)}; expected an array of each arm's rewards"
        ) from error
    if len(given) < 2:
        raise ValueError(f"observations of {len(given)} arms; expected at least 2 arms")
    columns = [found for group in given if (found := index_of(group, "columns")) is not None]
    if any(found != columns[0] for found in columns):
        raise ValueError(
            f"observations have the columns {shown(columns[0])} and others; expected the same "
            "columns in the same order for each arm"
        )
    groups = tuple(
        check_means(group, f"observations[{k}]", at_least=1) for k, group in enumerate(given)
    )
    if len({group.shape[1] for group in groups}) > 1:
        raise ValueError("observations differ in their number of columns; expected the same number")
    for group in groups:
        group.setflags(write=False)
    return groups
