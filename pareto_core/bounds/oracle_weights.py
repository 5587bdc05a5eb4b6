r"""Oracle weights for the best arm of every objective, with a certificate.

They maximise g, the cost of the cheapest confusion (Chen et al. 2024, Equation 7), over all
weights or over weights of at least :math:`\varphi=\eta/((1+\eta)K)`. Because g is
homogeneous, 1 / max g is the smallest sum of numbers of samples u with :math:`g(u)\ge1`. In
terms of the variances :math:`x_i=1/u_i` of the estimated means this is

.. math::
    c^*=\min\Bigl\{\sum_i\frac1{x_i}:x_i+x_{b_m}\le r_{im}=\frac{\Delta_{im}^2}2
    \text{ for all m and }i\ne b_m\Bigr\},

a separable convex program with linear limits. Any dual prices :math:`\lambda\ge0` of the
limits bound g from above: all weights satisfy :math:`1/w_i+1/w_{b_m}\le r_{im}/g(w)`, so

.. math::
    g(w)\le\sum\lambda r\Big/\min_w\sum_i\frac{\ell_i}{w_i}

with the load :math:`\ell_i`, the sum of the prices of the limits that contain arm i, and
the minimum over the allowed weights. With a floor, no variance can exceed
:math:`1/\varphi` times such a bound. This cap joins the limits, and is tightened in every
round, at least as fast as by Newton's method for the optimal cap.
"""

import numpy as np

from pareto_core.bounds.interior_point import follow_path, start_inside, worth
from pareto_core.compiling.kernels import kernel

__all__ = ["certified_oracle_weights", "write_oracle_weights"]

EXACT = 1e-9  # relative gap at which an algorithm treats weights as exact
MOST_STEPS = 200  # Newton steps for such weights
HUGE = 1e100  # largest ratio of a limit to the smallest limit
TINY = 1e-300


@kernel
def write_oracle_weights(means, eta, space, weights):
    """Fill ``weights`` to a relative gap of ``EXACT``; return the gap attained."""
    return certified_oracle_weights(means, eta, EXACT, MOST_STEPS, space, weights)[0]


@kernel
def certified_oracle_weights(means, eta, relative_gap, most_steps, space, weights):
    """Fill ``weights``, equal at a tie; return their relative gap and the number of steps."""
    n_arms = means.shape[0]
    if _find_limits(means, space) == 0.0:
        weights[:] = 1.0 / n_arms
        return 0.0, 0
    floor = eta / ((1.0 + eta) * n_arms)
    cap, steps = np.inf, 0
    while True:
        start_inside(space, cap)
        steps += follow_path(space, 0.5 * relative_gap, most_steps - steps)
        value, bound = _certify(space, floor, weights)
        gap = bound / value - 1.0
        last, cap = cap, bound / floor
        if gap <= relative_gap or steps >= most_steps or not cap < last:
            return max(gap, 0.0), steps


@kernel
def _find_limits(means, space):
    """Write the leaders and their limits, in units of the smallest limit; return the least gap."""
    n_arms = means.shape[0]
    row_of, limits = space.row_of, space.limits
    row_of[:] = -1
    size = 0
    smallest = np.inf
    for m in range(means.shape[1]):
        best = means[:, m].argmax()
        if row_of[best] < 0:
            row_of[best] = size
            space.leaders[size] = best
            limits[size] = np.inf
            size += 1
        row = row_of[best]
        for i in range(n_arms):
            if i != best:
                gap = means[best, m] - means[i, m]
                limits[row, i] = min(limits[row, i], gap)
                smallest = min(smallest, gap)
    space.sizes[0]["leaders"] = size
    for row in range(size):
        for i in range(n_arms):
            limits[row, i] = min((limits[row, i] / smallest) ** 2, HUGE)
    return smallest


@kernel
def _certify(space, floor, weights):
    """Fill ``weights``, all at least ``floor``; return g there, and an upper bound on g."""
    n_arms, size = space.pivots.shape[0], space.sizes[0]["leaders"]
    cost = (1.0 / space.variances[:n_arms]).sum()
    above = 0.0
    for i in range(n_arms):
        weights[i] = max(1.0 / (space.variances[i] * cost) - floor, TINY)
        above += weights[i]
    scale = max(1.0 - n_arms * floor, 0.0) / above
    for i in range(n_arms):
        weights[i] = floor + scale * weights[i]
    value = np.inf
    for row in range(size):
        other = 1.0 / weights[space.leaders[row]]
        for i in range(n_arms):
            value = min(value, space.limits[row, i] / (1.0 / weights[i] + other))
    roots = space.own[:n_arms]
    for i in range(n_arms):
        load = space.loads[i]
        if space.sizes[0]["rows"] > size:
            load -= space.prices[size, i]
        roots[i] = np.sqrt(max(load, 0.0))
    return value, worth(space, size) / _least_cost(roots, floor)


@kernel
def _least_cost(roots, floor):
    """Smallest sum of squared roots over weights, for weights of at least ``floor``."""
    scale, at_floor = 1.0 / roots.sum(), 0
    while True:
        count, free = 0, 0.0
        for root in roots:
            if scale * root <= floor:
                count += 1
            else:
                free += root
        if count <= at_floor or free == 0.0:
            break
        at_floor = count
        scale = (1.0 - count * floor) / free
    cost = 0.0
    for root in roots:
        cost += root * root / max(scale * root, floor)
    return cost
