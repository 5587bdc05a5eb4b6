"""Evidence for one statement: that an arm is not dominated by a rival, or that it is not optimal.

Most arms are far from any wrong statement. For these, closed-form lower bounds, the functions
named ``cheap``, spare the search for an infimum.
"""

import numpy as np

from pareto_core.compiling.kernels import kernel, part
from pareto_core.confidence.assignments import least_over_assignments
from pareto_core.confidence.mixtures import Bets, least_of_two, log_factor, log_infimum

CLEAR = 0.1  # nats above the level needed: far more than the tolerance of an infimum
FAINT = 3.0  # nats by which all faint evidence together is below the level needed


@part
def log_sum(first, second):
    """ln(e^first + e^second)."""
    larger = max(first, second)
    if np.isinf(larger):
        return larger
    return larger + np.log1p(np.exp(min(first, second) - larger))


@kernel
def _log_pair(rule, information, means, low, c, high, lower, upper):
    """Evidence that the arm ``low`` is not as good as the arm ``high[0]`` in objective c."""
    total = -np.inf
    for s in range(rule.scales.shape[0]):
        bets = Bets(rule.scales[s], lower, upper)
        level, _ = log_infimum(information, means, c, low, high, 1, bets)
        total = log_sum(total, rule.log_weights[s] + level)
    return total


@kernel
def log_lead(rule, information, means, arm, rival, c, high):
    """Evidence that the arm is better than its rival in objective c."""
    high[0] = arm
    return _log_pair(rule, information, means, rival, c, high, rule.removal, rule.removal)


@kernel
def _removal_at_scale(rule, information, means, arm, rival, s, high):
    """Evidence, at one scale of shifts, that ``rival`` does not dominate ``arm``."""
    bets = Bets(rule.scales[s], rule.removal, rule.removal)
    n_objectives = means.shape[1]
    high[0] = arm
    together, alone = 0.0, -np.inf
    for c in range(n_objectives):
        if means[arm, c] > means[rival, c]:
            level, _ = log_infimum(information, means, c, rival, high, 1, bets)
            together += log_sum(0.0, level)
            alone = log_sum(alone, level)
    if not rule.joint or together == 0.0:
        return alone - np.log(n_objectives)
    log_subsets = n_objectives * np.log(2.0) + np.log1p(-(0.5**n_objectives))
    return together + np.log(-np.expm1(-together)) - log_subsets


@kernel
def log_removal(rule, information, means, arm, rival, high):
    """Ln R(k, j): evidence that the rival j does not dominate the arm k."""
    total = -np.inf
    for s in range(rule.scales.shape[0]):
        level = _removal_at_scale(rule, information, means, arm, rival, s, high)
        total = log_sum(total, rule.log_weights[s] + level)
    return total


@kernel
def cheap_removal(rule, information, means, arm, rival):
    """Lower bound of `log_removal`."""
    n_objectives = means.shape[1]
    most = -np.inf
    for s in range(rule.scales.shape[0]):
        bets = Bets(rule.scales[s], rule.removal, rule.removal)
        together, alone = 0.0, -np.inf
        for c in range(n_objectives):
            if means[arm, c] > means[rival, c]:
                level = least_of_two(information, means, c, rival, arm, bets)
                together += max(0.0, level)
                alone = max(alone, level)
        evidence = alone - np.log(n_objectives)
        if rule.joint:
            evidence = together + np.log(-np.expm1(-together)) - n_objectives * np.log(2.0)
        most = max(most, rule.log_weights[s] + evidence)
    return most


@part
def group_size(index, n_dominators):
    """Number of arms in a group: 1, 2, 4, ... and all dominators."""
    return min(2**index, n_dominators)


@part
def _n_groups(rule, n_dominators):
    """Number of groups."""
    index = 0
    if rule.joint and n_dominators > 0:
        while 2**index < n_dominators:
            index += 1
    return index + (n_dominators > 0)


@kernel
def log_single_addition(rule, information, means, arm, rival, high):
    """Evidence of ``rival`` alone against ``arm`` being optimal."""
    least = np.inf
    high[0] = rival
    for c in range(means.shape[1]):
        level = _log_pair(rule, information, means, arm, c, high, rule.added, rule.front)
        least = min(least, level)
    return least


@kernel
def cheap_addition(rule, information, means, arm, rival):
    """Lower bound of `log_single_addition`."""
    least = np.inf
    for c in range(means.shape[1]):
        most = -np.inf
        for s in range(rule.scales.shape[0]):
            bets = Bets(rule.scales[s], rule.added, rule.front)
            level = least_of_two(information, means, c, arm, rival, bets)
            most = max(most, rule.log_weights[s] + level)
        least = min(least, most)
    return least


@kernel
def find_dominators(means, arm, size, work):
    """List the other arms of ``work.front[:size]`` that are nowhere worse; return their number."""
    found = 0
    for f in range(size):
        i = work.front[f]
        if i == arm:
            continue
        for c in range(means.shape[1]):
            if means[i, c] < means[arm, c]:
                break
        else:
            work.listed[found] = i
            found += 1
    return found


@part
def _most_of_ratios(information, means, arm, rival):
    """Upper bound on `log_single_addition`: that of likelihood ratios."""
    least = np.inf
    for c in range(means.shape[1]):
        gap, shared = means[rival, c] - means[arm, c], information[rival, c]
        if shared == np.inf:
            shared = information[arm, c]
        elif shared > 0.0 and information[arm, c] < np.inf:
            shared = information[arm, c] / (1.0 + information[arm, c] / shared)
        if shared < np.inf:
            least = min(least, 0.5 * shared * gap * gap)
    return least


@kernel
def _most_at_pooled_means(rule, information, means, arm, rival):
    """Upper bound on `log_single_addition`, which is close: the bets against the pooled means."""
    least = np.inf
    for c in range(means.shape[1]):
        own, other, x = information[arm, c], information[rival, c], means[rival, c]
        if own == np.inf:
            continue
        if own > 0.0 and other < np.inf:
            x -= own / (own + other) * (means[rival, c] - means[arm, c])
        up, down, level = x - means[arm, c], means[rival, c] - x, -np.inf
        for s in range(rule.scales.shape[0]):
            both = log_factor(own, up, rule.scales[s], rule.added)[0]
            both += log_factor(other, down, rule.scales[s], rule.front)[0]
            level = log_sum(level, rule.log_weights[s] + both)
        least = min(least, level)
    return least


@kernel
def most_single_additions(rule, information, means, arm, size, faint, work):
    """Upper bound on the evidence of single dominators, close where it may exceed ``faint``."""
    total = -np.inf
    for g in range(find_dominators(means, arm, size, work)):
        rival = work.listed[g]
        most = _most_of_ratios(information, means, arm, rival)
        if most > faint:
            most = min(most, _most_at_pooled_means(rule, information, means, arm, rival))
        total = log_sum(total, most)
    return total


@kernel
def are_clear_additions(rule, information, means, arm, size, enough, work):
    """Whether closed-form bounds show that single dominators together give enough evidence."""
    total, found = -np.inf, find_dominators(means, arm, size, work)
    faint = enough - np.log(found + 1.0) - FAINT
    for g in range(found):
        if _most_of_ratios(information, means, arm, work.listed[g]) > faint:
            total = log_sum(total, cheap_addition(rule, information, means, arm, work.listed[g]))
            if total >= enough:
                return True
    return False


@part
def _strongest_first(work, size):
    """Sort the dominators by the evidence of each alone, in decreasing order."""
    for g in range(1, size):
        arm, evidence, index = work.listed[g], work.levels[g], g
        while index > 0 and work.levels[index - 1] < evidence:
            work.listed[index] = work.listed[index - 1]
            work.levels[index] = work.levels[index - 1]
            index -= 1
        work.listed[index], work.levels[index] = arm, evidence


@kernel
def write_additions(rule, information, means, arm, size, work):
    """Write the evidence against ``arm`` being optimal: of single dominators, then of groups."""
    found = find_dominators(means, arm, size, work)
    total = -np.inf
    for g in range(found):
        rival, high = work.listed[g], work.search.members[0]
        work.levels[g] = log_single_addition(rule, information, means, arm, rival, high)
        total = log_sum(total, work.levels[g])
    work.group_sizes[arm] = found
    work.additions[arm, 0] = total
    if not rule.joint or found < 2:
        return
    _strongest_first(work, found)
    for index in range(1, _n_groups(rule, found)):
        total = -np.inf
        for s in range(rule.scales.shape[0]):
            bets = Bets(rule.scales[s], rule.added, rule.front)
            size = group_size(index, found)
            level = least_over_assignments(
                information, means, arm, work.listed, size, bets, work.search
            )
            total = log_sum(total, rule.log_weights[s] + level)
        work.additions[arm, index] = total


@part
def log_share(rule, size, others):
    """Logarithm of the share of one group of this size, among all groups of ``others`` arms."""
    if not rule.joint:
        return -np.log(others)
    subsets = rule.log_factorials[others] - rule.log_factorials[size]
    subsets -= rule.log_factorials[others - size]
    return -np.log(size) - rule.log_harmonics[others] - subsets


@kernel
def log_addition(rule, arm, others, work):
    """Ln Y_k: evidence against ``arm`` being one of ``others`` + 1 optimal arms."""
    found = work.group_sizes[arm]
    if found == 0 or others < 1:
        return -np.inf
    total = log_share(rule, 1, others) + work.additions[arm, 0]
    for index in range(1, _n_groups(rule, found)):
        size = group_size(index, found)
        if size <= others:  # larger groups exist only after a wrong statement
            total = log_sum(total, log_share(rule, size, others) + work.additions[arm, index])
    return total
