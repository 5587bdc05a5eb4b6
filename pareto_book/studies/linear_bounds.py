"""Complexities of Pareto set identification in a linear model, as functions of the gaps."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.geometry.dominance import gaps


class GapComplexity(NamedTuple):
    """Difficulty of an instance, from its gaps in ascending order."""

    h1: float  # sum of 1 / gap²: for fixed confidence
    h2: float  # largest i / gap²: for a fixed budget


def gap_complexity(means: ArrayLike, dimension: int | None = None) -> GapComplexity:
    """Compute the complexities H1 and H2, or those of the smallest gaps, one per dimension."""
    gap = np.sort(gaps(means))[:dimension]
    if gap[0] == 0:
        return GapComplexity(np.inf, np.inf)
    return GapComplexity(float((gap**-2).sum()), float((np.arange(1, gap.size + 1) / gap**2).max()))
