"""The Pareto set of the feasible arms, and the reasons for rejecting the other arms.

An arm is *feasible* if its mean lies in the polyhedron. cPSI is to identify the Pareto set of the
feasible arms. e-cPSI is to give a reason for each other arm as well: a feasible arm dominates it,
or it is infeasible. If both hold for an arm, either reason is valid.
"""

import itertools
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_array, check_means
from pareto_core.geometry.dominance import pareto_set
from pareto_core.geometry.polyhedron import Polyhedron, check_polyhedron

__all__ = [
    "Partition",
    "check_partition",
    "constrained_pareto_set",
    "is_valid_partition",
    "valid_partitions",
]

MOST_AMBIGUOUS = 16  # arms with two valid reasons; at most 2^16 partitions are enumerated


class Partition(NamedTuple):
    """The optimal arms, and the other arms by the reason for their rejection.

    Attributes
    ----------
    optimal : ndarray of int
        Feasible arms that no feasible arm dominates, ascending.
    dominated : ndarray of int
        Arms rejected because a feasible arm dominates them.
    infeasible : ndarray of int
        Arms rejected because they are infeasible.

    See Also
    --------
    constrained_pareto_set : the optimal arms alone
    easiest_partition : the valid partition that is cheapest to verify
    partition_cost : the cost of refuting a partition

    Examples
    --------
    >>> import pareto_core as pc
    >>> pc.easiest_partition([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], pc.orthant([-0.5, -0.5]))[
    ...     0
    ... ].optimal
    array([0, 1])
    """

    optimal: np.ndarray
    dominated: np.ndarray
    infeasible: np.ndarray


def check_partition(partition: Any, n_arms: int) -> Partition:
    """Return a `Partition` of index arrays in which each arm occurs exactly once."""
    try:
        parts = [np.asarray(part) for part in partition]
        named = np.sort(np.concatenate([check_array(part, "partition") for part in parts]))
    except (TypeError, ValueError):
        parts, named = (), None
    are_whole = all(part.dtype.kind in "iu" or part.size == 0 for part in parts)
    if len(parts) != 3 or not are_whole or not np.array_equal(named, np.arange(n_arms)):
        raise ValueError(
            f"partition = {partition!r}; expected three lists of arms that contain each arm from 0 "
            f"to {n_arms - 1} exactly once"
        )
    return Partition(*(part.astype(int) for part in parts))


def _truth(means, polyhedron):
    """Flags of the arms that are optimal, dominated by a feasible arm, and feasible."""
    feasible = polyhedron.contains(means)
    front = _pareto_set_among(means, np.flatnonzero(feasible))
    optimal = np.isin(np.arange(len(means)), front)
    dominated = np.zeros(len(means), bool)
    for j in front:
        dominated |= (means <= means[j]).all(axis=1) & (means < means[j]).any(axis=1)
    return optimal, dominated, feasible


def _pareto_set_among(means, arms):
    """Pareto set of some of the arms."""
    return arms[pareto_set(means[arms])] if arms.size > 1 else arms


def constrained_pareto_set(means: ArrayLike, polyhedron: Polyhedron) -> np.ndarray:
    """Feasible arms that no feasible arm dominates.

    Parameters
    ----------
    means : array_like, shape (K, d)
        One row per arm, one column per objective.
    polyhedron : Polyhedron
        The feasible region.

    Returns
    -------
    ndarray of int
        Indices of these arms, ascending; empty if no arm is feasible.

    Raises
    ------
    ValueError
        If ``means`` is not a finite (K, d) array with at least two arms, or ``polyhedron``
        is not a `Polyhedron` in d dimensions.

    See Also
    --------
    pareto_set : without constraints

    References
    ----------
    Kone et al. 2025, Constrained Pareto set identification with bandit feedback, ICML.

    Examples
    --------
    >>> import pareto_core as pc
    >>> pc.constrained_pareto_set(
    ...     [[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], pc.orthant([0.5, -0.5])
    ... )
    array([0])
    """
    means = check_means(means)
    check_polyhedron(polyhedron, means.shape[1])
    return _pareto_set_among(means, np.flatnonzero(polyhedron.contains(means)))


def valid_partitions(means: ArrayLike, polyhedron: Polyhedron) -> list[Partition]:
    """All valid partitions: one for each choice of reasons for the arms with two valid reasons.

    The set M(mu) of Kone et al. (2025, constrained, Section 3.2).

    Parameters
    ----------
    means : array_like, shape (K, d)
        One row per arm, one column per objective.
    polyhedron : Polyhedron
        The feasible region.

    Returns
    -------
    list of Partition
        The first calls all infeasible arms infeasible.

    Raises
    ------
    ValueError
        If ``means`` is not a finite (K, d) array with at least two arms, ``polyhedron`` is not a
        `Polyhedron` in d dimensions, or more than 16 arms are both infeasible and dominated.
    """
    means = check_means(means)
    optimal, below, feasible = _truth(means, check_polyhedron(polyhedron, means.shape[1]))
    both = np.flatnonzero(below & ~feasible)
    if both.size > MOST_AMBIGUOUS:
        raise ValueError(
            f"means: {both.size} arms are both infeasible and dominated; expected at most "
            f"{MOST_AMBIGUOUS} to enumerate the 2^{both.size} valid partitions"
        )
    answers = []
    for chosen in itertools.product((False, True), repeat=both.size):
        dominated = below & feasible
        dominated[both] = chosen
        answers.append(
            Partition(
                np.flatnonzero(optimal),
                np.flatnonzero(dominated),
                np.flatnonzero(~optimal & ~dominated),
            )
        )
    return answers


def is_valid_partition(means: ArrayLike, polyhedron: Polyhedron, partition: Partition) -> bool:
    """Whether a partition is valid (Kone et al. 2025, constrained, Section 3.2)."""
    means = check_means(means)
    front, below, feasible = _truth(means, check_polyhedron(polyhedron, means.shape[1]))
    optimal, dominated, infeasible = check_partition(partition, len(means))
    return bool(
        np.array_equal(np.sort(optimal), np.flatnonzero(front))
        and below[dominated].all()
        and not feasible[infeasible].any()
    )
