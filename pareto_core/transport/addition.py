"""Additions: alternatives that make a dominated arm optimal (Crepon et al. 2024, Section 3.2).

The dominated arm ``target`` moves to a point. Every Pareto optimal arm that is still above that
point in all objectives blocks it, and is lowered to it in the objective where this costs least. Any
addition costs at least as much as letting the target meet one dominator in the cheapest objective.
"""

import numpy as np

from pareto_core.compiling.kernels import inner, part
from pareto_core.transport.removal import meeting_weight


@part
def blocks(means, arm, point):
    """Whether ``arm`` is above ``point`` in every objective."""
    for c in range(means.shape[1]):
        if means[arm, c] <= point[c]:
            return False
    return True


@inner
def _meeting_cost(means, weights, arm, target, closest):
    """Cost of letting a target meet a dominating arm, where they are closest or it is cheapest."""
    if weights.ndim == 1:
        return 0.5 * meeting_weight(weights[target], weights[arm]) * closest * closest
    else:
        cheapest = np.inf
        for c in range(means.shape[1]):
            gap = means[arm, c] - means[target, c]
            weight = meeting_weight(weights[target, c], weights[arm, c])
            cheapest = min(cheapest, 0.5 * weight * gap * gap)
        return cheapest


@part
def _bound_by_arm(means, weights, arm, target):
    """Lower bound on the cost of adding ``target``: that of meeting ``arm`` if it dominates it."""
    closest = np.inf
    for c in range(means.shape[1]):
        closest = min(closest, means[arm, c] - means[target, c])
    if closest > 0.0:
        return _meeting_cost(means, weights, arm, target, closest)
    return 0.0


@part
def dominator_bound(means, weights, front, first, last, target, limit):
    """Lower bound on adding ``target`` past ``front[first:last]``, until it is ``limit``."""
    bound = 0.0
    for f in range(first, last):
        bound = max(bound, _bound_by_arm(means, weights, front[f], target))
        if bound >= limit:
            break
    return bound
