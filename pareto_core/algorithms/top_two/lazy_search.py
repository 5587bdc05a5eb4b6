"""The cheapest alternative of many arms, without computing the cost of every case.

The result is exactly that of `transport.oracle.cheapest_alternative`. Only cases whose lower bound
on the distance, see `case_distances`, is below the least distance are searched; if two of them cost
exactly the same, the full search decides which one comes first.
"""

import numpy as np

from pareto_core.algorithms.constrained.tournament import least_key, next_key
from pareto_core.algorithms.top_two.case_distances import allowance, catch_up, set_distance
from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel
from pareto_core.transport.addition import dominator_bound
from pareto_core.transport.branch_and_bound import free_target
from pareto_core.transport.oracle import BRANCH_AND_BOUND, cheapest_alternative

REACH = 2.0  # beyond the least distance: larger distances are not computed exactly
STEP = 0.2  # beyond the least distance: a larger lower bound is enough
NOTHING = -1


@kernel
def _cheapest_removal(cases):
    """Record the cheapest removal and return its cost; infinite if the front is one arm."""
    response, best = cases.response, np.inf
    found, front = response.found[0], response.front
    found["moved"], found["winner"] = NOTHING, NOTHING
    for f in range(found["size"]):
        if cases.removals[front[f]] < best:
            best = cases.removals[front[f]]
            found["moved"], found["winner"] = front[f], cases.winners[front[f]]
    return best


@kernel
def _search_case(weights, cases, arm, best):
    """Cost of the case of ``arm``, exact if it is not far above ``best``; recorded if it is below.

    Parameters
    ----------
    weights : ndarray, shape (K,)
    cases : CaseDistances
        Modified in place.
    arm : int
    best : float
        Cost of the case recorded.
    """
    cases.searched[arm] = cases.status[0]["searches"]
    cases.status[0]["cases"] += 1
    response, distance = cases.response, np.sqrt(2.0 * best)
    found, front, upper = response.found[0], response.front, 0.5 * (distance + REACH) ** 2
    cost = dominator_bound(cases.means, weights, front, 0, found["size"], arm, upper)
    if cost < 0.5 * (distance + STEP) ** 2:
        cases.status[0]["freed"] += 1
        cost = free_target(
            cases.means, weights, front, found["size"], arm, upper, cases.point, response.search
        )
    set_distance(cases, arm, np.sqrt(2.0 * cost))
    if cost < best:
        found["moved"], found["winner"] = arm, NOTHING
        copy_vector(response.point, cases.point)
    return cost


@kernel
def _level(cases, best):
    """Keys up to this level may belong to a case that costs ``best`` or less."""
    distance = np.sqrt(2.0 * best)
    return cases.status[0]["drift"] + distance + allowance(cases, distance)


@kernel
def find_lazily(record, targets, weights, cases):
    """Cost of the cheapest alternative, recorded in ``cases.response``.

    Parameters
    ----------
    record : Record
    targets : ndarray, shape (K,)
    weights : ndarray, shape (K,)
        Samples of each arm. Modified in place: brought up to date.
    cases : CaseDistances
        Modified in place: brought up to date.
    """
    catch_up(record, targets, weights, cases)
    response, keys, status = cases.response, cases.keys, cases.status[0]
    if status["stale"]:  # an arm without samples
        return cheapest_alternative(record.means, weights, BRANCH_AND_BOUND, np.inf, response)
    status["searches"] += 1
    best, tied = _cheapest_removal(cases), False
    arm, in_turn = least_key(keys), False
    if keys[1] > _level(cases, best):
        return best
    while arm >= 0:
        if cases.searched[arm] != status["searches"]:
            cost = _search_case(weights, cases, arm, best)
            tied = (tied and cost >= best) or (cost == best and response.found[0]["winner"] < 0)
            best = min(best, cost)
        elif not in_turn:  # no bound is lower, but those of other cases may be as low
            in_turn, arm = True, -1
        if in_turn:
            arm = next_key(keys, arm + 1, _level(cases, best))
        else:
            arm = least_key(keys)
    if tied:
        return cheapest_alternative(cases.means, weights, BRANCH_AND_BOUND, np.inf, response)
    return best
