r"""Criteria for approximations of the Pareto front (Auer et al. 2016).

An answer P, a set of arms, is judged by two distances (Section 2): the depth of an arm i below
the front, :math:`\Delta_i^*=\max_{j\in P^*}m(i,j)`, and the amount by which an arm j must be
raised until it is nowhere worse than an arm i,

.. math:: M(i,j)=\max\{0,\max_c(\mu_i^c-\mu_j^c)\},

which is not symmetric but satisfies the triangle inequality.

Distances are compared with the required precision without a tolerance for rounding. A cover
needs no tolerance: the numbers that round to at most
:math:`\epsilon_0` are twice those that round to at most :math:`\epsilon_0/2`, so that two
computed distances of at most :math:`\epsilon_0/2` add up to at most :math:`\epsilon_0`.
"""

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_means, check_non_negative
from pareto_core.geometry.dominance import pareto_set
from pareto_lab.comparison.accuracy import below_front, checked_answer

__all__ = ["estimation_distance", "success_condition_1", "success_condition_2"]


def estimation_distance(means: ArrayLike, answer: ArrayLike) -> float | np.ndarray:
    r"""Distance of an answer from the Pareto front (Auer et al. 2016, Section 8).

    .. math::
        \Delta_A = \max\Bigl\{\max_{i\in P}\Delta_i^*,\
        \max_{i\in P^*}\min_{j\in P}M(i,j)\Bigr\}

    Parameters
    ----------
    means : array_like, shape (K, d)
        One row per arm, one column per objective.
    answer : array_like of int, shape (p,), or of bool, shape (K,) or (n, K)
        Returned arms, as indices in any order or as a mask; or n such masks.

    Returns
    -------
    float or ndarray, shape (n,)
        Distance, of every answer if there are n masks. Infinite if no arm is returned.

    Raises
    ------
    ValueError
        If ``means`` is not a finite (K, d) array with at least two arms, or
        ``answer`` is not a set of arms.
    """
    means = check_means(means)
    masks, single = checked_answer(answer, means.shape[0])
    distance = np.maximum(_deepest(means, masks), _farthest_optimal(means, masks))
    return distance.item() if single else distance


def success_condition_1(means: ArrayLike, answer: ArrayLike, epsilon: float) -> bool | np.ndarray:
    r"""Whether an answer contains all optimal arms, and no arm far below the front.

    Success Condition 1 of Auer et al. (2016, Section 3):

    - (1.a) :math:`P^*\subseteq P`,
    - (1.b) :math:`\Delta_i^*\le\epsilon_0` for all i in P.

    Parameters
    ----------
    means : array_like, shape (K, d)
        One row per arm, one column per objective.
    answer : array_like of int, shape (p,), or of bool, shape (K,) or (n, K)
        Returned arms, as indices in any order or as a mask; or n such masks.
    epsilon : float
        Required precision :math:`\epsilon_0\ge 0`, in the unit of the means.

    Returns
    -------
    bool or ndarray of bool, shape (n,)
        Whether both conditions hold, for every answer if there are n masks.

    Raises
    ------
    ValueError
        If ``means`` is not a finite (K, d) array with at least two arms, ``answer``
        is not a set of arms or ``epsilon`` is negative.
    """
    means = check_means(means)
    masks, single = checked_answer(answer, means.shape[0])
    epsilon = check_non_negative(epsilon, "epsilon")
    success = masks[:, pareto_set(means)].all(axis=1) & (_deepest(means, masks) <= epsilon)
    return success.item() if single else success


def success_condition_2(
    means: ArrayLike, answer: ArrayLike, epsilon: float, tolerance: float
) -> bool | np.ndarray:
    r"""Whether an answer is a sparse cover of the Pareto front.

    Success Condition 2 of Auer et al. (2016, Section 3):

    - (2.a) for all i in :math:`P^*` there is a j in P with :math:`M(i,j)\le\epsilon_0`,
    - (2.b) :math:`\Delta_i^*\le\epsilon_0` for all i in P,
    - (2.c) :math:`M(i,j)\ge\epsilon_0/2-\epsilon` for all i and j in P, i not j.

    Parameters
    ----------
    means : array_like, shape (K, d)
        One row per arm, one column per objective.
    answer : array_like of int, shape (p,), or of bool, shape (K,) or (n, K)
        Returned arms, as indices in any order or as a mask; or n such masks.
    epsilon : float
        Required precision :math:`\epsilon_0\ge 0`, in the unit of the means.
    tolerance : float
        Allowance for sampling errors in (2.c), :math:`\epsilon\ge 0`, in the same unit.

    Returns
    -------
    bool or ndarray of bool, shape (n,)
        Whether all three conditions hold, for every answer if there are n masks.

    Raises
    ------
    ValueError
        If ``means`` is not a finite (K, d) array with at least two arms, ``answer``
        is not a set of arms, or ``epsilon`` or ``tolerance`` is negative.

    Notes
    -----
    For :math:`\epsilon<\epsilon_0/2`, (2.a) and (2.c) imply (2.b): an arm more than
    :math:`\epsilon_0` below an optimal arm is nowhere better than the arm of P that covers the
    optimal arm.
    """
    means = check_means(means)
    masks, single = checked_answer(answer, means.shape[0])
    epsilon = check_non_negative(epsilon, "epsilon")
    tolerance = check_non_negative(tolerance, "tolerance")
    covers = _farthest_optimal(means, masks) <= epsilon
    close = _deepest(means, masks) <= epsilon
    sparse = _closest_pair(means, masks) >= 0.5 * epsilon - tolerance
    success = covers & close & sparse
    return success.item() if single else success


def _deepest(means, masks):
    """Largest distance of a returned arm to the front, (n,); 0 if no arm is returned."""
    return np.where(masks, below_front(means), 0.0).max(axis=1)


def _farthest_optimal(means, masks):
    """Largest distance M of an optimal arm from the closest returned arm, (n,)."""
    farthest = np.zeros(masks.shape[0])
    for i in pareto_set(means):
        nearest = np.where(masks, _excess(means, i), np.inf).min(axis=1)
        farthest = np.maximum(farthest, nearest)
    return farthest


def _closest_pair(means, masks):
    """Smallest distance M between two returned arms, (n,); infinite for fewer than two arms."""
    closest = np.full(masks.shape[0], np.inf)
    for i in range(means.shape[0]):
        excess = _excess(means, i)
        excess[i] = np.inf
        with_i = masks[:, i]
        nearest = np.where(masks[with_i], excess, np.inf).min(axis=1)
        closest[with_i] = np.minimum(closest[with_i], nearest)
    return closest


def _excess(means, i):
    """Distance M(i, j) of arm i from every arm j, (K,)."""
    return np.maximum((means[i] - means).max(axis=1), 0.0)
