"""Stopping thresholds: how much evidence is enough.

Each public function gives a threshold beta(t, delta); an algorithm stops once the
evidence t * (transportation cost at the empirical means and proportions) exceeds
it. The kernels beside them take what depends on delta alone as a constant.
"""

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import zeta

from pareto_core._checks import check_array, check_count, check_probability
from pareto_core._kernels import kernel

__all__ = ["mixture_threshold", "stylised_threshold"]

STYLISED, MIXTURE = 0, 1
THRESHOLDS = {"stylised": STYLISED, "mixture": MIXTURE}


def stylised_threshold(samples, delta):
    r"""The threshold :math:`\ln(\ln(1+t)/\delta)` of experiments.

    No theorem gives it; it is what Crepon et al. (2024, Section 4) and most
    experiments of the field stop with.

    Parameters
    ----------
    samples : int
        Samples t drawn so far, all arms together; at least 2.
    delta : float
        Risk, in (0, 1).

    Returns
    -------
    float
        Threshold in nats.

    Raises
    ------
    ValueError
        If ``samples`` is below 2 or ``delta`` is outside (0, 1).
    """
    check_count(samples, "samples", at_least=2)
    return float(_stylised_threshold(samples, threshold_constant("stylised", delta, 1)))


def mixture_threshold(counts, n_objectives, delta):
    r"""A threshold that is proven to keep the error rate below delta.

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
        Risk, in (0, 1).

    Returns
    -------
    float
        Threshold in nats.

    Raises
    ------
    ValueError
        If an arm has no sample, or an argument is out of range.
    """
    numbers = check_array(counts, "counts")
    if numbers.ndim != 1 or numbers.size == 0 or not ((numbers >= 1) & (numbers % 1 == 0)).all():
        raise ValueError(f"counts = {counts!r}; expected whole numbers, at least one each")
    check_count(n_objectives, "n_objectives")
    constant = threshold_constant("mixture", delta, numbers.size * n_objectives)
    return float(_mixture_threshold(numbers.astype(np.int64), n_objectives, constant))


def threshold_constant(name, delta, n_means):
    """The part of a threshold that depends on delta alone, for ``n_means`` = K d means."""
    log_risk = -np.log(check_probability(delta, "delta"))
    if name == "stylised":
        return float(log_risk)
    return float(n_means * _gaussian_rate(log_risk / n_means))


def _gaussian_rate(x):
    """C_g(x) of Kaufmann & Koolen (2021), Equation (13)."""

    def objective(rate):
        exponent = 2 * rate - 2 * rate * np.log(4 * rate) + np.log(zeta(2 * rate))
        return (exponent - 0.5 * np.log1p(-rate) + x) / rate

    return minimize_scalar(objective, bounds=(0.5, 1), method="bounded").fun


@kernel
def _stylised_threshold(samples, log_risk):
    return log_risk + np.log(np.log(1.0 + samples))


@kernel
def _mixture_threshold(counts, n_objectives, constant):
    total = 0.0
    for k in range(counts.shape[0]):
        total += np.log(4.0 + np.log(counts[k]))
    return 2.0 * n_objectives * total + constant


@kernel
def threshold(kind, samples, counts, n_objectives, constant):
    """Threshold of the given kind, with its `threshold_constant`."""
    if kind == STYLISED:
        return _stylised_threshold(samples, constant)
    return _mixture_threshold(counts, n_objectives, constant)
