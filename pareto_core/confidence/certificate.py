"""What is certain about each arm, at any time and whatever was sampled."""

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_choice
from pareto_core.checks.words import RuleName, UnknownNoise
from pareto_core.compiling.kernels import kernel
from pareto_core.confidence.boxes import Boxes
from pareto_core.confidence.proven_rules import (
    JOINT,
    RULES,
    allocate_work,
    log_addition,
    log_evidence,
    log_removal,
    log_sum,
    make_rule,
    write_additions,
)
from pareto_core.geometry.dominance import write_front

__all__ = ["Certificate"]

OPEN, OPTIMAL, DOMINATED = 0, 1, 2
BOX_SHARE = 0.1  # of the martingale, for intervals of the means
ANY_SHARE = 0.2  # of what bets on arms that an answer lacks: on any arm above them


class Certificate:
    r"""Statements about the Pareto set that are certain at any time.

    All that it ever says holds together with probability at least 1 - delta: one may look as
    often as one likes, stop for any reason, and sample in any way, by hand too, as long as the
    choice of an arm does not look at the rewards to come. What was certain stays so.

    Parameters
    ----------
    n_arms, n_objectives : int
        Numbers K and d.
    delta : float, default 0.1
        Risk that any statement is ever wrong.
    rule : {"joint", "pairs"}, default "joint"
        ``"joint"`` adds up evidence over objectives, whose noise must be independent;
        ``"pairs"`` holds for any correlation between them.
    standard_deviation : float or array_like of shape (d,) or (K, d) or "unknown", default 1.0
        Of the noise, in each objective, or of each arm. With Gaussian noise it may be unknown,
        if it is common to the arms. For noise that is bounded in [a, b] it is (b - a) / 2, with
        ``rule="pairs"`` unless the objectives are independent.

    Attributes
    ----------
    optimal, dominated, open : ndarray of int
        Arms that are certainly Pareto optimal, certainly dominated, and all others.
    boxes : ndarray, shape (K, d, 2)
        Intervals that hold the means, all of them at all times together, and with the same
        probability as all statements about arms.
    is_decided : bool
        Whether no arm is open.
    is_contradicted : bool
        Whether the statements contradict each other: the event of probability delta has
        happened, or the noise is not what it was said to be.

    Raises
    ------
    ValueError
        If an argument is out of range or does not fit.

    Examples
    --------
    >>> import pareto_core as pc
    >>> certificate = pc.Certificate(n_arms=3, n_objectives=2, delta=0.05)
    >>> certificate.update([500, 500, 500], [[1.0, 0.0], [0.0, 1.0], [-0.5, -0.5]])
    >>> certificate.optimal, certificate.dominated
    (array([0, 1]), array([2]))
    """

    def __init__(
        self,
        n_arms: int,
        n_objectives: int,
        delta: float = 0.1,
        rule: RuleName = JOINT,
        standard_deviation: ArrayLike | UnknownNoise = 1.0,
    ) -> None:
        check_choice(rule, "rule", RULES)
        self._boxes = Boxes(n_arms, n_objectives, delta, BOX_SHARE, standard_deviation)
        own = make_rule(rule, self._boxes.log_needed - np.log1p(-BOX_SHARE), n_arms)
        self._rule = own._replace(additions=(1 - ANY_SHARE) * own.additions)
        self._anyone = own._replace(additions=ANY_SHARE * own.additions, joint=False)
        self._work = allocate_work(n_arms, n_objectives)
        self._status = np.zeros(n_arms, np.int64)
        self._rivals = np.full(n_arms, -1)
        self.is_contradicted = False

    @property
    def boxes(self) -> np.ndarray:
        """Intervals that hold the means, shape (K, d, 2)."""
        return self._boxes.ends

    @property
    def optimal(self) -> np.ndarray:
        """Arms that are certainly Pareto optimal."""
        return np.flatnonzero(self._status == OPTIMAL)

    @property
    def dominated(self) -> np.ndarray:
        """Arms that are certainly dominated."""
        return np.flatnonzero(self._status == DOMINATED)

    @property
    def open(self) -> np.ndarray:
        """Arms about which nothing is certain."""
        return np.flatnonzero(self._status == OPEN)

    @property
    def is_decided(self) -> bool:
        """Whether no arm is open."""
        return not (self._status == OPEN).any()

    def update(self, counts: ArrayLike, means: ArrayLike, scatter: ArrayLike | None = None) -> None:
        """Look at the data.

        Parameters
        ----------
        counts : array_like of int, shape (K,)
            Samples of each arm so far.
        means : array_like, shape (K, d)
            Their averages; of an arm without samples, anything.
        scatter : array_like, shape (K, d), optional
            Sums of squares about the averages; needed if the variance is unknown.

        Raises
        ------
        ValueError
            If an argument does not fit, or an arm has fewer samples than before.
        """
        seen = self._boxes.look(counts, means, scatter)
        if seen is None:
            return
        rules, notes = (self._rule, self._anyone), (self._status, self._rivals)
        self.is_contradicted |= bool(
            certify(*rules, *seen, *notes, self._work) or self._boxes.are_empty
        )


@kernel
def _is_certainly_optimal(rule, information, means, arm, needed, rivals, work):
    """Whether no other arm can dominate ``arm``; notes the first that can."""
    high = work.search.members[0]
    rival = rivals[arm]
    if rival >= 0 and log_removal(rule, information, means, arm, rival, high) < needed:
        return False
    for j in range(means.shape[0]):
        if j != arm and log_removal(rule, information, means, arm, j, high) < needed:
            rivals[arm] = j
            return False
    return True


@kernel
def _mark_optimal(rule, information, means, status, rivals, work):
    """Note the arms that are certainly optimal now; whether there are, and a contradiction."""
    n_arms = status.shape[0]
    known = (status == OPTIMAL).sum()
    needed = rule.log_needed + np.log((n_arms - max(1, known)) / rule.removals)
    changed, contradicted = False, False
    for k in range(n_arms):
        if status[k] != OPTIMAL:
            if _is_certainly_optimal(rule, information, means, k, needed, rivals, work):
                contradicted |= status[k] == DOMINATED
                changed |= status[k] == OPEN
                status[k] = OPTIMAL if status[k] == OPEN else status[k]
    return changed, contradicted


@kernel
def _arms_of(status, kind, front):
    """Write the arms of one status to ``front``; of any, if the kind is OPEN."""
    size = 0
    for k in range(status.shape[0]):
        if kind == OPEN or status[k] == kind:
            front[size] = k
            size += 1
    return size


@kernel
def _mark_dominated(rule, anyone, information, means, status, work):
    """Note the arms that are certainly dominated now.

    By arms that are certainly optimal, which are few, or by any, each alone.
    """
    n_arms = status.shape[0]
    changed = False
    for k in range(n_arms):
        if status[k] == OPEN:
            possible = n_arms - (status == DOMINATED).sum()
            size = _arms_of(status, OPTIMAL, work.front)
            write_additions(rule, information, means, k, size, work)
            known = np.log(rule.additions / possible) + log_addition(rule, k, possible - 1, work)
            size = _arms_of(status, OPEN, work.front)
            write_additions(anyone, information, means, k, size, work)
            share = np.log(anyone.additions / possible)
            unknown = share + log_addition(anyone, k, n_arms - 1, work)
            if log_sum(known, unknown) >= rule.log_needed:
                status[k] = DOMINATED
                changed = True
    return changed


@kernel
def _mark_all(rule, information, means, status, work):
    """Note all that follows if the empirical Pareto set is proven; whether it contradicts."""
    size = write_front(means, work.front)
    work.optimal[:] = False
    for f in range(size):
        work.optimal[work.front[f]] = True
    found = log_evidence(rule, information, means, size, rule.log_needed, work)
    if found < rule.log_needed:
        return False
    contradicted = False
    for k in range(status.shape[0]):
        proven = OPTIMAL if work.optimal[k] else DOMINATED
        contradicted |= status[k] not in (OPEN, proven)
        status[k] = proven if status[k] == OPEN else status[k]
    return contradicted


@kernel
def certify(rule, anyone, information, means, status, rivals, work):
    """Note in ``status`` all that is certain now; return whether it contradicts itself."""
    changed, contradicted = True, False
    while changed:
        changed, contrary = _mark_optimal(rule, information, means, status, rivals, work)
        contradicted |= contrary
        changed |= _mark_dominated(rule, anyone, information, means, status, work)
    if (status == OPEN).any():
        contradicted |= _mark_all(rule, information, means, status, work)
    return contradicted
