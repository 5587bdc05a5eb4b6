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

from pareto_core.checks.arguments import check_array
from pareto_core.compiling.kernels import kernel

LEAST_NOISE = 1e-12  # least noise variance, relative to the prior
SMALLEST, LARGEST = np.log(1e-6), np.log(1e3)  # bounds on variances, relative to the data's
SHORTEST, LONGEST = np.log(1e-2), np.log(1e2)  # length scales, relative to the features' range
START_LENGTHS = (0.3, 1.0, 3.0)
START_SHARES = (0.1, 0.9)  # of the linear kernel in the variance
START_NOISE = 0.1  # if no arm has two observations to estimate it


@dataclasses.dataclass(frozen=True)
class Hyperparameters:
    """Prior of one objective, and the variance of the noise in one reward."""

    mean: float
    linear_variance: float
    signal_variance: float
    length_scales: tuple[float, ...]
    noise_variance: float

    def __post_init__(self):
        object.__setattr__(self, "length_scales", tuple(map(float, self.length_scales)))
        least = LEAST_NOISE * (self.linear_variance + self.signal_variance)
        if self.noise_variance < least:
            raise ValueError(
                f"noise_variance = {self.noise_variance!r}; expected at least {least:.3g}, "
                "because smaller noise is lost in rounding errors"
            )


def covariance(features: ArrayLike, hyperparameters: Hyperparameters) -> np.ndarray:
    """Prior covariance of the objective between all pairs of arms, shape (K, K)."""
    features = check_array(features, "features")
    lengths = np.array(hyperparameters.length_scales)
    if lengths.size != features.shape[1]:
        raise ValueError(
            f"hyperparameters has {lengths.size} length_scales; expected {features.shape[1]}, "
            "one per feature"
        )
    linear, squares = _pairwise(features)
    correlation = np.exp(-0.5 * np.tensordot(lengths**-2, squares, 1))
    return hyperparameters.linear_variance * linear + hyperparameters.signal_variance * correlation


@kernel
def update(mean, cov, arm, number, average, noise):
    """Condition the process on the average of ``number`` more rewards of an arm, in O(K²).

    A Kalman step: a matrix of rank one is subtracted from the covariance, without an inversion.
    The covariance stays exactly symmetric, because rounding errors would grow otherwise. The row
    of the arm itself is scaled instead, which avoids cancellation. An arm whose variance is lost
    in rounding errors is treated as known. ``mean`` and ``cov`` are modified in place.
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
    ``scatter`` are sums of squares about the averages, shape (K, d) as they.
    """
    return tuple(_fit_objective(data) for data in _collect(features, counts, means, scatter))


class _Data(NamedTuple):
    """Rewards in one objective, of the arms with rewards."""

    linear: np.ndarray  # (K, K) linear kernel with bias
    squares: np.ndarray  # (h, K, K) squared differences of each feature
    counts: np.ndarray  # (K,)
    averages: np.ndarray  # (K,)
    scatter: float  # sum over all arms


def _pairwise(features):
    """Linear kernel and squared differences of the features: shapes (K, K) and (h, K, K)."""
    return 1 + features @ features.T, (features.T[:, :, None] - features.T[:, None, :]) ** 2


def _collect(features, counts, means, scatter):
    """Data of each objective, from the arguments of `fit`."""
    given = features, counts, means, scatter
    features, counts, means, scatter = (check_array(each, "rewards") for each in given)
    seen = counts > 0
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
