"""Complexity of the Pareto set of the feasible arms in terms of the gaps, with unit variances."""

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.geometry.dominance import gaps
from pareto_core.geometry.partition import Partition, check_partition, valid_partitions
from pareto_core.geometry.polyhedron import Polyhedron


def partition_complexity(means: ArrayLike, polyhedron: Polyhedron, partition: Partition) -> float:
    """Number of samples that verify one valid partition, up to a constant."""
    optimal, dominated, infeasible = check_partition(partition, len(means))
    feasible = np.concatenate([optimal, dominated])
    far, apart = _inverse_squares(means, polyhedron, feasible)
    both = np.maximum(far[optimal], apart[optimal])
    return float(both.sum() + apart[dominated].sum() + far[infeasible].sum())


def lowest_complexity(means: ArrayLike, polyhedron: Polyhedron) -> tuple[float, Partition]:
    """The valid partition that is easiest to verify, and its `partition_complexity`."""
    answers = valid_partitions(means, polyhedron)
    values = [partition_complexity(means, polyhedron, answer) for answer in answers]
    best = int(np.argmin(values))
    return values[best], answers[best]


def two_stage_complexity(means: ArrayLike, polyhedron: Polyhedron) -> float:
    """Number of samples that find the feasible arms first and then their Pareto set."""
    feasible = np.flatnonzero(polyhedron.contains(means))
    far, apart = _inverse_squares(means, polyhedron, feasible)
    return float(far.sum() + apart[feasible].sum())


def _inverse_squares(means, polyhedron, arms):
    """1 / gap² to the boundary for all arms, and 1 / gap² among ``arms``, 0 for other arms."""
    gap = np.full(len(means), np.inf)
    if len(arms) > 1:
        gap[arms] = gaps(np.asarray(means)[arms])
    with np.errstate(divide="ignore"):
        return 1.0 / polyhedron.boundary_distance(means) ** 2, 1.0 / gap**2
