"""Pareto sets of two objectives, arm by arm, in O(K log K) if few arms are optimal.

Sorted by the first objective, the optimal arms of two objectives form a staircase: the second
objective decreases from each arm to the next, except between equal arms.
"""

from pareto_core.compiling.kernels import kernel


@kernel
def sorted_front(means, front):
    """Fill ``front`` with the optimal arms by ascending first objective; return their number."""
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
            if means[front[first], 0] > means[k, 0] or means[front[first], 1] > means[k, 1]:
                continue
            while first < size and means[front[first], 0] == means[k, 0]:
                first += 1  # behind the arms that are equal
            last = first
        else:
            while last < size and means[front[last], 0] == means[k, 0]:
                last += 1
            while first > 0 and means[front[first - 1], 1] <= means[k, 1]:
                first -= 1
        if first == last:
            for step in range(size, first, -1):
                front[step] = front[step - 1]
        else:
            for step in range(last, size):
                front[first + 1 + step - last] = front[step]
        front[first] = k
        size += 1 - (last - first)
    return size
