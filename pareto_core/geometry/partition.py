"""The Pareto set of the feasible arms, and the reasons for rejecting the others.

An arm is *feasible* if its means lie in the polyhedron. Asked are the Pareto set of the
feasible arms (cPSI) and, for each other arm, why it is rejected: it is dominated by a
feasible arm, or it is infeasible (e-cPSI). For an arm that is both, either reason is right.
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

MOST_AMBIGUOUS = 16  # arms with two right reasons: 2^16 partitions are enumerated, not more


class Partition(NamedTuple):
    """The optimal arms, and the others by the reason for their rejection.

    Attributes
    ----------
    optimal : ndarray of int
        Feasible and not dominated by a feasible arm, ascending.
    dominated : ndarray of int
        Said to be dominated by a feasible arm.
    infeasible : ndarray of int
        Said to be infeasible.

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


class _Truth(NamedTuple):
    """What there is to know, as one flag per arm."""

    optimal: np.ndarray  # feasible, and not dominated by a feasible arm
    dominated: np.ndarray  # by a feasible arm
    feasible: np.ndarray


def check_partition(partition: Any, n_arms: int) -> Partition:
    """Return a `Partition` of index arrays in which each arm occurs exactly once.

    Raises
    ------
    ValueError
        If ``partition`` is none.
    """
    try:
        parts = [np.asarray(part) for part in partition]
        named = np.sort(np.concatenate([check_array(part, "partition") for part in parts]))
    except (TypeError, ValueError):
        parts, named = (), None
    are_whole = all(part.dtype.kind in "iu" or part.size == 0 for part in parts)
    if len(parts) != 3 or not are_whole or not np.array_equal(named, np.arange(n_arms)):
        raise ValueError(
            f"partition = {partition!r}; expected three lists of arms, each arm of 0 to "
            f"{n_arms - 1} exactly once"
        )
    return Partition(*(part.astype(int) for part in parts))


def _truth(means, polyhedron):
    feasible = polyhedron.contains(means)
    front = _pareto_set_among(means, np.flatnonzero(feasible))
    optimal = np.isin(np.arange(len(means)), front)
    dominated = np.zeros(len(means), bool)
    for j in front:
        dominated |= (means <= means[j]).all(axis=1) & (means < means[j]).any(axis=1)
    return _Truth(optimal, dominated, feasible)


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
        Their indices, ascending; empty if no arm is feasible.

    Raises
    ------
    ValueError
        If ``means`` is not a finite (K, d) array with at least two arms, or the polyhedron
        has not d objectives.

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
    """All right answers: one for each choice of reasons where both are right.

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
        The first calls infeasible what is.

    Raises
    ------
    ValueError
        If an argument does not fit, or both reasons are right for more than 16 arms.
    """
    means = check_means(means)
    truth = _truth(means, check_polyhedron(polyhedron, means.shape[1]))
    both = np.flatnonzero(truth.dominated & ~truth.feasible)
    if both.size > MOST_AMBIGUOUS:
        raise ValueError(
            f"means: {both.size} arms are both infeasible and dominated; expected at most "
            f"{MOST_AMBIGUOUS} to enumerate the 2^{both.size} right answers"
        )
    answers = []
    for chosen in itertools.product((False, True), repeat=both.size):
        dominated = truth.dominated & truth.feasible
        dominated[both] = chosen
        answers.append(
            Partition(
                np.flatnonzero(truth.optimal),
                np.flatnonzero(dominated),
                np.flatnonzero(~truth.optimal & ~dominated),
            )
        )
    return answers


def is_valid_partition(means: ArrayLike, polyhedron: Polyhedron, partition: Partition) -> bool:
    """Tell whether a partition is a right answer (Kone et al. 2025, constrained, Section 3.2).

    Parameters
    ----------
    means : array_like, shape (K, d)
        One row per arm, one column per objective.
    polyhedron : Polyhedron
        The feasible region.
    partition : Partition

    Returns
    -------
    bool

    Raises
    ------
    ValueError
        If the partition does not name every arm exactly once, or an argument does not fit.
    """
    means = check_means(means)
    truth = _truth(means, check_polyhedron(polyhedron, means.shape[1]))
    optimal, dominated, infeasible = check_partition(partition, len(means))
    return bool(
        np.array_equal(np.sort(optimal), np.flatnonzero(truth.optimal))
        and truth.dominated[dominated].all()
        and not truth.feasible[infeasible].any()
    )
