"""Pareto sets and gaps of two objectives, in O(K log K).

A short staircase is built arm by arm, a long one by sorting all arms. Sorted by the first
objective, the optimal arms of two objectives form a staircase: the second objective decreases from
each arm to the next. The gap of a sub-optimal arm follows by bisection.
The gap of an optimal arm depends on its neighbours, on the dominated arms that exceed it in one
objective, and on the dominated arms below it.
"""

import numpy as np

from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel, part

MANY = 2048  # number of arms from which a sieve before sorting saves time
BINS = 1024
LONG = 40  # number of optimal arms above which sorting all arms saves time


@kernel
def _sieve(means):
    """Arms that no arm of a higher bin exceeds in both objectives, including all optimal arms.

    The bins are of equal width in the first objective. O(K) against the O(K log K) of sorting.
    """
    lowest, highest = means[:, 0].min(), means[:, 0].max()
    scale = (BINS - 1) / (highest - lowest)
    if not 0.0 < scale < np.inf:
        return np.arange(means.shape[0])
    best_above = np.full(BINS + 1, -np.inf)
    for k in range(means.shape[0]):
        index = int((means[k, 0] - lowest) * scale)
        best_above[index] = max(best_above[index], means[k, 1])
    for index in range(BINS - 1, -1, -1):
        best_above[index] = max(best_above[index], best_above[index + 1])
    kept = np.empty(means.shape[0], np.int64)
    size = 0
    for k in range(means.shape[0]):
        if means[k, 1] >= best_above[int((means[k, 0] - lowest) * scale) + 1]:
            kept[size] = k
            size += 1
    return kept[:size]


@kernel
def sorted_front(means, front):
    """Fill ``front`` with the optimal arms by ascending first objective; return their number.

    Equal optimal arms are all included, next to each other.
    """
    size = _front_by_insertion(means, front)
    return size if size >= 0 else _front_by_sorting(means, front)


@kernel
def _front_by_insertion(means, front):
    """As `sorted_front`; -1 if the front becomes long, or has equal arms, whose order is open."""
    size = 0
    for k in range(means.shape[0]):
        first, end = 0, size  # of the steps from the level of arm k on
        while first < end:
            middle = (first + end) // 2
            if means[front[middle], 0] < means[k, 0]:
                first = middle + 1
            else:
                end = middle
        last = first  # the arms from first to last - 1 are below arm k
        if first < size and means[front[first], 1] >= means[k, 1]:
            if means[front[first], 0] == means[k, 0] and means[front[first], 1] == means[k, 1]:
                return -1
            continue
        if first < size and means[front[first], 0] == means[k, 0]:
            last += 1
        while first > 0 and means[front[first - 1], 1] <= means[k, 1]:
            first -= 1
        if first == last:
            if size == LONG:
                return -1
            for step in range(size, first, -1):
                front[step] = front[step - 1]
        else:
            for step in range(last, size):
                front[first + 1 + step - last] = front[step]
        front[first] = k
        size += 1 - (last - first)
    return size


@kernel
def _front_by_sorting(means, front):
    """As `sorted_front`, by sorting all arms."""
    if means.shape[0] >= MANY:
        candidates = _sieve(means)
        ascending = candidates[np.argsort(means[candidates, 0])]
    else:
        ascending = np.argsort(means[:, 0].copy())
    first = ascending.shape[0]
    highest = -np.inf
    size = 0
    while first > 0:
        last = first - 1
        level, best = means[ascending[last], 0], -np.inf
        while first > 0 and means[ascending[first - 1], 0] == level:
            first -= 1
            best = max(best, means[ascending[first], 1])
        if best > highest:
            highest = best
            for k in range(last, first - 1, -1):
                if means[ascending[k], 1] == best:
                    front[size] = ascending[k]
                    size += 1
    copy_vector(front[:size], front[:size][::-1].copy())
    return size


@kernel
def gaps_on_staircase(means, factor, result):
    """Fill ``result`` with the gaps of `pareto_core.geometry.dominance.gaps`, for d = 2.

    Returns the optimal arms, by ascending first objective.

    Gaps that are differences of two means equal the formulas exactly. In the gap of an optimal
    arm, equal sums may round differently; the result is within a relative 1e-15 of the smallest.
    """
    arms = np.empty(means.shape[0], np.int64)
    front = arms[: sorted_front(means, arms)]
    dominated = np.ones(means.shape[0], np.bool_)
    for i in front:
        dominated[i] = False
    rest = np.flatnonzero(dominated)
    _gaps_below(means, front, rest, result)
    _gaps_between_neighbours(means, front, result)
    _limit_by_arms_ahead(means, 0, front[::-1].copy(), rest, factor, result)
    _limit_by_arms_ahead(means, 1, front, rest, factor, result)
    _limit_by_arms_below(means, front, rest, factor, result)
    return front


@kernel
def _gaps_below(means, front, rest, result):
    """Gaps of the dominated arms: the largest min(x_i - x, y_i - y) on the staircase.

    Along the staircase the first difference increases and the second decreases, so that the
    largest minimum is next to their crossing.
    """
    xs, ys = means[front, 0], means[front, 1]
    for k in rest:
        x, y = means[k, 0], means[k, 1]
        low, high = 0, front.shape[0]
        while low < high:
            middle = (low + high) // 2
            if xs[middle] - x < ys[middle] - y:
                low = middle + 1
            else:
                high = middle
        result[k] = 0.0
        for f in range(max(low - 1, 0), min(low + 1, front.shape[0])):
            result[k] = max(result[k], min(xs[f] - x, ys[f] - y))


@kernel
def _gaps_between_neighbours(means, front, result):
    r"""Gaps of the optimal arms among themselves, :math:`\Delta^+`."""
    for i in front:
        result[i] = np.inf
    for f in range(1, front.shape[0]):
        i, j = front[f - 1], front[f]
        apart = min(means[j, 0] - means[i, 0], means[i, 1] - means[j, 1])
        result[i] = min(result[i], apart)
        result[j] = apart


@part
def _exact_sum(a, b):
    """Rounded sum and its rounding error (Knuth's TwoSum)."""
    total = a + b
    of_b = total - a
    return total, (a - (total - of_b)) + (b - of_b)


@kernel
def _limit_by_arms_ahead(means, c, front, rest, factor, result):
    r"""Lower the gaps of optimal arms i to the terms of :math:`\Delta^-` with j ahead in ``c``.

    The term of arm j is mu_j - mu_i + factor * gap_j, so that the arm with the smallest
    mu_j + factor * gap_j is best for every i. These sums are compared exactly, because rounding
    could select a wrong arm if the arms are much closer to each other than to 0. A sum that
    overflows is skipped: such an arm is farther from all i than the optimal arm of largest mu.

    Parameters
    ----------
    means : ndarray, shape (K, 2)
    c : int
        The objective.
    front : ndarray of int, shape (p,)
        Optimal arms by descending objective c.
    rest : ndarray of int, shape (K - p,)
        Dominated arms.
    factor : float
    result : ndarray, shape (K,)
        Modified in place.
    """
    descending = rest[np.argsort(-means[rest, c])]
    best = -1
    smallest, remainder = np.inf, 0.0
    n = 0
    for i in front:
        while n < descending.shape[0] and means[descending[n], c] > means[i, c]:
            j = descending[n]
            total, rounded_off = _exact_sum(means[j, c], factor * result[j])
            if total < smallest or (total == smallest and rounded_off < remainder):
                best, smallest, remainder = j, total, rounded_off
            n += 1
        if best >= 0:
            cost = means[best, c] - means[i, c] + factor * result[best]
            result[i] = min(result[i], cost)


@kernel
def _limit_by_arms_below(means, front, rest, factor, result):
    r"""Lower the gaps of optimal arms i to the terms of :math:`\Delta^-` with j nowhere ahead.

    The steps at which arm j is nowhere ahead form an interval of the staircase, and its term there
    is factor * gap_j. In order of ascending gap, each arm limits the steps that no earlier arm has
    limited; ``free`` maps a step towards the next such step, as in a union-find.
    """
    xs, falls = means[front, 0], -means[front, 1]
    free = np.arange(front.shape[0] + 1)
    for j in rest[np.argsort(result[rest])]:
        end = np.searchsorted(falls, -means[j, 1], side="right")
        step = _first_free(free, np.searchsorted(xs, means[j, 0]))
        while step < end:
            result[front[step]] = min(result[front[step]], factor * result[j])
            free[step] = step + 1
            step = _first_free(free, step)


@kernel
def _first_free(free, step):
    """Follow ``free`` from ``step`` to an entry that leads to itself, halving the path."""
    while free[step] != step:
        free[step] = free[free[step]]
        step = free[step]
    return step
