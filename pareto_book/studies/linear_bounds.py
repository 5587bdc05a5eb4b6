"""Complexities of Pareto set identification in a linear model, as functions of the gaps."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_count
from pareto_core.geometry.dominance import gaps

__all__ = ["GapComplexity", "gap_complexity"]


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
