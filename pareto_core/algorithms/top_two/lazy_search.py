"""The cheapest alternative of many arms, without computing the cost of every case.

The result is exactly that of `transport.oracle.cheapest_alternative`. Only cases whose lower bound
on the distance, see `case_distances`, is below the least distance are searched; if two of them cost
exactly the same, the full search decides which one comes first.
"""

import numpy as np

from pareto_core.algorithms.constrained.tournament import least_key, next_key
from pareto_core.algorithms.top_two.case_distances import allowance, catch_up, set_distance
from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel, part
from pareto_core.transport.addition import bound_by_arm
from pareto_core.transport.branch_and_bound import free_target
from pareto_core.transport.oracle import BRANCH_AND_BOUND, cheapest_alternative

REACH = 1.0  # beyond the least distance: larger distances are not computed exactly
STEP = 0.05  # beyond the least distance: a larger lower bound is enough
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
def _bound_case(weights, cases, arm, enough):
    """Lower bound on the cost of a case: of its last dominator, or of all if that is too low.

    Parameters
    ----------
    weights : ndarray, shape (K,)
    cases : CaseDistances
        Modified in place: the dominator that gives the bound.
    arm : int
    enough : float
        The bound of the last dominator is returned if it is at least this.
    """
    response, bound, last = cases.response, 0.0, cases.dominators[arm]
    if last >= 0 and response.optimal[last]:
        bound = bound_by_arm(cases.means, weights, last, arm)
        if bound >= enough:
            return bound
    for f in range(response.found[0]["size"]):
        trial = bound_by_arm(cases.means, weights, response.front[f], arm)
        if trial > bound:
            bound, cases.dominators[arm] = trial, response.front[f]
    return bound


@kernel
def _search_case(weights, cases, arm, best):
    """Cost of the case of ``arm``, exact if it is at most ``best``; recorded if it is below.

    Parameters
    ----------
    weights : ndarray, shape (K,)
    cases : CaseDistances
        Modified in place.
    arm : int
    best : float
        Cost of the case recorded.
    """
    status, response, distance = cases.status[0], cases.response, np.sqrt(2.0 * best)
    found, upper = response.found[0], 0.5 * (distance + REACH) ** 2
    cases.searched[arm] = status["searches"]
    status["bounded"] += 1
    enough = 0.5 * (distance + STEP) ** 2
    cost = _bound_case(weights, cases, arm, enough)
    if cost < enough:
        status["solved"] += 1
        cost = free_target(
            cases.means,
            weights,
            response.front,
            found["size"],
            arm,
            upper,
            cases.point,
            response.search,
        )
    set_distance(cases, arm, np.sqrt(2.0 * cost))
    if cost < best:
        found["moved"], found["winner"] = arm, NOTHING
        copy_vector(response.point, cases.point)
    return cost


@part
def _level(cases, best):
    """Keys up to this level may belong to a case that costs ``best`` or less."""
    distance = np.sqrt(2.0 * best)
    return cases.status[0]["drift"] + distance + allowance(cases, distance)


@kernel
def _cheapest_addition(weights, cases, best):
    """Search the additions that may cost ``best`` or less; record one that costs less.

    Parameters
    ----------
    weights : ndarray, shape (K,)
    cases : CaseDistances
        Modified in place.
    best : float
        Cost of the removal recorded.

    Returns
    -------
    tuple of float and bool
        The cost of the case recorded, and whether it is an addition that costs exactly the same as
        another addition.
    """
    keys, searched, now = cases.keys, cases.searched, cases.status[0]["searches"]
    tied, in_turn, arm = False, False, least_key(keys)
    while arm >= 0 and keys[1] <= _level(cases, best):
        if searched[arm] != now:
            cost = _search_case(weights, cases, arm, best)
            if cost == best:
                tied = tied or cases.response.found[0]["winner"] < 0
            elif cost < best:
                best, tied = cost, False
        elif not in_turn:  # no bound is lower, but those of other cases may be as low
            in_turn, arm = True, -1
        arm = next_key(keys, arm + 1, _level(cases, best)) if in_turn else least_key(keys)
    return best, tied


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
    status, tied, best = cases.status[0], True, np.inf
    if not status["stale"]:
        status["searches"] += 1
        best, tied = _cheapest_addition(weights, cases, _cheapest_removal(cases))
    if tied:  # or there is an arm without samples
        best = cheapest_alternative(cases.means, weights, BRANCH_AND_BOUND, np.inf, cases.response)
    return best
