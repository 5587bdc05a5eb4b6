"""Anytime-valid statements about each arm, under any sampling."""

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_choice
from pareto_core.checks.words import RuleName, UnknownNoise
from pareto_core.compiling.kernels import kernel
from pareto_core.confidence.accuracy import as_epsilon, epsilon_for, is_exact
from pareto_core.confidence.accuracy_certificate import AccurateStatements
from pareto_core.confidence.boxes import Boxes
from pareto_core.confidence.proven_rules import (
    JOINT,
    RULES,
    allocate_work,
    log_evidence,
    make_rule,
)
from pareto_core.confidence.statement_evidence import (
    log_addition,
    log_removal,
    log_sum,
    write_additions,
)
from pareto_core.geometry.dominance import write_front

__all__ = ["Certificate"]

OPEN, OPTIMAL, DOMINATED = 0, 1, 2
BOX_SHARE = 0.1  # of the martingale, for intervals of the means
ANY_SHARE = 0.2  # of the bets on additions, for bets in which any arm may be the dominator


class Certificate:
    r"""Anytime-valid statements about the Pareto set.

    With probability at least 1 - delta, all statements that the certificate ever makes are true.
    You may inspect them as often as you like, stop for any reason, and sample in any way, also by
    hand, as long as the choice of an arm does not depend on future rewards. A statement is never
    withdrawn.

    Parameters
    ----------
    n_arms, n_objectives : int
        Numbers K and d.
    delta : float, default 0.1
        Probability that any statement is ever wrong.
    rule : {"joint", "pairs"}, default "joint"
        ``"joint"`` adds up evidence over objectives, whose noise must be independent;
        ``"pairs"`` holds for any correlation between them.
    standard_deviation : float or array_like of shape (d,) or (K, d) or "unknown", default 1.0
        Standard deviation of the noise, in each objective, or of each arm in each objective. With
        Gaussian noise it may be unknown if it is the same for all arms. For noise that is bounded
        in [a, b] it is (b - a) / 2, with ``rule="pairs"`` unless the objectives are independent.
        One entry per objective may mix numbers, "unknown" for the variances that are unknown, and 0
        for objectives without noise, whose first value is their mean.
    epsilon : float or array_like of shape (d,), optional
        Accuracy of each objective, in the unit of the means: differences that do not matter. By
        default, and with 0, only exact statements are made.

    Attributes
    ----------
    optimal, dominated, open : ndarray of int
        Arms that are certainly Pareto optimal, certainly dominated, and all others.
    near_optimal : ndarray of int
        Open arms that certainly no arm beats, that is, exceeds by ``epsilon`` or more in every
        objective; empty without ``epsilon``. If every arm is optimal, dominated or near optimal,
        the optimal and the near-optimal arms are a right answer: see `Certified`.
    boxes : ndarray, shape (K, d, 2)
        Intervals that contain the means. The probability 1 - delta covers all intervals at all
        times together with all statements about arms.
    is_decided : bool
        Whether no arm is open, unless it is near optimal.
    is_contradicted : bool
        Whether the statements contradict each other: either the event of probability delta has
        occurred, or the noise is not as specified.

    Raises
    ------
    ValueError
        If ``n_arms`` is below 2 or ``n_objectives`` below 1, if ``delta`` is not in (0, 1), if
        ``rule`` is unknown, if ``standard_deviation`` is not positive, not of an allowed shape
        or not "unknown", or if ``epsilon`` is not a number, at least 0, or one per objective.

    See Also
    --------
    ConstrainedCertificate : for the Pareto set of the feasible arms
    BestArmCertificate : for the best arm of every objective
    proven_evidence : the evidence for an empirical Pareto set, as a number
    Certified : an algorithm that stops once all arms are decided

    References
    ----------
    Howard, Ramdas, McAuliffe & Sekhon 2021, Time-uniform, nonparametric, nonasymptotic confidence
    sequences, Annals of Statistics, doi:10.1214/20-AOS1991.

    Ramdas, Grünwald, Vovk & Shafer 2023, Game-theoretic statistics and safe anytime-valid
    inference, Statistical Science, doi:10.1214/23-STS894.

    Examples
    --------
    >>> import pareto_core as pc
    >>> certificate = pc.Certificate(n_arms=3, n_objectives=2, delta=0.05)
    >>> certificate.update([500, 500, 500], [[1.0, 0.0], [0.0, 1.0], [-0.5, -0.5]])
    >>> certificate.optimal, certificate.dominated
    (array([0, 1]), array([2]))

    Two arms that nearly tie:

    >>> certificate = pc.Certificate(n_arms=3, n_objectives=1, epsilon=0.5)
    >>> certificate.update([500, 500, 500], [[1.01], [1.0], [0.0]])
    >>> certificate.near_optimal, certificate.dominated
    (array([0, 1]), array([2]))
    """

    def __init__(
        self,
        n_arms: int,
        n_objectives: int,
        delta: float = 0.1,
        rule: RuleName = JOINT,
        standard_deviation: ArrayLike | UnknownNoise = 1.0,
        epsilon: ArrayLike | None = None,
    ) -> None:
        check_choice(rule, "rule", RULES)
        accuracy = as_epsilon(epsilon)
        self._boxes = Boxes(n_arms, n_objectives, delta, BOX_SHARE, standard_deviation, True)
        own = make_rule(rule, self._boxes.log_needed - np.log1p(-BOX_SHARE), n_arms)
        self._rule = own._replace(additions=(1 - ANY_SHARE) * own.additions)
        self._any_rule = own._replace(additions=ANY_SHARE * own.additions, joint=False)
        self._accurate = None
        if not is_exact(accuracy):
            each = epsilon_for(accuracy, n_objectives)
            self._accurate = AccurateStatements(self._rule, self._any_rule, each, n_arms)
        self._work = allocate_work(n_arms, n_objectives)
        self._status = np.zeros(n_arms, np.int64)
        self._rivals = np.full(n_arms, -1)
        self.is_contradicted = False

    @property
    def boxes(self) -> np.ndarray:
        """Intervals that contain the means, shape (K, d, 2)."""
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
        """Arms that are neither certainly optimal nor certainly dominated."""
        return np.flatnonzero(self._status == OPEN)

    @property
    def near_optimal(self) -> np.ndarray:
        """Open arms that certainly no arm exceeds by ``epsilon`` in every objective."""
        if self._accurate is None:
            return np.zeros(0, np.int64)
        return np.flatnonzero((self._status == OPEN) & self._accurate.marks.unbeaten)

    @property
    def is_decided(self) -> bool:
        """Whether no arm is open, unless it is near optimal."""
        return self.open.size == self.near_optimal.size

    def update(self, counts: ArrayLike, means: ArrayLike, scatter: ArrayLike | None = None) -> None:
        """Update all statements with the data so far.

        Parameters
        ----------
        counts : array_like of int, shape (K,) or (K, d)
            Samples of each arm so far, or values of each arm and objective if some are missing. A
            value may not be missing because of what it is; if the objectives are correlated,
            which of them are observed must be fixed before a value of the sample is seen.
        means : array_like, shape (K, d)
            Averages of these values; ignored where nothing was observed.
        scatter : array_like, shape (K, d), optional
            Sums of squares about the averages; required if the variance is unknown.

        Raises
        ------
        ValueError
            If ``counts``, ``means`` or ``scatter`` has the wrong shape, is not finite or is
            negative where it must not be, if an arm has fewer samples than before, if ``scatter``
            is missing although a variance is unknown, or if a mean without noise has changed.
        """
        data = self._boxes.update(counts, means, scatter)
        if data is None:
            return
        self.is_contradicted |= self._certify(data) or self._boxes.are_empty

    def _certify(self, data):
        """Make all certain statements; return whether they contradict each other."""
        if self._accurate is None:
            rules, statements = (self._rule, self._any_rule), (self._status, self._rivals)
            return bool(certify(*rules, *data, *statements, self._work))
        is_contradicted = self._accurate.update(*data, self._boxes.unit)
        optimal, dominated, _, _ = self._accurate.marks
        self._status[:] = np.select([optimal, dominated], [OPTIMAL, DOMINATED], OPEN)
        return is_contradicted


@kernel
def _is_certainly_optimal(rule, information, means, arm, needed, rivals, work):
    """Whether certainly no other arm dominates ``arm``.

    Parameters
    ----------
    rule : Rule
    information, means : ndarray, shape (K, d)
    arm : int
    needed : float
        Evidence that is enough, in nats.
    rivals : ndarray of int, shape (K,)
        Modified in place: a rival that may dominate ``arm``, which is examined first next time.
    work : Work
        Modified in place.
    """
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
    """Mark the arms that are certainly optimal now.

    Parameters
    ----------
    rule : Rule
    information, means : ndarray, shape (K, d)
    status : ndarray of int, shape (K,)
        ``OPEN``, ``OPTIMAL`` or ``DOMINATED``. Modified in place.
    rivals : ndarray of int, shape (K,)
        See `_is_certainly_optimal`. Modified in place.
    work : Work
        Modified in place.

    Returns
    -------
    tuple of two bools
        Whether a status has changed, and whether an arm is both optimal and dominated.
    """
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
    """Write the arms with one status to ``front``, or all arms for OPEN; return their number."""
    size = 0
    for k in range(status.shape[0]):
        if kind == OPEN or status[k] == kind:
            front[size] = k
            size += 1
    return size


@kernel
def _mark_dominated(rule, any_rule, information, means, status, work):
    """Mark the arms that are certainly dominated now; return whether a status has changed.

    The dominators are arms that are certainly optimal, jointly, or any arms, each alone.

    Parameters
    ----------
    rule, any_rule : Rule
        Bets on certainly optimal dominators, and on any dominators.
    information, means : ndarray, shape (K, d)
    status : ndarray of int, shape (K,)
        Modified in place.
    work : Work
        Modified in place.
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
            write_additions(any_rule, information, means, k, size, work)
            share = np.log(any_rule.additions / possible)
            unknown = share + log_addition(any_rule, k, n_arms - 1, work)
            if log_sum(known, unknown) >= rule.log_needed:
                status[k] = DOMINATED
                changed = True
    return changed


@kernel
def _mark_all(rule, information, means, status, work):
    """Mark all arms if the empirical Pareto set is proven; return whether that contradicts."""
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
def certify(rule, any_rule, information, means, status, rivals, work):
    """Write all certain statements to ``status``; return whether they contradict each other.

    Parameters
    ----------
    rule, any_rule : Rule
        Bets on certainly optimal dominators, and on any dominators.
    information, means : ndarray, shape (K, d)
    status : ndarray of int, shape (K,)
        ``OPEN``, ``OPTIMAL`` or ``DOMINATED``. Modified in place.
    rivals : ndarray of int, shape (K,)
        See `_is_certainly_optimal`. Modified in place.
    work : Work
        Modified in place.
    """
    changed, contradicted = True, False
    while changed:
        changed, contrary = _mark_optimal(rule, information, means, status, rivals, work)
        contradicted |= contrary
        changed |= _mark_dominated(rule, any_rule, information, means, status, work)
    if (status == OPEN).any():
        contradicted |= _mark_all(rule, information, means, status, work)
    return contradicted
