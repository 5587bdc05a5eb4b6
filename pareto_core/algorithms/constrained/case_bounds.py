r"""Lower bounds on the cases of many arms, updated after every sample.

Every arm outside O, the empirical Pareto set of the feasible arms, has two keys, each in a
tournament:

* a lower bound on its case: the exact case is computed only for arms whose bound is so low that
  their case may be the smallest;
* a lower bound on its depth below O, :math:`\max_{j\in O}m(i,j)`, if it is feasible: when the
  depth is negative, the arm joins O.

Invariant: a key exceeds its true value by at most the *drift*, which grows by at least as much as
any true value may have decreased.

* A sample of an arm of O decreases a case or a depth by at most the decrease of that arm's mean
  in one objective.
* If an arm leaves O because another one covers it, then all arms below the first are also below
  the second, and cases decrease by at most the difference of the widths of the two arms. An arm
  that joins O only increases cases.
* Time widens all intervals, but no radius and no width of a pair grows by more than that of arms
  with one sample. More samples only narrow them. (For a squared width of a logarithm over n,
  this requires a constant above 2, which the union bound has.)

Only if an arm leaves O because it has become infeasible, O, all keys and the drift are *renewed*.
An arm of O has infinite keys, and an infeasible arm has an infinite depth.

The rounding error of a key is far below the ``SLACK`` of every comparison.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.constrained.arm_cells import (
    ArmCells,
    allocate_arm_cells,
    fill_cells,
    renew_corner,
)
from pareto_core.algorithms.constrained.partition_evidence import (
    NO_ARM,
    common_level,
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
from pareto_core.geometry.dominance import largest_lead

FEW = 128  # number of arms up to which it is faster to recompute all cases
SLACK = 1e-9  # relative to the largest number that occurs


class Bounds(NamedTuple):
    """What is known without examining every arm; all arrays are empty for few arms."""

    cases: np.ndarray  # (n,) tournament of the lower bounds on cases
    depths: np.ndarray  # (n,) tournament of the lower bounds on depths
    drift: np.ndarray  # (1,)
    root: np.ndarray  # (1,) square root of the level that the drift accounts for
    largest: np.ndarray  # (1,) largest number so far
    stale: np.ndarray  # (1,) whether everything has to be renewed
    known: np.ndarray  # (K, d) the means of each arm that the drift accounts for
    cells: ArmCells


def allocate_bounds(problem):
    """Allocate bounds that have to be renewed before use."""
    n, d = problem.n_arms, problem.n_objectives
    if n <= FEW:
        n, n_keys = 0, 0
    else:
        n_keys = 2 * tournament_leaves(n)
    return Bounds(
        np.full(n_keys, np.inf),
        np.full(n_keys, np.inf),
        np.zeros(1),
        np.zeros(1),
        np.zeros(1),
        np.ones(1, np.bool_),
        np.empty((n, d)),
        allocate_arm_cells(n, d),
    )


@part
def is_lazy(bounds):
    """Whether the arms are numerous enough that bounds save time."""
    return bounds.cases.shape[0] > 0


@part
def growth(limits):
    """Growth of the widest interval per unit of the square root of the level."""
    return 0.0 if limits.union else np.sqrt(max(2.0 * limits.width_scale, limits.radius_scale))


@part
def widest(level, limits):
    """Squared width of an arm with one sample."""
    return limits.width_scale * (limits.width_constant if limits.union else level)


@part
def allowance(bounds):
    """Largest amount by which a key may exceed its true value."""
    return bounds.drift[0] + SLACK * (bounds.largest[0] + bounds.drift[0])


@part
def _covers(means, j, i):
    """Whether arm j keeps arm i out of O: it dominates it, or is equal and comes first."""
    return largest_lead(means, i, j) <= 0.0 and (j < i or largest_lead(means, j, i) > 0.0)


@kernel
def _cover(means, arms, i):
    """Arm of O that covers arm i, or NO_ARM."""
    for f in range(arms.front_size[0]):
        if arms.front[f] != i and _covers(means, arms.front[f], i):
            return arms.front[f]
    return np.int64(NO_ARM)


@kernel
def _depth(means, arms, i):
    """Depth of arm i below O, and the arm of O that it is farthest below."""
    deepest, above = -np.inf, np.int64(NO_ARM)
    for f in range(arms.front_size[0]):
        depth = -largest_lead(means, i, arms.front[f])
        if depth > deepest:
            deepest, above = depth, arms.front[f]
    return deepest, above


@part
def _set_depth(means, arms, bounds, i):
    """Compute the depth of arm i and set its key."""
    depth = np.inf
    if arms.feasible[i]:
        depth = _depth(means, arms, i)[0]
    set_key(bounds.depths, i, depth + bounds.drift[0])


@kernel
def _reset_widths(level, limits, arms, record, bounds):
    """Update all widths, ``bounds.known`` and ``bounds.largest``."""
    means = record.means
    largest = np.sqrt(max(widest(level, limits), limits.radius_scale * level))
    for i in range(means.shape[0]):
        widen_arm(record.counts, level, arms, limits, i)
        for c in range(means.shape[1]):
            bounds.known[i, c] = means[i, c]
            largest = max(largest, abs(means[i, c]))
        if arms.distance[i] < np.inf:
            largest = max(largest, arms.distance[i])
    bounds.largest[0] = largest


@kernel
def renew(level, limits, arms, record, bounds):
    """Compute O and all bounds anew, from all arms."""
    means = record.means
    find_feasible_front(means, arms)
    _reset_widths(level, limits, arms, record, bounds)
    leaves = bounds.cases.shape[0] // 2
    for i in range(means.shape[0]):
        case, depth = np.inf, np.inf
        if not arms.optimal[i]:
            depth, above = _depth(means, arms, i)
            case = -np.inf if arms.feasible[i] else arms.margin[i]
            if above != NO_ARM:
                case = max(case, depth - pair_width(limits.union, arms, i, above))
        bounds.cases[leaves + i] = case
        bounds.depths[leaves + i] = depth if arms.feasible[i] else np.inf
    build_tournament(bounds.cases)
    build_tournament(bounds.depths)
    bounds.drift[0], bounds.stale[0], bounds.root[0] = 0.0, False, np.sqrt(level)


@kernel
def _drop(arms, bounds, index, above):
    """Remove the arm ``arms.front[index]`` from O, because the arm ``above`` covers it."""
    arm = arms.front[index]
    arms.front_size[0] -= 1
    arms.front[index] = arms.front[arms.front_size[0]]
    arms.optimal[arm] = False
    narrowing = np.sqrt(arms.squared_width[above]) - np.sqrt(arms.squared_width[arm])
    bounds.drift[0] += max(narrowing, 0.0)
    set_key(bounds.cases, arm, -np.inf)  # the case is computed when it is needed
    set_key(bounds.depths, arm, bounds.drift[0])


@kernel
def _drop_covered(means, arms, bounds, arm):
    """Remove from O the arms that ``arm`` covers."""
    front, index = arms.front, 0
    while index < arms.front_size[0]:
        if front[index] != arm and _covers(means, arm, front[index]):
            _drop(arms, bounds, index, arm)
        else:
            index += 1


@kernel
def _admit(means, arms, bounds, arm):
    """Add to O an arm that no arm of O covers."""
    _drop_covered(means, arms, bounds, arm)
    arms.front[arms.front_size[0]] = arm
    arms.front_size[0] += 1
    arms.optimal[arm] = True
    set_key(bounds.cases, arm, np.inf)
    set_key(bounds.depths, arm, np.inf)


@kernel
def _admit_freed(level, limits, arms, record, bounds):
    """Add to O the arms that no arm of O covers any more."""
    i = next_key(bounds.depths, 0, allowance(bounds))
    while i != NO_ARM:
        if _cover(record.means, arms, i) == NO_ARM:
            widen_arm(record.counts, level, arms, limits, i)
            _admit(record.means, arms, bounds, i)
        else:
            _set_depth(record.means, arms, bounds, i)
        i = next_key(bounds.depths, i + 1, allowance(bounds))


@kernel
def _follow_optimal(level, limits, arms, record, bounds, arm):
    """Update O and the bounds after a sample of an arm of O that is still feasible.

    Parameters
    ----------
    level : float
        `common_level` now.
    limits : Limits
        Constants of the widths.
    arms : ArmEvidence
        Modified in place.
    record : Record
        All samples, the last one included.
    bounds : Bounds
        Modified in place.
    arm : int
        The arm sampled.
    """
    means, known, lost = record.means, bounds.known, 0.0
    for c in range(means.shape[1]):
        lost = max(lost, known[arm, c] - means[arm, c])
        known[arm, c] = means[arm, c]
    bounds.drift[0] += lost
    above = _cover(means, arms, arm)
    if above == NO_ARM:
        _drop_covered(means, arms, bounds, arm)
    else:
        index = 0
        while arms.front[index] != arm:
            index += 1
        _drop(arms, bounds, index, above)
    if lost > 0.0:
        _admit_freed(level, limits, arms, record, bounds)


@kernel
def _follow(limits, arms, record, bounds, arm):
    """Update O and the bounds after a sample of ``arm``."""
    means = record.means
    level = common_level(record.time[0], limits)
    widen_arm(record.counts, level, arms, limits, arm)
    for c in range(means.shape[1]):
        bounds.largest[0] = max(bounds.largest[0], abs(means[arm, c]))
    if arms.optimal[arm]:
        if arms.feasible[arm]:
            _follow_optimal(level, limits, arms, record, bounds, arm)
        else:
            bounds.stale[0] = True
        return
    for c in range(means.shape[1]):
        bounds.known[arm, c] = means[arm, c]
    covered = _cover(means, arms, arm) != NO_ARM
    if arms.feasible[arm] and not covered:
        _admit(means, arms, bounds, arm)
        return
    set_key(bounds.cases, arm, -np.inf)
    _set_depth(means, arms, bounds, arm)


@part
def follow(parameters, bounds, evidence, record):
    """Update O and the bounds after the last sample, whose distance is up to date."""
    arm, n_arms = evidence.sampled[0], record.counts.shape[0]
    if record.time[0] == n_arms:
        fill_cells(record.means, bounds.cells)
    elif record.time[0] > n_arms:
        renew_corner(record.means, bounds.cells, bounds.cells.cell[arm])
    if not bounds.stale[0]:
        _follow(parameters.limits, evidence.arms, record, bounds, arm)
