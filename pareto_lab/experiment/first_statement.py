"""Number of samples before an unknown variance has an upper bound."""

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_counts, check_probability
from pareto_core.confidence.unknown_variance import residual_degrees, variance_grid


def least_samples(counts: ArrayLike, n_objectives: int, delta: float) -> int:
    """Total number of samples at which an unknown variance first has an upper bound (Theorem 4)."""
    grid = variance_grid(-np.log(check_probability(delta, "delta")), n_objectives)
    counts = check_counts(counts, "counts")
    level = 0
    while residual_degrees(grid, np.maximum(counts, level)) <= 0:
        level += 1
    return int(np.maximum(counts, level).sum())
