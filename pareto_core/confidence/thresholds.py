"""How much evidence is enough: thresholds at which an algorithm stops.

A threshold beta(t, delta) is for algorithms that stop once the evidence, t times the
transportation cost at the empirical means and proportions, exceeds it. The kernels beside the
public functions take the part that depends on delta alone as a constant.
"""

import functools
from collections.abc import Callable
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import scipy  # its parts are imported when they are used
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import (
    check_count,
    check_counts,
    check_probability,
    check_size,
    shown,
)
from pareto_core.compiling.kernels import kernel

__all__ = [
    "gamma_threshold",
    "mixture_threshold",
    "rank_threshold",
    "stylised_threshold",
]

MOST_MEANS = 10**7
ONE_COUNT = np.ones(1, np.int64)


def stylised_threshold(samples: int, delta: float) -> float:
    r"""The heuristic threshold :math:`\ln(\ln(1+t)/\delta)`.

    It has no proof; Crepon et al. (2024, Section 4) and most experiments in the field use it.

    Parameters
    ----------
    samples : int
        Total number t of samples so far, at least 2.
    delta : float
        Error probability, in (0, 1).

    Returns
    -------
    float
        Threshold in nats.

    Raises
    ------
    ValueError
        If ``samples`` is not an integer of at least 2, or if ``delta`` is not in (0, 1).

    See Also
    --------
    mixture_threshold, gamma_threshold : with a proof
    """
    check_count(samples, "samples", at_least=2)
    return _evaluated("stylised", delta, samples)


def mixture_threshold(counts: ArrayLike, n_objectives: int, delta: float) -> float:
    r"""The mixture threshold, with a proof that the error rate is at most delta.

    .. math::
        2d\sum_k\ln(4+\ln N_k) + Kd\;\mathcal C_g\!\left(\frac{\ln(1/\delta)}{Kd}\right),
        \qquad
        \mathcal C_g(x)=\min_{\lambda\in(1/2,1]}\frac{g(\lambda)+x}{\lambda},

    :math:`g(\lambda)=2\lambda-2\lambda\ln(4\lambda)+\ln\zeta(2\lambda)-\frac12\ln(1-\lambda)`,
    which bounds the deviations of all Kd independent means of unit variance at once
    (Kaufmann & Koolen 2021, Theorem 9).

    Parameters
    ----------
    counts : array_like of int, shape (K,)
        Samples N_k of each arm, at least one each.
    n_objectives : int
        Number d of objectives.
    delta : float
        Error probability, in (0, 1).

    Returns
    -------
    float
        Threshold in nats.

    Raises
    ------
    ValueError
        If ``counts`` is not a sequence of positive whole numbers, ``n_objectives`` is below 1, or
        ``delta`` is not in (0, 1).

    References
    ----------
    Kaufmann & Koolen 2021, Mixture martingales revisited with applications to sequential tests and
    confidence intervals, Journal of Machine Learning Research: Theorem 9.
    """
    numbers = check_counts(counts, "counts", at_least=1)
    if numbers.ndim != 1:
        raise ValueError(f"counts = {shown(counts)}; expected a sequence, one number per arm")
    check_count(n_objectives, "n_objectives")
    return _evaluated("mixture", delta, 0, numbers, n_objectives)


def gamma_threshold(samples: int, n_arms: int, n_objectives: int, delta: float) -> float:
    r"""The Gamma threshold, with a proof that the error rate is at most delta.

    .. math::
        \beta(t,\delta)=Kd\ln(t^2+t)+f^{-1}(\delta),\qquad
        f(x)=\sum_{i=1}^{Kd}\frac{x^{i-1}e^{-x}}{(i-1)!},

    (Chen et al. 2024, Equations (15) and (16)). The largest deviation of one mean over
    time, minus ln(t² + t), is stochastically smaller than an exponential variable, and f is the
    survival function of the sum of Kd exponential variables, a Gamma variable.

    Parameters
    ----------
    samples : int
        Total number t of samples so far, at least 1.
    n_arms, n_objectives : int
        Numbers K and d.
    delta : float
        Error probability, in (0, 1).

    Returns
    -------
    float
        Threshold in nats.

    Raises
    ------
    ValueError
        If ``samples``, ``n_arms`` or ``n_objectives`` is not a positive integer, or if ``delta`` is
        not in (0, 1).
    """
    check_count(samples, "samples")
    check_size(n_arms, n_objectives, MOST_MEANS, fewest_arms=1)
    return _evaluated("gamma", delta, samples, np.ones(n_arms, np.int64), n_objectives)


def rank_threshold(samples: int, n_arms: int, n_objectives: int, delta: float) -> float:
    r"""A threshold with a proof for the best arm of every objective, a problem of rank two.

    .. math::
        \beta(t,\delta)=4\ln\Bigl(4+\ln\frac t2\Bigr)
        +2\,\mathcal C_g\Bigl(\tfrac12\ln\frac{d(K-1)}\delta\Bigr),

    with :math:`\mathcal C_g` as in `mixture_threshold` (Kaufmann & Koolen 2021, Proposition 21).
    The rank does not grow with d (Chen et al. 2024, Appendix C). An answer is wrong only if the
    average of a wrong arm exceeds that of a best arm in some objective, for one of d (K - 1) pairs.
    Theorem 9 of Kaufmann & Koolen bounds the deviations of each pair of means, and the logarithm is
    concave.

    Parameters
    ----------
    samples : int
        Total number t of samples so far, at least 2.
    n_arms, n_objectives : int
        Numbers K, at least 2, and d.
    delta : float
        Error probability, in (0, 1).

    Returns
    -------
    float
        Threshold in nats.

    Raises
    ------
    ValueError
        If ``samples`` or ``n_arms`` is not an integer of at least 2, ``n_objectives`` is below 1,
        or ``delta`` is not in (0, 1).

    Examples
    --------
    >>> from pareto_core.confidence.thresholds import rank_threshold
    >>> round(rank_threshold(1000, n_arms=5, n_objectives=1, delta=0.1), 1)
    16.1
    """
    check_count(samples, "samples", at_least=2)
    check_size(n_arms, n_objectives, MOST_MEANS)
    check_probability(delta, "delta")
    log_pairs = np.log(n_objectives * (n_arms - 1)) - np.log(delta)
    return float(4 * np.log(4 + np.log(samples / 2)) + 2 * gaussian_rate(0.5 * log_pairs))


def _evaluated(name, delta, samples, counts=ONE_COUNT, n_objectives=1):
    """Threshold of this name; without counts for one that depends only on the total number."""
    constant = threshold_constant(name, delta, counts.size * n_objectives)
    number = THRESHOLDS[name].number
    return float(threshold(number, samples, counts, n_objectives, constant))


STYLISED, MIXTURE, ITERATED_LOGARITHM, GAMMA = range(4)


class Threshold(NamedTuple):
    """One kind of threshold, whose formula is in `threshold`."""

    number: int  # its number in kernels
    constant: Callable  # maps (delta, number K d of means) to the part that depends on delta
    reads_counts: bool = False  # those of all arms, which have to be positive


@functools.lru_cache(maxsize=128)
def gaussian_rate(x):
    """C_g(x) of Kaufmann & Koolen (2021), Equation (13)."""

    def objective(rate):
        exponent = 2 * rate - 2 * rate * np.log(4 * rate) + np.log(scipy.special.zeta(2 * rate))
        return (exponent - 0.5 * np.log1p(-rate) + x) / rate

    return scipy.optimize.minimize_scalar(objective, bounds=(0.5, 1), method="bounded").fun


def _log_risk(delta, n_means):
    return float(-np.log(delta))


def _gamma_quantile(delta, n_means):
    return float(scipy.special.gammainccinv(n_means, delta))


def _mixture_rate(delta, n_means):
    return float(n_means * gaussian_rate(-np.log(delta) / n_means))


THRESHOLDS = MappingProxyType(
    {
        "stylised": Threshold(STYLISED, _log_risk),
        "mixture": Threshold(MIXTURE, _mixture_rate, reads_counts=True),
        # ln((1 + ln t)/delta), without a proof: Garivier & Kaufmann (2016, Section 6)
        "iterated_logarithm": Threshold(ITERATED_LOGARITHM, _log_risk),
        "gamma": Threshold(GAMMA, _gamma_quantile),
    }
)


def threshold_constant(name, delta, n_means):
    """The part of a threshold that depends on delta alone, for ``n_means`` = K d means."""
    return THRESHOLDS[name].constant(check_probability(delta, "delta"), n_means)


@kernel
def threshold(kind, samples, counts, n_objectives, constant):
    """Threshold of the kind with this number, given its constant; infinite if it is unknown."""
    if kind == STYLISED:
        return constant + np.log(np.log(1.0 + samples))
    if kind == ITERATED_LOGARITHM:
        return constant + np.log(1.0 + np.log(samples))
    if kind == GAMMA:
        n_means = counts.shape[0] * n_objectives
        return n_means * np.log(samples * (samples + 1.0)) + constant
    if kind == MIXTURE:
        total = 0.0
        for k in range(counts.shape[0]):
            total += np.log(4.0 + np.log(counts[k]))
        return 2.0 * n_objectives * total + constant
    return np.inf
