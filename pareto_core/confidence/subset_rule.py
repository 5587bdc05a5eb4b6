r"""Evidence that is valid for every set of remaining arms at once.

For means :math:`\lambda` of all K arms the martingale bets on every pair (k, j) in which j
dominates k, of which there are at most K(K-1)/2, and, for every arm k, on sets of arms none of
which dominates k. It does not depend on the set of remaining arms, which may therefore be chosen
from the data. The theorem is in Section 14 of the appendix *Proofs*.
"""

import numpy as np

from pareto_core.compiling.kernels import kernel, part
from pareto_core.confidence.cheap_evidence import CLEAR, cheap_removal
from pareto_core.confidence.proven_rules import JOINT, PAIRS
from pareto_core.confidence.statement_evidence import log_addition, log_removal, write_additions
from pareto_core.geometry.dominance import dominates

SUBSET_RULES = {"joint_subsets": JOINT, "pairs_subsets": PAIRS}  # and how they bet

OPEN, OPTIMAL, DOMINATED, RETIRED = 0, 1, 2, 3


@kernel
def write_front_among(means, remaining, front):
    """Write the Pareto set of the remaining arms to ``front``, in order; return its size."""
    size = 0
    for k in range(means.shape[0]):
        if not remaining[k]:
            continue
        for j in range(means.shape[0]):
            if remaining[j] and dominates(means, j, k):
                break
        else:
            front[size] = k
            size += 1
    return size


@part
def pair_share(rule, n_arms):
    """Ln of the share of the bet on one pair of arms."""
    return np.log(rule.removals / (0.5 * n_arms * (n_arms - 1)))


@kernel
def log_dominated(rule, information, means, arm, size, work):
    """Evidence that some arm of ``work.front[:size]`` dominates ``arm``, with its shares.

    Parameters
    ----------
    rule : Rule
    information, means : ndarray, shape (K, d)
    arm, size : int
    work : Work
        Modified in place: row ``arm`` of ``additions`` and of ``group_sizes``.
    """
    n_arms = means.shape[0]
    write_additions(rule, information, means, arm, size, work)
    return np.log(rule.additions / n_arms) + log_addition(rule, arm, n_arms - 1, work)


@kernel
def _weakest_evidence(rule, information, means, remaining, size, work):
    """Evidence in the case that was weakest last time; infinite if the case no longer exists.

    The parameters are those of `log_subset_evidence`.
    """
    arm, rival = work.weakest[0], work.weakest[1]
    if arm < 0 or not remaining[arm] or work.optimal[arm] != (rival >= 0):
        return np.inf
    if rival < 0:
        return log_dominated(rule, information, means, arm, size, work)
    if not work.optimal[rival]:
        return np.inf
    high = work.search.members[0]
    return pair_share(rule, means.shape[0]) + log_removal(
        rule, information, means, arm, rival, high
    )


@kernel
def log_subset_evidence(rule, information, means, remaining, size, enough, work):
    """Lower bound on ln M over all means with a different Pareto set of the remaining arms.

    If every arm outside of the answer is dominated by a remaining arm, it is enough that no arm
    of the answer dominates a different one.

    Parameters
    ----------
    rule : Rule
    information, means : ndarray, shape (K, d)
    remaining : ndarray of bool, shape (K,)
    size : int
        Number of arms of the answer, the first of ``work.front``; ``work.optimal`` marks them.
    enough : float
        The search stops as soon as the evidence is known to be below this level.
    work : Work
        Modified in place; ``weakest`` is the case with the least evidence.

    Returns
    -------
    float
        In nats; infinite if a single arm remains. At most a little more than ``enough`` for
        cases that a closed-form bound shows to be clear.
    """
    least = _weakest_evidence(rule, information, means, remaining, size, work)
    if least < enough:
        return least
    least, share = np.inf, pair_share(rule, means.shape[0])
    high = work.search.members[0]
    for f in range(size):
        for g in range(size):
            arm, rival = work.front[f], work.front[g]
            if f == g or least < enough:
                continue
            evidence = share + cheap_removal(rule, information, means, arm, rival)
            if evidence < enough + CLEAR:
                evidence = share + log_removal(rule, information, means, arm, rival, high)
            if evidence < least:
                least = evidence
                work.weakest[0], work.weakest[1] = arm, rival
    for k in range(means.shape[0]):
        if remaining[k] and not work.optimal[k] and least >= enough:
            evidence = log_dominated(rule, information, means, k, size, work)
            if evidence < least:
                least = evidence
                work.weakest[0], work.weakest[1] = k, -1
    return least


@kernel
def _is_undominated(rule, information, means, arm, needed, status, excluded, rivals, high):
    """Whether certainly no remaining arm dominates ``arm``.

    Certainly dominated rivals are omitted: if one of them dominated ``arm``, so would an
    arm that dominates the rival.

    Parameters
    ----------
    rule : Rule
    information, means : ndarray, shape (K, d)
    arm : int
    needed : float
        Evidence that is enough, in nats.
    status : ndarray of int, shape (K,)
    excluded : ndarray of bool, shape (K, K)
        Whether certainly arm j does not dominate arm k, in row k. Modified in place.
    rivals : ndarray of int, shape (K,)
        Modified in place: a rival that may dominate ``arm``, which is examined first next time.
    high : ndarray of int, shape (n,)
        Work array. Modified in place.
    """
    for i in range(-1, means.shape[0]):
        j = rivals[arm] if i < 0 else i
        if j < 0 or j == arm or status[j] in (DOMINATED, RETIRED) or excluded[arm, j]:
            continue
        if log_removal(rule, information, means, arm, j, high) < needed:
            rivals[arm] = j
            return False
        excluded[arm, j] = True
    return True


@kernel
def certify_among(rule, information, means, status, excluded, rivals, work):
    """Write all certain statements to ``status``; return whether they contradict each other.

    Parameters
    ----------
    rule : Rule
    information, means : ndarray, shape (K, d)
    status : ndarray of int, shape (K,)
        ``OPEN``, ``OPTIMAL`` or ``DOMINATED`` among the arms that are not ``RETIRED``. Modified
        in place.
    excluded : ndarray of bool, shape (K, K)
        See `_is_undominated`. Modified in place.
    rivals : ndarray of int, shape (K,)
        See `_is_undominated`. Modified in place.
    work : Work
        Modified in place.
    """
    n_arms = means.shape[0]
    size = write_front_among(means, status != RETIRED, work.front)
    for k in range(n_arms):
        if status[k] == OPEN:
            if log_dominated(rule, information, means, k, size, work) >= rule.log_needed:
                status[k] = DOMINATED
    needed = rule.log_needed - pair_share(rule, n_arms)
    contradicted, high = False, work.search.members[0]
    for k in range(n_arms):
        if status[k] in (OPEN, DOMINATED):
            if _is_undominated(rule, information, means, k, needed, status, excluded, rivals, high):
                contradicted |= status[k] == DOMINATED
                status[k] = OPTIMAL if status[k] == OPEN else status[k]
    return contradicted
