"""Cheapest addition of one dominated arm with two objectives.

Sorted by the first objective, the Pareto optimal arms form a staircase, and only p + 1
assignments have non-empty cells: the arms left of a cut are lowered in the first objective,
those right of it in the second (Crepon et al. 2024, Appendix D). Both halves are built arm by
arm. Each new arm lies above all earlier arms of its half, so that the target's coordinate only
rises, and an arm that it has passed never counts again. This takes O(p) after one sort.
"""

from pareto_core.compiling.kernels import kernel, part
from pareto_core.transport.addition import blocks


@part
def _weight_above(own, tail, recent, first, rebuilt):
    """Weight of the target and of the arms from ``first`` on; see `prefix_costs`."""
    return own + recent + (tail[first] if first < rebuilt else 0.0)


@kernel
def prefix_costs(levels, weights, start, own, limit, cost, position, tail):
    """Cost of lowering the first n of ascending ``levels`` to the target, for n = 0, 1, ...

    That is the minimum over x of own/2 (x - start)^2 + sum_{i<n} w_i/2 (levels_i - x)_+^2.
    Stops once the cost reaches ``limit``; returns the number of entries filled.

    Parameters
    ----------
    levels, weights : ndarray, shape (n,)
        Means of the arms, ascending, and their weights.
    start, own : float
        Mean and weight of the target.
    limit : float
        Cost at which to stop.
    cost, position : ndarray, shape (n + 1,)
        Modified in place: minima and minimisers.
    tail : ndarray, shape (n,)
        Work array. Modified in place.

    Notes
    -----
    The weight of the arms still above x is a sliding-window sum: ``tail`` holds its
    sums from the right for the arms known when it was last rebuilt, and ``recent``
    the weight of later arms, so that nothing is ever subtracted. The minimum
    is carried along as ``force``, the derivative at the lowest arm still above it:
    next to a heavy arm, the rounding of x itself would be a force.
    """
    at = start
    total = 0.0
    cost[0] = 0.0
    position[0] = start
    first = 0
    rebuilt = 0
    recent = 0.0
    force = 0.0
    for n in range(levels.shape[0]):
        level, weight = levels[n], weights[n]
        if level > at and weight > 0.0:
            slope_at = 0.0
            while first < n:
                ahead = weight * (level - levels[first])
                if ahead <= force:
                    force -= ahead
                    break
                if first == rebuilt:
                    suffix = 0.0
                    for i in range(n - 1, first - 1, -1):
                        suffix += weights[i]
                        tail[i] = suffix
                    rebuilt = n
                    recent = 0.0
                slope = _weight_above(own, tail, recent, first, rebuilt)
                step = max((force - slope_at) / slope, 0.0)
                total += step * (slope_at + 0.5 * slope * step)
                slope_at = force
                at = levels[first]
                first += 1
                if first < n:
                    rest = _weight_above(own, tail, recent, first, rebuilt)
                    force += rest * (levels[first] - at)
            slope = _weight_above(own, tail, recent, first, rebuilt)
            if first == n:
                force = slope_at + slope * (level - at)
            step = (weight * (level - at) - slope_at) / (slope + weight)
            stop = at + step
            total += step * (slope_at + 0.5 * slope * step) + 0.5 * weight * (level - stop) ** 2
            at = stop
            recent += weight
        elif first == n:
            first += 1
            rebuilt = max(rebuilt, first)
        cost[n + 1] = total
        position[n + 1] = at
        if total >= limit:
            return n + 2
    return levels.shape[0] + 1


SWEEP_ROWS = 9


@kernel
def free_target_2d(means, weights, front, size, target, upper, point, rows):
    """As `branch_and_bound.free_target`, for two objectives. O(p).

    Parameters
    ----------
    means : ndarray, shape (K, 2)
    weights : ndarray, shape (K,)
    front : ndarray of int, shape (K,)
        Pareto optimal arms, the first ``size`` entries, sorted by `sorted_front`.
    size : int
    target : int
        A dominated arm of positive weight.
    upper : float
        Costs of at least this are not searched for.
    point : ndarray, shape (2,)
        Modified in place: the new mean of the target, if the cost is below ``upper``.
    rows : ndarray, shape (SWEEP_ROWS, n + 1)
        Work array for n >= ``size``. Modified in place.
    """
    levels, own_weights, cost, position = rows[0:2], rows[2:4], rows[4:6], rows[6:8]
    n = 0
    for f in range(size):
        if blocks(means, front[f], means[target]):
            levels[0, n] = means[front[f], 0]
            own_weights[0, n] = weights[front[f]]
            n += 1
    m = 0
    for f in range(size - 1, -1, -1):
        if blocks(means, front[f], means[target]):
            levels[1, m] = means[front[f], 1]
            own_weights[1, m] = weights[front[f]]
            m += 1
    from_left = prefix_costs(
        levels[0, :n],
        own_weights[0],
        means[target, 0],
        weights[target],
        upper,
        cost[0],
        position[0],
        rows[8],
    )
    from_right = prefix_costs(
        levels[1, :n],
        own_weights[1],
        means[target, 1],
        weights[target],
        upper,
        cost[1],
        position[1],
        rows[8],
    )
    best = upper
    for cut in range(max(0, n + 1 - from_right), min(n + 1, from_left)):
        total = cost[0, cut] + cost[1, n - cut]
        if total < best:
            best = total
            point[0] = position[0, cut]
            point[1] = position[1, n - cut]
    return best
