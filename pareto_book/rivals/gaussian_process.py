"""Gaussian-process regression on a finite set of arms, one process per objective.

Rewards of arm k are f(x_k) plus Gaussian noise, where f has a constant mean and the
covariance

    linear_variance (1 + x·z) + signal_variance exp(-½ Σ_c (x_c - z_c)² / length_c²),

a linear kernel with bias and a squared exponential with one length scale per feature.
This is the model of the code that Zuluaga et al. (2013) released.
"""

import dataclasses
import itertools
from typing import NamedTuple

import numpy as np
import scipy  # its parts are imported when they are used
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import (
    check_array,
    check_means,
    check_non_negative,
    check_number,
    check_positive,
)
from pareto_core.compiling.kernels import kernel

__all__ = ["Hyperparameters", "covariance", "fit", "update"]

LEAST_NOISE = 1e-12  # least noise variance, relative to the prior
SMALLEST, LARGEST = np.log(1e-6), np.log(1e3)  # bounds on variances, relative to the data's
SHORTEST, LONGEST = np.log(1e-2), np.log(1e2)  # length scales, relative to the features' range
START_LENGTHS = (0.3, 1.0, 3.0)
START_SHARES = (0.1, 0.9)  # of the linear kernel in the variance
START_NOISE = 0.1  # if no arm has two observations to estimate it


@dataclasses.dataclass(frozen=True)
class Hyperparameters:
    """Prior of one objective, and the variance of its noise.

    Parameters
    ----------
    mean : float
        Mean of the process, the same for all arms.
    linear_variance : float
        Factor of the linear kernel with bias, 1 + x·z; at least 0.
    signal_variance : float
        Factor of the squared exponential; at least 0.
    length_scales : sequence of float, h of them
        Length scale of each feature in the squared exponential.
    noise_variance : float
        Variance of the noise in one reward; at least 1e-12 times the sum of the two variances.

    Raises
    ------
    ValueError
        If ``mean`` is not finite, a variance of a kernel is negative, a length scale is not
        positive, or ``noise_variance`` is too small.
    """

    mean: float
    linear_variance: float
    signal_variance: float
    length_scales: tuple[float, ...]
    noise_variance: float

    def __post_init__(self):
        check_number(self.mean, "mean")
        check_non_negative(self.linear_variance, "linear_variance")
        check_non_negative(self.signal_variance, "signal_variance")
        lengths = check_array(self.length_scales, "length_scales")
        if lengths.ndim != 1 or not (np.isfinite(lengths).all() and (lengths > 0).all()):
            raise ValueError(f"length_scales = {self.length_scales!r}; expected positive numbers")
        object.__setattr__(self, "length_scales", tuple(lengths.tolist()))
        check_positive(self.noise_variance, "noise_variance")
        least = LEAST_NOISE * (self.linear_variance + self.signal_variance)
        if self.noise_variance < least:
            raise ValueError(
                f"noise_variance = {self.noise_variance!r}; expected at least {least:.3g}, "
                "because smaller noise is lost in rounding errors"
            )


def covariance(features: ArrayLike, hyperparameters: Hyperparameters) -> np.ndarray:
    """Prior covariance of the objective between all pairs of arms.

    Parameters
    ----------
    features : array_like, shape (K, h)
        Feature vector of each arm.
    hyperparameters : Hyperparameters

    Returns
    -------
    ndarray, shape (K, K)

    Raises
    ------
    ValueError
        If ``features`` is not a finite (K, h) array, or if there is not one length scale per
        column.
    """
    features = check_means(features, "features")
    lengths = _check_lengths(hyperparameters, features.shape[1])
    linear, squares = _pairwise(features)
    correlation = np.exp(-0.5 * np.tensordot(lengths**-2, squares, 1))
    return hyperparameters.linear_variance * linear + hyperparameters.signal_variance * correlation


@kernel
def update(mean, cov, arm, number, average, noise):
    """Condition the process on ``number`` more rewards of an arm, in place, in O(K²).

    A Kalman step: a matrix of rank one is subtracted from the covariance, without an inversion.
    The covariance stays exactly symmetric, because rounding errors would grow otherwise. The row
    of the arm itself is scaled instead, which avoids cancellation. An arm whose variance is lost
    in rounding errors is treated as known.

    Parameters
    ----------
    mean : ndarray, shape (K,)
        Posterior mean. Modified in place.
    cov : ndarray, shape (K, K)
        Posterior covariance. Modified in place.
    arm : int
        The sampled arm.
    number : int
        Number of rewards.
    average : float
        Average of the rewards.
    noise : float
        Variance of the noise in one reward.
    """
    left = noise / number
    total = cov[arm, arm] + left
    step = (average - mean[arm]) / total
    for i in range(mean.shape[0]):
        mean[i] += cov[i, arm] * step
        if i == arm:
            continue
        gain = cov[i, arm] / total
        for j in range(i + 1):
            if j != arm:
                cov[i, j] -= gain * cov[j, arm]
                cov[j, i] = cov[i, j]
    for i in range(mean.shape[0]):
        cov[i, arm] *= left / total
        cov[arm, i] = cov[i, arm]
    for i in range(mean.shape[0]):
        if cov[i, i] <= 0.0:
            cov[i, :] = 0.0
            cov[:, i] = 0.0


def fit(
    features: ArrayLike, counts: ArrayLike, means: ArrayLike, scatter: ArrayLike
) -> tuple[Hyperparameters, ...]:
    """Hyper-parameters with the largest marginal likelihood, objective by objective.

    L-BFGS-B on the logarithms, from six fixed starts, in O(K³) per step; the mean is the
    generalised least-squares estimate at every step. Variances are limited to 1e-6 to
    1e3 times that of the data, length scales to 0.01 to 100 times the range of the feature.

    Parameters
    ----------
    features : array_like, shape (K, h)
        Feature vector of each arm.
    counts : array_like, shape (K,)
        Number of rewards of each arm; arms without rewards are ignored.
    means : array_like, shape (K, d)
        Averages of the rewards.
    scatter : array_like, shape (K, d)
        Sums of squares about the averages.

    Returns
    -------
    tuple of Hyperparameters
        One per objective.

    Raises
    ------
    ValueError
        If an array is not finite or has the wrong shape, if fewer than two arms have rewards, or
        if the rewards do not vary in some objective.

    References
    ----------
    Zuluaga, Sergent, Krause & Püschel 2013, Active learning for multi-objective optimization, ICML.
    """
    return tuple(_fit_objective(data) for data in _collect(features, counts, means, scatter))


class _Data(NamedTuple):
    """Rewards in one objective, of the arms with rewards."""

    linear: np.ndarray  # (K, K) linear kernel with bias
    squares: np.ndarray  # (h, K, K) squared differences of each feature
    counts: np.ndarray  # (K,)
    averages: np.ndarray  # (K,)
    scatter: float  # sum over all arms


def _check_lengths(hyperparameters, n_features):
    """Length scales as an array, one per feature."""
    lengths = np.array(hyperparameters.length_scales)
    if lengths.size != n_features:
        raise ValueError(
            f"hyperparameters has {lengths.size} length_scales; expected {n_features}, "
            "one per feature"
        )
    return lengths


def _pairwise(features):
    """Linear kernel and squared differences of the features: shapes (K, K) and (h, K, K)."""
    return 1 + features @ features.T, (features.T[:, :, None] - features.T[:, None, :]) ** 2


def _collect(features, counts, means, scatter):
    """Check the arguments of `fit`; return the data of each objective."""
    features, means = check_means(features, "features"), check_means(means)
    n_arms = features.shape[0]
    if means.shape[0] != n_arms:
        raise ValueError(f"means has {means.shape[0]} rows; expected {n_arms}, one per arm")
    counts, scatter = check_array(counts, "counts"), check_array(scatter, "scatter")
    whole = np.isfinite(counts) & (counts >= 0) & (counts == np.floor(counts))
    if counts.shape != (n_arms,) or not whole.all():
        raise ValueError(f"counts = {counts!r}; expected {n_arms} whole numbers, at least 0")
    if scatter.shape != means.shape or not (np.isfinite(scatter).all() and (scatter >= 0).all()):
        raise ValueError(f"scatter = {scatter!r}; expected numbers, at least 0, like the means")
    seen = counts > 0
    if seen.sum() < 2:
        raise ValueError(f"counts = {counts!r}; expected at least two arms with rewards")
    linear, squares = _pairwise(features[seen])
    return [
        _Data(linear, squares, counts[seen], average.copy(), float(total.sum()))
        for average, total in zip(means[seen].T, scatter[seen].T, strict=True)
    ]


def _fit_objective(data):
    """Hyper-parameters of one objective: the best of several local optima."""
    n_samples = data.counts.sum()
    centre = data.counts @ data.averages / n_samples
    variance = (data.counts @ (data.averages - centre) ** 2 + data.scatter) / n_samples
    if variance == 0:
        raise ValueError("means are all the same in one objective; expected rewards that vary")
    ranges = np.sqrt(data.squares.max(axis=(1, 2)))
    ranges[ranges == 0] = 1
    unit = np.log([variance / np.diag(data.linear).mean(), variance, *ranges, variance])
    bounds = [(SMALLEST, LARGEST)] * 2 + [(SHORTEST, LONGEST)] * ranges.size
    bounds.append((SMALLEST, LARGEST))
    noise = START_NOISE
    if n_samples > data.counts.size:
        noise = data.scatter / (n_samples - data.counts.size) / variance
    found = [
        scipy.optimize.minimize(
            _objective, start, args=(unit, data), jac=True, method="L-BFGS-B", bounds=bounds
        )
        for start in _starts(noise, ranges.size)
    ]
    best = min(found, key=lambda result: result.fun)
    linear, signal, lengths, noise = _split(best.x + unit)
    _, factor = _factor(linear, signal, lengths, noise, data)
    mean = _best_mean(factor, data)
    return Hyperparameters(mean, linear, signal, tuple(lengths.tolist()), noise)


def _starts(noise, n_features):
    """Relative logarithms to start from: short to long scales, more or less linear."""
    noise = np.clip(np.log(max(noise, 1e-300)), SMALLEST, LARGEST)
    for length, share in itertools.product(START_LENGTHS, START_SHARES):
        yield np.array([np.log(share), np.log(1 - share), *[np.log(length)] * n_features, noise])


def _split(logarithms):
    """Variance of the linear kernel, of the signal, length scales, variance of the noise."""
    linear, signal, *lengths, noise = np.exp(logarithms).tolist()
    return linear, signal, np.array(lengths), noise


def _factor(linear, signal, lengths, noise, data):
    """Squared exponential, and factor of the covariance of the averages."""
    smooth = signal * np.exp(-0.5 * np.tensordot(lengths**-2, data.squares, 1))
    total = linear * data.linear + smooth + np.diag(noise / data.counts)
    return smooth, scipy.linalg.cho_factor(total, lower=True)


def _best_mean(factor, data):
    """Mean of the process with the largest likelihood, given the other parameters."""
    weights = scipy.linalg.cho_solve(factor, np.ones(data.counts.size))
    return float(weights @ data.averages / weights.sum())


def _objective(relative, unit, data):
    """Value and gradient at the logarithms of the parameters, in the given units."""
    return _negative_log_likelihood(None, *_split(relative + unit), data)


def _negative_log_likelihood(mean, linear, signal, lengths, noise, data):
    r"""Value, and its gradient in the logarithms of all parameters except the mean, shape (h + 3,).

    The average :math:`\bar y_k` and the scatter :math:`S_k` (sum of squares about it) of the
    :math:`n_k` rewards of an arm are sufficient: the log-likelihood is

    .. math::
        \ln\mathcal N\big(\bar y;m,C+\mathrm{diag}(s^2/n)\big)-\tfrac12\sum_k\Big\{
        (n_k-1)\ln(2\pi s^2)+\ln n_k+\frac{S_k}{s^2}\Big\}.

    With C the covariance of the averages, alpha = C⁻¹(averages - mean) and a parameter
    p, the derivative of the Gaussian part is ½ tr{(C⁻¹ - alpha alpha') dC/dp}. If ``mean`` is
    None, the best mean is used; it changes with p, but adds nothing to the derivative.

    Parameters
    ----------
    mean : float or None
    linear, signal : float
        Variances of the linear kernel and of the squared exponential.
    lengths : ndarray, shape (h,)
    noise : float
    data : _Data
    """
    n_arms, n_samples = data.counts.size, data.counts.sum()
    smooth, factor = _factor(linear, signal, lengths, noise, data)
    centred = data.averages - (_best_mean(factor, data) if mean is None else mean)
    alpha = scipy.linalg.cho_solve(factor, centred)
    value = 0.5 * centred @ alpha + np.log(np.diag(factor[0])).sum()
    value += 0.5 * n_samples * np.log(2 * np.pi) + 0.5 * np.log(data.counts).sum()
    value += 0.5 * (n_samples - n_arms) * np.log(noise) + 0.5 * data.scatter / noise

    slope = scipy.linalg.cho_solve(factor, np.eye(n_arms)) - np.outer(alpha, alpha)
    smooth *= slope
    gradient = [
        linear * (data.linear * slope).sum(),
        smooth.sum(),
        *np.tensordot(data.squares, smooth, 2) / lengths**2,
        noise * (np.diag(slope) / data.counts).sum() + n_samples - n_arms - data.scatter / noise,
    ]
    return float(value), 0.5 * np.array(gradient)
