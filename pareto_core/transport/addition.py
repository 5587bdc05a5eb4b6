"""Alternatives that make a dominated arm undominated (Crepon et al. 2024, Section 3.2).

Once the dominated arm ``target`` has been moved to a point, every Pareto optimal
arm that still is above that point in all objectives steps aside in the objective
where this costs least.
"""

import numpy as np

from pareto_core.compiling.kernels import kernel, part


@part
def in_the_way(means, arm, point):
    """Whether ``arm`` is above ``point`` in every objective."""
    for c in range(means.shape[1]):
        if means[arm, c] <= point[c]:
            return False
    return True


@part
def sidestep(means, arm, point):
    """Objective in which ``arm`` is least above ``point``."""
    objective = 0
    for c in range(1, means.shape[1]):
        if means[arm, c] - point[c] < means[arm, objective] - point[objective]:
            objective = c
    return objective


@kernel
def write_addition(means, front, size, target, point, alternative):
    """Move ``target`` and the arms in its way within ``alternative``."""
    for f in range(size):
        arm = front[f]
        if in_the_way(means, arm, point):
            c = sidestep(means, arm, point)
            alternative[arm, c] = point[c]
    for c in range(means.shape[1]):
        alternative[target, c] = point[c]


@kernel
def free_escape(means, front, size, target, point):
    """A point above all optimal arms in one objective: where an arm of weight 0 goes."""
    for c in range(means.shape[1]):
        point[c] = means[target, c]
    for f in range(size):
        point[0] = max(point[0], means[front[f], 0])


@part
def dominator_bound(means, weights, front, first, last, target, limit):
    """`single_arm_bound` by the optimal arms ``front[first:last]``, or part of it.

    If the bound is at least ``limit``, so is what is returned, and it is not looked further.
    """
    bound = 0.0
    own = weights[target]
    for f in range(first, last):
        arm = front[f]
        closest = np.inf
        for c in range(means.shape[1]):
            closest = min(closest, means[arm, c] - means[target, c])
        if closest > 0.0 and weights[arm] > 0.0:
            cost = 0.5 * (own / (own + weights[arm]) * weights[arm]) * closest * closest
            bound = max(bound, cost)
            if bound >= limit:
                break
    return bound


@part
def single_arm_bound(means, weights, front, size, target):
    """Lower bound on the cost of freeing ``target``: its most expensive dominator alone.

    Nothing that frees ``target`` costs less than pulling it and one dominator
    together in the objective where they are closest.
    """
    return dominator_bound(means, weights, front, 0, size, target, np.inf)
