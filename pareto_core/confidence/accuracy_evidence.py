r"""Evidence that an answer is right up to an accuracy :math:`\varepsilon` of each objective.

An arm is *beaten* if another arm dominates it and is better by at least :math:`\varepsilon_c` in
every objective c. A right answer contains every Pareto optimal arm, and no beaten arm. The
empirical answer contains the arms that no arm beats empirically by a share of
:math:`\varepsilon`.

The martingales of `proven_rules` bet here on beaten arms instead of dominated ones, so that a rival
must exceed an arm that is raised by :math:`\varepsilon`. Arrays have two rows for each of K arms:
row k is arm k, and row K + k is arm k raised by :math:`\varepsilon` (the appendix *Proofs*,
Theorem 11).
"""

import numpy as np

from pareto_core.compiling.kernels import kernel, part
from pareto_core.confidence.proven_rules import (
    CLEAR_CASE,
    clear_level,
    is_clear,
    removal_evidence,
    sum_of_least,
    weakest_evidence,
)
from pareto_core.confidence.statement_evidence import log_addition, log_sum, write_additions

LEFT_OUT = 0.5  # share of epsilon by which an arm that is left out must be beaten empirically


@part
def _beats(means, better, worse, margin):
    """Whether row ``better`` dominates row ``worse`` by at least the margin, shape (d,)."""
    strict = False
    for c in range(means.shape[1]):
        lead = means[better, c] - means[worse, c]
        if lead < margin[c]:
            return False
        if lead > 0.0:
            strict = True
    return strict


@kernel
def write_unbeaten(means, margin, front, optimal):
    """Write the arms that no arm beats by the margin, and mark them; return their number."""
    size = 0
    for k in range(means.shape[0]):
        optimal[k] = True
        for j in range(means.shape[0]):
            if j != k and _beats(means, j, k, margin):
                optimal[k] = False
                break
        if optimal[k]:
            front[size] = k
            size += 1
    return size


@kernel
def write_raised(epsilon, information, means):
    """Write rows K and after, from the rows before them.

    Parameters
    ----------
    epsilon : ndarray, shape (d,)
        In the unit of the means.
    information, means : ndarray, shape (2 K, d)
        Modified in place.
    """
    n_arms = means.shape[0] // 2
    for k in range(n_arms):
        for c in range(means.shape[1]):
            information[n_arms + k, c] = information[k, c]
            means[n_arms + k, c] = means[k, c] + epsilon[c]


@kernel
def _least_others(rule, arm, number, others, work):
    """Ln of the sum of the ``number`` smallest raised evidences of arms other than ``arm``."""
    n_arms = work.optimal.shape[0] // 2
    found = 0
    for k in range(n_arms):
        if k != arm and not work.optimal[k]:
            work.weak[found] = log_addition(rule, n_arms + k, others, work)
            found += 1
    return sum_of_least(work.weak, found, number)


@kernel
def _addition_evidence(rule, information, means, size, bar, enough, work):
    """Minimum of ``bar`` and the evidence that no optimal arm is missing, however many are near.

    If ``more`` further arms are not beaten, one of them is optimal, and its evidence counts in
    full; the evidence of the others is that of raised arms.

    Parameters
    ----------
    rule : Rule
    information, means : ndarray, shape (2 K, d)
    size : int
    bar, enough : float
        The search stops below ``enough``.
    work : Work
        Modified in place.
    """
    n_arms = means.shape[0] // 2
    is_raised = False
    for more in range(1, n_arms - size + 1):
        share = np.log(rule.additions / (size + more))
        for k in range(n_arms):
            if work.optimal[k] or work.group_sizes[k] == CLEAR_CASE:
                continue
            evidence = log_addition(rule, k, size + more - 1, work)
            if more > 1 and share + evidence < bar:
                if not is_raised:
                    for i in range(n_arms):
                        if not work.optimal[i]:
                            write_additions(rule, information, means, n_arms + i, size, work)
                    is_raised = True
                rest = _least_others(rule, k, more - 1, size + more - 1, work)
                evidence = log_sum(rest, evidence)
            if share + evidence < bar:
                bar = share + evidence
                work.weakest[0], work.weakest[1] = k, -1
                if bar < enough:
                    return bar
    return bar


@kernel
def log_accurate_evidence(rule, information, means, size, enough, work):
    """Lower bound on ln M over all means for which the answer is wrong.

    Parameters
    ----------
    rule : Rule
        For K arms.
    information, means : ndarray, shape (2 K, d)
        See `write_raised`.
    size : int
        Number of arms of the answer, the first of ``work.front``; ``work.optimal`` marks them.
    enough : float
        See `proven_rules.log_evidence`.
    work : Work
        For 2 K arms. Modified in place; ``weakest`` is the case with the least evidence.

    Returns
    -------
    float
        In nats.
    """
    n_arms = means.shape[0] // 2
    weakest = weakest_evidence(rule, information, means, n_arms, size, work)
    if weakest < enough:
        return weakest
    least = removal_evidence(rule, information, means, n_arms, size, enough, work)
    if least < enough:
        return least
    for k in range(n_arms):
        if work.optimal[k]:
            continue
        if is_clear(rule, information, means, n_arms, k, size, enough, work):
            work.group_sizes[k] = CLEAR_CASE
            least = min(least, clear_level(enough))
        else:
            write_additions(rule, information, means, k, size, work)
    return _addition_evidence(rule, information, means, size, least, enough, work)
