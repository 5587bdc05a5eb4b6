"""The Pareto set of the feasible arms, the reasons for rejecting the others, and what they cost.

An arm is *feasible* if its means lie in the polyhedron. Asked are the Pareto set of the
feasible arms (cPSI) and, for each other arm, why it is rejected: it is dominated by a
feasible arm, or it is infeasible (e-cPSI). For an arm that is both, either reason is right.
"""

import itertools
from typing import NamedTuple

import numpy as np

from pareto_core._checks import check_array, check_means, check_positive
from pareto_core.geometry.dominance import gaps, pareto_set
from pareto_core.geometry.polyhedron import check_polyhedron

__all__ = [
    "Partition",
    "constrained_pareto_set",
    "is_valid_partition",
    "lowest_complexity",
    "partition_complexity",
    "two_stage_complexity",
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
    """

    optimal: np.ndarray
    dominated: np.ndarray
    infeasible: np.ndarray


class _Truth(NamedTuple):
    """What there is to know, as one flag per arm."""

    optimal: np.ndarray  # feasible, and not dominated by a feasible arm
    dominated: np.ndarray  # by a feasible arm
    feasible: np.ndarray


def _check_partition(partition, n_arms):
    """Return a `Partition` of index arrays in which each arm occurs exactly once.

    Raises
    ------
    ValueError
        If ``partition`` is none.
    """
    try:
        parts = [check_array(part, "partition") for part in partition]
        named = np.sort(np.concatenate(parts))
    except (TypeError, ValueError):
        parts, named = (), None
    if len(parts) != 3 or not np.array_equal(named, np.arange(n_arms)):
        raise ValueError(f"partition = {partition!r}; expected each arm exactly once")
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


def constrained_pareto_set(means, polyhedron):
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
    """
    means = check_means(means)
    check_polyhedron(polyhedron, means.shape[1])
    return _pareto_set_among(means, np.flatnonzero(polyhedron.contains(means)))


def valid_partitions(means, polyhedron):
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


def is_valid_partition(means, polyhedron, partition):
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
    optimal, dominated, infeasible = _check_partition(partition, len(means))
    return bool(
        np.array_equal(np.sort(optimal), np.flatnonzero(truth.optimal))
        and truth.dominated[dominated].all()
        and not truth.feasible[infeasible].any()
    )


def partition_complexity(
    means, polyhedron, partition, variance_bound=1.0, norm_variance_bound=None
):
    r"""What it takes to verify one right answer, up to a constant.

    .. math::
        \mathcal C(S,I)=\sum_{i\in O^*}\max\Bigl\{\frac{\sigma_u^2}{\eta_i^2},
        \frac{\sigma^2}{\Delta_i(O^*\cup S)^2}\Bigr\}
        +\sum_{i\in S}\frac{\sigma^2}{\Delta_i(O^*\cup S)^2}
        +\sum_{i\in I}\frac{\sigma_u^2}{\eta_i^2},

    with the feasibility gaps :math:`\eta_i` of `Polyhedron.boundary_distance` and the gaps
    :math:`\Delta_i` of `gaps` among the arms of :math:`O^*\cup S` (Kone et al. 2025,
    constrained, Equation (11)).

    Parameters
    ----------
    means : array_like, shape (K, d)
        One row per arm, one column per objective.
    polyhedron : Polyhedron
        The feasible region.
    partition : Partition
        A right answer.
    variance_bound : float, default 1.0
        :math:`\sigma^2`, of the noise in each objective.
    norm_variance_bound : float, optional
        :math:`\sigma_u^2`, of the noise in any direction; the same by default, as for
        independent objectives.

    Returns
    -------
    float
        Samples, up to a constant and a factor log(1/delta); infinite if a gap is zero.

    Raises
    ------
    ValueError
        If an argument does not fit, or the partition is no right answer.
    """
    means = check_means(means)
    if not is_valid_partition(means, polyhedron, partition):
        raise ValueError(f"partition = {partition!r}; expected a right answer")
    partition = _check_partition(partition, len(means))
    distance, gap = _both_gaps(
        means, polyhedron, np.concatenate([partition.optimal, partition.dominated])
    )
    return _complexity(
        *_inverse_squares(distance, gap, variance_bound, norm_variance_bound), partition
    )


def lowest_complexity(means, polyhedron, variance_bound=1.0, norm_variance_bound=None):
    """The right answer that is easiest to verify, and its `partition_complexity`.

    Kone et al. (2025, constrained, Theorem 4.4): what governs the samples of e-cAPE.

    Parameters
    ----------
    means, polyhedron, variance_bound, norm_variance_bound
        See `partition_complexity`.

    Returns
    -------
    complexity : float
    partition : Partition

    Raises
    ------
    ValueError
        See `valid_partitions`.
    """
    answers = valid_partitions(means, polyhedron)
    values = [
        partition_complexity(means, polyhedron, answer, variance_bound, norm_variance_bound)
        for answer in answers
    ]
    best = int(np.argmin(values))
    return values[best], answers[best]


def two_stage_complexity(means, polyhedron, variance_bound=1.0, norm_variance_bound=None):
    r"""What it takes to find the feasible arms first, and then their Pareto set.

    :math:`\sum_i\sigma_u^2/\eta_i^2+\sum_{i\in F}\sigma^2/\Delta_i(F)^2` over the feasible arms
    F (Kone et al. 2025, constrained, after Theorem 4.5).

    Parameters
    ----------
    means, polyhedron, variance_bound, norm_variance_bound
        See `partition_complexity`.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If an argument does not fit.
    """
    means = check_means(means)
    check_polyhedron(polyhedron, means.shape[1])
    feasible = np.flatnonzero(polyhedron.contains(means))
    far, apart = _inverse_squares(
        *_both_gaps(means, polyhedron, feasible), variance_bound, norm_variance_bound
    )
    return float(far.sum() + apart[feasible].sum())


def _both_gaps(means, polyhedron, arms):
    """Feasibility gaps of all arms, and the gaps among some of them, infinite for the rest."""
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
    optimal, dominated, infeasible = partition
    both = np.maximum(far[optimal], apart[optimal])
    return float(both.sum() + apart[dominated].sum() + far[infeasible].sum())
