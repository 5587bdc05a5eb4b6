"""Pareto sets and gaps of two objectives, in O(K log K).

Sorted by the first objective, the optimal arms of two objectives are a staircase:
the second objective falls from each to the next. A sub-optimal arm then finds its
gap by bisection, and an optimal arm compares itself with its neighbours, with the
dominated arms ahead of it in one objective, and with those below it.
"""

import numpy as np

from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel, part

MANY = 2048  # arms, from which sorting all takes longer than finding those worth sorting
BINS = 1024


@kernel
def _sieve(means):
    """Arms that are not below one of a higher bin in both objectives, all optimal ones included.

    The bins are of equal width in the first objective. O(K) against the O(K log K) of sorting.
    """
    lowest, highest = means[:, 0].min(), means[:, 0].max()
    scale = (BINS - 1) / (highest - lowest)
    if not 0.0 < scale < np.inf:
        return np.arange(means.shape[0])
    best_above = np.full(BINS + 1, -np.inf)
    for k in range(means.shape[0]):
        place = int((means[k, 0] - lowest) * scale)
        best_above[place] = max(best_above[place], means[k, 1])
    for place in range(BINS - 1, -1, -1):
        best_above[place] = max(best_above[place], best_above[place + 1])
    kept = np.empty(means.shape[0], np.int64)
    size = 0
    for k in range(means.shape[0]):
        if means[k, 1] >= best_above[int((means[k, 0] - lowest) * scale) + 1]:
            kept[size] = k
            size += 1
    return kept[:size]


@kernel
def sorted_front(means, front):
    """Fill ``front`` with the optimal arms by ascending first objective; return how many.

    Equal optimal arms are all kept, next to each other.
    """
    if means.shape[0] >= MANY:
        some = _sieve(means)
        ascending = some[np.argsort(means[some, 0])]
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
    """Gaps of all arms: what `pareto_core.geometry.dominance.gaps` documents, for d = 2.

    Returns the optimal arms, by ascending first objective.

    Gaps that are differences of two means are those of the formulas to the bit. In
    the gap of an optimal arm, sums that are equal may round differently, and the one
    taken here is within a relative 1e-15 of the smallest.
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

    Along it the first difference rises and the second falls, so the largest minimum
    is next to where they cross.
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
    """Rounded sum, and what rounding took from it (Knuth's TwoSum)."""
    total = a + b
    of_b = total - a
    return total, (a - (total - of_b)) + (b - of_b)


@kernel
def _limit_by_arms_ahead(means, c, front, rest, factor, result):
    r"""Lower the gaps of optimal arms i to those of :math:`\Delta^-` with j ahead in ``c``.

    ``front`` is by descending objective c. Arm j costs mu_j - mu_i + factor * gap_j, so
    the best of those ahead has the smallest mu_j + factor * gap_j, whatever i is. That
    sum is compared exactly: of arms much closer together than they are to 0, its
    rounding might choose a wrong one. A sum too large for a double is passed over:
    such an arm is farther from all i than the optimal arm with the largest mu.
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
    r"""Lower the gaps of optimal arms i to those of :math:`\Delta^-` with j nowhere ahead.

    Arm j is nowhere ahead of an interval of the staircase, and costs factor * gap_j
    there. By ascending gap, each arm limits the steps that no earlier one has
    limited; ``free`` leads from any step to the next such, as in a union-find.
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
