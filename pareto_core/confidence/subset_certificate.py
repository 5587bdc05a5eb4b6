"""Anytime-valid statements about the arms that remain, whichever arms are left out and why."""

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_choice, check_count
from pareto_core.checks.words import RuleName, UnknownNoise
from pareto_core.confidence.boxes import Boxes
from pareto_core.confidence.proven_rules import JOINT, RULES, allocate_work, make_rule
from pareto_core.confidence.subset_rule import DOMINATED, OPEN, OPTIMAL, RETIRED, certify_among

__all__ = ["SubsetCertificate"]

BOX_SHARE = 0.1  # of the martingale, for intervals of the means


class SubsetCertificate:
    r"""Anytime-valid statements about the Pareto set of the arms that remain.

    With probability at least 1 - delta, all statements about all sets of remaining arms are true.
    `retire` leaves out an arm at any time and for any reason, also because of the data: the
    statements after it are about the Pareto set of the remaining arms. `Certificate` needs fewer
    samples, but its statements are about the Pareto set of all arms only; even that an arm is
    dominated says nothing about the others once the arm that dominates it has left.

    Parameters
    ----------
    n_arms, n_objectives : int
        Numbers K and d, of all arms.
    delta, rule, standard_deviation
        See `Certificate`.

    Attributes
    ----------
    optimal, dominated, open : ndarray of int
        Remaining arms that no remaining arm dominates, certainly; that some remaining arm
        dominates, certainly; and the other remaining arms.
    retired : ndarray of int
        Arms that were left out.
    boxes : ndarray, shape (K, d, 2)
        Intervals that contain the means of all arms.
    is_decided : bool
        Whether no remaining arm is open.
    is_contradicted : bool
        Whether the statements contradict each other; see `Certificate`.

    Raises
    ------
    ValueError
        If an argument is invalid, see `Certificate`.

    See Also
    --------
    Certificate : about the Pareto set of all arms, from fewer samples
    Certified : stops by this rule with ``rule="joint_subsets"`` or ``"pairs_subsets"``

    Notes
    -----
    With K arms in all, that j does not dominate k takes evidence of
    :math:`\ln\frac{K(K-1)}{2(1-\alpha)\delta}`, where `Certificate` needs at most
    :math:`\ln\frac{K-1}{(1-\alpha)\delta}`, and an arm is dominated once the bets against it, of
    sets of the remaining arms, with shares as if all K arms were optimal, reach 1/delta
    (Section 14 of the appendix *Proofs*).

    Examples
    --------
    >>> import pareto_core as pc
    >>> certificate = pc.SubsetCertificate(n_arms=3, n_objectives=1)
    >>> certificate.update([500, 500, 500], [[0.0], [1.0], [2.0]])
    >>> certificate.optimal, certificate.dominated
    (array([2]), array([0, 1]))
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
        rule: RuleName = JOINT,
        standard_deviation: ArrayLike | UnknownNoise = 1.0,
    ) -> None:
        check_choice(rule, "rule", RULES)
        self._boxes = Boxes(n_arms, n_objectives, delta, BOX_SHARE, standard_deviation, True)
        self._rule = make_rule(rule, self._boxes.log_needed - np.log1p(-BOX_SHARE), n_arms)
        self._work = allocate_work(n_arms, n_objectives)
        self._status = np.zeros(n_arms, np.int64)
        self._excluded = np.zeros((n_arms, n_arms), np.bool_)
        self._rivals = np.full(n_arms, -1)
        self.is_contradicted = False

    @property
    def boxes(self) -> np.ndarray:
        """Intervals that contain the means, shape (K, d, 2)."""
        return self._boxes.ends

    @property
    def optimal(self) -> np.ndarray:
        """Remaining arms that certainly no remaining arm dominates."""
        return np.flatnonzero(self._status == OPTIMAL)

    @property
    def dominated(self) -> np.ndarray:
        """Remaining arms that certainly some remaining arm dominates."""
        return np.flatnonzero(self._status == DOMINATED)

    @property
    def open(self) -> np.ndarray:
        """Remaining arms that are neither certainly optimal nor certainly dominated."""
        return np.flatnonzero(self._status == OPEN)

    @property
    def retired(self) -> np.ndarray:
        """Arms that were left out."""
        return np.flatnonzero(self._status == RETIRED)

    @property
    def is_decided(self) -> bool:
        """Whether no remaining arm is open."""
        return not (self._status == OPEN).any()

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
            If ``arm`` is not a remaining arm, or is the last one.
        """
        arm = check_count(arm, "arm", 0, len(self._status) - 1)
        remaining = np.flatnonzero(self._status != RETIRED)
        if arm not in remaining or remaining.size == 1:
            raise ValueError(f"arm = {arm}; expected one of at least two remaining arms")
        if self._status[arm] != DOMINATED:
            self._status[(self._status == DOMINATED) & ~self._excluded[:, arm]] = OPEN
        self._status[arm] = RETIRED

    def update(self, counts: ArrayLike, means: ArrayLike, scatter: ArrayLike | None = None) -> None:
        """Update all statements with the data of all arms so far; see `Certificate.update`."""
        data = self._boxes.update(counts, means, scatter)
        if data is None:
            return
        self.is_contradicted |= bool(
            certify_among(self._rule, *data, self._status, self._excluded, self._rivals, self._work)
            or self._boxes.are_empty
        )
