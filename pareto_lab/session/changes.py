"""Changes of a session while it runs: withdrawn rewards, and other arms."""

from numpy.typing import ArrayLike

from pareto_core.algorithms.pareto.certified import Certified
from pareto_core.checks.arguments import check_flag
from pareto_core.confidence.boxes import UNKNOWN
from pareto_core.confidence.proven_rules import SUBSET_RULES
from pareto_lab.experiment import arrivals
from pareto_lab.experiment.adapted_algorithm import adapted
from pareto_lab.experiment.arrivals import Predecessor
from pareto_lab.experiment.changes import Retirement, check_retirement
from pareto_lab.experiment.data_tables import position_of
from pareto_lab.experiment.names import Values
from pareto_lab.experiment.samples import Sampled
from pareto_lab.session.lock import synchronized
from pareto_lab.session.state import SessionState

__all__ = ["SessionChanges"]


class SessionChanges(SessionState):
    """The part of a session that changes its rewards and its set of arms."""

    @synchronized
    def withdraw(
        self,
        arm: Sampled | None = None,
        reward: Values | None = None,
        instead: Values | None = None,
        reason: str = "",
        *,
        id: int | str | None = None,
        number: int | None = None,
    ) -> None:
        """Remove a reward that was told by mistake, or replace it by the right one.

        The session becomes the one in which the mistake was never made: if the algorithm has used
        the reward, it runs again from its start on all other rewards in their order, may want
        other arms, and may be finished no longer. The withdrawal is recorded in `withdrawn` and in
        the session's file; the cost remains spent.

        The guarantee holds if the reward was not withdrawn because of its value, but because of a
        mistyped number or a mislabelled tube that is known from the records. Withdrawing what
        looks unlikely selects the data, and loses the guarantee. So `status` states how many
        rewards were withdrawn, and the test of the stated noise includes them, unless ``instead``
        replaced them or their identifiers were told again with other values.

        Parameters
        ----------
        arm : int or str
            The arm for which the reward was told.
        reward : array_like, shape (d,), or mapping of str to float
            The reward as it was told; the last one, if it was told several times.
        id, number : optional
            Instead of arm and reward, the identifier of the sample, or its number in `data`.
        instead : array_like, shape (d,), or mapping of str to float, optional
            The right reward of the same sample.
        reason : str, default ""
            Reason for the record, up to 1000 characters.

        Raises
        ------
        ValueError
            If no such reward was told, it was withdrawn before, or another argument is invalid.

        Examples
        --------
        >>> import pareto_core as pc
        >>> import pareto_lab as lab
        >>> session = lab.Session(
        ...     pc.TrackAndStop(), arms=["A", "B"], objectives=["yield"], standard_deviation=1.0
        ... )
        >>> session.tell("A", [31.0])
        >>> session.withdraw("A", [31.0], instead=[3.1], reason="decimal point")
        >>> session.means[0], session.withdrawn[0].counted
        (array([3.1]), True)
        """
        design = self._ledger.design
        found = position_of(self._ledger, arm, reward, id, number)
        if instead is not None:
            instead = design.check_sample(found[0], instead, "instead")
        before = self._ledger.queued_run
        try:
            self._ledger.withdraw(*found, instead, reason)
        finally:
            if self._ledger.queued_run is not before:
                self._monitors.clear()

    @property
    @synchronized
    def retired(self) -> list[Retirement]:
        """Arms that are no longer sampled, in the order of `retire`."""
        arms = self.design.arms
        return [each._replace(arm=arms[each.arm]) for each in self._ledger.queued_run.retirements]

    @synchronized
    def retire(self, arm: int | str, reason: str, *, still_counts: bool) -> None:
        """Never ask for an arm again, for instance because its supplier withdraws it.

        Outstanding samples of the arm may still be told; the algorithm uses these rewards, and
        those that wait, at once. You may retire any arm at any time and for any reason, also
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

    @synchronized
    def add_arm(
        self,
        name: str | None = None,
        *,
        made_from_data: bool,
        delta: float | None = None,
        features: ArrayLike | None = None,
        cost: float | None = None,
    ) -> None:
        """Go on with one more arm, the last one, and all rewards told so far.

        The session becomes an experiment with the larger set of arms, which follows the one before
        it: the algorithm begins anew and uses the rewards told as it wants them, also after an
        answer. Requests, costs, the budget, withdrawals and retirements remain. The statements of
        both are right together with probability at least 1 minus the sum of their risks, which
        `status` and the report state (Section 15 of the appendix *Proofs*). When the arm arrives
        may depend on the data. To keep the total risk at 0.1, begin with a smaller one: if at most
        one arm will come, 0.075, and ``delta=0.025`` here.

        Parameters
        ----------
        name : str, optional
            Name of the arm, if arms have names.
        made_from_data : bool
            Whether the arm was made, or chosen from several, with the help of the rewards, such as
            an improved version of the arm that leads. If so, rewards told before it are no
            evidence, of any arm, and this method refuses it: begin a new session, to which they
            are not told. Both are right together with probability at least 1 minus the sum of
            their risks.
        delta : float, optional
            Risk of the algorithm from now on; by default that of the algorithm so far. Statements
            have the same, unless you give `status` another one.
        features : array_like, shape (h,), optional
            Features of the arm, if arms have features.
        cost : float, optional
            Cost of a sample of it, if there are costs.

        Raises
        ------
        ValueError
            If an argument is invalid, is missing or does not apply, the arm was made from the
            data, the standard deviation differs between arms, or a parameter of the algorithm has
            a value for each arm.

        Examples
        --------
        >>> import pareto_core as pc
        >>> import pareto_lab as lab
        >>> session = lab.Session(
        ...     pc.Certified(delta=0.075),
        ...     arms=["A", "B"],
        ...     objectives=["yield"],
        ...     standard_deviation=1.0,
        ... )
        >>> session.tell_all({"arm": ["A"] * 30 + ["B"] * 30, "yield": [0.0] * 30 + [2.0] * 30})
        Receipt(counted=60, skipped=0)
        >>> session.recommendation
        array(['B'], dtype='<U1')
        >>> session.add_arm("C", made_from_data=False, delta=0.025)
        >>> session.ended_by, session.ask(), session.status().samples
        (None, 'C', array([30, 30,  0]))
        """
        check_flag(made_from_data, "made_from_data")
        if made_from_data:
            raise ValueError(
                "made_from_data = True, so that the rewards told are no evidence; expected a new "
                "session, to which they are not told"
            )
        if self.algorithm.measures_separately:
            raise ValueError(
                f"algorithm = {self.algorithm!r} measures objectives separately; expected one that "
                "measures all objectives of an arm"
            )
        design = arrivals.with_arm(self.design, name, features, cost)
        own = arrivals.without_own_costs(self.algorithm, self.design.costs)
        algorithm = adapted(own if delta is None else own.with_delta(delta), design)
        self._ledger.add_arm(algorithm, design)
        self.algorithm, self.design = algorithm, design
        self._monitors.clear()

    @property
    def predecessors(self) -> list[Predecessor]:
        """The experiment as it was before each arm that `add_arm` added, the first one first."""
        return [*self._ledger.predecessors]

    def _refuse_open_arm(self, algorithm: Certified, number: int) -> None:
        """Refuse to leave an arm out of the question unless it is certainly dominated."""
        unknown = UNKNOWN if algorithm.variance == UNKNOWN else None
        arm, status = self.design.arms[number], self.status(standard_deviation=unknown)
        if arm not in status.dominated:
            raise ValueError(
                f"still_counts = False for arm {arm}, which is not certainly dominated, with "
                f"rule = {algorithm.rule!r}, whose statements are about the Pareto set of all "
                "arms; expected still_counts = True, or a session of pc.Certified with rule = "
                f"{' or '.join(map(repr, SUBSET_RULES))}"
            )
