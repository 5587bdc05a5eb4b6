r"""Stopping rules with a proof.

For every set of means :math:`\lambda` there is a martingale :math:`M^\lambda`, fixed before the
data, that bets against :math:`\lambda` in each way in which an answer can be wrong for it. An
answer is proven when the martingales of all :math:`\lambda` with a different answer are large:
:math:`M^\lambda\ge1/\delta`. The theorems are in the appendix *Proofs*. This module computes
lower bounds on :math:`\ln M^\lambda` over all :math:`\lambda` with a different answer, from counts
and empirical means alone.
"""

from typing import NamedTuple

import numpy as np
import scipy  # its parts are imported when they are used

from pareto_core.compiling.kernels import kernel, part
from pareto_core.confidence.assignments import Search, allocate_search
from pareto_core.confidence.cheap_evidence import CLEAR, cheap_addition, cheap_removal
from pareto_core.confidence.statement_evidence import (
    find_dominators,
    log_addition,
    log_removal,
    log_share,
    log_sum,
    write_additions,
)

JOINT, PAIRS = "joint", "pairs"
RULES = (JOINT, PAIRS)
SCALES = (1 / 16, 1 / 256)  # variances of the shifts, each with the same weight
ADDITIONS = 0.7  # share of the martingale; removals get 1 - ADDITIONS
REMOVAL, ADDED, FRONT = 0.9, 0.9, 0.75  # masses of the shifts: see `Rule`
MOST_SIZES = 40  # number of group sizes: 1, 2, 4, ...
CLEAR_CASE = -1  # instead of a number of dominators: one dominator alone gives enough evidence


class Rule(NamedTuple):
    """Shares of a martingale and parameters of its bets."""

    joint: bool  # whether bets multiply over objectives, whose noise must be independent
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
    """Work arrays of a rule, and the case with the least evidence."""

    front: np.ndarray  # (K,) arms of the answer come first
    optimal: np.ndarray  # (K,) whether an arm is in the answer
    dominators: np.ndarray  # (K,) arms of the front that dominate the arm in question
    single: np.ndarray  # (K,) evidence of each dominator alone
    additions: np.ndarray  # (K, sizes) evidence of groups of 1, 2, 4, ... and all dominators
    group_sizes: np.ndarray  # (K,) number of dominators, or CLEAR_CASE
    weak: np.ndarray  # (K,) evidence against arms whose evidence alone is below the bar
    weakest: np.ndarray  # (2,) arm, and its rival or -1, of the case with the least evidence
    search: Search


def make_rule(name, log_needed, n_arms):
    """Rule of this name for ``n_arms`` arms, at an error probability of exp(-log_needed)."""
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
def sum_of_least(values, size, number):
    """Ln of the sum of the ``number`` smallest of e^values[:size]; overwrites these values."""
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
    """Minimum of ``bar`` and the evidence that no further arms are optimal, however many."""
    n_arms = work.optimal.shape[0]
    for more in range(1, n_arms - size + 1):
        share = np.log(rule.additions / (size + more))
        weak, weakest, least = 0, -1, np.inf
        for k in range(n_arms):
            if not work.optimal[k] and work.group_sizes[k] != CLEAR_CASE:
                evidence = log_addition(rule, k, size + more - 1, work)
                if evidence < least:
                    weakest, least = k, evidence
                if share + evidence < bar:
                    work.weak[weak] = evidence
                    weak += 1
        if weak >= more:
            evidence = share + sum_of_least(work.weak, weak, more)
            if evidence < bar:
                bar = evidence
                work.weakest[0], work.weakest[1] = weakest, -1
    return bar


@part
def removal_share(rule, n_arms, size):
    """Ln of the share with which each arm of an answer of this size bets on being dominated."""
    return np.log(rule.removals / (n_arms - max(1, size - 1)))


@part
def clear_level(enough):
    """Level that closed-form bounds must reach; infinite if the exact evidence is required."""
    return enough + CLEAR if enough > -np.inf else np.inf


@kernel
def removal_evidence(rule, information, means, raised, size, enough, work):
    """Evidence that no arm of the answer is dominated; stops once it is below ``enough``.

    Parameters
    ----------
    rule : Rule
    information, means : ndarray, shape (K + raised, d)
    raised : int
        See `weakest_evidence`.
    size : int
        Number of arms of the answer, the first entries of ``work.front``.
    enough : float
        See `log_evidence`.
    work : Work
        Modified in place: ``weakest``.
    """
    n_arms = means.shape[0] - raised
    share = removal_share(rule, n_arms, size)
    clear = clear_level(enough)
    least = np.inf
    for f in range(size):
        arm = work.front[f]
        for j in range(n_arms):
            if j != arm and least >= enough:
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
def weakest_evidence(rule, information, means, raised, size, work):
    """Evidence in the case that was weakest last time; infinite if the case no longer exists.

    Parameters
    ----------
    rule : Rule
    information, means : ndarray, shape (K + raised, d)
    raised : int
        Number of rows after those of the arms: K if row K + k is arm k raised by an accuracy (see
        `accuracy_evidence`) and compared with its rivals in that form; otherwise 0.
    size : int
        Number of arms of the answer, the first entries of ``work.front``.
    work : Work
        Modified in place.
    """
    arm, rival = work.weakest[0], work.weakest[1]
    if arm < 0 or work.optimal[arm] != (rival >= 0):
        return np.inf
    if rival >= 0:
        share = removal_share(rule, means.shape[0] - raised, size)
        high = work.search.members[0]
        return share + log_removal(rule, information, means, raised + arm, rival, high)
    write_additions(rule, information, means, arm, size, work)
    return np.log(rule.additions / (size + 1.0)) + log_addition(rule, arm, size, work)


@kernel
def is_clear(rule, information, means, n_arms, arm, size, enough, work):
    """Whether one dominator alone gives enough evidence, however many arms may be optimal.

    Parameters
    ----------
    rule : Rule
    information, means : ndarray, shape (K, d), or with further rows
    n_arms, arm : int
    size : int
        Number of arms of the answer, the first entries of ``work.front``.
    enough : float
        See `log_evidence`.
    work : Work
        Modified in place.
    """
    share = np.log(rule.additions / n_arms) + log_share(rule, 1, n_arms - 1)
    needed = clear_level(enough) - share
    if needed == np.inf:
        return False
    for g in range(find_dominators(means, arm, size, work)):
        if cheap_addition(rule, information, means, arm, work.dominators[g]) >= needed:
            return True
    return False


@kernel
def log_evidence(rule, information, means, size, enough, work):
    """Lower bound on ln M over all means with a different Pareto set.

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
        The search stops as soon as the evidence is known to be below this level; it then returns
        a number below the level, which may exceed the bound. Clear cases are bounded in closed
        form, unless ``enough`` is minus infinity.
    work : Work
        Modified in place; ``weakest`` is the case with the least evidence.

    Returns
    -------
    float
        In nats.
    """
    weakest = weakest_evidence(rule, information, means, 0, size, work)
    if weakest < enough:
        return weakest
    least = removal_evidence(rule, information, means, 0, size, enough, work)
    if least < enough:
        return least
    for k in range(means.shape[0]):
        if work.optimal[k]:
            continue
        if is_clear(rule, information, means, means.shape[0], k, size, enough, work):
            work.group_sizes[k] = CLEAR_CASE
            least = min(least, clear_level(enough))
        else:
            write_additions(rule, information, means, k, size, work)
    return _addition_evidence(rule, size, least, work)
