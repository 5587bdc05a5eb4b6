"""Changing the set of arms of a session while it runs."""

from pareto_core.algorithms.pareto.certified import Certified
from pareto_core.confidence.boxes import UNKNOWN
from pareto_core.confidence.subset_rule import SUBSET_RULES
from pareto_lab.experiment.changes import Retirement, check_retirement
from pareto_lab.session.lock import synchronized
from pareto_lab.session.state import SessionState

__all__ = ["SessionChanges"]


class SessionChanges(SessionState):
    """The part of a session that changes its set of arms."""

    @property
    @synchronized
    def retired(self) -> list[Retirement]:
        """Arms that are no longer sampled, in the order of `retire`."""
        arms = self.design.arms
        return [each._replace(arm=arms[each.arm]) for each in self._ledger.queued_run.retirements]

    @synchronized
    def retire(self, arm: int | str, reason: str, *, still_counts: bool) -> None:
        """Never ask for an arm again, for instance because its supplier withdraws it.

        Outstanding samples of the arm may still be told. The algorithm uses no further rewards of
        it, but `status` uses all. You may retire any arm at any time and for any reason, also
        because of the data; this is final, and recorded in `retired` and in the session's file.

        The session must use `Certified`, whose guarantee holds for any sampling. Where its inner
        algorithm wants a retired arm, it takes an arm for which evidence is lacking instead.

        Parameters
        ----------
        arm : int or str
            The arm.
        reason : str
            Reason for the record, up to 1000 characters.
        still_counts : bool
            True: the question remains the Pareto set of *all* arms. A remaining arm that the
            retired one may dominate is not called optimal, and the retired arm may stay open. The
            session ends, with `ended_by` "retired", once no sample of the other arms could decide
            any arm.

            False: from now on the question is the Pareto set of the *remaining* arms. This needs
            ``Certified(..., rule="joint_subsets")`` or ``"pairs_subsets"``, whose statements are
            valid for every set of remaining arms at once, also after the session has an answer.
            With other rules, an arm can be left out only if `status` at the algorithm's risk says
            that it is certainly dominated. The Pareto set is the same with and without it, so that
            it is recorded as still counting.

        Raises
        ------
        ValueError
            If the arm is unknown, retired already, or the last that may be sampled; if another
            argument is invalid; if the algorithm is not `Certified`; or if ``still_counts`` is
            false, the rule is not valid for all sets of remaining arms, and the arm is not
            certainly dominated.
        RuntimeError
            If ``still_counts`` is true, and the session has its answer already.

        See Also
        --------
        pareto_core.SubsetCertificate : the statements about the remaining arms

        Examples
        --------
        >>> import pareto_core as pc
        >>> import pareto_lab as lab
        >>> session = lab.Session(
        ...     pc.Certified(rule="joint_subsets"),
        ...     arms=["A", "B", "C"],
        ...     objectives=["yield"],
        ...     standard_deviation=1.0,
        ... )
        >>> rewards = {"arm": ["A", "B", "C"] * 60, "yield": [0.0, 2.0, 4.0] * 60}
        >>> session.tell_all(rewards)
        Receipt(counted=180, skipped=0)
        >>> session.recommendation
        array(['C'], dtype='<U1')
        >>> session.retire("C", "no longer sold", still_counts=False)
        >>> session.recommendation, session.status().optimal, session.status().dominated
        (array(['B'], dtype='<U1'), ['B'], ['A'])
        """
        number = self.design.arm_number(arm)
        check_retirement(self._ledger, number, reason, still_counts)
        if not still_counts and not self.algorithm.is_for_subsets:
            self._refuse_open_arm(self.algorithm, number)
            still_counts = True
        if still_counts and self._ledger.queued_run.stopped:
            self._ledger.refuse_if_ended()
        self._ledger.retire(number, reason, still_counts)

    def _refuse_open_arm(self, algorithm: Certified, number: int) -> None:
        """Refuse to leave an arm out of the question unless it is certainly dominated."""
        unknown = UNKNOWN if algorithm.variance == UNKNOWN else None
        arm, status = (
            self.design.arms[number],
            self.status(algorithm.delta, algorithm.bets, unknown),
        )
        if arm not in status.dominated:
            raise ValueError(
                f"still_counts = False for arm {arm}, which is not certainly dominated, with "
                f"rule = {algorithm.rule!r}, whose statements are about the Pareto set of all "
                "arms; expected still_counts = True, or a session of pc.Certified with rule = "
                f"{' or '.join(map(repr, SUBSET_RULES))}"
            )
