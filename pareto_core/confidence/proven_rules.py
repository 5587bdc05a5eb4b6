r"""Stopping rules with a proof.

For every set of means :math:`\lambda` there is a martingale :math:`M^\lambda`, chosen before any
data are seen, that bets against :math:`\lambda` in the ways in which a wrong answer to it comes
about. An answer is proven when every :math:`\lambda` with another one has lost its bet:
:math:`M^\lambda\ge1/\delta`. The appendix *Proofs* has the theorems. Here are lower bounds of
:math:`\ln M^\lambda` over all :math:`\lambda` with another answer, from counts and empirical
means alone.
"""

from typing import NamedTuple

import numpy as np
import scipy  # its parts are imported when they are used

from pareto_core.compiling.kernels import kernel, part
from pareto_core.confidence.assignments import Search, allocate_search, least_evidence
from pareto_core.confidence.cheap_evidence import CLEAR, cheap_addition, cheap_removal
from pareto_core.confidence.mixtures import Bets, log_infimum

JOINT, PAIRS = "joint", "pairs"
RULES = (JOINT, PAIRS)
SCALES = (1 / 16, 1 / 256)  # variances of the shifts, each with the same weight
ADDITIONS = 0.7  # of the martingale; removals get the rest
REMOVAL, ADDED, FRONT = 0.9, 0.9, 0.75  # masses of the shifts: see `Rule`
MOST_SIZES = 40  # of groups: 1, 2, 4, ...
NOT_ASKED = -1  # in place of a number of dominators: one of them gives evidence enough


class Rule(NamedTuple):
    """How much of a martingale bets on what."""

    joint: bool  # on several objectives of an arm at once, which must be independent
    log_needed: float  # ln(1 / delta)
    additions: float  # share of the martingale that bets on arms that the answer lacks
    removals: float  # share that bets on arms that it should not have
    scales: np.ndarray  # (S,)
    log_weights: np.ndarray  # (S,) of the scales
    removal: float  # mass of the shifts of two arms of which one is said not to be dominated
    added: float  # mass of those of an arm that is said to be dominated
    front: float  # mass of those of the arms that dominate it
    log_factorials: np.ndarray  # (K + 1,)
    log_harmonics: np.ndarray  # (K + 1,) ln(1 + 1/2 + ... + 1/n)


class Work(NamedTuple):
    """Arrays that the rule works with, and what it has found."""

    front: np.ndarray  # (K,) arms said to be optimal come first
    optimal: np.ndarray  # (K,) whether an arm is one of them
    dominators: np.ndarray  # (K,) arms of the front that dominate the arm in question
    single: np.ndarray  # (K,) evidence that each of them alone gives
    additions: np.ndarray  # (K, sizes) evidence of groups of 1, 2, 4, ... and all dominators
    group_sizes: np.ndarray  # (K,) number of dominators, or NOT_ASKED
    weak: np.ndarray  # (K,) evidence for arms for which there is not enough alone
    blamed: np.ndarray  # (2,) arm, and its rival or -1, that lacked evidence when last looked at
    search: Search


def make_rule(name, log_needed, n_arms):
    """Rule of this name for so many arms, at a risk of exp(-log_needed)."""
    numbers = np.arange(n_arms + 1)
    harmonics = np.concatenate([[1.0], np.cumsum(1 / numbers[1:])])
    return Rule(
        name == JOINT,
        float(log_needed),
        ADDITIONS,
        1.0 - ADDITIONS,
        np.array(SCALES),
        np.full(len(SCALES), -np.log(len(SCALES))),
        REMOVAL,
        ADDED,
        FRONT,
        scipy.special.gammaln(numbers + 1.0),
        np.log(harmonics),
    )


def allocate_work(n_arms, n_objectives):
    """Allocate a `Work`."""
    sizes = min(MOST_SIZES, int(np.ceil(np.log2(n_arms))) + 2)
    return Work(
        np.zeros(n_arms, np.int64),
        np.zeros(n_arms, np.bool_),
        np.zeros(n_arms, np.int64),
        np.zeros(n_arms),
        np.zeros((n_arms, sizes)),
        np.zeros(n_arms, np.int64),
        np.zeros(n_arms),
        np.full(2, -1),
        allocate_search(n_arms, n_objectives),
    )


@part
def log_sum(first, second):
    """ln(e^first + e^second)."""
    larger = max(first, second)
    if larger == -np.inf:
        return -np.inf
    return larger + np.log1p(np.exp(min(first, second) - larger))


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
def log_lead(rule, information, means, arm, rival, c, high):
    """Evidence that the arm is better than its rival in objective c."""
    total = -np.inf
    high[0] = arm
    for s in range(rule.scales.shape[0]):
        bets = Bets(rule.scales[s], rule.removal, rule.removal)
        level, _ = log_infimum(information, means, c, rival, high, 1, bets)
        total = log_sum(total, rule.log_weights[s] + level)
    return total


@kernel
def log_removal(rule, information, means, arm, rival, high):
    """Ln R(k, j): evidence that the arm j does not dominate the arm k."""
    total = -np.inf
    for s in range(rule.scales.shape[0]):
        level = _removal_at_scale(rule, information, means, arm, rival, s, high)
        total = log_sum(total, rule.log_weights[s] + level)
    return total


@part
def group_size(place, n_dominators):
    """Number of arms in the group of this place: 1, 2, 4, ... and all that dominate."""
    return min(2**place, n_dominators)


@part
def _places(rule, n_dominators):
    """How many groups there are."""
    place = 0
    if rule.joint and n_dominators > 0:
        while 2**place < n_dominators:
            place += 1
    return place + (n_dominators > 0)


@kernel
def _single_addition(rule, information, means, arm, rival, high):
    """Evidence that ``rival`` alone gives against ``arm`` being optimal."""
    least = np.inf
    high[0] = rival
    for c in range(means.shape[1]):
        total = -np.inf
        for s in range(rule.scales.shape[0]):
            bets = Bets(rule.scales[s], rule.added, rule.front)
            level, _ = log_infimum(information, means, c, arm, high, 1, bets)
            total = log_sum(total, rule.log_weights[s] + level)
        least = min(least, total)
    return least


@kernel
def _find_dominators(means, arm, size, work):
    """Other arms of ``work.front[:size]`` that are at least as good as ``arm`` everywhere."""
    found = 0
    for f in range(size):
        i = work.front[f]
        if i == arm:
            continue
        for c in range(means.shape[1]):
            if means[i, c] < means[arm, c]:
                break
        else:
            work.dominators[found] = i
            found += 1
    return found


@part
def _strongest_first(work, size):
    """Sort the dominators by the evidence that each alone gives."""
    for g in range(1, size):
        arm, evidence, place = work.dominators[g], work.single[g], g
        while place > 0 and work.single[place - 1] < evidence:
            work.dominators[place] = work.dominators[place - 1]
            work.single[place] = work.single[place - 1]
            place -= 1
        work.dominators[place], work.single[place] = arm, evidence


@kernel
def write_additions(rule, information, means, arm, size, work):
    """Evidence that the arms of ``work.front[:size]`` give against ``arm`` being optimal.

    The first number is for single arms, all together; the others are each for one group, of
    the strongest dominators.
    """
    found = _find_dominators(means, arm, size, work)
    total = -np.inf
    for g in range(found):
        rival = work.dominators[g]
        high = work.search.members[0]
        work.single[g] = _single_addition(rule, information, means, arm, rival, high)
        total = log_sum(total, work.single[g])
    work.group_sizes[arm] = found
    work.additions[arm, 0] = total
    if not rule.joint or found < 2:
        return
    _strongest_first(work, found)
    for place in range(1, _places(rule, found)):
        total = -np.inf
        for s in range(rule.scales.shape[0]):
            bets = Bets(rule.scales[s], rule.added, rule.front)
            size = group_size(place, found)
            level = least_evidence(
                information, means, arm, work.dominators, size, bets, work.search
            )
            total = log_sum(total, rule.log_weights[s] + level)
        work.additions[arm, place] = total


@part
def log_share(rule, size, others):
    """Logarithm of what a group of this size gets, of all groups among so many other arms."""
    if not rule.joint:
        return -np.log(others)
    subsets = rule.log_factorials[others] - rule.log_factorials[size]
    subsets -= rule.log_factorials[others - size]
    return -np.log(size) - rule.log_harmonics[others] - subsets


@kernel
def log_addition(rule, arm, others, work):
    """Ln Y_k: evidence against ``arm`` being one of ``others`` + 1 optimal arms."""
    found = work.group_sizes[arm]
    if found == 0:
        return -np.inf
    total = log_share(rule, 1, others) + work.additions[arm, 0]
    for place in range(1, _places(rule, found)):
        share = log_share(rule, group_size(place, found), others)
        total = log_sum(total, share + work.additions[arm, place])
    return total


@part
def _sum_of_least(values, size, number):
    """Ln of the sum of the ``number`` smallest of e^values[:size], which are used up."""
    total = -np.inf
    for _ in range(number):
        least = 0
        for k in range(1, size):
            if values[k] < values[least]:
                least = k
        total = log_sum(total, values[least])
        values[least] = np.inf
    return total


@kernel
def _addition_evidence(rule, size, bar, work):
    """Evidence that no number of further arms is optimal, if it is below ``bar``."""
    n_arms = work.optimal.shape[0]
    for more in range(1, n_arms - size + 1):
        share = np.log(rule.additions / (size + more))
        weak, weakest, least = 0, -1, np.inf
        for k in range(n_arms):
            if not work.optimal[k] and work.group_sizes[k] != NOT_ASKED:
                evidence = log_addition(rule, k, size + more - 1, work)
                if evidence < least:
                    weakest, least = k, evidence
                if share + evidence < bar:
                    work.weak[weak] = evidence
                    weak += 1
        if weak >= more:
            evidence = share + _sum_of_least(work.weak, weak, more)
            if evidence < bar:
                bar = evidence
                work.blamed[0], work.blamed[1] = weakest, -1
    return bar


@part
def removal_share(rule, n_arms, size):
    """Ln of what each arm of an answer of this size gets to bet against its being dominated."""
    return np.log(rule.removals / (n_arms - max(1, size - 1)))


@part
def _clear(enough):
    """What bounds in closed form must reach; infinite where all is to be known exactly."""
    return enough + CLEAR if enough > -np.inf else np.inf


@kernel
def _removal_evidence(rule, information, means, size, enough, work):
    """Evidence that no arm of the answer is dominated; less than all once below ``enough``."""
    n_arms = means.shape[0]
    share = removal_share(rule, n_arms, size)
    clear = _clear(enough)
    least = np.inf
    for f in range(size):
        arm = work.front[f]
        for j in range(n_arms):
            if j != arm and least >= enough:
                if share + cheap_removal(rule, information, means, arm, j) >= clear:
                    least = min(least, clear)
                    continue
                high = work.search.members[0]
                evidence = share + log_removal(rule, information, means, arm, j, high)
                if evidence < least:
                    least = evidence
                    work.blamed[0], work.blamed[1] = arm, j
    return least


@kernel
def _blamed_evidence(rule, information, means, size, work):
    """Evidence in the case that lacked it most when last looked at; infinite if it is gone."""
    arm, rival = work.blamed[0], work.blamed[1]
    if arm < 0 or work.optimal[arm] != (rival >= 0):
        return np.inf
    if rival >= 0:
        share = removal_share(rule, means.shape[0], size)
        return share + log_removal(rule, information, means, arm, rival, work.search.members[0])
    write_additions(rule, information, means, arm, size, work)
    return np.log(rule.additions / (size + 1.0)) + log_addition(rule, arm, size, work)


@kernel
def _is_clear(rule, information, means, arm, size, enough, work):
    """Whether a single dominator gives enough, however many arms may be optimal."""
    n_arms = means.shape[0]
    share = np.log(rule.additions / n_arms) + log_share(rule, 1, n_arms - 1)
    needed = _clear(enough) - share
    if needed == np.inf:
        return False
    for g in range(_find_dominators(means, arm, size, work)):
        if cheap_addition(rule, information, means, arm, work.dominators[g]) >= needed:
            return True
    return False


@kernel
def log_evidence(rule, information, means, size, enough, work):
    """Lower bound of ln M over all means with another Pareto set than these.

    Parameters
    ----------
    rule : Rule
        How the martingales bet.
    information : ndarray, shape (K, d)
        Samples over the variance of the noise.
    means : ndarray, shape (K, d)
        Empirical means.
    size : int
        Number of Pareto optimal arms, the first of ``work.front``; ``work.optimal`` marks them.
    enough : float
        Once the evidence turns out to be less, it is not looked further: what is returned then
        is less too, and may be more than the bound. What is clearly more is bounded in closed
        form, unless this is minus infinity.
    work : Work
        Scratch; ``blamed`` tells which arm lacks evidence most, and against which.

    Returns
    -------
    float
        In nats.
    """
    blamed = _blamed_evidence(rule, information, means, size, work)
    if blamed < enough:
        return blamed
    least = _removal_evidence(rule, information, means, size, enough, work)
    if least < enough:
        return least
    for k in range(means.shape[0]):
        if work.optimal[k]:
            continue
        if _is_clear(rule, information, means, k, size, enough, work):
            work.group_sizes[k] = NOT_ASKED
            least = min(least, _clear(enough))
        else:
            write_additions(rule, information, means, k, size, work)
    return _addition_evidence(rule, size, least, work)
