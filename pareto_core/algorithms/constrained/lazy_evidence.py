"""The weakest case and its challenger, without computing the case of every arm.

The results are exactly those of `partition_evidence.weigh`, `weakest_case` and a search for the
challenger among all arms; only arms that cannot matter are skipped. The arms whose case may be the
smallest are found by `case_bounds`. The challenger j of the leader b has the smallest
:math:`M(b,j)` minus a width. No width exceeds that of an arm with one sample, so whole `arm_cells`
are skipped if they are too low.
"""

import numpy as np

from pareto_core.algorithms.constrained.case_bounds import (
    SLACK,
    allowance,
    growth,
    renew,
    widest,
)
from pareto_core.algorithms.constrained.partition_evidence import (
    NO_ARM,
    common_level,
    pair_width,
    rejected_case,
    weakest_optimal,
    widen_arm,
)
from pareto_core.algorithms.constrained.tournament import least_key, next_key, set_key
from pareto_core.compiling.kernels import kernel, part
from pareto_core.geometry.dominance import largest_lead


@part
def _widest_pair(arms, level, limits, i):
    """Upper bound on the width of any pair that contains arm i."""
    first, second = arms.squared_width[i], widest(level, limits)
    return np.sqrt(first) + np.sqrt(second) if limits.union else np.sqrt(first + second)


@kernel
def _weakest_rejected(level, limits, arms, record, bounds):
    """Arm outside O with the smallest case, and that case."""
    tree, arm, least = bounds.cases, np.int64(0), np.inf
    if tree[1] == np.inf:
        return arm, least
    i, is_exact = least_key(tree), False
    while i != NO_ARM:
        widen_arm(record.counts, level, arms, limits, i)
        case = rejected_case(limits.union, record.means, arms, i)
        set_key(tree, i, case + bounds.drift[0])
        if case < least or (case == least and i < arm):
            arm, least = i, case
        if is_exact:
            i = next_key(tree, i + 1, least + allowance(bounds))
        elif least_key(tree) != i:
            i = least_key(tree)
        else:  # no other key is lower, but the cases of other arms may still be
            i, is_exact = next_key(tree, 0, least + allowance(bounds)), True
    return arm, least


@part
def _is_below(means, leader, corner, limit):
    """Whether the leader exceeds the corner of a cell by more than ``limit`` in an objective."""
    for c in range(means.shape[1]):
        if means[leader, c] - corner[c] > limit:
            return True
    return False


@kernel
def _challenger(level, limits, arms, record, bounds, leader):
    """Arm that may be feasible and is closest to dominating the leader, or NO_ARM.

    Parameters
    ----------
    level : float
        `common_level` now.
    limits : Limits
        Constants of the widths.
    arms : ArmEvidence
        The widths and margins of the arms examined are modified in place.
    record : Record
        All samples.
    bounds : Bounds
        With up-to-date cells.
    leader : int
        An arm whose width is up to date.
    """
    means, order = record.means, bounds.cells.order
    challenger, least = np.int64(NO_ARM), np.inf
    n_arms, n_cells = means.shape[0], bounds.cells.corners.shape[0]
    reach = _widest_pair(arms, level, limits, leader) + SLACK * bounds.largest[0]
    for f in range(arms.front_size[0]):
        j = arms.front[f]
        if j != leader:
            value = largest_lead(means, leader, j) - pair_width(limits.union, arms, leader, j)
            if value < least or (value == least and j < challenger):
                challenger, least = j, value
    for cell in range(n_cells):
        if _is_below(means, leader, bounds.cells.corners[cell], least + reach):
            continue
        for index in range(n_arms * cell // n_cells, n_arms * (cell + 1) // n_cells):
            j = order[index]
            if j == leader or _is_below(means, leader, means[j], least + reach):
                continue
            widen_arm(record.counts, level, arms, limits, j)
            if arms.feasible[j] or arms.margin[j] <= 0.0:
                value = largest_lead(means, leader, j) - pair_width(limits.union, arms, leader, j)
                if value < least or (value == least and j < challenger):
                    challenger, least = j, value
    return challenger


@kernel
def _find_leader(limits, arms, record, bounds):
    """`weakest_case` from the bounds; the widths of that arm and of O are then up to date."""
    level = common_level(record.time[0], limits)
    bounds.drift[0] += (np.sqrt(level) - bounds.root[0]) * growth(limits)
    bounds.root[0] = np.sqrt(level)
    if bounds.stale[0]:
        renew(level, limits, arms, record, bounds)
    for f in range(arms.front_size[0]):
        widen_arm(record.counts, level, arms, limits, arms.front[f])
    leader, case = _weakest_rejected(level, limits, arms, record, bounds)
    if case > 0.0:
        leader, case = weakest_optimal(limits.union, record.means, arms)
    return leader, case


@part
def name_pair_lazily(parameters, bounds, evidence, record, pair):
    """Whether all cases are positive; otherwise write leader and challenger to ``pair``."""
    limits = parameters.limits
    leader, case = _find_leader(limits, evidence.arms, record, bounds)
    if case <= 0.0:
        level = common_level(record.time[0], limits)
        pair[0] = leader
        pair[1] = _challenger(level, limits, evidence.arms, record, bounds, leader)
    return case > 0.0
