"""What is certain about each arm: one loop over two kinds of statements, to a fixed point.

That no arm dominates a row takes the evidence of `statement_evidence.log_removal` against every
rival, and that some arm dominates it takes that of `log_addition`. Certificates differ in the
shares of these bets, and in the rows: see `proven_rules`. With an accuracy, the statements about a
raised row are that an arm is *unbeaten*, or *beaten*.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import kernel, part
from pareto_core.compiling.lending import lend
from pareto_core.confidence.accuracy import write_unbeaten
from pareto_core.confidence.proven_rules import (
    SUBSET_RULES,
    Work,
    addition_share,
    allocate_work,
    least_evidence,
    make_rule,
    removal_share,
)
from pareto_core.confidence.statement_evidence import (
    CLEAR,
    FAINT,
    are_clear_additions,
    cheap_removal,
    log_addition,
    log_lead,
    log_removal,
    log_share,
    log_sum,
    most_single_additions,
    write_additions,
)

BOX_SHARE = 0.1  # of the martingale, for intervals of the means
ANY_SHARE = 0.2  # of the bets on additions, for bets in which any arm may be the dominator
EXACT_SHARE = 0.5  # of the bets on removals with an accuracy, for all rivals and not only beaters


class Ledger(NamedTuple):
    """Statements about R rows, of K arms and possibly of K raised arms."""

    undominated: np.ndarray  # (R,) whether certainly no arm dominates a row
    dominated: np.ndarray  # (R,) whether certainly some arm does
    excluded: np.ndarray  # (R, K) whether certainly arm j does not dominate a row
    rivals: np.ndarray  # (R,) an arm that may dominate a row, which is examined first, or -1
    harmless: np.ndarray  # (K,) rivals that need not be excluded
    work: Work


def allocate_ledger(n_arms, n_objectives, n_rows):
    """Allocate a `Ledger` without statements."""
    return Ledger(
        np.zeros(n_rows, np.bool_),
        np.zeros(n_rows, np.bool_),
        np.zeros((n_rows, n_arms), np.bool_),
        np.full(n_rows, -1),
        np.zeros(n_arms, np.bool_),
        allocate_work(n_rows, n_objectives),
    )


def ledger_rules(name, log_needed, n_arms, is_exact):
    """Bets of a ledger on dominators that are certainly optimal, and on any dominators."""
    bets, subsets = SUBSET_RULES.get(name, name), name in SUBSET_RULES
    rule = make_rule(bets, log_needed - np.log1p(-BOX_SHARE), n_arms, subsets)
    if subsets:
        return rule, rule  # which bet on any dominators alike
    known, anyone = (1 - ANY_SHARE) * rule.additions, ANY_SHARE * rule.additions
    if not is_exact:
        rule = rule._replace(removals=EXACT_SHARE * rule.removals)
    return rule._replace(additions=known), rule._replace(additions=anyone, joint=False)


@kernel
def is_undominated(rule, information, means, row, arm, needed, harmless, ledger, high):
    """Whether certainly no rival of the arm dominates its row; marks the rivals excluded."""
    excluded, rivals = ledger.excluded, ledger.rivals
    for i in range(-1, harmless.shape[0]):
        j = rivals[row] if i < 0 else i
        if j < 0 or j == arm or harmless[j] or excluded[row, j]:
            continue
        if cheap_removal(rule, information, means, row, j) < needed:
            if log_removal(rule, information, means, row, j, high) < needed:
                rivals[row] = j
                return False
        excluded[row, j] = True
    return True


@part
def _mark(marks, opposite, row):
    """Mark a row unless the opposite is certain; return whether this is a contradiction."""
    if not opposite[row]:
        marks[row] = True
    return opposite[row]


@kernel
def _mark_undominated(rule, information, means, first, ledger):
    """Mark rows that certainly no arm dominates; return whether any is new, or contradicts."""
    n_arms, remaining, known = ledger.harmless.shape[0], ledger.work.remaining, 0
    for k in range(n_arms):
        known += ledger.undominated[first + k]
        ledger.harmless[k] = rule.subsets and (ledger.dominated[k] or not remaining[k])
    needed = rule.log_needed - removal_share(rule, n_arms, known)
    changed, contradicted, high = False, False, ledger.work.search.members[0]
    for k in range(n_arms):
        row = first + k
        if ledger.undominated[row] or not remaining[k]:
            continue
        if not rule.subsets:
            ledger.excluded[row] = False  # the evidence needed has changed
        if is_undominated(rule, information, means, row, k, needed, ledger.harmless, ledger, high):
            is_contrary = _mark(ledger.undominated, ledger.dominated, row)
            contradicted |= is_contrary
            changed |= not is_contrary
    return changed, contradicted


@part
def _write_others(chosen, arm, front):
    """Write the chosen arms but one; return their number."""
    size = 0
    for i in range(chosen.shape[0]):
        if chosen[i] and i != arm:
            front[size] = i
            size += 1
    return size


@kernel
def _is_dominated(rule, any_rule, information, means, row, arm, raised, ledger):
    """Whether certainly some arm dominates a row: optimal arms jointly, or any arm alone."""
    work, n_arms = ledger.work, ledger.harmless.shape[0]
    known = work.optimal if rule.subsets else ledger.undominated[raised:]
    others = n_arms - 1
    if not rule.subsets:
        others -= ledger.dominated[raised:].sum()
        share = addition_share(any_rule, others) + log_share(any_rule, 1, n_arms - 1)
        enough = rule.log_needed + CLEAR - share
        size = _write_others(work.remaining[:n_arms], arm, work.front)
        if are_clear_additions(any_rule, information, means, row, size, enough, work):
            return True
    size = _write_others(known, arm, work.front)
    write_additions(rule, information, means, row, size, work)
    evidence = addition_share(rule, others) + log_addition(rule, row, others, work)
    if not rule.subsets:
        size = _write_others(work.remaining[:n_arms], arm, work.front)
        faint = rule.log_needed - CLEAR - share - np.log(n_arms) - FAINT
        most = most_single_additions(any_rule, information, means, row, size, faint, work)
        if log_sum(evidence, share + most) >= rule.log_needed - CLEAR:
            write_additions(any_rule, information, means, row, size, work)
            evidence = log_sum(evidence, share + work.additions[row, 0])
    return evidence >= rule.log_needed


@kernel
def _mark_dominated(rule, any_rule, information, means, raised, ledger):
    """Mark the rows that certainly some arm dominates; return whether there are new ones."""
    undominated, dominated, changed = ledger.undominated, ledger.dominated, False
    for k in range(ledger.harmless.shape[0]):
        if ledger.work.remaining[k] and not undominated[k] and not dominated[k]:
            if _is_dominated(rule, any_rule, information, means, k, k, raised, ledger):
                dominated[k] = changed = True
        row = raised + k
        if dominated[k] and not undominated[row] and not dominated[row]:
            if _is_dominated(rule, any_rule, information, means, row, k, raised, ledger):
                dominated[row] = changed = True
    return changed


@kernel
def _mark_all(rule, information, means, raised, margin, ledger):
    """Mark all arms if the empirical answer is proven; return whether that contradicts."""
    work, n_arms = ledger.work, ledger.harmless.shape[0]
    size = write_unbeaten(means[:n_arms], margin, work.remaining, work.front, work.optimal)
    found = least_evidence(rule, information, means, raised, size, rule.log_needed, work)
    contradicted = False
    if found >= rule.log_needed:
        for k in range(n_arms):
            if work.optimal[k]:
                contradicted |= _mark(ledger.undominated, ledger.dominated, raised + k)
            else:
                contradicted |= _mark(ledger.dominated, ledger.undominated, k)
    return contradicted


@kernel
def certify(rule, any_rule, information, means, raised, margin, ledger):
    """Mark all certain statements; return whether they contradict each other."""
    rule, any_rule, information, means = lend(rule), lend(any_rule), lend(information), lend(means)
    margin, ledger = lend(margin), lend(ledger)
    work, n_arms = ledger.work, ledger.harmless.shape[0]
    if rule.subsets:
        write_unbeaten(means, margin, work.remaining, work.front, work.optimal)
        _mark_dominated(rule, any_rule, information, means, raised, ledger)
        return _mark_undominated(rule, information, means, raised, ledger)[1]
    changed, contradicted = True, False
    while changed:
        changed, contradicted_now = _mark_undominated(rule, information, means, 0, ledger)
        contradicted |= contradicted_now
        if raised > 0:
            for k in range(n_arms):
                ledger.undominated[raised + k] |= ledger.undominated[k]
            found, contradicted_now = _mark_undominated(rule, information, means, raised, ledger)
            changed |= found
            contradicted |= contradicted_now
        changed |= _mark_dominated(rule, any_rule, information, means, raised, ledger)
    if not (ledger.undominated[raised:] | ledger.dominated[:n_arms]).all():
        contradicted |= _mark_all(rule, information, means, raised, margin, ledger)
    return contradicted


@kernel
def _is_outdone(rule, information, means, arm, c, needed, high):
    """Whether the arms with higher averages in objective c together refute that ``arm`` is best."""
    total = -np.inf
    leader = means[:, c].argmax()  # first, because its evidence is usually enough
    for i in range(-1, means.shape[0]):
        rival = leader if i < 0 else i
        if i != leader and means[rival, c] > means[arm, c]:
            evidence = log_lead(rule, information, means, rival, arm, c, high)
            total = log_sum(total, evidence)
            if total >= needed:
                return True
    return False


@kernel
def exclude_outdone(rule, information, means, possible):
    """Mark in ``possible``, shape (K, d), the arms that are certainly not best in an objective."""
    rule, information, means = lend(rule), lend(information), lend(means)
    n_arms, n_objectives = means.shape
    needed = rule.log_needed + np.log(n_objectives * (n_arms - 1.0))
    high = np.zeros(1, np.int64)
    for c in range(n_objectives):
        for k in range(n_arms):
            if possible[k, c]:
                possible[k, c] = not _is_outdone(rule, information, means, k, c, needed, high)
