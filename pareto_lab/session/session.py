"""An experiment of your own: the session asks for samples, and you tell it their rewards."""

import copy
import functools
import os
import threading
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import (
    check_array,
    check_count,
    check_flag,
    check_path,
    check_probability,
)
from pareto_core.checks.words import Direction, RuleName, UnknownNoise
from pareto_core.geometry.partition import Partition
from pareto_core.geometry.polyhedron import Polyhedron
from pareto_core.loop.algorithm import Algorithm
from pareto_lab.experiment import events
from pareto_lab.experiment.arrivals import with_new_arm
from pareto_lab.experiment.data_tables import find_sample, frame_of
from pareto_lab.experiment.design import ExperimentDesign
from pareto_lab.experiment.events import (
    Asked,
    Predecessor,
    Receipt,
    Retirement,
    Reward,
    Told,
    Withdrawal,
)
from pareto_lab.experiment.identifiers import Row, check_identifier, new_rows, refuse_repeated
from pareto_lab.experiment.names import Values
from pareto_lab.experiment.restoring import write_restorable
from pareto_lab.experiment.reward_tables import Rewards, read_rows
from pareto_lab.experiment.session_file import content_of, locked
from pareto_lab.experiment.starting import started
from pareto_lab.experiment.state import State
from pareto_lab.planning.plan import Plan
from pareto_lab.planning.planner import planned
from pareto_lab.statements.status import Status, StatusMonitor, checked_request
from pareto_lab.statements.terminal import representation_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Session"]

Method = TypeVar("Method", bound=Callable)


class SessionLock:
    """A reentrant lock; the copy of a session gets a lock of its own."""

    def __init__(self):
        self._lock = threading.RLock()

    def __enter__(self):
        self._lock.acquire()

    def __exit__(self, *error):
        self._lock.release()

    def __reduce__(self):
        return SessionLock, ()


def synchronized(method: Method) -> Method:
    """Make a method wait for other threads, and forget a derived state that was interrupted."""

    @functools.wraps(method)
    def waiting(self, *args, **options):
        with self._lock:
            try:
                return method(self, *args, **options)
            except (KeyboardInterrupt, MemoryError, SystemExit):
                self._known = None
                raise

    return waiting


class Session:
    """An experiment in progress: ask for an arm, tell its reward, until finished.

    The algorithm uses the first reward of an arm when it first samples that arm, the second reward
    the second time, and so on; other rewards wait. So its decisions and guarantees are those of one
    sample at a time, however many are asked for at once and in whatever order they are told,
    provided that

    * rewards of an arm are independent and have the same law, and
    * neither the delay of a reward nor whether it is told at all depends on its value.

    Arms are given and returned by name, or by number from 0 if they have no names. Arrays with an
    entry for each arm are in the order of the arms. Rewards, means and the polyhedron are in the
    caller's own signs and units. Threads may share a session, whose methods wait for each other.

    Parameters
    ----------
    algorithm : Algorithm
        The algorithm that decides. It sees rewards that are divided by their standard deviations,
        if these are given, and it maximises every objective; its parameters refer to these, except
        the ``epsilon`` of `Certified`, which is in the caller's units or by name.
    n_arms, n_objectives : int, optional
        Size of the experiment, if there are no names.
    standard_deviation : float, array_like, shape (d,) or (K, d), or str, optional
        Standard deviation of the noise in each objective, also by name. The noise must be stated
        exactly once: here, by ``bounds``, by ``covariance``, or by the algorithm. Rewards are not
        divided by values for each arm, which are for algorithms that use them, such as `TopTwoIDS`
        and `Certified`, or need no bound on the noise. ``"unknown"`` is Gaussian noise whose
        variance may differ between arms and objectives; ``"unknown, equal"``, which needs fewer
        samples, if it is in each objective the same for all arms. An algorithm for the Pareto set
        that needs the noise is then stopped by `Certified` at its own risk, and sees rewards in the
        caller's units. For `Certified`, objectives may differ: a number for some, one of these
        texts for others, and 0 for those without noise, whose first value is the mean.
    features : array_like, shape (K, h), optional
        Feature vector of each arm, for an algorithm that uses them.
    polyhedron : Polyhedron, optional
        Feasible region of the means, for an algorithm that uses it.
    seed : int, default 0
        Seed of the algorithm's random decisions.
    arms : sequence of str, optional
        Names of the arms.
    objectives : mapping of str to {"max", "min"}, or sequence of str, optional
        Names of the objectives, and their directions, also in full, as in "maximize" and
        "minimise"; "max" for a sequence of names.
    units : mapping of str to str, optional
        Units of objectives.
    costs : array_like, shape (K,), or mapping of str to float, optional
        Cost of a sample of each arm. An algorithm with a parameter ``costs``, such as
        `TrackAndStop`, gets them unless it has its own; other algorithms ignore them.
    bounds : (float, float), or array_like, shape (d, 2), or mapping of str to pairs, optional
        Bounds a and b of the rewards, whose standard deviations are then at most (b - a)/2 by
        Hoeffding's lemma. A reward outside of them is refused.
    covariance : array_like, shape (d, d) or (K, d, d), optional
        Covariance of the noise between objectives, of all arms or of each, in the order of the
        objectives; for algorithms that use it, such as `TopTwoIDS` and `Certified`.
    budget : float, optional
        Total cost of all requested samples, or their number without costs. The session ends when it
        does not pay for the samples that the algorithm wants next. Rewards that `tell_all` adds
        cost nothing.

    Raises
    ------
    ValueError
        If an argument is invalid or would be ignored by the algorithm, the noise is not stated, or
        twice, the budget does not pay for what the algorithm samples first, there are more than a
        million means, or the algorithm samples one objective at a time.

    Warns
    -----
    UserWarning
        If the budget is too small for one sample of each arm.

    Examples
    --------
    >>> import pareto_core as pc
    >>> import pareto_lab as lab
    >>> session = lab.Session(
    ...     pc.TrackAndStop(delta=0.1),
    ...     arms=["A", "B"],
    ...     objectives={"protection": "max", "fever": "min"},
    ...     units={"fever": "°C"},
    ...     standard_deviation={"protection": 1.0, "fever": 0.5},
    ... )
    >>> means = {"A": [12.0, 37.5], "B": [2.0, 39.5]}
    >>> while not session.finished:
    ...     arm = session.ask()
    ...     session.tell(arm, means[arm])
    >>> session.recommendation, session.ended_by
    (array(['A'], dtype='<U1'), 'answer')
    """

    def __init__(
        self,
        algorithm: Algorithm,
        n_arms: int | None = None,
        n_objectives: int | None = None,
        standard_deviation: Values | Mapping[str, float | str] | str | None = None,
        features: ArrayLike | None = None,
        polyhedron: Polyhedron | None = None,
        seed: int = 0,
        *,
        arms: Sequence[str] | None = None,
        objectives: Mapping[str, Direction] | Sequence[str] | None = None,
        units: Mapping[str, str] | None = None,
        costs: Values | None = None,
        budget: float | None = None,
        bounds: ArrayLike | Mapping[str, Sequence[float]] | None = None,
        covariance: ArrayLike | None = None,
    ) -> None:
        names, noise = (arms, objectives, units), (standard_deviation, bounds, covariance)
        sizes = n_arms, n_objectives
        self._begin(
            started(algorithm, sizes, names, noise, features, polyhedron, costs, budget, seed)
        )
        if self._state.budget is not None:
            _check_budget(self._state)

    def _begin(self, start, happened=(), state=None):
        """Begin with events that have happened, and with the state after them if it is known."""
        self._start, self._events = start, [*happened]
        # The state after the first events, and their number
        self._known, self._applied = state, 0 if state is None else len(happened)
        self._monitors, self._lock = {}, SessionLock()
        self._state.run  # noqa: B018 - which may refuse the design

    @property
    def _state(self) -> State:
        """The state that follows from the events."""
        if self._known is None:
            self._known, self._applied = State(self._start), 0
        try:
            for event in self._events[self._applied :]:
                self._known.apply(event)
                self._applied += 1
        except BaseException:
            self._known = None
            raise
        return self._known

    def _record(self, *happened):
        """Record events, after which the algorithm may run; an error changes nothing."""
        before = len(self._events)
        self._events += happened
        try:
            self._state.run  # noqa: B018 - which runs
        except BaseException:
            del self._events[before:]
            self._known = None
            raise

    def __copy__(self):
        return copy.deepcopy(self)

    @synchronized
    def __repr__(self):
        return representation_of(self)

    @property
    @synchronized
    def algorithm(self) -> Algorithm:
        """The algorithm as given, with the costs, and certified if the noise is unknown."""
        return self._state.algorithm

    @property
    @synchronized
    def design(self) -> ExperimentDesign:
        """Names, directions, units, costs and the statement about the noise."""
        return self._state.design

    @property
    def seed(self) -> int:
        """Seed of the algorithm's random decisions."""
        return self._start.seed

    @synchronized
    def ask(self) -> int | str:
        """Return the arm that the algorithm needs next; the same one until it has been told.

        The arm may be outstanding already because of `ask_many`; if that sample was lost, take
        another one.

        Raises
        ------
        RuntimeError
            If the session is finished.
        """
        self._state.refuse_if_ended()
        arm = self._state.run.wanted()
        if not self._state.outstanding[arm]:
            self._record(Asked([int(arm)]))
        return self._state.design.arms[arm]

    @synchronized
    def ask_many(self, n: int) -> list[int | str]:
        """Return arms to sample next, all at once, in addition to the outstanding ones.

        A copy of the algorithm runs ahead on the rewards that wait and on imagined ones: the
        average reward of the arm, or before its first reward that of the other arms. A poor guess
        may waste samples; the guarantee is unaffected.

        Parameters
        ----------
        n : int
            Largest number of arms, at least 1; together with the outstanding ones at most 100,000.

        Returns
        -------
        list of int or str
            Each arm as often as it is to be sampled. There are fewer than n if, on the imagined
            rewards, the algorithm would stop earlier or the budget would end; none if the
            outstanding samples may suffice, so tell these first; and at least one if no sample is
            outstanding.

        Raises
        ------
        ValueError
            If ``n`` is not a positive integer, or is too large.
        RuntimeError
            If the session is finished.
        """
        arms = self._state.plan(check_count(n, "n"))
        self._record(Asked(arms))
        return [self._state.design.arms[arm] for arm in arms]

    @synchronized
    def tell(self, arm: int | str, reward: Values, *, id: int | str | None = None) -> None:
        """Report one observed reward of an arm that was asked for.

        Parameters
        ----------
        arm : int or str
            An outstanding arm, in any order. Its reward is accepted even after the end.
        reward : array_like, shape (d,), or mapping of str to float
            The observation, in the order of the objectives or by their names; at most 1e150
            standard deviations. If the algorithm allows missing values (`Algorithm`), an objective
            that was not observed is None, NaN or omitted. A value may not be missing because of
            what it is; and if the noise of the objectives is correlated, which of them are observed
            must be fixed before a value is seen.
        id : int or str, optional
            Identifier of the sample, which then counts once; see `tell_all`. A reward that was ever
            told under it, also one that was withdrawn, is skipped.

        Raises
        ------
        ValueError
            If the arm was not asked for, the reward is invalid, a missing value is not allowed, the
            value of an objective without noise differs from an earlier one, or the identifier was
            told before with other values. Nothing is recorded then.
        RuntimeError
            If the session is finished, and the arm is not outstanding.
        """
        state = self._state
        name = None if id is None else check_identifier(id, "id")
        number = state.expected_arm(arm) if name is None else state.design.arm_number(arm)
        row = Row("tell" if name is None else "id", number, state.design.check_reward(reward), name)
        if name is not None:
            if not new_rows([row], state):
                return
            state.expected_arm(arm)
        state.refuse_contradictions([row])
        asked = [] if state.outstanding[number] else [Asked([number])]
        self._record(*asked, Told([Reward(number, row.reward, events.now(), name)]))

    @synchronized
    def tell_all(self, frame: Rewards, *, id: str | None = None, repeat: bool = False) -> Receipt:
        """Report existing rewards, such as those of past days, of any arms.

        They wait behind those told before until the algorithm wants them. The guarantee holds
        because the algorithm does not see which rewards are old. The number of samples taken in the
        past may depend on anything known at the time. But *all* rewards of these days must be told,
        in the order in which those of an arm were taken, or a selection that does not depend on
        their values.

        A table that is told again every day should have a column of sample identifiers. A row is
        skipped if its identifier was told before with the same arm and reward (or those that
        `withdraw` put in their place), and refused if they differ. An identifier whose reward was
        withdrawn without ``instead=`` may be told again with other values. Without identifiers,
        rows with the arm and the reward of an earlier call are refused, because they may be the
        same samples; equal rows within one table are not. In a table that `data` returned,
        withdrawn and replaced rewards are left out, and identifiers are read.

        Parameters
        ----------
        frame : pandas.DataFrame, mapping of columns, or path-like
            Columns ``arm`` and the objectives, by name (or number); other columns are ignored. A
            path is that of a CSV file whose first row has the names, with commas between the
            columns and decimal points. An empty cell is a missing value; see `tell`. All rows are
            checked before any of them counts. Rows of outstanding arms are the rewards asked for;
            the others are not charged to the budget.
        id : str, optional
            Name of the column of sample identifiers, strings or whole numbers: 7, 7.0 and "7" are
            the same.
        repeat : bool, default False
            Count rows that have the values of earlier ones, as discrete rewards may.

        Returns
        -------
        Receipt
            How many rows were counted and skipped.

        Raises
        ------
        ValueError
            If a column is missing, a row has an invalid arm, reward or identifier, or rows may have
            been told before. The message names the rows, from 1; nothing is recorded.
        RuntimeError
            If the session is finished, and there are more rewards than are outstanding.
        OSError
            If the file does not exist.
        """
        check_flag(repeat, "repeat")
        state = self._state
        rows = read_rows(frame, state.design, id)
        new = new_rows(rows, state)
        state.refuse_contradictions(new)
        if not repeat:
            refuse_repeated(new, len(rows), state)
        counts = np.bincount([row.arm for row in new], minlength=state.design.n_arms)
        if (counts > state.outstanding).any():
            state.refuse_if_ended()
        time = events.now()
        self._record(Told([Reward(row.arm, row.reward, time, row.identifier) for row in new]))
        return Receipt(len(new), len(rows) - len(new))

    @synchronized
    def withdraw(
        self,
        arm: int | str | None = None,
        reward: Values | None = None,
        instead: Values | None = None,
        reason: str = "",
        *,
        id: int | str | None = None,
        number: int | None = None,
    ) -> None:
        """Remove a reward that was told by mistake, or replace it by the right one.

        The session becomes the one in which the mistake was never made: if the algorithm has used
        the reward, it runs again from its start on all other rewards in their order, may want other
        arms, and may be finished no longer. The cost remains spent. `withdrawn` and the file record
        it.

        The guarantee holds if the reward was not withdrawn because of its value, but because of a
        mistyped number or a mislabelled tube that is known from the records. So `status` states how
        many rewards were withdrawn, and the test of the stated noise includes them, unless
        ``instead`` replaced them or their identifiers were told again with other values.

        Parameters
        ----------
        arm : int or str
            The arm for which the reward was told.
        reward : array_like, shape (d,), or mapping of str to float
            The reward as it was told; the last one, if it was told several times.
        instead : array_like, shape (d,), or mapping of str to float, optional
            The right reward of the same sample.
        reason : str, default ""
            Reason for the record, up to 1000 characters.
        id, number : optional
            Instead of arm and reward, the identifier of the sample, or its number in `data`.

        Raises
        ------
        ValueError
            If no such reward was told, it was withdrawn before, or another argument is invalid.
        """
        state = self._state
        sample = find_sample(state, arm, reward, id, number)
        if instead is not None:
            instead = state.design.check_reward(instead, "instead")
        events.check_reason(reason, may_be_empty=True)
        position = state.position(sample.arm, sample.rank)
        state.refuse_contradiction(sample.arm, position, instead)
        counted = bool(position < state.run.run.record.counts[sample.arm])
        self._record(events.Withdrawn(sample.arm, sample.rank, instead, counted, reason))
        self._monitors.clear()

    @synchronized
    def retire(self, arm: int | str, reason: str, *, still_counts: bool) -> None:
        """Never ask for an arm again, for instance because its supplier withdraws it.

        Its outstanding samples may still be told; the algorithm uses these rewards, and those that
        wait, at once. You may retire any arm at any time and for any reason, also because of the
        data; this is final. The session must use `Certified`, whose guarantee holds for any
        sampling. Where its inner algorithm wants a retired arm, it takes an arm for which evidence
        is lacking instead.

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

        Raises
        ------
        ValueError
            If an argument is invalid, the arm is retired already or the last that may be sampled,
            the algorithm is not `Certified`, or its rule does not allow to leave an arm out.
        RuntimeError
            If ``still_counts`` is true, and the session has its answer already.

        Examples
        --------
        >>> import pareto_core as pc
        >>> import pareto_lab as lab
        >>> session = lab.Session(pc.Certified(rule="joint_subsets"), 3, 1, 1.0)
        >>> session.tell_all({"arm": [0, 1, 2] * 60, 0: [0.0, 2.0, 4.0] * 60})
        Receipt(counted=180, skipped=0)
        >>> session.retire(2, "no longer sold", still_counts=False)
        >>> session.recommendation, session.status().optimal, session.status().dominated
        (array([1]), [1], [0])
        """
        state, number = self._state, self.design.arm_number(arm)
        state.check_retirement(number, reason, still_counts)
        if still_counts and state.run.stopped:
            state.refuse_if_ended()
        self._record(events.Retired(number, reason, still_counts))

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

        The algorithm begins anew with the larger set of arms and uses the rewards told as it wants
        them, also after an answer. Requests, costs, the budget, withdrawals and retirements remain.
        The statements before and after are right together with probability at least 1 minus the sum
        of their risks, which `status` and the report state (Section 15 of the appendix *Proofs*).
        When the arm arrives may depend on the data. To keep the total risk at 0.1, begin with a
        smaller one: if at most one arm will come, 0.075, and ``delta=0.025`` here.

        Parameters
        ----------
        name : str, optional
            Name of the arm, if arms have names.
        made_from_data : bool
            Whether the arm was made, or chosen from several, with the help of the rewards, such as
            an improved version of the arm that leads. If so, rewards told before it are no
            evidence, of any arm, and this method refuses it: begin a new session, to which they are
            not told.
        delta : float, optional
            Risk of the algorithm, and of statements by default, from now on; by default as so far.
        features : array_like, shape (h,), optional
            Features of the arm, if arms have features.
        cost : float, optional
            Cost of a sample of it, if there are costs.

        Raises
        ------
        ValueError
            If an argument is invalid, is missing or does not apply, the arm was made from the data,
            the standard deviation differs between arms, or a parameter of the algorithm has a value
            for each arm.

        See Also
        --------
        Predecessor
        """
        check_flag(made_from_data, "made_from_data")
        if made_from_data:
            raise ValueError(
                "made_from_data = True, so that the rewards told are no evidence; expected a new "
                "session, to which they are not told"
            )
        if features is not None:
            features = check_array(features, "features").tolist()
        delta = None if delta is None else check_probability(delta, "delta")
        event = events.Added(name, delta, features, cost)
        with_new_arm(self.algorithm, self.design, event)  # which may refuse it
        self._record(event)
        self._monitors.clear()

    @synchronized
    def raise_budget(self, budget: float) -> None:
        """Continue with a higher budget, on which the guarantee does not depend.

        Parameters
        ----------
        budget : float
            Total cost that samples may have, including what was spent already.

        Raises
        ------
        ValueError
            If the session has no budget, or ``budget`` is not higher.
        """
        self._record(events.Raised(self._state.check_raise(budget)))

    @property
    def n_arms(self) -> int:
        """Number K of arms."""
        return self.design.n_arms

    @property
    def n_objectives(self) -> int:
        """Number d of objectives."""
        return self.design.n_objectives

    @property
    @synchronized
    def finished(self) -> bool:
        """Whether the session has ended; see `ended_by`."""
        return self._state.ended_by is not None

    @property
    @synchronized
    def ended_by(self) -> str | None:
        """How the session ended: None, "answer", "budget" or "retired".

        "answer" means that the algorithm has stopped, and its answer has its guarantee. "budget"
        means that the budget does not suffice to continue, and the answer is the empirical one.
        "retired" means that arms are open, and because of arms that were retired and still count,
        no sample could decide one of them; see `Session.retire`.
        """
        return self._state.ended_by

    @property
    @synchronized
    def samples(self) -> int:
        """Observations that the algorithm has used so far."""
        return self._state.run.samples

    @property
    @synchronized
    def pulls(self) -> np.ndarray:
        """Used observations of each arm, shape (K,)."""
        return self._state.run.run.record.counts.copy()

    @property
    @synchronized
    def means(self) -> np.ndarray:
        """Average of the used values, shape (K, d); zero before the first one of an objective."""
        return self.design.restored(self._state.run.run.record.means)

    @property
    @synchronized
    def outstanding(self) -> np.ndarray:
        """Samples that were asked for and not told yet, shape (K,)."""
        return self._state.outstanding.copy()

    @property
    @synchronized
    def waiting(self) -> np.ndarray:
        """Observations that were told and not used yet, shape (K,)."""
        return self._state.run.waiting()

    @property
    @synchronized
    def withdrawn(self) -> list[Withdrawal]:
        """Withdrawn rewards, in the order of withdrawal."""
        return [*self._state.withdrawn]

    @property
    @synchronized
    def budget(self) -> float | None:
        """Total cost that samples may have, as given or as raised since; None without a budget."""
        return self._state.budget

    @property
    @synchronized
    def spent(self) -> float:
        """Cost of all samples that were asked for, told or not; their number without costs."""
        return self._state.spent

    @property
    @synchronized
    def recommendation(self) -> np.ndarray | Partition | None:
        """The answer: the algorithm's own once it has stopped, before that the empirical one.

        The arms of the answer in order; the best arm of each objective; or a `Partition`, which
        has the reasons for rejecting the other arms. The empirical answer is right if the means
        are their estimates so far, is the same for all algorithms, and has no guarantee. It is
        None until there are observations about every arm.
        """
        run = self._state.run
        answer = run.answer() if run.stopped else run.empirical_answer()
        if isinstance(answer, Partition):
            return Partition(*map(self.design.named, answer))
        return None if answer is None else self.design.named(answer)

    @property
    @synchronized
    def retired(self) -> list[Retirement]:
        """Arms that are no longer sampled, in the order of `retire`."""
        arms = self.design.arms
        return [each._replace(arm=arms[each.arm]) for each in self._state.run.retirements]

    @property
    @synchronized
    def predecessors(self) -> list[Predecessor]:
        """The experiment as it was before each arm that `add_arm` added, the first one first."""
        return [*self._state.predecessors]

    @synchronized
    def status(
        self,
        delta: float | None = None,
        rule: RuleName | None = None,
        standard_deviation: UnknownNoise | None = None,
    ) -> Status:
        """Return what is certain about each arm, given all rewards told, used or not.

        You may look as often as you like and stop for any reason: with probability 1 - delta all
        statements at all times are right, whatever algorithm decides (the appendix *Proofs*). A
        certain statement remains, as long as the session is in memory and nothing is withdrawn. The
        statements are those of `Certificate` about the Pareto set, `ConstrainedCertificate` with a
        polyhedron, and `BestArmCertificate` about the best arm of every objective. They rest on the
        stated noise; `Status.remarks` reports whether the rewards refute it.

        Parameters
        ----------
        delta : float, optional
            Risk that any of these statements is ever wrong, besides that of the algorithm's answer;
            by default as large as that, or 0.1 if the algorithm has no risk.
        rule : {"joint", "pairs"}, optional
            ``"pairs"`` allows correlated noise between objectives. By default the rule by which the
            algorithm stops, or ``"joint"`` if that is neither.
        standard_deviation : {"unknown", "unknown, equal"}, optional
            Do not use the stated noise, but assume Gaussian noise of unknown variance.

        Returns
        -------
        Status

        Raises
        ------
        ValueError
            If an argument is out of range, or the algorithm has its own model of the noise and
            ``standard_deviation`` is None.
        """
        asked = self._request(delta, rule, standard_deviation)
        if asked not in self._monitors:
            self._monitors[asked] = StatusMonitor(self.algorithm, self.design, *asked)
        return self._monitors[asked].status_of(self._state)

    def plot(
        self,
        ax: "Axes | Sequence[Axes] | np.ndarray | None" = None,
        delta: float | None = None,
        rule: RuleName | None = None,
        standard_deviation: UnknownNoise | None = None,
    ) -> np.ndarray:
        """Draw what is certain about each arm: its statement, its averages and its box.

        Two objectives: a point and a box for each arm, the infeasible region if there is one, and
        the staircase of the empirical front. Three and four: points and boxes for each pair of
        objectives. One, or five and more: an interval for each arm, in a panel for each objective.
        Of more than 40 arms, only those of the certain or empirical answer have boxes and names.

        Parameters
        ----------
        ax : matplotlib.axes.Axes or array_like of them, optional
            Where to draw, one for each panel. By default those of a new figure.
        delta, rule, standard_deviation
            See `status`.

        Returns
        -------
        ndarray of matplotlib.axes.Axes
            One for each panel.

        Raises
        ------
        ValueError
            If an argument is out of range, or ``ax`` does not have one axes for each panel.
        """
        from pareto_lab.statements.plot import plot_status  # Matplotlib is slow to import

        return plot_status(self.design, self.status(delta, rule, standard_deviation), ax)

    @synchronized
    def report(
        self,
        path: str | os.PathLike,
        delta: float | None = None,
        rule: RuleName | None = None,
        standard_deviation: UnknownNoise | None = None,
    ) -> None:
        """Write a report of the experiment to one file of HTML.

        It has the design, the data, what is certain and under which assumptions, how the session
        ended, a plot, the versions of the packages and the digest of the session's file. The same
        session gives the same file.

        Parameters
        ----------
        path : path-like
            Name of the file, which is replaced. It ends in ``.html``.
        delta, rule, standard_deviation
            See `status`.

        Raises
        ------
        ValueError
            If an argument is out of range, or the session cannot be written to a file; see `save`.
        OSError
            If the file cannot be written.
        """
        from pareto_lab.statements import experiment_report  # Matplotlib is slow to import

        experiment_report.check_ending(path)
        status = self.status(delta, rule, standard_deviation)
        experiment_report.write_report(self, status, path, standard_deviation)

    @synchronized
    def save(self, path: str | os.PathLike) -> None:
        """Write the session to a file, from which `load_session` restores it exactly.

        The file is JSON: the algorithm, the design and all observations. It replaces only an
        earlier state of the same session. For an algorithm of your own, `save` runs it again on all
        observations, to see that it can be restored.

        Parameters
        ----------
        path : path-like
            Name of the file. It is written under another name and then renamed, while a lock in the
            hidden file ``.NAME.lock`` beside it makes other writers wait.

        Raises
        ------
        ValueError
            If the file has other content, or an algorithm of your own cannot be restored: its class
            has the name of one of the package, its parameters cannot be written as JSON, or it asks
            for other arms when it is run again.
        OSError
            If the file cannot be written, or another program holds the lock for a minute.
        """
        with locked(check_path(path, "path")):
            self._write(path)

    @synchronized
    def data(self) -> pd.DataFrame:
        """Return all rewards that were told, also the withdrawn ones.

        A new session that is told the table, or a CSV file of it, has the same rewards, in the same
        order, with the same identifiers.

        Returns
        -------
        pandas.DataFrame
            A row for each reward in the order told, with the columns ``number`` of the sample, from
            1; ``arm``, and the objectives in the caller's own signs and units; ``id``, the
            identifier, or None; ``told``, when, in UTC; ``state``, which is ``used``, ``waiting``,
            ``replaced`` or ``withdrawn``; and ``reason`` of a withdrawal. A reward that was
            replaced, and then the one in its place, have the same number. If an objective has the
            name of another column, that one gets an underscore.
        """
        return frame_of(self._state)

    def plan(
        self,
        means: ArrayLike | pd.DataFrame | Mapping[str, Values],
        runs: int = 100,
        seed: int = 0,
        *,
        standard_deviation: Values | None = None,
        delta: float | None = None,
        rule: RuleName | None = None,
        max_samples: int | None = None,
        n_jobs: int | None = None,
        progress: bool = True,
    ) -> Plan:
        """Simulate experiments of this design: samples and costs until arms are certain.

        Each simulated experiment has the algorithm, the costs, the features and the region of this
        session, begins without rewards, and draws Gaussian ones with the given means; in objectives
        without noise these are rounded to single precision. This is not a guarantee: nearly equal
        means may need any number of samples. The session is not changed.

        Parameters
        ----------
        means : array_like, shape (K, d), DataFrame, or mapping
            Means in the caller's own signs and units; a data frame with the arms in its index or
            its column ``arm``, and a mapping of arms to rewards, may have any order.
        runs : int, default 100
            Number of simulated experiments.
        seed : int, default 0
            Seed; experiment r is the same for any number of experiments and of workers.
        standard_deviation : float, array_like, shape (d,) or (K, d), or mapping, optional
            Standard deviation of the simulated noise; by default as stated, or half of the distance
            between bounds. None if the session has a covariance, which the simulated noise then
            has.
        delta, rule
            Of the statements about arms; see `status`.
        max_samples : int, optional
            Samples at which an experiment is cut off; by default what ten times the budget pays
            for, or 100,000 if this is less or there is no budget.
        n_jobs, progress
            See `pareto_core.simulate`.

        Returns
        -------
        Plan

        Raises
        ------
        ValueError
            If an argument is invalid, the noise is unknown and not given, or the algorithm requires
            bounded rewards.
        """
        with self._lock:
            algorithm, design, budget = self.algorithm, self.design, self.budget
            asked, truth = self._request(delta, rule), (means, standard_deviation)
        return planned(
            algorithm, design, budget, asked, truth, runs, seed, max_samples, n_jobs, progress
        )

    def _write(self, path):
        """Write to a file that is locked."""
        write_restorable(self._content(), self._start.algorithm, path)

    def _content(self):
        """The content of the session's file."""
        return content_of(self._start, self._events, self._state)

    def _request(self, delta, rule, standard_deviation=None):
        """What is asked for, with the session's own risk and rule in place of None."""
        return checked_request(self.algorithm, delta, rule, standard_deviation)


def _check_budget(state):
    """Refuse a budget that does not pay for the first samples, and warn if not for all arms."""
    if not state.suffices():
        raise ValueError(
            f"budget = {state.budget}; expected at least {state.next_price():g}, the cost of what "
            f"{type(state.algorithm).__name__} samples first"
        )
    design, cost = state.design, float(state.design.prices.sum())
    if design.features is None and state.funds() < cost:
        warnings.warn(
            f"budget = {state.budget:g}, but one sample of each of the {design.n_arms} arms costs "
            f"{cost:g}: unless tell_all adds rewards, this session will not have an answer with a "
            "guarantee",
            UserWarning,
            stacklevel=3,
        )
