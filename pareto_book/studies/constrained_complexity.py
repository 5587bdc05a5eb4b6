"""Complexity of the Pareto set of the feasible arms in terms of the gaps."""

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_means, check_positive
from pareto_core.geometry.dominance import gaps
from pareto_core.geometry.partition import (
    Partition,
    check_partition,
    is_valid_partition,
    valid_partitions,
)
from pareto_core.geometry.polyhedron import Polyhedron, check_polyhedron

__all__ = ["lowest_complexity", "partition_complexity", "two_stage_complexity"]


def partition_complexity(
    means: ArrayLike,
    polyhedron: Polyhedron,
    partition: Partition,
    variance_bound: float = 1.0,
    norm_variance_bound: float | None = None,
) -> float:
    r"""Number of samples that verify one valid partition, up to a constant."""
    means = check_means(means)
    if not is_valid_partition(means, polyhedron, partition):
        raise ValueError(f"partition = {partition!r}; expected a valid partition for the means")
    partition = check_partition(partition, len(means))
    distance, gap = _both_gaps(
        means, polyhedron, np.concatenate([partition.optimal, partition.dominated])
    )
    return _complexity(
        *_inverse_squares(distance, gap, variance_bound, norm_variance_bound), partition
    )


def lowest_complexity(
    means: ArrayLike,
    polyhedron: Polyhedron,
    variance_bound: float = 1.0,
    norm_variance_bound: float | None = None,
) -> tuple[float, Partition]:
    """The valid partition that is easiest to verify, and its `partition_complexity`."""
    answers = valid_partitions(means, polyhedron)
    values = [
        partition_complexity(means, polyhedron, answer, variance_bound, norm_variance_bound)
        for answer in answers
    ]
    best = int(np.argmin(values))
    return values[best], answers[best]


def two_stage_complexity(
    means: ArrayLike,
    polyhedron: Polyhedron,
    variance_bound: float = 1.0,
    norm_variance_bound: float | None = None,
) -> float:
    r"""Number of samples that find the feasible arms first and then their Pareto set."""
    means = check_means(means)
    check_polyhedron(polyhedron, means.shape[1])
    feasible = np.flatnonzero(polyhedron.contains(means))
    far, apart = _inverse_squares(
        *_both_gaps(means, polyhedron, feasible), variance_bound, norm_variance_bound
    )
    return float(far.sum() + apart[feasible].sum())


def _both_gaps(means, polyhedron, arms):
    """Feasibility gaps of all arms, and the gaps among ``arms``, infinite for other arms."""
    gap = np.full(len(means), np.inf)
    if len(arms) > 1:
        gap[arms] = gaps(means[arms])
    return polyhedron.boundary_distance(means), gap


def _inverse_squares(distance, gap, variance_bound, norm_variance_bound):
    """Both kinds of gaps as numbers of samples."""
    variance = check_positive(variance_bound, "variance_bound")
    if norm_variance_bound is None:
        norm_variance_bound = variance
    with np.errstate(divide="ignore"):
        return (
            check_positive(norm_variance_bound, "norm_variance_bound") / distance**2,
            variance / gap**2,
        )


def _complexity(far, apart, partition):
    """Sum over the arms of the number of samples that each needs."""
    optimal, dominated, infeasible = partition
    both = np.maximum(far[optimal], apart[optimal])
    return float(both.sum() + apart[dominated].sum() + far[infeasible].sum())
