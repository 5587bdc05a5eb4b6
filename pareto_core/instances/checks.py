"""Checks of the parts of an instance."""

import numpy as np

from pareto_core.checks.arguments import check_means, shown


def correlation_of(covariance):
    """Correlation matrix of a covariance, shape (d, d)."""
    deviation = np.sqrt(np.diag(covariance))
    correlation = covariance / np.outer(deviation, deviation)
    np.fill_diagonal(correlation, 1.0)
    return correlation


def is_covariance(matrix):
    """Whether a matrix is symmetric and positive definite, independently of units."""
    if not np.array_equal(matrix, matrix.T) or not (np.diag(matrix) > 0).all():
        return False
    try:
        np.linalg.cholesky(correlation_of(matrix))
    except np.linalg.LinAlgError:
        return False
    return True


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
    groups = tuple(
        check_means(group, f"observations[{k}]", at_least=1) for k, group in enumerate(given)
    )
    if len({group.shape[1] for group in groups}) > 1:
        raise ValueError("observations differ in their number of columns; expected the same number")
    for group in groups:
        group.setflags(write=False)
    return groups
