r"""Stopping rules with a proof.

For every set of means :math:`\lambda` there is a martingale :math:`M^\lambda`, fixed before the
data, that bets against :math:`\lambda` in each way in which an answer can be wrong for it. An
answer is proven when the martingales of all :math:`\lambda` with a different answer are large:
:math:`M^\lambda\ge1/\delta`. The theorems are in the appendix *Proofs*. `least_evidence` is a
lower bound on :math:`\ln M^\lambda` over all :math:`\lambda` with a different answer, from counts
and empirical means alone. A search stops as soon as the evidence is known to be below the level
``enough``, and bounds clear cases in closed form unless this level is minus infinity. Rules differ
in their shares and in their rows:

* The answer is the Pareto set (Theorems 2 and 3): the rows are the arms.
* It is right up to an accuracy :math:`\varepsilon` (Theorem 11): the martingales bet on *beaten*
  arms instead of dominated ones (see `accuracy`), so that a rival must exceed an arm that is raised
  by :math:`\varepsilon`. There are two rows for each of K arms: row k is arm k, and row K + k is
  arm k raised by :math:`\varepsilon`. The number ``raised`` is K then, and otherwise 0.
* It is about the arms that remain (Section 14): the martingale bets on every pair (k, j) in which
  j dominates k, of which there are at most K(K-1)/2, and, for every arm k, on sets of arms none
  of which dominates k. It does not depend on the set of remaining arms, which may therefore be
  chosen from the data.
"""

from typing import NamedTuple

import numpy as np
import scipy  # its parts are imported when they are used

from pareto_core.compiling.kernels import kernel, part
from pareto_core.confidence.assignments import Search, allocate_search
from pareto_core.confidence.statement_evidence import (
    CLEAR,
    are_clear_additions,
    cheap_removal,
    log_addition,
    log_removal,
    log_share,
    log_sum,
    write_additions,
)

JOINT, PAIRS = "joint", "pairs"
RULES = (JOINT, PAIRS)
SUBSET_RULES = {"joint_subsets": JOINT, "pairs_subsets": PAIRS}  # and how they bet
SCALES = (1 / 16, 1 / 256)  # variances of the shifts, each with the same weight
ADDITIONS = 0.7  # share of the martingale; removals get 1 - ADDITIONS
REMOVAL, ADDED, FRONT = 0.9, 0.9, 0.75  # masses of the shifts: see `Rule`
MOST_SIZES = 40  # number of group sizes: 1, 2, 4, ...
CLEAR_CASE = -1  # instead of a number of dominators: single ones clearly give enough evidence


class Rule(NamedTuple):
    """Shares of a martingale and parameters of its bets."""

    joint: bool  # whether bets multiply over objectives, whose noise must be independent
    subsets: bool  # whether the martingale is the same for every set of remaining arms
    log_needed: float  # ln(1 / delta)
    additions: float  # share of the bets on optimal arms that are missing from the answer
    removals: float  # share of the bets on dominated arms that are in the answer
    scales: np.ndarray  # (S,) variances of the shifts
    log_weights: np.ndarray  # (S,) logarithms of the weights of the scales
    removal: float  # mass of the shifts of both arms of a removal
    added: float  # mass of the shifts of the arm of an addition
    front: float  # mass of the shifts of the arms that dominate it
    log_factorials: np.ndarray  # (K + 1,)
    log_harmonics: np.ndarray  # (K + 1,) ln(1 + 1/2 + ... + 1/n)


class Work(NamedTuple):
    """Work arrays of a rule for R rows, and the case with the least evidence."""

    front: np.ndarray  # (R,) arms of the answer come first
    optimal: np.ndarray  # (R,) whether an arm is in the answer
    remaining: np.ndarray  # (R,) whether the question is about an arm
    listed: np.ndarray  # (R,) dominators of an arm, the strongest first, or the weakest arms
    levels: np.ndarray  # (R,) evidence of each dominator alone, or against each of these arms
    additions: np.ndarray  # (R, sizes) evidence of groups of 1, 2, 4, ... and all dominators
    group_sizes: np.ndarray  # (R,) number of dominators, or CLEAR_CASE
    weakest: np.ndarray  # (2,) arm, and its rival or -1, of the case with the least evidence
    search: Search


def make_rule(name, log_needed, n_arms, subsets=False):
    """Rule of this name for ``n_arms`` arms, at an error probability of exp(-log_needed)."""
    numbers = np.arange(n_arms + 1)
    harmonics = np.concatenate([[1.0], np.cumsum(1 / numbers[1:])])
    return Rule(
        name == JOINT,
        subsets,
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


def allocate_work(n_rows, n_objectives):
    """Allocate a `Work` with all arms remaining."""
    sizes = min(MOST_SIZES, int(np.ceil(np.log2(n_rows))) + 2)
    return Work(
        np.zeros(n_rows, np.int64),
        np.zeros(n_rows, np.bool_),
        np.ones(n_rows, np.bool_),
        np.zeros(n_rows, np.int64),
        np.zeros(n_rows),
        np.zeros((n_rows, sizes)),
        np.zeros(n_rows, np.int64),
        np.full(2, -1),
        allocate_search(n_rows, n_objectives),
    )


@part
def removal_share(rule, n_arms, known):
    """Ln of the share of one bet on a dominated arm, if ``known`` other arms are optimal."""
    if rule.subsets:
        return np.log(rule.removals / (0.5 * n_arms * (n_arms - 1)))
    return np.log(rule.removals / (n_arms - max(1, known)))


@part
def addition_share(rule, others):
    """Ln of the share of the bets on an arm that is optimal beside ``others``."""
    return np.log(rule.additions / (others + 1.0))


@part
def _others(rule, n_arms, others):
    """Number of arms that may be optimal beside an arm: all, whatever arms remain."""
    return n_arms - 1 if rule.subsets else others


@part
def _may_be_missing(work, arm):
    """Whether the question is about an arm that is not in the answer."""
    return work.remaining[arm] and not work.optimal[arm]


@part
def _clear_level(enough):
    """Level that closed-form bounds must reach; infinite if the exact evidence is required."""
    return enough + CLEAR if enough > -np.inf else np.inf


@kernel
def _weakest_evidence(rule, information, means, raised, size, work):
    """Evidence in the case that was weakest last time; infinite if the case no longer exists."""
    n_arms = means.shape[0] - raised
    arm, rival = work.weakest[0], work.weakest[1]
    if arm < 0 or not work.remaining[arm] or work.optimal[arm] != (rival >= 0):
        return np.inf
    if rival < 0:
        others = _others(rule, n_arms, size)
        write_additions(rule, information, means, arm, size, work)
        return addition_share(rule, others) + log_addition(rule, arm, others, work)
    if rule.subsets and not work.optimal[rival]:
        return np.inf
    high = work.search.members[0]
    evidence = log_removal(rule, information, means, raised + arm, rival, high)
    return removal_share(rule, n_arms, size - 1) + evidence


@kernel
def _removal_evidence(rule, information, means, raised, size, enough, work):
    """Evidence that no arm of the answer is dominated; stops once it is below ``enough``.

    If every arm outside of the answer is dominated by a remaining arm, it is enough for subsets
    that no arm of the answer dominates a different one.
    """
    n_arms = means.shape[0] - raised
    share = removal_share(rule, n_arms, size - 1)
    clear, least = _clear_level(enough), np.inf
    for f in range(size):
        arm = work.front[f]
        for j in range(n_arms):
            if j == arm or least < enough or (rule.subsets and not work.optimal[j]):
                continue
            if share + cheap_removal(rule, information, means, raised + arm, j) >= clear:
                least = min(least, clear)
                continue
            high = work.search.members[0]
            evidence = share + log_removal(rule, information, means, raised + arm, j, high)
            if evidence < least:
                least = evidence
                work.weakest[0], work.weakest[1] = arm, j
    return least


@kernel
def _write_raised_additions(rule, information, means, raised, size, work):
    """Write the evidence against the raised arms that are not in the answer."""
    for k in range(raised):
        if not work.optimal[k]:
            write_additions(rule, information, means, raised + k, size, work)


@kernel
def _sort_weak(rule, raised, n_arms, others, bar, work):
    """List the arms with raised evidence below the bar, the weakest first; return their number."""
    share, found = addition_share(rule, others), 0
    for k in range(n_arms):
        if _may_be_missing(work, k) and work.group_sizes[raised + k] != CLEAR_CASE:
            evidence, index = log_addition(rule, raised + k, others, work), found
            if share + evidence < bar:
                while index > 0 and work.levels[index - 1] > evidence:
                    work.levels[index] = work.levels[index - 1]
                    work.listed[index] = work.listed[index - 1]
                    index -= 1
                work.levels[index], work.listed[index] = evidence, k
                found += 1
    return found


@part
def _with_weakest_others(evidence, arm, number, found, work):
    """Ln of the sum of e^evidence and of e^level of the ``number`` weakest other arms listed."""
    for w in range(found):
        if number > 0 and work.listed[w] != arm:
            evidence = log_sum(evidence, work.levels[w])
            number -= 1
    return evidence if number == 0 else np.inf


@kernel
def _addition_evidence(rule, information, means, raised, size, bar, enough, work):
    """Minimum of ``bar`` and the evidence that no optimal arm is missing.

    If ``more`` further arms are not beaten, one of them is optimal, and its evidence counts in
    full; that of the others is the evidence of raised arms. Without an accuracy both are the same,
    so that the weakest arm and others are the only case. For subsets one arm decides. Searches
    that have more cases stop below ``enough``.
    """
    n_arms = means.shape[0] - raised
    is_written = raised == 0
    most = 1 if rule.subsets else n_arms - size
    for more in range(1, most + 1):
        others, found = _others(rule, n_arms, size + more - 1), -1
        share = addition_share(rule, others)
        for k in range(n_arms):
            if not _may_be_missing(work, k) or work.group_sizes[k] == CLEAR_CASE:
                continue
            evidence = log_addition(rule, k, others, work)
            if more > 1 and share + evidence < bar:
                if not is_written:
                    _write_raised_additions(rule, information, means, raised, size, work)
                    is_written = True
                if found < 0:
                    found = _sort_weak(rule, raised, n_arms, others, bar, work)
                if raised == 0 and k != work.listed[0]:
                    continue
                evidence = _with_weakest_others(evidence, k, more - 1, found, work)
            if share + evidence < bar:
                bar = share + evidence
                work.weakest[0], work.weakest[1] = k, -1
                if bar < enough and (raised > 0 or rule.subsets):
                    return bar
    return bar


@kernel
def least_evidence(rule, information, means, raised, size, enough, work):
    """Lower bound on ln M over all means for which the answer is wrong, or one below `enough`."""
    weakest = _weakest_evidence(rule, information, means, raised, size, work)
    if weakest < enough:
        return weakest
    least = _removal_evidence(rule, information, means, raised, size, enough, work)
    if least < enough:
        return least
    n_arms = means.shape[0] - raised
    share = addition_share(rule, n_arms - 1) + log_share(rule, 1, n_arms - 1)
    clear = _clear_level(enough) - share
    for k in range(n_arms):
        if not _may_be_missing(work, k):
            continue
        if clear < np.inf and are_clear_additions(rule, information, means, k, size, clear, work):
            work.group_sizes[k] = CLEAR_CASE
            least = min(least, _clear_level(enough))
        else:
            write_additions(rule, information, means, k, size, work)
    return _addition_evidence(rule, information, means, raised, size, least, enough, work)
