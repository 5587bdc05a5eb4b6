"""Dominance, Pareto sets and sub-optimality gaps.

Larger is better in every objective. Arm j *dominates* arm i if j is at
least as good in every objective and better in at least one, so that two equal arms
do not dominate each other.
"""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_choice, check_means
from pareto_core.compiling.kernels import kernel, part
from pareto_core.geometry.staircase import sorted_front

__all__ = ["best_arms", "gaps", "pareto_set"]

LARGEST = 10**5  # number of entries of an array of comparisons


def pareto_set(means: ArrayLike) -> np.ndarray:
    """Arms that no other arm dominates.

    Parameters
    ----------
    means : array_like, shape (K, d)
        One row per arm, one column per objective.

    Returns
    -------
    ndarray of int, shape (p,)
        Indices of the Pareto optimal arms, ascending.

    Raises
    ------
    ValueError
        If ``means`` is not a finite (K, d) array with at least two arms.

    See Also
    --------
    constrained_pareto_set : of the feasible arms only
    gaps : how clearly each arm is optimal or not

    Examples
    --------
    >>> import pareto_core as pc
    >>> pc.pareto_set([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    array([0, 1])
    """
    return np.flatnonzero(_is_optimal(check_means(means)))


def best_arms(means: ArrayLike) -> np.ndarray:
    """Arm with the largest mean in each objective; the first if several arms are equal.

    Parameters
    ----------
    means : array_like, shape (K, d)
        One row per arm, one column per objective.

    Returns
    -------
    ndarray of int, shape (d,)
        The best arm of every objective (Chen et al. 2024, Section 2).

    Raises
    ------
    ValueError
        If ``means`` is not a finite (K, d) array with at least two arms.

    Examples
    --------
    >>> import pareto_core as pc
    >>> pc.best_arms([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    array([0, 1])
    """
    return check_means(means).argmax(axis=0)


def gaps(means: ArrayLike, definition: Literal["kone", "auer"] = "kone") -> np.ndarray:
    r"""Sub-optimality gap :math:`\Delta_i` of every arm.

    With :math:`m(i,j)=\min_c(\mu_j^c-\mu_i^c)` and
    :math:`M(i,j)=\max_c(\mu_i^c-\mu_j^c)`, a sub-optimal arm has
    :math:`\Delta_i=\Delta_i^*=\max_{j\in P^*}m(i,j)`: the amount to add to all its
    objectives before it is Pareto optimal. An optimal arm has
    :math:`\Delta_i=\min(\Delta_i^+,\Delta_i^-)` with

    .. math::
        \Delta_i^+ = \min_{j\in P^*\setminus i}\min\{M(i,j),M(j,i)\},\qquad
        \Delta_i^- = \min_{j\notin P^*}\{M(j,i)_++c\,\Delta_j^*\},

    where the two definitions in use differ in the constant :math:`c`.

    Parameters
    ----------
    means : array_like, shape (K, d)
        One row per arm, one column per objective.
    definition : {"kone", "auer"}, default "kone"
        ``"auer"`` uses c = 2 (Auer et al. 2016, Section 2), ``"kone"`` uses c = 1
        (Kone et al. 2023 and later).

    Returns
    -------
    ndarray, shape (K,)
        Gaps, in the unit of the means; infinite if no other arm limits the gap.

    Raises
    ------
    ValueError
        If ``means`` is not a finite (K, d) array or ``definition`` is unknown.

    Notes
    -----
    Takes O(K^2 d).

    References
    ----------
    Auer, Chiang, Ortner & Drugan 2016, Pareto front identification from stochastic bandit feedback,
    AISTATS: Section 2.

    Kone, Kaufmann & Richert 2023, Adaptive algorithms for relaxed Pareto set identification,
    NeurIPS.

    Examples
    --------
    >>> import pareto_core as pc
    >>> pc.gaps([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    array([1., 1., 1.])
    """
    means = check_means(means)
    factor = {"kone": 1.0, "auer": 2.0}[check_choice(definition, "definition", ("kone", "auer"))]
    optimal = _is_optimal(means)
    front, rest = means[optimal], means[~optimal]
    result = np.full(len(means), np.inf)
    to_rise, to_fall = np.zeros(len(rest)), np.full(len(front), np.inf)
    for block in _blocks(len(rest), front.size):
        leads = _leads(rest[block], front)
        to_rise[block] = np.maximum(-leads.min(axis=1), 0.0)
        distances = np.maximum(leads, 0.0) + factor * to_rise[block, None]
        to_fall = np.minimum(to_fall, distances.min(axis=0, initial=np.inf))
    for block in _blocks(len(front), front.size):
        apart = np.minimum(_leads(front[block], front), _leads(front, front[block]).T)
        apart[np.arange(len(block)), block] = np.inf  # from itself
        to_fall[block] = np.minimum(to_fall[block], apart.min(axis=1))
    result[optimal], result[~optimal] = to_fall, to_rise
    return result + 0.0  # no -0


def _leads(above, below):
    """Largest amount by which each row of a matrix exceeds each row of another."""
    return (above[:, None] - below).max(axis=2)


def _blocks(n_rows, size):
    """Numbers of rows, in blocks of which an array with ``size`` entries for each is small."""
    return np.array_split(np.arange(n_rows), 1 + n_rows * size // LARGEST)


def _is_optimal(means):
    """Whether no arm dominates an arm, for each arm."""
    optimal = np.empty(len(means), np.bool_)
    for block in _blocks(len(means), len(means)):
        at_least, better = True, False
        for values in means.T:
            at_least = at_least & (values >= values[block, None])
            better = better | (values > values[block, None])
        optimal[block] = ~(at_least & better).any(axis=1)
    return optimal


@kernel
def write_front(means, front):
    """Fill ``front`` with the optimal arms, in any order; return their number."""
    if means.shape[1] == 2:
        return sorted_front(means, front)
    return _pareto_set(means, front)


@part
def largest_lead(means, i, j):
    """M(i, j), the largest lead of arm i over arm j in an objective."""
    largest = means[i, 0] - means[j, 0]
    for c in range(1, means.shape[1]):
        largest = max(largest, means[i, c] - means[j, c])
    return largest


@part
def dominates(means, better, worse):
    """Whether row ``better`` dominates row ``worse``."""
    strict = False
    for c in range(means.shape[1]):
        if means[better, c] < means[worse, c]:
            return False
        if means[better, c] > means[worse, c]:
            strict = True
    return strict


@kernel
def _pareto_set(means, front):
    """Fill ``front`` with the optimal arms, ascending; return their number. O(K p d)."""
    size = 0
    for k in range(means.shape[0]):
        dominated = False
        for f in range(size):
            if dominates(means, front[f], k):
                dominated = True
                break
        if dominated:
            continue
        kept = 0
        for f in range(size):
            if not dominates(means, k, front[f]):
                front[kept] = front[f]
                kept += 1
        front[kept] = k
        size = kept + 1
    return size


@kernel
def write_gaps(means, factor, result):
    """Fill ``result`` with the gaps of all arms; return the optimal arms. O(K p d)."""
    n_arms = means.shape[0]
    front = np.empty(n_arms, np.int64)
    size = _pareto_set(means, front)
    optimal = np.zeros(n_arms, np.bool_)
    for f in range(size):
        optimal[front[f]] = True
        result[front[f]] = np.inf
    for j in range(n_arms):
        if not optimal[j]:
            result[j] = 0.0
            for f in range(size):
                result[j] = max(result[j], -largest_lead(means, j, front[f]))
    for f in range(size):
        i = front[f]
        for j in range(n_arms):
            if optimal[j] and j != i:
                apart = min(largest_lead(means, i, j), largest_lead(means, j, i))
                result[i] = min(result[i], apart)
            elif not optimal[j]:
                distance = max(largest_lead(means, j, i), 0.0) + factor * result[j]
                result[i] = min(result[i], distance)
    return front[:size]
