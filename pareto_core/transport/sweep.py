"""Cheapest addition of one dominated arm with two objectives.

Sorted by the first objective, the Pareto optimal arms form a staircase, and only p + 1
assignments have non-empty cells: the arms left of a cut are lowered in the first objective,
those right of it in the second (Crepon et al. 2024, Appendix D). Both halves are built arm by
arm. Each new arm lies above all earlier arms of its half, so that the target's coordinate only
rises, and an arm that it has passed never counts again. This takes O(p) after one sort.

The cost of the first n arms of a half is the minimum over x of own/2 (x - start)^2 +
sum_{i<n} w_i/2 (levels_i - x)_+^2. The weight of the arms still above x is a sliding-window sum:
``tail`` holds its sums from the right for the arms known when it was last rebuilt, and ``recent``
the weight of later arms, so that nothing is ever subtracted. The minimum is carried along as
``force``, the derivative at the lowest arm still above it: next to a heavy arm, the rounding of x
itself would be a force. Costs from ``limit`` on are left out.
"""

from pareto_core.compiling.kernels import inner, part
from pareto_core.transport.addition import blocks


@part
def _weight_above(own, tail, recent, first, rebuilt):
    """Weight of the target and of the arms from ``first`` on; see `prefix_costs`."""
    return own + recent + (tail[first] if first < rebuilt else 0.0)


@inner
def prefix_costs(levels, weights, start, own, limit, cost, position, tail):
    """Write the least cost of lowering the first n of ascending levels, for all n; count them."""
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


SWEEP_ROWS = 9  # of the work array, whose shape is (SWEEP_ROWS, n + 1) for n >= size


@part
def _lower_in(means, weights, front, size, target, c, upper, rows):
    """Write the costs of one half, by ascending objective; return the numbers of arms and costs."""
    levels, own_weights, cost, position = rows[c], rows[2 + c], rows[4 + c], rows[6 + c]
    n = 0
    for step in range(size):
        arm = front[step] if c == 0 else front[size - 1 - step]
        if blocks(means, arm, means[target]):
            levels[n] = means[arm, c]
            own_weights[n] = weights[arm]
            n += 1
    start, own = means[target, c], weights[target]
    filled = prefix_costs(levels[:n], own_weights, start, own, upper, cost, position, rows[8])
    return n, filled


@inner
def free_target_2d(means, weights, front, size, target, upper, point, rows):
    """As `branch_and_bound.free_target`, for two objectives and a sorted front. O(p)."""
    n, from_left = _lower_in(means, weights, front, size, target, 0, upper, rows)
    _, from_right = _lower_in(means, weights, front, size, target, 1, upper, rows)
    best = upper
    for cut in range(max(0, n + 1 - from_right), min(n + 1, from_left)):
        total = rows[4, cut] + rows[5, n - cut]
        if total < best:
            best = total
            point[0] = rows[6, cut]
            point[1] = rows[7, n - cut]
    return best
