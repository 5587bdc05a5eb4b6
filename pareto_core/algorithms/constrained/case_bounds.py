r"""Lower bounds on the cases of many arms, kept up to date sample by sample.

Every arm outside O, the empirical Pareto set of the feasible arms, has two keys, each in a
tournament:

* CASE, a lower bound on its case; lowest first, those that may be the weakest are computed;
* DEPTH of a feasible one, a lower bound on by how much it is below O,
  :math:`\max_{j\in O}m(i,j)`; when that is negative, it joins O.

The invariant: a key is at most its true value plus the *drift*, which grows by as much as any
true value may have fallen since.

* A sample of an arm of O lowers a case or depth by at most what it loses in an objective.
* An arm leaves O because another covers it: all below it are below that one as well, and cases
  fall by no more than that arm's width is larger. An arm that joins only raises them.
* Time widens all intervals. No radius or width of a pair grows by more than that of arms with
  one sample; more samples only narrow them (for a squared width of a logarithm over n, that
  needs a constant above 2, which the union bound has).

Only if an arm leaves O because it is infeasible now all is *renewed*: O, the keys and the drift.
An arm of O has infinite keys, an infeasible one an infinite depth.

The rounding of a key is far below the ``SLACK`` that every comparison allows for.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.constrained.arm_cells import (
    CELL,
    cells_per_objective,
    fill_cells,
    renew_corner,
)
from pareto_core.algorithms.constrained.partition_evidence import (
    DISTANCE,
    FEASIBLE,
    MARGIN,
    NOBODY,
    OPTIMAL_NOW,
    SAMPLED,
    SIZE,
    SQUARES,
    common_level,
    excess,
    find_feasible_front,
    pair_width,
    widen_arm,
)
from pareto_core.algorithms.constrained.tournament import (
    build_tournament,
    next_key,
    set_key,
    tournament_leaves,
)
from pareto_core.compiling.kernels import kernel, part

FEW = 128  # arms, up to which weighing all the evidence anew is faster
SLACK = 1e-9  # relative to the largest number there is

DRIFT, ROOT, LARGEST, STALE = 0, 1, 2, 3


class Bounds(NamedTuple):
    """What is known without looking at every arm; of no size for few arms."""

    cases: np.ndarray  # (n,) tournament of the keys CASE
    depths: np.ndarray  # (n,) tournament of the keys DEPTH
    scalars: np.ndarray  # (4,) DRIFT; ROOT of the level; LARGEST number; whether all is STALE
    known: np.ndarray  # (K, d) of each arm the means that the drift accounts for
    corners: np.ndarray  # (number of cells, d) see `arm_cells`
    places: np.ndarray  # (2, K) see `arm_cells`


def allocate_bounds(problem):
    """Bounds that have to be renewed before use."""
    n, d = problem.n_arms, problem.n_objectives
    if n <= FEW:
        n, n_cells, n_keys = 0, 0, 0
    else:
        n_cells, n_keys = cells_per_objective(n, d) ** d, 2 * tournament_leaves(n)
    return Bounds(
        np.full(n_keys, np.inf),
        np.full(n_keys, np.inf),
        np.array([0.0, 0.0, 0.0, 1.0]),
        np.empty((n, d)),
        np.empty((n_cells, d)),
        np.empty((2, n), np.int64),
    )


@part
def is_lazy(bounds):
    """Whether there are so many arms that bounds are kept."""
    return bounds.cases.shape[0] > 0


@part
def growth(limits):
    """How fast the widest interval grows with the root of the level."""
    return 0.0 if limits.union else np.sqrt(max(2.0 * limits.width_scale, limits.radius_scale))


@part
def widest(level, limits):
    """Squared width of an arm with one sample."""
    return limits.width_scale * (limits.width_constant if limits.union else level)


@part
def allowance(scalars):
    """What a key may exceed its true value by."""
    return scalars[DRIFT] + SLACK * (scalars[LARGEST] + scalars[DRIFT])


@part
def _covers(means, j, i):
    """Whether arm j keeps arm i out of O: it dominates it, or is equal and comes first."""
    return excess(means, i, j) <= 0.0 and (j < i or excess(means, j, i) > 0.0)


@kernel
def _cover(means, front, size, i):
    """An arm of O that covers arm i, NOBODY if there is none."""
    for f in range(size):
        if front[f] != i and _covers(means, front[f], i):
            return front[f]
    return np.int64(NOBODY)


@kernel
def _depth(means, front, size, i):
    """By how much arm i is below O, and the arm there that it is farthest below."""
    deepest, above = -np.inf, np.int64(NOBODY)
    for f in range(size):
        depth = -excess(means, i, front[f])
        if depth > deepest:
            deepest, above = depth, front[f]
    return deepest, above


@part
def _set_depth(means, evidence, bounds, i):
    """Note the depth of arm i."""
    depth = np.inf
    if evidence.flags[FEASIBLE, i]:
        depth = _depth(means, evidence.front, evidence.now[SIZE], i)[0]
    set_key(bounds.depths, i, depth + bounds.scalars[DRIFT])


@kernel
def renew(level, limits, evidence, record, bounds):
    """O, and bounds for the moment, by a look at all arms."""
    means, numbers, flags, front = record.means, evidence.numbers, evidence.flags, evidence.front
    size = find_feasible_front(means, flags, front)
    evidence.now[SIZE] = size
    leaves = bounds.cases.shape[0] // 2
    largest = np.sqrt(max(widest(level, limits), limits.radius_scale * level))
    for i in range(means.shape[0]):
        widen_arm(record.counts, level, numbers, limits, i)
        for c in range(means.shape[1]):
            bounds.known[i, c] = means[i, c]
            largest = max(largest, abs(means[i, c]))
        if numbers[DISTANCE, i] < np.inf:
            largest = max(largest, numbers[DISTANCE, i])
    for i in range(means.shape[0]):
        case, depth = np.inf, np.inf
        if not flags[OPTIMAL_NOW, i]:
            depth, above = _depth(means, front, size, i)
            case = -np.inf if flags[FEASIBLE, i] else numbers[MARGIN, i]
            if above != NOBODY:
                case = max(case, depth - pair_width(limits.union, numbers, i, above))
        bounds.cases[leaves + i] = case
        bounds.depths[leaves + i] = depth if flags[FEASIBLE, i] else np.inf
    build_tournament(bounds.cases)
    build_tournament(bounds.depths)
    scalars = bounds.scalars
    scalars[DRIFT], scalars[STALE] = 0.0, 0.0
    scalars[ROOT], scalars[LARGEST] = np.sqrt(level), largest


@kernel
def _drop(evidence, bounds, place, above):
    """Take the arm at ``place`` from O, for ``above`` covers it."""
    front, now, squares = evidence.front, evidence.now, evidence.numbers[SQUARES]
    arm = front[place]
    now[SIZE] -= 1
    front[place] = front[now[SIZE]]
    evidence.flags[OPTIMAL_NOW, arm] = False
    bounds.scalars[DRIFT] += max(np.sqrt(squares[above]) - np.sqrt(squares[arm]), 0.0)
    set_key(bounds.cases, arm, -np.inf)  # it is computed when it is looked at
    set_key(bounds.depths, arm, bounds.scalars[DRIFT])


@kernel
def _drop_covered(means, evidence, bounds, arm):
    """Take from O the arms that ``arm`` covers."""
    front, place = evidence.front, 0
    while place < evidence.now[SIZE]:
        if front[place] != arm and _covers(means, arm, front[place]):
            _drop(evidence, bounds, place, arm)
        else:
            place += 1


@kernel
def _admit(means, evidence, bounds, arm):
    """Let an arm join O that no arm there covers."""
    _drop_covered(means, evidence, bounds, arm)
    evidence.front[evidence.now[SIZE]] = arm
    evidence.now[SIZE] += 1
    evidence.flags[OPTIMAL_NOW, arm] = True
    set_key(bounds.cases, arm, np.inf)
    set_key(bounds.depths, arm, np.inf)


@kernel
def _admit_freed(level, limits, evidence, record, bounds):
    """Let the arms join O that an arm there does not cover any more."""
    i = next_key(bounds.depths, 0, allowance(bounds.scalars))
    while i != NOBODY:
        if _cover(record.means, evidence.front, evidence.now[SIZE], i) == NOBODY:
            widen_arm(record.counts, level, evidence.numbers, limits, i)
            _admit(record.means, evidence, bounds, i)
        else:
            _set_depth(record.means, evidence, bounds, i)
        i = next_key(bounds.depths, i + 1, allowance(bounds.scalars))


@kernel
def _follow_optimal(level, limits, evidence, record, bounds, arm):
    """Take note of a sample of an arm of O."""
    means, known, front, lost = record.means, bounds.known, evidence.front, 0.0
    for c in range(means.shape[1]):
        lost = max(lost, known[arm, c] - means[arm, c])
        known[arm, c] = means[arm, c]
    bounds.scalars[DRIFT] += lost
    above = _cover(means, front, evidence.now[SIZE], arm)
    if above == NOBODY:
        _drop_covered(means, evidence, bounds, arm)
    else:
        place = 0
        while front[place] != arm:
            place += 1
        _drop(evidence, bounds, place, above)
    if lost > 0.0:
        _admit_freed(level, limits, evidence, record, bounds)


@kernel
def _follow(limits, evidence, record, bounds, arm):
    """Take note of a sample of ``arm``."""
    means, flags, scalars = record.means, evidence.flags, bounds.scalars
    level = common_level(record.time[0], limits)
    widen_arm(record.counts, level, evidence.numbers, limits, arm)
    for c in range(means.shape[1]):
        scalars[LARGEST] = max(scalars[LARGEST], abs(means[arm, c]))
    if flags[OPTIMAL_NOW, arm]:
        if flags[FEASIBLE, arm]:
            _follow_optimal(level, limits, evidence, record, bounds, arm)
        else:
            scalars[STALE] = 1.0
        return
    for c in range(means.shape[1]):
        bounds.known[arm, c] = means[arm, c]
    covered = _cover(means, evidence.front, evidence.now[SIZE], arm) != NOBODY
    if flags[FEASIBLE, arm] and not covered:
        _admit(means, evidence, bounds, arm)
        return
    set_key(bounds.cases, arm, -np.inf)
    _set_depth(means, evidence, bounds, arm)


@part
def follow(parameters, bounds, evidence, record):
    """Take note of the last sample; the distance of that arm to the boundary is known."""
    arm, n_arms = evidence.now[SAMPLED], record.counts.shape[0]
    if record.time[0] == n_arms:
        fill_cells(record.means, bounds.places, bounds.corners)
    elif record.time[0] > n_arms:
        renew_corner(record.means, bounds.places, bounds.corners, bounds.places[CELL, arm])
    if bounds.scalars[STALE] == 0.0:
        _follow(parameters.limits, evidence, record, bounds, arm)
