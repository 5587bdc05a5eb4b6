"""Bounds on the number of samples of Racing in terms of the gaps (Auer et al. 2016)."""

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import (
    check_means,
    check_non_negative,
    check_positive,
    check_probability,
)
from pareto_core.geometry.dominance import gaps, pareto_set

__all__ = ["racing_lower_bound", "racing_upper_bound"]


def racing_upper_bound(
    means: ArrayLike, delta: float, epsilon: float = 0.0, constant: float = 4320.0
) -> float:
    r"""Upper bound on the number of samples of Racing.

    .. math::
        \sum_i\frac{4320}{(\Delta_i^{\epsilon_0})^2}
        \log\frac{12Kd}{\delta\Delta_i^{\epsilon_0}},\qquad
        \Delta_i^{\epsilon_0}=\max\{\Delta_i,\epsilon_0\}

    (Auer et al. 2016, Theorem 4), for rewards that are 1-subgaussian.

    Parameters
    ----------
    means : array_like, shape (K, d)
        One row per arm, one column per objective; in standard deviations.
    delta : float
        Error probability, in (0, 1).
    epsilon : float, default 0.0
        Accuracy :math:`\epsilon_0`.
    constant : float, default 4320
        The constant.

    Returns
    -------
    float
        Number of samples; infinite if a gap and ``epsilon`` are zero.

    Raises
    ------
    ValueError
        If ``means`` is not a finite (K, d) array, ``delta`` is not in (0, 1), ``epsilon`` is
        negative, or ``constant`` is not positive.

    See Also
    --------
    racing_lower_bound
    """
    means = check_means(means)
    check_probability(delta, "delta")
    gap = np.maximum(gaps(means, "auer"), check_non_negative(epsilon, "epsilon"))
    if gap.min() == 0:
        return np.inf
    logarithm = np.maximum(np.log(12 * means.size / (delta * gap)), 0)
    return float((check_positive(constant, "constant") / gap**2 * logarithm).sum())


def racing_lower_bound(means: ArrayLike, delta: float, epsilon: float = 0.0) -> float:
    r"""Number of samples that any algorithm needs on some distributions, up to a constant.

    .. math::
        \sum_i\frac{1}{(\tilde\Delta_i^{\epsilon_0})^2}\log\frac1\delta

    with :math:`\tilde\Delta_i^{\epsilon_0}` the maximum of :math:`\epsilon_0` and
    :math:`\Delta_i^*` for a dominated arm, :math:`\Delta_i^+` for an optimal arm (Auer et
    al. 2016, Theorem 17, which does not specify the constant).

    Parameters
    ----------
    means : array_like, shape (K, d)
        One row per arm, one column per objective; in standard deviations.
    delta : float
        Error probability, in (0, 1).
    epsilon : float, default 0.0
        Accuracy :math:`\epsilon_0`.

    Returns
    -------
    float
        Number of samples; infinite if a gap and ``epsilon`` are zero.

    Raises
    ------
    ValueError
        If ``means`` is not a finite (K, d) array, ``delta`` is not in (0, 1), or ``epsilon`` is
        negative.

    See Also
    --------
    racing_upper_bound
    """
    means = check_means(means)
    gap = gaps(means, "auer")
    front = pareto_set(means)
    apart = (means[front, None, :] - means[None, front, :]).max(axis=2)
    np.fill_diagonal(apart, np.inf)
    gap[front] = np.minimum(apart, apart.T).min(axis=1)
    gap = np.maximum(gap, check_non_negative(epsilon, "epsilon"))
    log_risk = -np.log(check_probability(delta, "delta"))
    return float((log_risk / gap**2).sum()) if gap.min() > 0 else np.inf
