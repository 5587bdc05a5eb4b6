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
    r"""Compute the complexities H1 and H2, or their linear versions."""
    gap = np.sort(gaps(means))
    if dimension is not None:
        gap = gap[: check_count(dimension, "dimension")]
    if gap[0] == 0:
        return GapComplexity(np.inf, np.inf)
    return GapComplexity(float((gap**-2).sum()), float((np.arange(1, gap.size + 1) / gap**2).max()))
