"""Rounding of designs: from proportions to whole numbers of samples."""

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_choice, check_count, check_weights
from pareto_core.compiling.kernels import kernel
from pareto_core.regression.design import (
    feature_points,
    information,
    orthonormal_points,
    quadratic_forms,
)

__all__ = ["round_design"]

ROUNDINGS = APPORTIONMENT, CEILING = "apportionment", "ceiling"


def round_design(
    features: ArrayLike, weights: ArrayLike, number: int, rounding: str = APPORTIONMENT
) -> np.ndarray:
    r"""Turn proportions into whole numbers of samples.

    Parameters
    ----------
    features : array_like, shape (K, h)
        Feature vector of each arm.
    weights : array_like, shape (K,)
        Proportions; scaled to a sum of 1. The arms with positive weight must span the features.
    number : int
        Number N of samples, at least the dimension of the features' span.
    rounding : {"apportionment", "ceiling"}, default "apportionment"
        Method; see the notes.

    Returns
    -------
    ndarray of int, shape (K,)
        Samples of each arm. Their sum is N, or more with ``"ceiling"``.

    Raises
    ------
    ValueError
        If ``features`` is not a finite (K, h) array or is all zero, if ``weights`` has the wrong
        shape, a negative entry or a support that does not span the features, if ``number`` is too
        small, or if ``rounding`` is unknown.

    See Also
    --------
    pareto_core.regression.design.g_optimal_design : the proportions

    Notes
    -----
    ``"apportionment"`` gives every arm of the support (p arms) at least
    :math:`\lceil(N-p)w_i\rceil` samples, and each remaining sample to the arm
    with the largest variance. Because :math:`V\succeq(N-p)V^w`, the largest variance is at
    most N / (N - p) times that of the design (after Pukelsheim & Rieder 1992).

    ``"ceiling"`` is :math:`\lceil Nw_i\rceil`, as in the authors' code.

    References
    ----------
    Pukelsheim & Rieder 1992, Efficient rounding of approximate designs, Biometrika,
    doi:10.1093/biomet/79.4.763.
    """
    points = feature_points(features)
    weights = check_weights(weights, len(points))
    weights /= weights.max()
    weights /= weights.sum()
    spanned = orthonormal_points(points[weights > 0].T).shape[1]
    if spanned < points.shape[1]:
        raise ValueError(
            f"weights have a support that spans {spanned} dimensions; expected a support that "
            f"spans all {points.shape[1]} of the features"
        )
    check_count(number, "number", at_least=points.shape[1])
    check_choice(rounding, "rounding", ROUNDINGS)
    if rounding == CEILING:
        return np.ceil(number * weights).astype(np.int64)
    return apportion(points, weights, number)


@kernel
def apportion(points, weights, number):
    """Round a design: at least ceil((N - p) w) each, the rest where the variance is largest."""
    support = 0
    for i in range(points.shape[0]):
        if weights[i] > 0.0:
            support += 1
    pulls = np.zeros(points.shape[0], np.int64)
    spare = max(number - support, 0)
    for i in range(points.shape[0]):
        pulls[i] = np.int64(np.ceil(spare * weights[i]))
    ridge = 1e-9 * np.eye(points.shape[1])  # directions without samples come first
    variances = np.empty(points.shape[0])
    inverse = np.linalg.inv(information(points, pulls.astype(np.float64)) + ridge)
    quadratic_forms(points, inverse, variances)
    for _ in range(number - pulls.sum()):
        arm = np.argmax(variances)
        pulls[arm] += 1
        direction = inverse @ points[arm]
        share = 1.0 / (1.0 + variances[arm])
        for f in range(points.shape[1]):
            for g in range(points.shape[1]):
                inverse[f, g] -= share * direction[f] * direction[g]
        for i in range(points.shape[0]):
            along = 0.0
            for f in range(points.shape[1]):
                along += points[i, f] * direction[f]
            variances[i] -= share * along**2
    return pulls
