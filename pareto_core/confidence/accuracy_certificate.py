"""Anytime-valid statements about each arm up to an accuracy, under any sampling.

The arrays of data have two rows for each arm; see `accuracy_evidence`.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import kernel
from pareto_core.confidence.accuracy_evidence import (
    LEFT_OUT,
    log_accurate_evidence,
    write_raised,
    write_unbeaten,
)
from pareto_core.confidence.proven_rules import Rule, allocate_work
from pareto_core.confidence.statement_evidence import (
    log_addition,
    log_removal,
    log_sum,
    write_additions,
)

EXACT_SHARE = 0.5  # of the bets on dominated arms, for all of them and not only for beaten ones


class AccurateRules(NamedTuple):
    """How the martingale bets."""

    exact: Rule  # on dominated arms
    near: Rule  # on beaten arms, and on arms that are not beaten against those not beaten
    anyone: Rule  # on arms that are not beaten, against any other arm


class Marks(NamedTuple):
    """What is certain about each arm, shape (K,) of bool."""

    optimal: np.ndarray
    dominated: np.ndarray
    unbeaten: np.ndarray
    beaten: np.ndarray


class AccurateStatements:
    """The statements of a `Certificate` with an accuracy.

    Parameters
    ----------
    own, anyone : Rule
        Bets of the certificate without an accuracy.
    epsilon : ndarray, shape (d,)
        In the unit of the means as the caller states them.
    n_arms : int
    """

    def __init__(self, own, anyone, epsilon, n_arms):
        self._rules = AccurateRules(
            own._replace(removals=EXACT_SHARE * own.removals),
            own._replace(removals=(1 - EXACT_SHARE) * own.removals),
            anyone,
        )
        self._epsilon = epsilon
        self._work = allocate_work(2 * n_arms, epsilon.size)
        self._rivals = np.full((2, n_arms), -1)
        self.marks = Marks(*np.zeros((4, n_arms), np.bool_))

    def update(self, information, means, unit):
        """Update the statements; return whether they contradict each other.

        Parameters
        ----------
        information : ndarray, shape (K, d)
        means : ndarray, shape (K, d)
            Divided by ``unit``.
        unit : ndarray, shape (d,)
        """
        information, means = np.tile(information, (2, 1)), np.tile(means, (2, 1))
        epsilon = self._epsilon / unit
        write_raised(epsilon, information, means)
        certify_accurately(
            self._rules,
            information,
            means,
            LEFT_OUT * epsilon,
            self.marks,
            self._rivals,
            self._work,
        )
        optimal, dominated, unbeaten, beaten = self.marks
        return bool((optimal & dominated).any() or (unbeaten & beaten).any())


@kernel
def _has_no_rival(rule, information, means, raised, arm, needed, rivals, work):
    """Whether certainly no other arm exceeds an arm, or the raised arm.

    Parameters
    ----------
    rule : Rule
    information, means : ndarray, shape (2 K, d)
    raised : int
        K to compare with the raised arm, or 0.
    arm : int
    needed : float
        Evidence that is enough, in nats.
    rivals : ndarray of int, shape (K,)
        Modified in place: a rival that may exceed the arm, which is examined first next time.
    work : Work
        Modified in place.
    """
    high = work.search.members[0]
    row, last = raised + arm, rivals[arm]
    if last >= 0 and log_removal(rule, information, means, row, last, high) < needed:
        return False
    for j in range(means.shape[0] // 2):
        if j != arm and log_removal(rule, information, means, row, j, high) < needed:
            rivals[arm] = j
            return False
    return True


@kernel
def _mark_without_rivals(rule, information, means, raised, marked, rivals, work):
    """Mark the arms that certainly no arm exceeds; return whether there are new ones.

    Parameters
    ----------
    rule : Rule
    information, means : ndarray, shape (2 K, d)
    raised : int
        See `_has_no_rival`.
    marked : ndarray of bool, shape (K,)
        Modified in place.
    rivals : ndarray of int, shape (K,)
        Modified in place.
    work : Work
        Modified in place.
    """
    n_arms = marked.shape[0]
    needed = rule.log_needed + np.log((n_arms - max(1, marked.sum())) / rule.removals)
    changed = False
    for k in range(n_arms):
        if not marked[k]:
            if _has_no_rival(rule, information, means, raised, k, needed, rivals, work):
                marked[k] = True
                changed = True
    return changed


@kernel
def _is_refuted(rules, information, means, row, arm, marks, work):
    """Whether ``arm`` is certainly dominated; beaten, if ``row`` is that of the raised arm.

    Parameters
    ----------
    rules : AccurateRules
    information, means : ndarray, shape (2 K, d)
    row, arm : int
    marks : Marks
    work : Work
        Modified in place.
    """
    n_arms = marks.optimal.shape[0]
    possible = n_arms - marks.beaten.sum()
    total = -np.inf
    for known in (True, False):
        size = 0
        for i in range(n_arms):
            if i != arm and (marks.unbeaten[i] or not known):
                work.front[size] = i
                size += 1
        rule, others = (rules.near, possible - 1) if known else (rules.anyone, n_arms - 1)
        write_additions(rule, information, means, row, size, work)
        share = np.log(rule.additions / possible)
        total = log_sum(total, share + log_addition(rule, row, others, work))
    return total >= rules.near.log_needed


@kernel
def _mark_refuted(rules, information, means, marks, work):
    """Mark the arms that are certainly dominated or beaten; return whether there are new ones.

    Parameters
    ----------
    rules : AccurateRules
    information, means : ndarray, shape (2 K, d)
    marks : Marks
        Modified in place.
    work : Work
        Modified in place.
    """
    n_arms = marks.optimal.shape[0]
    changed = False
    for k in range(n_arms):
        if not marks.optimal[k] and not marks.dominated[k]:
            if _is_refuted(rules, information, means, k, k, marks, work):
                marks.dominated[k] = True
                changed = True
        if marks.dominated[k] and not marks.unbeaten[k] and not marks.beaten[k]:
            if _is_refuted(rules, information, means, n_arms + k, k, marks, work):
                marks.beaten[k] = True
                changed = True
    return changed


@kernel
def _mark_all(rule, information, means, margin, marks, work):
    """Mark all arms if the empirical answer is proven.

    Parameters
    ----------
    rule : Rule
    information, means : ndarray, shape (2 K, d)
    margin : ndarray, shape (d,)
        By which arms that are left out of the empirical answer are beaten.
    marks : Marks
        Modified in place.
    work : Work
        Modified in place.
    """
    n_arms = marks.optimal.shape[0]
    size = write_unbeaten(means[:n_arms], margin, work.front, work.optimal)
    found = log_accurate_evidence(rule, information, means, size, rule.log_needed, work)
    if found >= rule.log_needed:
        for k in range(n_arms):
            if work.optimal[k]:
                marks.unbeaten[k] = True
            else:
                marks.dominated[k] = True


@kernel
def certify_accurately(rules, information, means, margin, marks, rivals, work):
    """Mark all certain statements.

    Parameters
    ----------
    rules : AccurateRules
    information, means : ndarray, shape (2 K, d)
    margin : ndarray, shape (d,)
        See `_mark_all`.
    marks : Marks
        Modified in place.
    rivals : ndarray of int, shape (2, K)
        Modified in place: see `_has_no_rival`, for arms and for raised arms.
    work : Work
        Modified in place.
    """
    n_arms = marks.optimal.shape[0]
    changed = True
    while changed:
        changed = _mark_without_rivals(
            rules.exact, information, means, 0, marks.optimal, rivals[0], work
        )
        for k in range(n_arms):
            marks.unbeaten[k] |= marks.optimal[k]
        changed |= _mark_without_rivals(
            rules.near, information, means, n_arms, marks.unbeaten, rivals[1], work
        )
        changed |= _mark_refuted(rules, information, means, marks, work)
    if not (marks.unbeaten | marks.dominated).all():
        _mark_all(rules.near, information, means, margin, marks, work)
