"""Anytime-valid statements about arms, under any sampling.

A certificate is a view of a ledger: see `ledger` for the Pareto set, and `constrained_ledger`.
"""

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_choice, check_count, shown
from pareto_core.checks.words import CertifiedRule, RuleName, UnknownNoise
from pareto_core.confidence.accuracy import LEFT_OUT, as_epsilon, epsilon_for, is_exact
from pareto_core.confidence.boxes import Boxes
from pareto_core.confidence.comparisons import compare, compare_best, compare_feasible
from pareto_core.confidence.constrained_ledger import BOX_SHARE as CONSTRAINED_BOX_SHARE
from pareto_core.confidence.constrained_ledger import (
    allocate_constrained_ledger,
    certify_constrained,
    constrained_rule,
    mark_feasible,
)
from pareto_core.confidence.ledger import (
    BOX_SHARE,
    allocate_ledger,
    certify,
    exclude_outdone,
    ledger_rules,
)
from pareto_core.confidence.proven_rules import JOINT, PAIRS, RULES, SUBSET_RULES, make_rule
from pareto_core.geometry.polyhedron import Polyhedron, check_polyhedron

__all__ = ["BestArmCertificate", "Certificate", "ConstrainedCertificate"]


class Statements:
    """Intervals of the means, and updates of statements by data that were checked.

    A certificate writes its statements in ``_certify``, or in ``_compare`` if unknown variances may
    differ between the arms. Both return whether the statements contradict each other.
    """

    def __init__(self, boxes):
        self._boxes = boxes
        self.is_contradicted = False

    @property
    def boxes(self) -> np.ndarray:
        """Intervals that contain the means, shape (K, d, 2)."""
        return self._boxes.ends

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
            Sums of squares about the averages, infinite where they overflow; required if the
            variance is unknown.

        Raises
        ------
        ValueError
            If ``counts``, ``means`` or ``scatter`` has the wrong shape, is not a number or is
            negative where it must not be, if an arm has fewer samples than before, if ``scatter``
            is missing although a variance is unknown, or if a mean without noise has changed.
        """
        data = self._boxes.update(counts, means, scatter)
        if data is None:
            return
        if self._boxes.comparisons is None:
            is_contrary = self._certify(*data)
        else:
            is_contrary = self._compare(self._boxes.comparisons, data)
        self.is_contradicted |= bool(is_contrary) or self._boxes.are_empty


class Certificate(Statements):
    r"""Anytime-valid statements about the Pareto set.

    With probability at least 1 - delta, all statements that the certificate ever makes are true.
    You may inspect them as often as you like, stop for any reason, and sample in any way, also by
    hand, as long as the choice of an arm does not depend on future rewards. A statement is never
    withdrawn, unless an arm is retired.

    Parameters
    ----------
    n_arms, n_objectives : int
        Numbers K and d.
    delta : float, default 0.1
        Probability that any statement is ever wrong.
    rule : {"joint", "pairs", "joint_subsets", "pairs_subsets"}, default "joint"
        ``"joint"`` adds up evidence over objectives, whose noise must be independent;
        ``"pairs"`` holds for any correlation between them. ``"joint_subsets"`` and
        ``"pairs_subsets"`` need more samples, and make true statements about all sets of remaining
        arms at once, so that arms may be left out at any time and for any reason, also because of
        the data (`retire`; Section 14 of the appendix *Proofs*).
    standard_deviation : float, array_like or {"unknown", "unknown, equal"}, default 1.0
        Standard deviation of the noise: one number, or one per objective, shape (d,), or of each
        arm in each objective, shape (K, d). For noise that is bounded in [a, b] it is (b - a) / 2,
        with ``rule="pairs"`` unless the objectives are independent. ``"unknown"``: Gaussian noise,
        whose variance may differ between arms and objectives; the rule is then a rule of its own,
        for any correlation. ``"unknown, equal"``: Gaussian noise, in each objective with the same
        variance for all arms, which needs fewer samples. One entry per objective may mix numbers,
        one of these texts, and 0 for objectives without noise, whose first value is their mean.
    epsilon : float or array_like of shape (d,), optional
        Accuracy of each objective, in the unit of the means: differences that do not matter. By
        default, and with 0, only exact statements are made. Not for subsets.

    Attributes
    ----------
    optimal, dominated, open : ndarray of int
        Remaining arms that certainly no remaining arm dominates, that certainly some remaining arm
        dominates, and all other remaining arms.
    retired : ndarray of int
        Arms that were left out.
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
        or not one of the texts, or if ``epsilon`` is not a number, at least 0, or one per
        objective, or given for subsets.

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

    An arm that leaves, which dominated the others:

    >>> certificate = pc.Certificate(n_arms=3, n_objectives=1, rule="joint_subsets")
    >>> certificate.retire(2)
    >>> certificate.update([500, 500, 500], [[0.0], [1.0], [2.0]])
    >>> certificate.optimal, certificate.dominated
    (array([1]), array([0]))
    """

    def __init__(
        self,
        n_arms: int,
        n_objectives: int,
        delta: float = 0.1,
        rule: CertifiedRule = JOINT,
        standard_deviation: ArrayLike | UnknownNoise = 1.0,
        epsilon: ArrayLike | None = None,
    ) -> None:
        self._rule = check_choice(rule, "rule", (*RULES, *SUBSET_RULES))
        accuracy, subsets = as_epsilon(epsilon), rule in SUBSET_RULES
        exact = is_exact(accuracy)
        if subsets and not exact:
            raise ValueError(f"epsilon = {shown(epsilon)} with rule = {rule!r}; expected None")
        boxes = Boxes(n_arms, n_objectives, delta, BOX_SHARE, standard_deviation, True, subsets)
        super().__init__(boxes)
        self._n_arms, self._raised = n_arms, 0 if exact else n_arms
        self._ledger = allocate_ledger(n_arms, n_objectives, self._raised + n_arms)
        self._epsilon = np.zeros(n_objectives) if exact else epsilon_for(accuracy, n_objectives)
        self._rules = ledger_rules(rule, boxes.log_needed, n_arms, exact)

    def _remaining(self, marks):
        """Remaining arms that are marked."""
        return np.flatnonzero((marks & self._ledger.work.remaining)[: self._n_arms])

    @property
    def optimal(self) -> np.ndarray:
        """Remaining arms that certainly no remaining arm dominates."""
        return self._remaining(self._ledger.undominated)

    @property
    def dominated(self) -> np.ndarray:
        """Remaining arms that certainly some remaining arm dominates."""
        return self._remaining(self._ledger.dominated)

    @property
    def open(self) -> np.ndarray:
        """Remaining arms that are neither certainly optimal nor certainly dominated."""
        return self._remaining(~(self._ledger.undominated | self._ledger.dominated))

    @property
    def near_optimal(self) -> np.ndarray:
        """Open arms that certainly no arm exceeds by ``epsilon`` in every objective."""
        unbeaten = self._ledger.undominated[self._raised :]
        return np.intersect1d(self.open, np.flatnonzero(unbeaten))

    @property
    def is_decided(self) -> bool:
        """Whether no arm is open, unless it is near optimal."""
        return self.open.size == self.near_optimal.size

    @property
    def retired(self) -> np.ndarray:
        """Arms that were left out."""
        return np.flatnonzero(~self._ledger.work.remaining[: self._n_arms])

    def retire(self, arm: int) -> None:
        """Leave out an arm: from now on, all statements are about the other remaining arms.

        Arms that are optimal remain so. An arm that is certainly dominated remains so if the
        retired arm is certainly dominated, too, or certainly does not dominate it; otherwise it is
        open until the next `update`.

        Parameters
        ----------
        arm : int
            Number of a remaining arm, from 0.

        Raises
        ------
        ValueError
            If ``arm`` is not a remaining arm, or is the last one, or if ``rule`` is not for
            subsets.
        """
        if self._rule not in SUBSET_RULES:
            expected = " or ".join(map(repr, SUBSET_RULES))
            raise ValueError(f"rule = {self._rule!r} with arms that retire; expected {expected}")
        ledger, remaining = self._ledger, self._ledger.work.remaining
        arm = check_count(arm, "arm", 0, remaining.size - 1)
        if not remaining[arm] or remaining.sum() == 1:
            raise ValueError(f"arm = {arm}; expected one of at least two remaining arms")
        if not ledger.dominated[arm]:
            ledger.dominated[:] &= ledger.excluded[:, arm]
        remaining[arm] = False

    def _certify(self, information, means):
        epsilon = self._epsilon / self._boxes.unit
        if self._raised:
            information, means = np.tile(information, (2, 1)), np.vstack([means, means + epsilon])
        margin = LEFT_OUT * epsilon
        return certify(*self._rules, information, means, self._raised, margin, self._ledger)

    def _compare(self, comparisons, data):
        return compare(comparisons._replace(epsilon=self._epsilon), data, self._ledger)


class ConstrainedCertificate(Statements):
    r"""Anytime-valid statements about the Pareto set of the feasible arms.

    You may inspect them as often as you like, whatever chose the samples; see `Certificate`, and
    Section 8 of the appendix *Proofs*.

    Parameters
    ----------
    n_arms, n_objectives : int
        Numbers K and d.
    polyhedron : Polyhedron
        The feasible region.
    delta, rule, standard_deviation
        See `Certificate`.

    Attributes
    ----------
    feasible, infeasible : ndarray of int
        Arms whose means certainly lie in the polyhedron, because their boxes do, and arms whose
        means certainly do not.
    dominators : list of ndarray of int
        For each arm the certainly feasible arms that certainly dominate it.
    optimal : ndarray of int
        Arms that are certainly feasible and not dominated by a feasible arm.
    dominated : ndarray of int
        Arms with a dominator; they may be infeasible too.
    open : ndarray of int
        Arms that are not known to be optimal, dominated or infeasible.
    boxes, is_contradicted
        See `Certificate`.

    Raises
    ------
    ValueError
        If ``polyhedron`` is not a `Polyhedron` in d dimensions, or as `Certificate`.

    See Also
    --------
    Certificate : without constraints
    partition_cost : the cost of refuting a partition

    Examples
    --------
    >>> import pareto_core as pc
    >>> region = pc.orthant([0.0, 0.0])
    >>> certificate = pc.ConstrainedCertificate(3, 2, region)
    >>> certificate.update([900, 900, 900], [[1.0, 1.0], [0.5, 0.5], [2.0, -1.0]])
    >>> certificate.optimal, certificate.dominators[1], certificate.infeasible
    (array([0]), array([0]), array([2]))
    """

    def __init__(
        self,
        n_arms: int,
        n_objectives: int,
        polyhedron: Polyhedron,
        delta: float = 0.1,
        rule: RuleName = JOINT,
        standard_deviation: ArrayLike | UnknownNoise = 1.0,
    ) -> None:
        check_choice(rule, "rule", RULES)
        share = CONSTRAINED_BOX_SHARE
        super().__init__(Boxes(n_arms, n_objectives, delta, share, standard_deviation))
        rows = check_polyhedron(polyhedron, n_objectives).rows()
        self._rule = constrained_rule(rule, self._boxes.log_needed, n_arms)
        self._ledger = allocate_constrained_ledger(n_arms, *rows)

    @property
    def feasible(self) -> np.ndarray:
        """Arms whose means certainly lie in the polyhedron."""
        return np.flatnonzero(self._ledger.feasible)

    @property
    def infeasible(self) -> np.ndarray:
        """Arms whose means certainly lie outside the polyhedron."""
        return np.flatnonzero(self._ledger.infeasible)

    @property
    def dominators(self) -> list[np.ndarray]:
        """For each arm the certainly feasible arms that certainly dominate it."""
        return [np.flatnonzero(each) for each in self._ledger.dominates.T]

    @property
    def optimal(self) -> np.ndarray:
        """Arms that are certainly feasible and not dominated by a feasible arm."""
        return np.flatnonzero(self._ledger.feasible & self._ledger.undominated)

    @property
    def dominated(self) -> np.ndarray:
        """Arms with a dominator."""
        return np.flatnonzero(self._ledger.dominates.any(axis=0))

    @property
    def open(self) -> np.ndarray:
        """Arms that are not known to be optimal, dominated or infeasible."""
        known = [*self.optimal, *self.dominated, *self.infeasible]
        return np.setdiff1d(np.arange(self._ledger.feasible.size), known)

    def _certify(self, information, means):
        mark_feasible(*self._ends(), self._ledger)
        certify_constrained(self._rule, information, means, self._ledger)
        return self._is_contrary()

    def _compare(self, comparisons, data):
        mark_feasible(*self._ends(), self._ledger)
        compare_feasible(comparisons, data, self._ledger)
        return self._is_contrary()

    def _ends(self):
        """Lower and upper ends of the intervals."""
        return np.moveaxis(self.boxes, 2, 0).copy()

    def _is_contrary(self):
        """Whether the statements contradict each other."""
        ledger = self._ledger
        return (
            (ledger.feasible & ledger.infeasible).any()
            or (ledger.undominated & ledger.dominates.any(axis=0)).any()
            or (ledger.dominates & ledger.dominates.T).any()
        )


class BestArmCertificate(Statements):
    r"""Anytime-valid statements about the best arm of every objective.

    You may inspect them as often as you like, whatever chose the samples. They hold for any
    correlation between the objectives; see `Certificate`, and Section 8 of the appendix *Proofs*.

    Parameters
    ----------
    n_arms, n_objectives : int
        Numbers K and d.
    delta, standard_deviation
        See `Certificate`.

    Attributes
    ----------
    candidates : list of ndarray of int
        For each objective a set of arms that certainly contains a best arm.
    boxes, is_contradicted
        See `Certificate`. Objectives without a candidate are a contradiction, too.

    Raises
    ------
    ValueError
        As `Certificate`.

    See Also
    --------
    Certificate : for the Pareto set
    ConstrainedCertificate : for the Pareto set of the feasible arms

    Examples
    --------
    >>> import pareto_core as pc
    >>> certificate = pc.BestArmCertificate(n_arms=3, n_objectives=2)
    >>> certificate.update([90, 90, 90], [[1.0, 0.9], [0.0, 1.0], [-0.5, -0.5]])
    >>> certificate.candidates
    [array([0]), array([0, 1])]
    """

    def __init__(
        self,
        n_arms: int,
        n_objectives: int,
        delta: float = 0.1,
        standard_deviation: ArrayLike | UnknownNoise = 1.0,
    ) -> None:
        super().__init__(Boxes(n_arms, n_objectives, delta, BOX_SHARE, standard_deviation))
        self._rule = make_rule(PAIRS, self._boxes.log_needed - np.log1p(-BOX_SHARE), n_arms)
        self._possible = np.ones((n_arms, n_objectives), np.bool_)

    @property
    def candidates(self) -> list[np.ndarray]:
        """For each objective a set of arms that certainly contains a best arm."""
        return [np.flatnonzero(each) for each in self._possible.T]

    def _certify(self, information, means):
        exclude_outdone(self._rule, information, means, self._possible)
        return not self._possible.any(axis=0).all()

    def _compare(self, comparisons, data):
        compare_best(comparisons, data, self._possible)
        return not self._possible.any(axis=0).all()
