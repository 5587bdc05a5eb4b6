r"""Lower bounds on the distances of many alternatives, kept from sample to sample.

The cost of an alternative is half a squared distance: C makes the distance
:math:`D=\sqrt{2C}` of the empirical means from a set of means, in the norm in which arm k counts as
often as its :math:`N_k` samples. There is one *case* for each dominated arm, the set of the means
that free it from the arms of the empirical front. While the front stays the same, so does this set.
A sample of arm a increases :math:`N_a` and moves its mean by :math:`\delta`. Hence no distance
falls by more than :math:`\sqrt{N_a}\,\|\delta\|`, and it falls only if arm a is the arm of the case
or an arm of the front. Moves away from the set do not count: if the arm of the case falls in an
objective, or an arm of the front rises, the same can be done to the means of the set.

The key of a case exceeds a lower bound on its distance by the *drift*, the sum of these moves of
the arms of the front. A tournament finds the cases whose bound is low. The front changes as
follows.

* An arm that joins the front adds a constraint to every case: distances only grow.
* If arm r leaves the front because arm j is at least as good, only the cases of arms below r in all
  objectives change. Given means that free such an arm from j, arm r is at most as far above it as
  j was lowered, so it can be lowered too, at :math:`N_r/N_j` times that cost. Hence the distance
  falls at most by the factor :math:`1/\sqrt{1+N_r/N_j}`.
* An arm that is dominated by the front has a positive distance unless it ties with an arm. So only
  arms whose bound is 0 can join the front when one of its arms falls.

The other cases, in which one optimal arm meets another, are cheap: their costs are exact, and a
sample of arm a changes those of the pairs that contain it.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.constrained.tournament import (
    build_tournament,
    next_key,
    set_key,
    tournament_leaves,
)
from pareto_core.compiling.copies import copy_matrix
from pareto_core.compiling.kernels import kernel, part
from pareto_core.geometry.dominance import dominates
from pareto_core.transport.addition import blocks
from pareto_core.transport.oracle import BRANCH_AND_BOUND, Response, allocate_response, find_front
from pareto_core.transport.removal import removal_cost

FEW = 128  # number of arms up to which it is as fast to recompute the costs of all cases
SLACK = 1e-9  # relative to the drift and the distances
ROUNDING = 1e-13  # of a distance, relative to the largest mean in standard deviations
MOST_DRIFT = 1e3  # above which it is subtracted from all keys

STATUS = np.dtype(
    [
        ("stale", np.bool_),  # whether everything has to be renewed: at first, without a sample
        ("samples", np.int64),  # samples so far, when this was last brought up to date
        ("sampled", np.int64),  # arm chosen last
        ("drift", np.float64),
        ("largest", np.float64),  # largest absolute mean
        ("searches", np.int64),  # number of searches so far
        ("bounded", np.int64),  # cases that these have examined
        ("solved", np.int64),  # cases whose cost these have computed
        ("changes", np.int64),  # arms that have joined or left the front
    ],
    align=True,
)


class CaseDistances(NamedTuple):
    """What is known of each case; all arrays are empty for few arms."""

    keys: np.ndarray  # (n,) tournament: bound on the distance of each dominated arm, plus the drift
    behind: np.ndarray  # (n,) tournament: samples of each arm less its target
    removals: np.ndarray  # (K,) cheapest cost at which an optimal arm falls below another
    winners: np.ndarray  # (K,) the other arm
    dominators: np.ndarray  # (K,) optimal arm that gave the last bound on a case, or -1
    searched: np.ndarray  # (K,) number of the search that computed the case last
    means: np.ndarray  # (K, d) means when this was last brought up to date
    changed: np.ndarray  # (K,) arms that the alternative moves, ascending: the first entries
    n_changed: np.ndarray  # (1,)
    point: np.ndarray  # (d,) work array
    status: np.ndarray  # (1,) STATUS
    response: Response  # its front is up to date


def allocate_distances(problem, is_used):
    """Allocate distances that have to be renewed before use, or empty arrays."""
    n, d = (problem.n_arms, problem.n_objectives) if is_used else (0, problem.n_objectives)
    n_keys = 2 * tournament_leaves(n) if is_used else 0
    status = np.zeros(1, STATUS)
    status["stale"] = True
    return CaseDistances(
        np.full(n_keys, np.inf),
        np.full(n_keys, np.inf),
        np.full(n, np.inf),
        np.full(n, -1),
        np.full(n, -1),
        np.zeros(n, np.int64),
        np.empty((n, d)),
        np.empty(n, np.int64),
        np.zeros(1, np.int64),
        np.empty(d),
        status,
        allocate_response(n, d),
    )


@part
def are_kept(cases):
    """Whether the number of arms is large enough for the distances to be kept."""
    return cases.keys.shape[0] > 0


@part
def allowance(cases, distance):
    """Rounding error of a bound near ``distance``."""
    status = cases.status[0]
    error = SLACK * (status["drift"] + distance)
    return error + ROUNDING * status["largest"] * np.sqrt(status["samples"])


@part
def set_distance(cases, arm, distance):
    """Set the lower bound on the distance of the case of a dominated arm."""
    set_key(cases.keys, arm, distance + cases.status[0]["drift"])


@kernel
def renew_removals(weights, cases, loser):
    """Find the cheapest arm for ``loser`` to fall below, the first one on ties."""
    cost, winner = np.inf, -1
    front = cases.response.front
    for f in range(cases.response.found[0]["size"]):
        if front[f] != loser:
            trial = removal_cost(cases.means, weights, loser, front[f])
            if trial < cost:
                cost, winner = trial, front[f]
    cases.removals[loser], cases.winners[loser] = cost, winner


@kernel
def _update_removals(weights, cases, arm):
    """Update the costs of all removals that involve an arm of the front."""
    renew_removals(weights, cases, arm)
    front, removals, winners = cases.response.front, cases.removals, cases.winners
    for f in range(cases.response.found[0]["size"]):
        loser = front[f]
        if loser == arm:
            continue
        cost = removal_cost(cases.means, weights, loser, arm)
        if winners[loser] == arm and cost > removals[loser]:
            renew_removals(weights, cases, loser)
        elif cost < removals[loser] or (cost == removals[loser] and arm < winners[loser]):
            removals[loser], winners[loser] = cost, arm


@kernel
def renew(record, targets, weights, cases):
    """Compute the front and the removals anew; nothing is then known of the distances."""
    status, n_arms = cases.status[0], weights.shape[0]
    copy_matrix(cases.means, record.means)
    find_front(cases.means, BRANCH_AND_BOUND, cases.response)
    leaves = cases.keys.shape[0] // 2
    status["stale"] = record.counts.min() == 0
    status["drift"], status["largest"] = 0.0, 0.0
    status["samples"] = record.time[0]
    for k in range(n_arms):
        weights[k] = record.counts[k]
        cases.keys[leaves + k] = np.inf if cases.response.optimal[k] else 0.0
        cases.behind[leaves + k] = weights[k] - targets[k]
        for c in range(cases.means.shape[1]):
            status["largest"] = max(status["largest"], abs(cases.means[k, c]))
    build_tournament(cases.keys)
    build_tournament(cases.behind)
    for f in range(cases.response.found[0]["size"]):
        renew_removals(weights, cases, cases.response.front[f])


@kernel
def _subtract_drift(cases):
    """Subtract the drift from all keys."""
    leaves = cases.keys.shape[0] // 2
    for index in range(leaves, 2 * leaves):
        cases.keys[index] -= cases.status[0]["drift"]
    cases.status[0]["drift"] = 0.0
    build_tournament(cases.keys)


@kernel
def _dominator(cases, arm):
    """First arm of the front that dominates ``arm``; -1 without one."""
    front = cases.response.front
    for f in range(cases.response.found[0]["size"]):
        if dominates(cases.means, front[f], arm):
            return front[f]
    return np.int64(-1)


@kernel
def _leave(weights, cases, arm, above):
    """Remove ``arm`` from the front, because the arm ``above`` dominates it."""
    response, kept = cases.response, 0
    found, front, drift = response.found[0], response.front, cases.status[0]["drift"]
    for f in range(found["size"]):
        if front[f] != arm:
            front[kept] = front[f]
            kept += 1
    found["size"] = kept
    response.optimal[arm] = False
    cases.status[0]["changes"] += 1
    for f in range(kept):
        if cases.winners[front[f]] == arm:
            renew_removals(weights, cases, front[f])
    share = 1.0 / np.sqrt(1.0 + weights[arm] / weights[above])
    leaves = cases.keys.shape[0] // 2
    for k in range(weights.shape[0]):
        bound = cases.keys[leaves + k] - drift
        if 0.0 < bound < np.inf and blocks(cases.means, arm, cases.means[k]):
            set_distance(cases, k, share * bound)
    set_distance(cases, arm, 0.0)


@kernel
def _leave_below(weights, cases, arm):
    """Remove from the front the arms that ``arm`` dominates."""
    front, f = cases.response.front, 0
    while f < cases.response.found[0]["size"]:
        if dominates(cases.means, arm, front[f]):
            _leave(weights, cases, front[f], arm)
        else:
            f += 1


@kernel
def _join(weights, cases, arm):
    """Add to the front an arm that none of its arms dominates."""
    response = cases.response
    found, front = response.found[0], response.front
    position = found["size"]
    while position > 0 and front[position - 1] > arm:
        front[position] = front[position - 1]
        position -= 1
    front[position] = arm
    found["size"] += 1
    response.optimal[arm] = True
    cases.status[0]["changes"] += 1
    set_key(cases.keys, arm, np.inf)
    _leave_below(weights, cases, arm)
    _update_removals(weights, cases, arm)


@kernel
def _join_freed(weights, cases):
    """Add to the front the arms that no arm of it dominates any more."""
    arm = next_key(cases.keys, 0, cases.status[0]["drift"] + allowance(cases, 0.0))
    while arm >= 0:
        if _dominator(cases, arm) < 0:
            _join(weights, cases, arm)
        arm = next_key(cases.keys, arm + 1, cases.status[0]["drift"] + allowance(cases, 0.0))


@kernel
def follow(record, targets, weights, cases, arm):
    """Bring front, removals and bounds up to date with new samples of ``arm``.

    Parameters
    ----------
    record : Record
    targets : ndarray, shape (K,)
    weights : ndarray, shape (K,)
        Samples of each arm so far. Modified in place.
    cases : CaseDistances
        Modified in place.
    arm : int
    """
    status, means, squares = cases.status[0], cases.means, 0.0
    sign = -1.0 if cases.response.optimal[arm] else 1.0
    for c in range(means.shape[1]):
        squares += max(sign * (record.means[arm, c] - means[arm, c]), 0.0) ** 2
        means[arm, c] = record.means[arm, c]
        status["largest"] = max(status["largest"], abs(means[arm, c]))
    move = np.sqrt(weights[arm] * squares)
    weights[arm] = record.counts[arm]
    set_key(cases.behind, arm, weights[arm] - targets[arm])
    above = _dominator(cases, arm)
    if not cases.response.optimal[arm]:
        if above < 0:
            _join(weights, cases, arm)
        else:
            set_key(cases.keys, arm, cases.keys[cases.keys.shape[0] // 2 + arm] - move)
        return
    status["drift"] += move
    if above >= 0:
        _leave(weights, cases, arm, above)
    else:
        _leave_below(weights, cases, arm)
        _update_removals(weights, cases, arm)
    _join_freed(weights, cases)
    if status["drift"] > MOST_DRIFT:
        _subtract_drift(cases)


@kernel
def catch_up(record, targets, weights, cases):
    """Bring everything up to date with all samples."""
    status, counts = cases.status[0], record.counts
    before, arm = status["samples"], status["sampled"]
    if status["stale"] or record.time[0] == before:
        if status["stale"]:
            renew(record, targets, weights, cases)
        return
    status["samples"] = record.time[0]
    if record.time[0] == before + 1 and counts[arm] == weights[arm] + 1.0:
        follow(record, targets, weights, cases, arm)
        return
    for k in range(weights.shape[0]):
        if counts[k] < weights[k] or (counts[k] > 0 and weights[k] == 0.0):
            renew(record, targets, weights, cases)
            return
        if counts[k] > weights[k]:
            follow(record, targets, weights, cases, k)
