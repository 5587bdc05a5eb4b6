r"""Least evidence against an arm being optimal, over all assignments of its dominators.

If arm k is Pareto optimal, each other optimal arm i is no better than k in some objective
:math:`\varphi(i)`. The evidence against this, for a group B of arms, is

.. math::
    \min_{\varphi:B\to[d]}\;\sum_{c\in\varphi(B)}\ln\inf_xf(N_k,x-m_{kc})
    \prod_{i\in B,\,\varphi(i)=c}f(N_i,m_{ic}-x),

found by branch and bound over assignments, as `transport.branch_and_bound` does for costs. All
numbers are lower bounds, also that of a search which stops after ``MOST_NODES`` nodes.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import kernel, part
from pareto_core.confidence.mixtures import log_factor, log_infimum

MOST_NODES = 1000


class Search(NamedTuple):
    """Arrays of one search, for up to n arms and d objectives."""

    members: np.ndarray  # (d, n) arms assigned to each objective
    sizes: np.ndarray  # (d,) number of these arms
    levels: np.ndarray  # (d,) evidence of each objective under the current assignment
    farthest: np.ndarray  # (d,) upper bound on the coordinates of the arm in question
    rest: np.ndarray  # (n + 1,) lower bound on what the arms from this index on add
    tried: np.ndarray  # (n,) number of objectives tried for each arm
    before: np.ndarray  # (n,) level of the last objective tried, before the arm was assigned to it
    totals: np.ndarray  # (n + 1,) evidence of each partial assignment


def allocate_search(n_arms, n_objectives):
    """Allocate a `Search`."""
    return Search(
        np.zeros((n_objectives, n_arms), np.int64),
        np.zeros(n_objectives, np.int64),
        np.zeros(n_objectives),
        np.zeros(n_objectives),
        np.zeros(n_arms + 1),
        np.zeros(n_arms, np.int64),
        np.zeros(n_arms),
        np.zeros(n_arms + 1),
    )


@kernel
def _start(information, means, arm, group, size, bets, search):
    """Set up the empty assignment; return the evidence if all arms get the same objective."""
    best = np.inf
    for c in range(means.shape[1]):
        search.sizes[c] = 0
        search.levels[c] = 0.0
        level, search.farthest[c] = log_infimum(information, means, c, arm, group, size, bets)
        best = min(best, level)
    search.rest[size] = 0.0
    for g in range(size - 1, -1, -1):
        i, least = group[g], 0.0
        for c in range(means.shape[1]):
            lead = means[i, c] - search.farthest[c]
            least = min(least, log_factor(information[i, c], lead, bets.scale, bets.upper)[0])
        search.rest[g] = search.rest[g + 1] + least
    search.totals[0] = 0.0
    search.tried[0] = 0
    return best


@part
def _bound(search, depth, size, mass):
    """Lower bound on the evidence of every completion of the current assignment."""
    bound = search.totals[depth] + search.rest[depth]
    if depth < size:
        for c in range(search.sizes.shape[0]):
            if search.sizes[c] == 0:
                bound += np.log1p(-mass)
    return bound


@kernel
def _assign(information, means, arm, i, depth, c, bets, search):
    """Assign the arm i, which is at this depth, to objective c."""
    search.before[depth] = search.levels[c]
    search.members[c, search.sizes[c]] = i
    search.sizes[c] += 1
    level, _ = log_infimum(information, means, c, arm, search.members[c], search.sizes[c], bets)
    search.totals[depth + 1] = search.totals[depth] - search.levels[c] + level
    search.levels[c] = level


@part
def _take_back(search, depth):
    """Undo the assignment of the arm at this depth."""
    c = search.tried[depth] - 1
    search.sizes[c] -= 1
    search.levels[c] = search.before[depth]


@kernel
def least_over_assignments(information, means, arm, group, size, bets, search):
    """Lower bound, in nats, on the evidence of ``group[:size]`` against ``arm`` being optimal."""
    n_objectives = means.shape[1]
    best = _start(information, means, arm, group, size, bets, search)
    if size == 1:
        return best
    depth, nodes = 0, 0
    while depth >= 0 and nodes < MOST_NODES:
        if search.tried[depth] == n_objectives:
            depth -= 1
            if depth >= 0:
                _take_back(search, depth)
            continue
        nodes += 1
        c = search.tried[depth]
        search.tried[depth] += 1
        _assign(information, means, arm, group[depth], depth, c, bets, search)
        if _bound(search, depth + 1, size, bets.lower) >= best:
            _take_back(search, depth)
        elif depth + 1 == size:
            best = search.totals[size]
            _take_back(search, depth)
        else:
            depth += 1
            search.tried[depth] = 0
    while depth >= 0:
        best = min(best, _bound(search, depth, size, bets.lower))
        depth -= 1
        if depth >= 0:
            _take_back(search, depth)
    return best
