"""Probability that more samples of one arm change the observed Pareto set, for two objectives.

If all other means stay as they are, the Pareto set stays the same while the mean of the arm stays
in a region whose border is made of steps. For a dominated arm it is the region below the staircase
of the optimal arms. For an optimal arm it is the region between the staircase of the other optimal
arms and these arms themselves; or, if the arm is the only one to dominate some arms, the rectangle
that is above all of these, in both objectives, and before the next optimal arm in each.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import kernel, part
from pareto_core.confidence.tails import normal_tail, student_tail
from pareto_core.geometry.staircase import sorted_front


class StaircaseWork(NamedTuple):
    """The observed Pareto set as a staircase."""

    front: np.ndarray  # (K,) optimal arms by ascending first objective, the first entries
    step: np.ndarray  # (K,) position of an arm in ``front``, or -1
    floor: np.ndarray  # (K, 2) largest means of the arms that only one optimal arm dominates


def allocate_staircase(n_arms):
    """Allocate a `StaircaseWork`."""
    return StaircaseWork(
        np.zeros(n_arms, np.int64), np.zeros(n_arms, np.int64), np.zeros((n_arms, 2))
    )


@kernel
def find_staircase(means, work):
    """Sort the optimal arms, and find what each of them alone dominates; return their number.

    Parameters
    ----------
    means : ndarray, shape (K, 2)
    work : StaircaseWork
        Modified in place.
    """
    size = sorted_front(means, work.front)
    work.step[:] = -1
    work.floor[:] = -np.inf
    for f in range(size):
        work.step[work.front[f]] = f
    for k in range(means.shape[0]):
        if work.step[k] >= 0:
            continue
        dominators, last = 0, -1
        for f in range(size):
            arm = work.front[f]
            if means[arm, 0] >= means[k, 0] and means[arm, 1] >= means[k, 1]:
                dominators, last = dominators + 1, arm
        if dominators == 1:
            work.floor[last, 0] = max(work.floor[last, 0], means[k, 0])
            work.floor[last, 1] = max(work.floor[last, 1], means[k, 1])
    return size


@part
def _tail(difference, spread, freedom):
    """Probability that a mean rises by more than ``difference``."""
    z = 0.0 if difference == 0.0 else difference / spread
    return normal_tail(z) if freedom == 0 else student_tail(z, freedom)


@part
def _between(low, high, spread, freedom):
    """Probability that a mean changes by ``low`` to ``high``, from the smaller tails."""
    if low >= 0.0:
        inside = _tail(low, spread, freedom) - _tail(high, spread, freedom)
    elif high <= 0.0:
        inside = _tail(-high, spread, freedom) - _tail(-low, spread, freedom)
    else:
        inside = 1.0 - _tail(high, spread, freedom) - _tail(-low, spread, freedom)
    return max(inside, 0.0)


@part
def _outside(low, high, spread, freedom):
    """Probability that a mean changes by less than ``low`` or more than ``high``."""
    return _tail(high, spread, freedom) + _tail(-low, spread, freedom)


@kernel
def _chance_of_dominated(means, arm, size, spread, freedom, work):
    """Probability that a dominated arm rises above the staircase.

    Parameters
    ----------
    means : ndarray, shape (K, 2)
    arm, size : int
        Arm, and number of optimal arms.
    spread : ndarray, shape (2,)
        Scale of the change of the mean in each objective.
    freedom : int
        Degrees of freedom, 0 for the normal distribution.
    work : StaircaseWork
    """
    chance, low = 0.0, -np.inf
    for f in range(size):
        x = means[work.front[f], 0] - means[arm, 0]
        y = means[work.front[f], 1] - means[arm, 1]
        chance += _between(low, x, spread[0], freedom) * _tail(y, spread[1], freedom)
        low = x
    return chance + _tail(low, spread[0], freedom)


@kernel
def _chance_of_sole_dominator(means, arm, size, spread, freedom, work):
    """Probability that an optimal arm leaves the rectangle above all that it alone dominates.

    Parameters
    ----------
    means : ndarray, shape (K, 2)
    arm, size : int
        Arm, and number of optimal arms.
    spread : ndarray, shape (2,)
        Scale of the change of the mean in each objective.
    freedom : int
        Degrees of freedom, 0 for the normal distribution.
    work : StaircaseWork
    """
    f = work.step[arm]
    right = means[work.front[f + 1], 0] - means[arm, 0] if f + 1 < size else np.inf
    above = means[work.front[f - 1], 1] - means[arm, 1] if f > 0 else np.inf
    left = work.floor[arm, 0] - means[arm, 0]
    below = work.floor[arm, 1] - means[arm, 1]
    inside = _between(left, right, spread[0], freedom)
    outside = _outside(left, right, spread[0], freedom)
    return outside + inside * _outside(below, above, spread[1], freedom)


@kernel
def _chance_of_optimal(means, arm, size, spread, freedom, work):
    """Probability that an optimal arm that is no arm's only dominator changes the Pareto set.

    Parameters
    ----------
    means : ndarray, shape (K, 2)
    arm, size : int
        Arm, and number of optimal arms.
    spread : ndarray, shape (2,)
        Scale of the change of the mean in each objective.
    freedom : int
        Degrees of freedom, 0 for the normal distribution.
    work : StaircaseWork
    """
    chance, left, above = 0.0, -np.inf, np.inf
    for f in range(size + 1):
        if f == work.step[arm]:
            continue
        right = means[work.front[f], 0] - means[arm, 0] if f < size else np.inf
        below = means[work.front[f], 1] - means[arm, 1] if f < size else -np.inf
        inside = _between(left, right, spread[0], freedom)
        chance += inside * _outside(below, above, spread[1], freedom)
        left, above = right, below
    return chance


@kernel
def write_chances(means, spread, freedom, work, chances):
    """Write for each arm the probability that its next samples change the observed Pareto set.

    The changes of the two means of an arm are independent. Small probabilities are as accurate,
    relatively, as the tails that they are sums of.

    Parameters
    ----------
    means : ndarray, shape (K, 2)
        Empirical means.
    spread : ndarray, shape (K, 2)
        Scale of the change of each mean.
    freedom : ndarray of int, shape (K,)
        Degrees of freedom of the changes, 0 for the normal distribution.
    work : StaircaseWork
        Modified in place.
    chances : ndarray, shape (K,)
        Modified in place.
    """
    size = find_staircase(means, work)
    for k in range(means.shape[0]):
        if work.step[k] < 0:
            chances[k] = _chance_of_dominated(means, k, size, spread[k], freedom[k], work)
        elif work.floor[k, 0] > -np.inf:
            chances[k] = _chance_of_sole_dominator(means, k, size, spread[k], freedom[k], work)
        else:
            chances[k] = _chance_of_optimal(means, k, size, spread[k], freedom[k], work)
