"""Number of samples before there can be a statement if the variance is unknown."""

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_counts, check_probability
from pareto_core.confidence.comparisons import make_comparisons, may_suffice
from pareto_core.confidence.ledger import BOX_SHARE
from pareto_core.confidence.noise_kinds import EQUAL
from pareto_core.confidence.unknown_variance import residual_degrees, variance_grid


def least_samples(counts: ArrayLike, n_objectives: int, delta: float, noise: str) -> int:
    """Total number of samples of arms in turn with which the first statement becomes possible."""
    log_risk = -np.log(check_probability(delta, "delta"))
    counts, level = check_counts(counts, "counts"), 0
    if noise == EQUAL:
        grid = variance_grid(log_risk, n_objectives)
        while residual_degrees(grid, np.maximum(counts, level)) <= 0:
            level += 1
    else:
        comparisons = make_comparisons(log_risk, BOX_SHARE, np.ones(n_objectives), counts.size)
        while not may_suffice(comparisons, np.maximum(counts, level)):
            level += 1
    return int(np.maximum(counts, level).sum())
