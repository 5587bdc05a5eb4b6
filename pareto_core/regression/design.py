r"""G-optimal designs: proportions of samples that minimise the largest variance of an estimate.

In a linear model an arm with feature vector x has the mean :math:`\Theta^\top x`. After
:math:`n_i` samples of each arm, its least-squares estimate has the variance
:math:`\|x\|^2_{V^\dagger}` times that of the noise, with
:math:`V=\sum_in_ix_ix_i^\top`. A design w is G-optimal if it minimises the largest of
these variances, which then equals the dimension of the features' span divided by the number of
samples (Kiefer & Wolfowitz 1960, doi:10.4153/CJM-1960-030-4). This does not depend on the basis,
so that all computations use a basis in which the given arms are orthonormal: their
features may be badly scaled, or span less than the space (Kone et al. 2025, linear,
Section 2.2).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import (
    check_choice,
    check_count,
    check_matrix,
    check_tolerance,
    check_weights,
)
from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel

__all__ = ["Design", "g_optimal_design", "prediction_variances"]

TINY = float(np.finfo(np.float64).tiny)
DEPENDENT = 1e-12  # share of a column that counts as a rounding error
REFRESH_EVERY = 50  # number of exchanges between two recomputations of all variances
VERTEX_EXCHANGE, MIRROR_DESCENT = "vertex_exchange", "mirror_descent"


class Design(NamedTuple):
    """A design with its certificate.

    Attributes
    ----------
    weights : ndarray, shape (K,)
        Proportions of the samples.
    largest_variance : float
        Largest variance of an arm's estimate, times the number of samples, in units of
        the noise's variance.
    dimension : int
        Dimension h of the features' span, which is the optimum of ``largest_variance``.
    relative_gap : float
        Certified: ``largest_variance`` is 1 + ``relative_gap`` times the optimum.
    iterations : int
        Number of steps.
    """

    weights: np.ndarray
    largest_variance: float
    dimension: int
    relative_gap: float
    iterations: int


def g_optimal_design(
    features: ArrayLike,
    tolerance: float = 1e-6,
    method: str = VERTEX_EXCHANGE,
    max_iterations: int = 1_000_000,
) -> Design:
    r"""Proportions that minimise the largest variance of an arm's estimated mean.

    Parameters
    ----------
    features : array_like, shape (K, h)
        Feature vector of each arm; they need not span the space.
    tolerance : float, default 1e-6
        Stop when the largest variance is at most (1 + tolerance) times the optimum; at least
        1e-12.
    method : {"vertex_exchange", "mirror_descent"}, default "vertex_exchange"
        ``"vertex_exchange"`` moves weight from the support arm with the smallest variance
        to the arm with the largest variance, by the amount that maximises :math:`\det V`
        (Böhning 1986). ``"mirror_descent"`` multiplies the weights by
        :math:`\exp(\eta_t\|x_i\|^2_{V^{-1}})` with
        :math:`\eta_t=\sqrt{2\ln K/t}/L` (Kone et al. 2025, linear, Algorithm 4). The
        paper does not specify L; here it is the largest variance of the first step.
    max_iterations : int, default 1_000_000
        Largest number of steps.

    Raises
    ------
    ValueError
        If ``features`` is not a finite (K, h) array or is all zero, ``tolerance`` is below 1e-12,
        ``method`` is unknown, or ``max_iterations`` is not a positive integer.
    RuntimeError
        If the tolerance is not reached in ``max_iterations``.

    See Also
    --------
    pareto_core.regression.rounding.round_design : whole numbers of samples
    prediction_variances : variances for any numbers of samples

    References
    ----------
    Kiefer & Wolfowitz 1960, The equivalence of two extremum problems, Canadian Journal of
    Mathematics, doi:10.4153/CJM-1960-030-4.

    Böhning 1986, A vertex-exchange-method in D-optimal design theory, Metrika.
    """
    points = feature_points(features)
    check_tolerance(tolerance, "tolerance")
    check_choice(method, "method", (VERTEX_EXCHANGE, MIRROR_DESCENT))
    check_count(max_iterations, "max_iterations")
    if method == VERTEX_EXCHANGE:
        weights = independent_start(points)
        iterations = exchange_vertices(points, weights, tolerance, max_iterations)
    else:
        weights = np.full(len(points), 1 / len(points))
        iterations = _mirror_descent(points, weights, tolerance, max_iterations)
    dimension = points.shape[1]
    largest = float(_variances(points, weights).max())
    gap = max(largest / dimension - 1, 0.0)
    if gap > tolerance:
        raise RuntimeError(
            f"G-optimal design not certified to {tolerance} after {iterations} steps: "
            f"the largest variance is {gap} above the optimum"
        )
    return Design(weights, largest, dimension, gap, iterations)


def prediction_variances(features: ArrayLike, pulls: ArrayLike) -> np.ndarray:
    """Variance of each arm's estimate in units of the noise's; inf without its direction."""
    points = feature_points(features)
    pulls = check_weights(pulls, len(points), "pulls")
    sampled = pulls > 0
    inside = points @ orthonormal_points(np.ascontiguousarray(points[sampled].T))
    triangle = np.linalg.qr(np.sqrt(pulls[sampled])[:, None] * inside[sampled], mode="r")
    variances = (np.linalg.solve(triangle.T, inside.T) ** 2).sum(axis=0)
    lengths = (points**2).sum(axis=1)
    outside = lengths - (inside**2).sum(axis=1) > DEPENDENT * lengths
    return np.where(outside, np.inf, variances)


def least_squares_means(features, counts, sums):
    """Estimated means of all arms; None if the sampled arms do not span the features."""
    points, arms = feature_points(features), np.flatnonzero(counts)
    roots = np.sqrt(counts[arms])[:, None]
    coefficients, _, rank, _ = np.linalg.lstsq(roots * points[arms], sums[arms] / roots, rcond=None)
    return points @ coefficients if rank == points.shape[1] else None


def feature_points(features):
    """Check features, and return the arms in an orthonormal basis of their span."""
    return orthonormal_points(scaled_features(features))


def check_features(features):
    """Return ``features`` as a finite float64 array of shape (K, h), not all zero."""
    features = check_matrix(features, "features", at_least=1)
    if not features.any():
        raise ValueError("features are all zero; expected at least one non-zero number")
    return features


def scaled_features(features):
    """Check features, and divide each column by a number close to its largest entry."""
    # Powers of two times a common number: rounding does not depend on the size of a column.
    features = check_features(features)
    mantissa, _ = np.frexp(np.abs(features).max())
    _, exponents = np.frexp(np.abs(features).max(axis=0))
    return np.ldexp(features, -exponents) / mantissa


@kernel
def orthonormal_points(features):
    """Features in a basis of their span with orthonormal columns, by pivoted Gram-Schmidt."""
    n_arms, n_features = features.shape
    rest = features.T.copy()
    for f in range(n_features):
        row = rest[f]
        row /= max(np.sqrt((row**2).sum()), TINY)
    lengths = np.empty(n_features)
    rank = 0
    while rank < min(n_arms, n_features):
        for f in range(rank, n_features):
            lengths[f] = np.sqrt((rest[f] ** 2).sum())
        longest = rank + np.argmax(lengths[rank:])
        if lengths[longest] <= DEPENDENT:
            break
        chosen = rest[longest] / lengths[longest]
        copy_vector(rest[longest], rest[rank])
        for g in range(rank):
            chosen -= (rest[g] * chosen).sum() * rest[g]
        copy_vector(rest[rank], chosen / np.sqrt((chosen**2).sum()))
        for f in range(rank + 1, n_features):
            row = rest[f]
            row -= (row * rest[rank]).sum() * rest[rank]
        rank += 1
    return rest[:rank].T.copy()


@kernel
def independent_start(points):
    """Equal weights on h arms, each the farthest from the span of its predecessors."""
    n_arms, dimension = points.shape
    rest = points.copy()
    weights = np.zeros(n_arms)
    lengths = np.empty(n_arms)
    for _ in range(dimension):
        for i in range(n_arms):
            lengths[i] = 0.0
            for f in range(dimension):
                lengths[i] += rest[i, f] ** 2
        arm = np.argmax(lengths)
        weights[arm] = 1.0 / dimension
        direction = rest[arm] / np.sqrt(lengths[arm])
        for i in range(n_arms):
            along = 0.0
            for f in range(dimension):
                along += rest[i, f] * direction[f]
            for f in range(dimension):
                rest[i, f] -= along * direction[f]
    return weights


@kernel
def information(points, weights):
    """Matrix V of a design."""
    dimension = points.shape[1]
    result = np.zeros((dimension, dimension))
    for i in range(points.shape[0]):
        if weights[i] > 0.0:
            for f in range(dimension):
                for g in range(dimension):
                    result[f, g] += weights[i] * points[i, f] * points[i, g]
    return result


@kernel
def quadratic_forms(points, matrix, result):
    """Fill ``result`` with x' A x for every arm."""
    for i in range(points.shape[0]):
        result[i] = 0.0
        for f in range(points.shape[1]):
            inner = 0.0
            for g in range(points.shape[1]):
                inner += matrix[f, g] * points[i, g]
            result[i] += points[i, f] * inner


@kernel
def _variances(points, weights):
    """Variance of every arm's estimate under a design."""
    result = np.empty(points.shape[0])
    quadratic_forms(points, np.linalg.inv(information(points, weights)), result)
    return result


@kernel
def exchange_vertices(points, weights, tolerance, max_iterations):
    """Improve ``weights`` in place until they are optimal; return the number of steps."""
    dimension = points.shape[1]
    variances = np.empty(points.shape[0])
    steps = 0
    while True:
        inverse = np.linalg.inv(information(points, weights))
        quadratic_forms(points, inverse, variances)
        largest = variances.max()
        if largest <= dimension * (1.0 + tolerance) or steps >= max_iterations:
            return steps
        least = _least_support_variance(largest, dimension)
        arms = np.flatnonzero((variances >= least) | (weights > 0.0))
        chosen, shares, found = points[arms], weights[arms], variances[arms]
        for _ in range(min(REFRESH_EVERY, max_iterations - steps)):
            winner = np.argmax(found)
            if found[winner] <= dimension * (1.0 + tolerance):
                break
            _exchange(chosen, shares, inverse, found, winner)
            steps += 1
        for i in range(arms.shape[0]):
            weights[arms[i]] = shares[i]


@kernel
def _least_support_variance(largest, dimension):
    """Lower bound on the variance of arms in the optimal support (Harman & Pronzato 2007)."""
    excess = largest - dimension
    root = np.sqrt(excess * (4.0 + excess - 4.0 / dimension))
    return dimension * (1.0 + 0.5 * excess - 0.5 * root)


@kernel
def _exchange(points, weights, inverse, variances, winner):
    """Move weight to ``winner`` from the support arm of least variance, to the largest det V."""
    loser = winner
    for i in range(points.shape[0]):
        if weights[i] > 0.0 and variances[i] < variances[loser]:
            loser = i
    gain, loss = inverse @ points[winner], inverse @ points[loser]
    covariance = (points[loser] * gain).sum()
    curvature = 2.0 * (variances[winner] * variances[loser] - covariance**2)
    moved = weights[loser]
    if curvature * moved > variances[winner] - variances[loser]:
        moved = (variances[winner] - variances[loser]) / curvature
    weights[loser] = weights[loser] - moved
    weights[winner] += moved
    add = moved / (1.0 + moved * variances[winner])
    loss -= add * covariance * gain
    remove = moved / (1.0 - moved * (variances[loser] - add * covariance**2))
    for f in range(points.shape[1]):
        for g in range(points.shape[1]):
            inverse[f, g] += remove * loss[f] * loss[g] - add * gain[f] * gain[g]
    for i in range(points.shape[0]):
        with_gain, with_loss = 0.0, 0.0
        for f in range(points.shape[1]):
            with_gain += points[i, f] * gain[f]
            with_loss += points[i, f] * loss[f]
        variances[i] += remove * with_loss**2 - add * with_gain**2


@kernel
def _mirror_descent(points, weights, tolerance, max_iterations):
    """Entropic mirror descent, in place; return the number of steps."""
    scale = 0.0
    for step in range(1, max_iterations + 1):
        variances = _variances(points, weights)
        largest = variances.max()
        if largest <= points.shape[1] * (1.0 + tolerance):
            return step - 1
        if step == 1:
            scale = np.sqrt(2.0 * np.log(points.shape[0])) / largest
        weights *= np.exp(scale / np.sqrt(step) * (variances - largest))
        weights /= weights.sum()
    return max_iterations
