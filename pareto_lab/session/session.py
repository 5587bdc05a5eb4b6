"""Sessions: an algorithm that decides about a reader's own experiment.

The rewards that a reader tells form one queue per arm, and the algorithm takes them from the
queues in its own order. So it does not matter to it in which order they come in, or how many
arms were asked for at once.
"""

import os
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_count, check_flag, check_path, shown
from pareto_core.checks.words import Direction
from pareto_core.geometry.polyhedron import Polyhedron
from pareto_core.loop.algorithm import Algorithm
from pareto_lab.experiment.course import Course
from pareto_lab.experiment.design import as_designed, new_design, refuse_misfit
from pareto_lab.experiment.ledger import MOST_OUTSTANDING, Ledger, warn_of_hopeless
from pareto_lab.experiment.names import Values
from pareto_lab.experiment.samples import Receipt, Row, Samples, check_identifier
from pareto_lab.experiment.session_file import locked
from pareto_lab.experiment.tables import Rewards, read_rows
from pareto_lab.experiment.withdrawal import find_reward, new_withdrawal, replaced
from pareto_lab.session.guard import Guard, one_at_a_time
from pareto_lab.session.replay import write_restorable
from pareto_lab.session.standing import Standing

__all__ = ["Session"]


class Session(Standing):
    """An experiment in progress: ask for an arm, tell its reward, until finished.

    `ask` names one arm at a time. `ask_many` names several, to be sampled in parallel, whose
    rewards may be told in any order. The algorithm uses the first reward told of an arm when it
    first wants a sample of that arm, the second the second time, and so on; a reward that it does
    not want yet waits. So it sees what it would have seen one sample at a time, and its guarantees
    hold unchanged, whatever the number of arms asked for at once, provided that

    * rewards of an arm are independent and have the same law, and
    * how long a reward takes, and whether it is told at all, does not depend on its value.

    An arm is called by its name, if the arms have names, and by its number from 0 otherwise: by
    `ask` and `ask_many`, for `tell`, and in the `recommendation`. Arrays that have a row or an
    entry for each arm are in the order in which the arms were given. Rewards, means and the
    polyhedron are in the caller's own signs and units.

    Threads may share a session: its methods and attributes wait for each other, so that each finds
    all of a reward that was told, or nothing of it.

    Parameters
    ----------
    algorithm : Algorithm
        The algorithm that decides. Its own parameters are about what it sees: rewards divided by
        their standard deviations, if these are given, and all to be maximised.
    n_arms, n_objectives : int, optional
        Size of the experiment, if there are no names.
    standard_deviation : float, array_like, shape (d,) or (K, d), or "unknown", optional
        Of the noise in each objective, also by name. The noise must be stated exactly once: here,
        by ``bounds``, or by the algorithm (its ``variance_bound``, the ``bounds`` of `WidestBox`,
        the ``hyperparameters`` of `PAL`). With ``"unknown"`` the noise is Gaussian, of a variance
        that is common to all arms, and an algorithm for the Pareto set that would need it is
        stopped by `Certified` with ``variance="unknown"`` at its own risk; rewards go to it as they
        are, so that units in which the noise of the objectives is about alike save samples. One per
        arm and objective is for algorithms that need no bound on the noise, such as
        `UniformSampling` with a budget: rewards are not divided by it. `status` and `report` test
        what is stated against the scatter of the rewards.
    features : array_like, shape (K, h), optional
        Feature vector of each arm, for an algorithm that uses them.
    polyhedron : Polyhedron, optional
        Feasible region of the means, for an algorithm that uses it.
    seed : int, default 0
        Of what the algorithm leaves to chance, if it does.
    arms : sequence of str, optional
        Names of the arms.
    objectives : mapping of str to {"max", "min"}, or sequence of str, optional
        Names of the objectives, and what is good; large values, in a sequence of names.
    units : mapping of str to str, optional
        Units of objectives, for those who read of them.
    costs : array_like, shape (K,), or mapping of str to float, optional
        What a sample of each arm costs. An algorithm that has a parameter ``costs``, as
        `TrackAndStop` and `UniformSampling` have, is told them unless it has been, also inside
        another one, as in `Certified`; others want the same arms whatever they cost.
    bounds : (float, float), or array_like, shape (d, 2), or mapping of str to pairs, optional
        Of the rewards, in place of the standard deviations: between a and b they have at most
        (b - a)/2, whatever their law (Hoeffding's lemma). A reward out of them is refused.
    budget : float, optional
        What samples may cost in all; their number, if there are no costs. The session ends when
        the samples that the algorithm wants next can't be paid for. Paid for is what was asked
        for, whether told or not, and not what `tell_all` brings besides.

    Attributes
    ----------
    algorithm : Algorithm
        As given, told the costs, and certified if the noise is unknown.
    design : ExperimentDesign
        What the experiment is: names, directions, units, costs and what is known of the noise.
    seed : int
        As given.
    ended_by : {"answer", "budget"} or None
        How the session ended: the algorithm has stopped, and its answer has its guarantee; or the
        budget does not suffice to go on, and the answer is the empirical one.

    Raises
    ------
    ValueError
        If an argument is out of range, does not fit, or would be ignored by the algorithm; if the
        noise is not stated, or stated twice; if the budget does not pay for what the algorithm
        samples first; or if there are more than a million means.

    Warns
    -----
    UserWarning
        If the budget pays for too few samples to answer: fewer than one of each arm, or with an
        unknown standard deviation fewer than any statement needs.

    Examples
    --------
    >>> import pareto_core as pc
    >>> import pareto_lab as lab
    >>> session = lab.Session(
    ...     pc.TrackAndStop(delta=0.1), n_arms=2, n_objectives=1, standard_deviation=1.0
    ... )
    >>> while not session.finished:
    ...     arm = session.ask()
    ...     session.tell(arm, [10.0 * arm])
    >>> session.recommendation
    array([1])

    With names, and an objective that is to be small:

    >>> session = lab.Session(
    ...     pc.TrackAndStop(delta=0.1),
    ...     arms=["A", "B"],
    ...     objectives={"protection": "max", "fever": "min"},
    ...     units={"fever": "°C"},
    ...     standard_deviation={"protection": 1.0, "fever": 0.5},
    ... )
    >>> session.tell("A", {"protection": 12.0, "fever": 37.5})
    >>> session.tell("B", {"protection": 2.0, "fever": 39.5})
    >>> session.recommendation, session.ended_by
    (array(['A'], dtype='<U1'), 'answer')
    """

    def __init__(
        self,
        algorithm: Algorithm,
        n_arms: int | None = None,
        n_objectives: int | None = None,
        standard_deviation: Values | str | None = None,
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
    ) -> None:
        if not isinstance(algorithm, Algorithm):
            raise ValueError(f"algorithm = {shown(algorithm)}; expected an Algorithm")
        self.algorithm = algorithm
        self.seed = check_count(seed, "seed", at_least=0)
        names = (arms, objectives, units)
        noise = (algorithm, standard_deviation, bounds)
        self.design = new_design(n_arms, n_objectives, names, noise, features, polyhedron, costs)
        refuse_misfit(algorithm, self.design)
        self.algorithm = algorithm = as_designed(algorithm, self.design)
        self._guard = Guard()
        self.ended_by = None
        self._ledger = Ledger(self.design, budget)
        self._course = Course(algorithm, self.design, self.seed)
        self._samples = Samples(self.design)
        self._withdrawn, self._statements = [], {}
        self._ledger.refuse_too_small(self._course, algorithm)
        warn_of_hopeless(self._ledger, algorithm, self.design)

    @one_at_a_time
    def ask(self) -> int | str:
        """Return the arm that the algorithm needs next; the same one until it has been told.

        It may be outstanding already, since `ask_many`: if that sample was lost, take it anew.

        Raises
        ------
        RuntimeError
            If the session is finished.
        """
        self._refuse_if_finished()
        arm = self._course.wanted()
        self._ledger.outstanding[arm] = max(self._ledger.outstanding[arm], 1)
        return self.design.arms[arm]

    @one_at_a_time
    def ask_many(self, n: int) -> list[int | str]:
        """Return arms to sample next, all at once, besides those that are outstanding.

        The algorithm is run ahead on a copy, on the observations that wait and on imagined
        ones: the average reward of the arm, or before its first observation that of the other
        arms, so that it looks neither better nor worse than they do. What is imagined only
        decides which samples are asked for in advance; a poor guess costs samples, which wait
        for ever if they are never needed, and no guarantee.

        Parameters
        ----------
        n : int
            Largest number of arms, at least 1. With those outstanding, at most 100,000.

        Returns
        -------
        list of int or str
            At most n arms, an arm as often as it is to be sampled. There are fewer when the
            algorithm would stop before it has used them all, should the rewards be as imagined, or
            when a budget ends, its own or the session's; there are none when the outstanding
            samples may be enough: tell these first. There is at least one when none is outstanding.

        Raises
        ------
        ValueError
            If ``n`` is not a positive integer, or too large.
        RuntimeError
            If the session is finished.
        """
        check_count(n, "n")
        outstanding = self._ledger.outstanding
        if n + outstanding.sum() > MOST_OUTSTANDING:
            raise ValueError(
                f"n = {shown(n)} with {outstanding.sum()} samples outstanding; expected at "
                f"most {MOST_OUTSTANDING} together"
            )
        self._refuse_if_finished()
        arms = self._course.plan(n, outstanding, self.design.prices, self._ledger.left())
        outstanding += np.bincount(arms, minlength=self.n_arms)
        return [self.design.arms[arm] for arm in arms]

    @one_at_a_time
    def tell(self, arm: int | str, reward: Values, *, id: int | str | None = None) -> None:
        """Report one observed reward of an arm that was asked for.

        A reward counts as often as it is told, unless it has an identifier: a sample whose
        identifier was told before, with the same arm and reward, is skipped. A withdrawn one may be
        told again with other values; see `tell_all`.

        Parameters
        ----------
        arm : int or str
            An arm that `ask` or `ask_many` returned, and that is still outstanding; in any
            order. Rewards that come in after the end are accepted.
        reward : array_like, shape (d,), or mapping of str to float
            What was observed, in the caller's own signs and units, by the name of the objective
            or in their order; up to 1e150 standard deviations.
        id : int or str, optional
            Identifier of the sample; see `tell_all`.

        Raises
        ------
        ValueError
            If the arm is not one of those asked for, the reward is not d finite numbers, or the
            identifier was told before with other values, or with the same in another spelling.
            Nothing is recorded then.
        RuntimeError
            If the session is finished, and the arm is not outstanding.
        """
        name = None if id is None else check_identifier(id, "id")
        if name is not None:
            row = Row("id", self.design.arm_number(arm), self.design.check_reward(reward), name)
            if not self._samples.new_rows([row], self._withdrawn):
                return
        number = self._asked(arm)
        row = Row("id", number, self.design.check_reward(reward), name)
        self._course.queues[number].append(row.reward)
        self._samples.remember(row)
        self._ledger.outstanding[number] = max(self._ledger.outstanding[number] - 1, 0)
        self._ledger.paid[number] += 1
        self._go_on()

    @one_at_a_time
    def tell_all(self, frame: Rewards, *, id: str | None = None, repeat: bool = False) -> Receipt:
        """Report rewards that are there already: of past days, of arms nobody asked for.

        They wait in the queues of their arms, behind what was told of these before, until the
        algorithm wants them. The guarantee holds, since the algorithm does not see which rewards
        are old: it takes an arm's first reward when it first wants one, its second the second
        time, and may find all that it needs already there. How many samples of an arm were
        taken in the past may have depended on anything that was known then. But *all* rewards
        of these days have to be told, in the order in which those of an arm were taken, or else
        a choice that did not look at them: leaving out the bad days changes the experiment.

        A sheet that grows, and is told every day, should have a column of sample identifiers. A row
        whose identifier was told before, by `tell` or `tell_all`, is skipped if its arm and its
        reward are the same (or the corrected ones, since `withdraw`), and refused if they are not.
        An identifier whose reward was withdrawn without ``instead=`` may be told again with another
        arm or reward, and counts; with the same ones it is skipped, because they were withdrawn. An
        identifier that differs from a known one only in upper case, white space, leading zeros or
        its form in Unicode (``007`` and ``7``) is refused if its arm and reward are the same.
        Without identifiers, rows that have the arm and the reward of one told by an earlier call
        are refused, as they may be the same samples; equal rows within one table are not.

        Parameters
        ----------
        frame : pandas.DataFrame, mapping of columns, or path-like
            Columns ``arm`` and the objectives, by their names (or numbers); other columns are
            left alone. A path is that of a CSV file whose first row has the names. All is
            checked before any of it counts. Rows of arms that are outstanding are the rewards
            asked for; the others are not charged to the budget.
        id : str, optional
            Name of the column of sample identifiers, which are strings or whole numbers: 7, 7.0
            and "7" are the same.
        repeat : bool, default False
            Count rows that have the values of earlier ones, as happens with discrete rewards, also
            if their identifiers differ only in spelling.

        Returns
        -------
        Receipt
            How many rows were counted, and how many skipped.

        Raises
        ------
        ValueError
            If the columns are not these, a row has no arm, no finite reward or no identifier, or
            rows may have been told before; the message names them. The first row is row 1. Nothing
            is recorded then.
        RuntimeError
            If the session is finished, and there is more than is outstanding.
        OSError
            If there is no such file.

        Examples
        --------
        >>> import pareto_core as pc
        >>> import pareto_lab as lab
        >>> session = lab.Session(
        ...     pc.TrackAndStop(),
        ...     arms=["A", "B"],
        ...     objectives={"yield": "max", "cost": "min"},
        ...     standard_deviation=[0.1, 0.5],
        ... )
        >>> days = {"arm": ["B", "A", "B"], "yield": [0.1, 0.4, 0.3], "cost": [2.0, 1.5, 2.2]}
        >>> session.tell_all(days)
        Receipt(counted=3, skipped=0)
        >>> session.samples, session.waiting
        (2, array([0, 1]))
        """
        check_flag(repeat, "repeat")
        rows = read_rows(frame, self.design, id)
        new = self._samples.new_rows(rows, self._withdrawn, repeat)
        if not repeat:
            self._samples.refuse_repeated(new, len(rows), self._course.told(), self._withdrawn)
        counts = np.bincount([row.arm for row in new], minlength=self.n_arms)
        if (counts > self._ledger.outstanding).any():
            self._refuse_if_finished()
        for row in new:
            self._course.queues[row.arm].append(row.reward)
            self._samples.remember(row)
        self._ledger.come_in(counts)
        self._go_on()
        return Receipt(len(new), len(rows) - len(new))

    @one_at_a_time
    def withdraw(
        self, arm: int | str, reward: Values, instead: Values | None = None, reason: str = ""
    ) -> None:
        """Take back a reward that was told by mistake, or put the right one in its place.

        A reward that waits has decided nothing yet, and is taken from its queue. If the algorithm
        has used it, the algorithm is run again from its start, on all other rewards in their
        order: the session is then the one in which the mistake was never made. It may want other
        arms, and be finished no longer. Either way a trace remains, in `withdrawn` and in the
        session's file; the cost remains spent.

        The guarantee is that of the rewards that remain. It holds if what was withdrawn was not
        chosen for its value: a mistyped number, a mislabelled tube, known from the records.
        Withdrawing what looks unlikely chooses the data, and loses the guarantee. So `status`
        states how many rewards were withdrawn, and the test of the stated noise uses them as well,
        unless ``instead`` replaced them, or their identifiers were told again with other values.

        Parameters
        ----------
        arm : int or str
            The arm that it was told of.
        reward : array_like, shape (d,), or mapping of str to float
            As it was told; if it was so several times, the last of them is withdrawn.
        instead : array_like, shape (d,), or mapping of str to float, optional
            The right reward of the same sample, to stand in its place.
        reason : str, default ""
            For those who read the trace, up to 1000 characters.

        Raises
        ------
        ValueError
            If no such reward was told of the arm, or another argument is none.

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
        number = self.design.arm_number(arm)
        arm, reward = self.design.arms[number], self.design.check_reward(reward)
        if instead is not None:
            instead = self.design.check_reward(instead, "instead")
        told = self._course.told()
        place = find_reward(told[number], reward, arm)
        counted = place < self._run.record.counts[number]
        trace = new_withdrawal(arm, reward, instead, place, bool(counted), reason)
        told[number] = replaced(told[number], place, instead)
        self._course.begin_anew(told)
        self._withdrawn.append(trace)
        self._statements.clear()
        self._go_on()

    @one_at_a_time
    def raise_budget(self, budget: float) -> None:
        """Go on with more money, or more samples: the guarantee does not depend on the budget.

        Parameters
        ----------
        budget : float
            What samples may cost in all, with what was spent already; more than before.

        Raises
        ------
        ValueError
            If the session has no budget, or it is not more.
        """
        self._ledger.raise_to(budget)
        self._go_on()

    @one_at_a_time
    def save(self, path: str | os.PathLike) -> None:
        """Write the session to a file, from which `load_session` restores it exactly.

        The file is JSON: the algorithm, the design and all observations. It replaces an earlier
        state of the same session only: no file with an observation that this one has not got. What
        could not be restored is not written; an algorithm of the reader's own is run again on all
        observations to see that.

        Parameters
        ----------
        path : path-like
            Name of the file. It is written whole under another name, and then renamed, while
            a lock in the hidden file ``.NAME.lock`` beside it keeps other writers waiting.

        Raises
        ------
        ValueError
            If there is another file of that name, or an algorithm of the reader's own cannot be
            restored: it has the name of one of the package, its parameters cannot be written as
            JSON, or it asks for other arms when it is run again.
        OSError
            If the file can't be written, or another program keeps the lock for a minute.
        """
        path = check_path(path, "path")
        with locked(path):
            write_restorable(self, path)

    def _go_on(self):
        """Use what can be used, and see whether that is the end."""
        self._course.advance()
        if self._course.stopped:
            self.ended_by = "answer"
        else:
            self.ended_by = None if self._ledger.suffices(self._course) else "budget"
