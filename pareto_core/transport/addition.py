"""Additions: alternatives that make a dominated arm optimal (Crepon et al. 2024, Section 3.2).

The dominated arm ``target`` moves to a point. Every Pareto optimal arm that is still above that
point in all objectives blocks it, and is lowered to it in the objective where this costs least.
"""

import numpy as np

from pareto_core.compiling.kernels import kernel, part


@part
def blocks(means, arm, point):
    """Whether ``arm`` is above ``point`` in every objective."""
    for c in range(means.shape[1]):
        if means[arm, c] <= point[c]:
            return False
    return True


@part
def sidestep(means, arm, point):
    """Objective in which ``arm`` exceeds ``point`` least."""
    objective = 0
    for c in range(1, means.shape[1]):
        if means[arm, c] - point[c] < means[arm, objective] - point[objective]:
            objective = c
    return objective


@kernel
def write_addition(means, front, size, target, point, alternative):
    """Write the new means of ``target`` and of the arms that block it.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    front : ndarray of int, shape (K,)
        Pareto optimal arms, the first ``size`` entries.
    size : int
    target : int
        The dominated arm.
    point : ndarray, shape (d,)
        Its new mean.
    alternative : ndarray, shape (K, d)
        Modified in place.
    """
    for f in range(size):
        arm = front[f]
        if blocks(means, arm, point):
            c = sidestep(means, arm, point)
            alternative[arm, c] = point[c]
    for c in range(means.shape[1]):
        alternative[target, c] = point[c]


@kernel
def free_escape(means, front, size, target, point):
    """Write the new mean of an arm of weight 0: above all optimal arms in objective 0."""
    for c in range(means.shape[1]):
        point[c] = means[target, c]
    for f in range(size):
        point[0] = max(point[0], means[front[f], 0])


@part
def bound_by_arm(means, weights, arm, target):
    """Lower bound on the cost of adding ``target``: that of meeting ``arm`` if it dominates it.

    They meet in the objective where the two are closest.
    """
    closest = np.inf
    for c in range(means.shape[1]):
        closest = min(closest, means[arm, c] - means[target, c])
    if closest > 0.0 and weights[arm] > 0.0:
        own = weights[target]
        return 0.5 * (own / (own + weights[arm]) * weights[arm]) * closest * closest
    return 0.0


@part
def dominator_bound(means, weights, front, first, last, target, limit):
    """`single_arm_bound` over the optimal arms ``front[first:last]`` only, up to ``limit``.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    front : ndarray of int, shape (K,)
        Pareto optimal arms.
    first, last : int
        The slice of the front that is used.
    target : int
        The dominated arm.
    limit : float
        Once the bound reaches this value, the remaining arms are skipped.
    """
    bound = 0.0
    for f in range(first, last):
        bound = max(bound, bound_by_arm(means, weights, front[f], target))
        if bound >= limit:
            break
    return bound


@part
def single_arm_bound(means, weights, front, size, target):
    """Lower bound on the cost of adding ``target``: that of its most expensive dominator.

    Any addition of ``target`` costs at least as much as letting it meet one of its dominators
    in the objective where the two are closest.
    """
    return dominator_bound(means, weights, front, 0, size, target, np.inf)
