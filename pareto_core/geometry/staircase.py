"""Pareto sets of two objectives, in O(K log K).

A short staircase is built arm by arm, a long one by sorting all arms. Sorted by the first
objective, the optimal arms of two objectives form a staircase: the second objective decreases from
each arm to the next.
"""

import numpy as np

from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel

LONG = 40  # number of optimal arms above which sorting all arms saves time


@kernel
def sorted_front(means, front):
    """Fill ``front`` with the optimal arms by ascending first objective; return their number."""
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
def _ascending_arms(means):
    """Arms by ascending first objective, equal ones in their order: a merge sort."""
    n_arms = means.shape[0]
    order, merged = np.empty(n_arms, np.int64), np.empty(n_arms, np.int64)
    for k in range(n_arms):
        order[k] = k
    width = 1
    while width < n_arms:
        for start in range(0, n_arms, 2 * width):
            middle, end = min(start + width, n_arms), min(start + 2 * width, n_arms)
            left, right = start, middle
            for position in range(start, end):
                takes_right = right < end
                if takes_right and left < middle:
                    takes_right = means[order[right], 0] < means[order[left], 0]
                merged[position] = order[right if takes_right else left]
                right += takes_right
                left += not takes_right
        order, merged = merged, order
        width *= 2
    return order


@kernel
def _front_by_sorting(means, front):
    """As `sorted_front`, by sorting all arms."""
    ascending = _ascending_arms(means)
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
