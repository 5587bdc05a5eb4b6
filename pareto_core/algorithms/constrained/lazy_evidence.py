"""The weakest case and its challenger without weighing the evidence of every arm anew.

What is found is exactly what `partition_evidence.weigh`, `weakest_case` and a scan for the
challenger find; only arms that cannot matter are not looked at. Those whose case may be the
least are found by `case_bounds`. The challenger j of the leader b has the least
:math:`M(b,j)` less a width. No width exceeds that of an arm with one sample, so that whole
`arm_cells` are too low.
"""

import numpy as np

from pareto_core.algorithms.constrained.arm_cells import ORDER
from pareto_core.algorithms.constrained.case_bounds import (
    DRIFT,
    LARGEST,
    ROOT,
    SLACK,
    STALE,
    allowance,
    growth,
    renew,
    widest,
)
from pareto_core.algorithms.constrained.partition_evidence import (
    FEASIBLE,
    MARGIN,
    NOBODY,
    SIZE,
    SQUARES,
    common_level,
    excess,
    pair_width,
    rejected_case,
    weakest_optimal,
    widen_arm,
)
from pareto_core.algorithms.constrained.tournament import least_key, next_key, set_key
from pareto_core.compiling.kernels import kernel, part


@part
def _widest_pair(numbers, level, limits, i):
    """Largest width of a pair that arm i may be in."""
    first, second = numbers[SQUARES, i], widest(level, limits)
    return np.sqrt(first) + np.sqrt(second) if limits.union else np.sqrt(first + second)


@kernel
def _weakest_rejected(level, limits, evidence, record, bounds):
    """Arm outside O with the least case, and that case."""
    tree, scalars, size = bounds.cases, bounds.scalars, evidence.now[SIZE]
    means, numbers, flags, front = record.means, evidence.numbers, evidence.flags, evidence.front
    arm, least = np.int64(0), np.inf
    if tree[1] == np.inf:
        return arm, least
    i, is_exact = least_key(tree), False
    while i != NOBODY:
        widen_arm(record.counts, level, numbers, limits, i)
        case = rejected_case(limits.union, means, numbers, flags, front, size, i)
        set_key(tree, i, case + scalars[DRIFT])
        if case < least or (case == least and i < arm):
            arm, least = i, case
        if is_exact:
            i = next_key(tree, i + 1, least + allowance(scalars))
        elif least_key(tree) != i:
            i = least_key(tree)
        else:  # no other has a lower bound; but some may be as low
            i, is_exact = next_key(tree, 0, least + allowance(scalars)), True
    return arm, least


@part
def _is_below(means, leader, corner, limit):
    """Whether no arm of the cell leads, or nearly leads, the leader everywhere."""
    for c in range(means.shape[1]):
        if means[leader, c] - corner[c] > limit:
            return True
    return False


@kernel
def _challenger(level, limits, evidence, record, bounds, leader):
    """Arm that may be feasible and is closest to dominating the leader; NOBODY if none is."""
    means, numbers, flags, front = record.means, evidence.numbers, evidence.flags, evidence.front
    corners, places = bounds.corners, bounds.places
    challenger, least = np.int64(NOBODY), np.inf
    n_arms, n_cells = means.shape[0], corners.shape[0]
    reach = _widest_pair(numbers, level, limits, leader) + SLACK * bounds.scalars[LARGEST]
    for f in range(evidence.now[SIZE]):
        j = front[f]
        if j != leader:
            value = excess(means, leader, j) - pair_width(limits.union, numbers, leader, j)
            if value < least or (value == least and j < challenger):
                challenger, least = j, value
    for cell in range(n_cells):
        if _is_below(means, leader, corners[cell], least + reach):
            continue
        for place in range(n_arms * cell // n_cells, n_arms * (cell + 1) // n_cells):
            j = places[ORDER, place]
            if j == leader or _is_below(means, leader, means[j], least + reach):
                continue
            widen_arm(record.counts, level, numbers, limits, j)
            if flags[FEASIBLE, j] or numbers[MARGIN, j] <= 0.0:
                value = excess(means, leader, j) - pair_width(limits.union, numbers, leader, j)
                if value < least or (value == least and j < challenger):
                    challenger, least = j, value
    return challenger


@kernel
def _find_leader(limits, evidence, record, bounds):
    """`weakest_case` by bounds; the widths of that arm and those of O are up to date."""
    level, scalars = common_level(record.time[0], limits), bounds.scalars
    scalars[DRIFT] += (np.sqrt(level) - scalars[ROOT]) * growth(limits)
    scalars[ROOT] = np.sqrt(level)
    if scalars[STALE] != 0.0:
        renew(level, limits, evidence, record, bounds)
    front, size = evidence.front, evidence.now[SIZE]
    for f in range(size):
        widen_arm(record.counts, level, evidence.numbers, limits, front[f])
    leader, case = _weakest_rejected(level, limits, evidence, record, bounds)
    if case > 0.0:
        leader, case = weakest_optimal(limits.union, record.means, evidence.numbers, front, size)
    return leader, case


@part
def name_pair_lazily(parameters, bounds, evidence, record, pair):
    """Whether all cases are positive; else name the leader and the challenger."""
    limits = parameters.limits
    leader, case = _find_leader(limits, evidence, record, bounds)
    if case <= 0.0:
        level = common_level(record.time[0], limits)
        pair[0] = leader
        pair[1] = _challenger(level, limits, evidence, record, bounds, leader)
    return case > 0.0
