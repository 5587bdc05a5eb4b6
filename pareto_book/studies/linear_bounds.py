"""Theoretical bounds for Pareto set identification in a linear model.

Bounds of Kone, Kaufmann & Richert (2025, linear), for GEGE and for the algorithms that they
compare with it, as functions of the gaps. Rewards are assumed to be sigma-subgaussian.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_count, check_means, check_positive, check_probability
from pareto_core.geometry.dominance import gaps, pareto_set

__all__ = [
    "GapComplexity",
    "ege_error_bound",
    "error_lower_bound",
    "gap_complexity",
    "gege_error_bound",
    "gege_sample_bound",
    "sample_orders",
]


class GapComplexity(NamedTuple):
    r"""Difficulty of an instance, from its gaps in ascending order.

    Attributes
    ----------
    h1 : float
        Sum of :math:`1/\Delta_i^2`: for fixed confidence.
    h2 : float
        Largest :math:`i/\Delta_i^2`: for a fixed budget.
    """

    h1: float
    h2: float


def gap_complexity(means: ArrayLike, dimension: int | None = None) -> GapComplexity:
    r"""Compute the complexities H1 and H2, or their linear versions.

    :math:`H_1=\sum_i\Delta_i^{-2}` and :math:`H_2=\max_ii\Delta_i^{-2}` over the gaps
    in ascending order; :math:`H_{1,\mathrm{lin}}` and :math:`H_{2,\mathrm{lin}}` stop at
    the h smallest (Kone et al. 2025, linear, Section 2.1).

    Parameters
    ----------
    means : array_like, shape (K, d)
        One row per arm, one column per objective.
    dimension : int, optional
        Dimension h of the features' span; by default the number of arms.

    Returns
    -------
    GapComplexity
        Both infinite if a gap is zero.

    Raises
    ------
    ValueError
        If an argument is out of range.
    """
    gap = np.sort(gaps(means))
    if dimension is not None:
        gap = gap[: check_count(dimension, "dimension")]
    if gap[0] == 0:
        return GapComplexity(np.inf, np.inf)
    return GapComplexity(float((gap**-2).sum()), float((np.arange(1, gap.size + 1) / gap**2).max()))


def gege_error_bound(means: ArrayLike, dimension: int, budget: int, variance: float = 1.0) -> float:
    r"""Bound the error rate of GEGE with a fixed budget from above (Theorem 1).

    .. math::
        2d(K+h+\lceil\log_2h\rceil)
        \exp\left(-\frac{T}{1200\,\sigma^2H_{2,\mathrm{lin}}\lceil\log_2h\rceil}\right)

    Parameters
    ----------
    means : array_like, shape (K, d)
        One row per arm, one column per objective.
    dimension : int
        Dimension h of the features' span, at least 2.
    budget : int
        Samples T.
    variance : float, default 1.0
        Bound :math:`\sigma^2` on the variance of the noise.

    Returns
    -------
    float
        The bound, which is vacuous above 1. Infinite if
        :math:`T<45h\log_2h`, because the theorem does not apply.

    Raises
    ------
    ValueError
        If an argument is out of range.
    """
    means = check_means(means)
    check_count(dimension, "dimension", at_least=2)
    check_count(budget, "budget")
    check_positive(variance, "variance")
    if budget < 45 * dimension * np.log2(dimension):
        return np.inf
    rounds = np.ceil(np.log2(dimension))
    rate = 1200 * variance * gap_complexity(means, dimension).h2 * rounds
    constant = 2 * means.shape[1] * (len(means) + dimension + rounds)
    return float(constant * np.exp(-budget / rate))


def ege_error_bound(means: ArrayLike, budget: int, variance: float = 1.0) -> float:
    r"""Bound the error rate of EGE-SH from above, as in Kone et al. (2025, linear).

    .. math::
        2d(K-1)|P^*|\log_2K\,\exp\left(-\frac T{288\,\sigma^2H_2\log_2K}\right)

    Parameters
    ----------
    means : array_like, shape (K, d)
        One row per arm, one column per objective.
    budget : int
        Samples T.
    variance : float, default 1.0
        Bound :math:`\sigma^2` on the variance of the noise.

    Returns
    -------
    float
        The bound, which is vacuous above 1.

    Raises
    ------
    ValueError
        If an argument is out of range.
    """
    means = check_means(means)
    check_count(budget, "budget")
    check_positive(variance, "variance")
    rounds = np.log2(len(means))
    constant = 2 * means.shape[1] * (len(means) - 1) * len(pareto_set(means)) * rounds
    rate = 288 * variance * gap_complexity(means).h2 * rounds
    return float(constant * np.exp(-budget / rate))


def error_lower_bound(complexity: float, budget: int, variance: float = 1.0) -> float:
    r"""Bound the error rate of every algorithm from below (Theorem 2).

    .. math::
        \frac14\exp\left(-\frac{2T}{\sigma^2H}\right)

    Parameters
    ----------
    complexity : float
        Largest :math:`H_{2,\mathrm{lin}}` of the instances.
    budget : int
        Samples T.
    variance : float, default 1.0
        Variance :math:`\sigma^2` of the noise.

    Returns
    -------
    float
        The bound, which holds for the worst of these instances, not for each instance.

    Raises
    ------
    ValueError
        If an argument is out of range.
    """
    check_positive(complexity, "complexity")
    check_count(budget, "budget")
    check_positive(variance, "variance")
    return float(0.25 * np.exp(-2 * budget / (variance * complexity)))


def gege_sample_bound(
    means: ArrayLike, dimension: int, delta: float, variance: float = 1.0
) -> float:
    r"""Upper bound on the samples of GEGE with fixed confidence (proof of Theorem 3).

    .. math::
        \log_2\frac2{\Delta_1}+32\cdot\frac74\cdot\frac{256}3\,\sigma^2
        \sum_{i=2}^h\frac1{\Delta_i^2}\ln\left(\frac{Kd}\delta\log_2\frac2{\Delta_i}\right)

    This is Theorem 3 with the constant from the end of its proof (Equations 31 and 46).
    Equation 36 assumes that :math:`4^{\lceil\log_2(1/\Delta)\rceil}` is at most
    :math:`1/\Delta^2`; it may be up to four times as large, and so may a valid bound.

    Parameters
    ----------
    means : array_like, shape (K, d)
        One row per arm, one column per objective.
    dimension : int
        Dimension h of the features' span, at least 2.
    delta : float
        Error probability, in (0, 1).
    variance : float, default 1.0
        Bound :math:`\sigma^2` on the variance of the noise.

    Returns
    -------
    float
        Samples; infinite if a gap is zero.

    Raises
    ------
    ValueError
        If an argument is out of range.
    """
    smallest = float(gaps(means).min())
    check_positive(variance, "variance")
    order = sample_orders(means, dimension, delta)["GEGE"]
    constant = 32 * 1.75 * 256 / 3 * variance
    return np.inf if smallest == 0 else float(np.log2(2 / smallest) + constant * order)


def sample_orders(means: ArrayLike, dimension: int, delta: float) -> dict[str, float]:
    r"""Evaluate the sample complexities of Table 1, without constants.

    .. math::
        \text{PAL: }\frac{h^2}{\Delta_1^2}\ln^3\frac{Kd}\delta,\quad
        \text{APE: }\sum_{i=1}^K\frac{L_i}{\Delta_i^2},\quad
        \text{Kim et al.: }\frac h{\Delta_1^2}\ln\frac{d\max(h,K)}{\delta\Delta_1^2},\quad
        \text{GEGE: }\sum_{i=2}^h\frac{L_i}{\Delta_i^2}

    with :math:`L_i=\ln(\frac{Kd}\delta\log_2\frac2{\Delta_i})`, as in Theorem 3. The
    table states :math:`\log(1/\Delta_i)` instead of :math:`\log_2(2/\Delta_i)`, which is not
    positive for gaps of at least 1; here the inner logarithm is at least 1.

    Parameters
    ----------
    means : array_like, shape (K, d)
        One row per arm, one column per objective.
    dimension : int
        Dimension h of the features' span, at least 2.
    delta : float
        Error probability, in (0, 1).

    Returns
    -------
    dict of str to float
        By algorithm: "PAL" (Zuluaga et al. 2016), "APE" (Kone et al. 2023), "Kim et al."
        (2023), "GEGE"; infinite if a gap is zero.

    Raises
    ------
    ValueError
        If an argument is out of range.
    """
    means = check_means(means)
    check_count(dimension, "dimension", at_least=2)
    check_probability(delta, "delta")
    n_arms, n_objectives = means.shape
    gap = np.sort(gaps(means))
    if gap[0] == 0:
        return dict.fromkeys(("PAL", "APE", "Kim et al.", "GEGE"), np.inf)
    size = n_arms * n_objectives
    inner = np.maximum(np.log2(2 / gap), 1.0)
    terms = np.log(size / delta * inner) / gap**2
    widest = n_objectives * max(dimension, n_arms)
    return {
        "PAL": float(dimension**2 / gap[0] ** 2 * np.log(size / delta) ** 3),
        "APE": float(terms.sum()),
        "Kim et al.": float(dimension / gap[0] ** 2 * np.log(widest / (delta * gap[0] ** 2))),
        "GEGE": float(terms[1:dimension].sum()),
    }
