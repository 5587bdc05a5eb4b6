"""What a session says at any time, and what it refuses."""

import os
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pareto_core.checks.arguments import shown
from pareto_core.checks.words import RuleName, UnknownNoise
from pareto_core.geometry.partition import Partition
from pareto_core.loop.algorithm import Algorithm
from pareto_lab.experiment.design import ExperimentDesign
from pareto_lab.experiment.names import listed
from pareto_lab.experiment.withdrawal import Withdrawal
from pareto_lab.session.guard import Guard, one_at_a_time
from pareto_lab.statements.status import Statements, Status, check_request

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Standing"]

LONGEST_LINE = 150  # of the algorithm in a representation of a session


class Standing:
    """Where an experiment stands, for those who read of it; `Session` is how it goes on.

    It has the attributes of a `Session`, which documents them.
    """

    algorithm: Algorithm
    design: ExperimentDesign
    seed: int
    ended_by: str | None
    _guard: Guard

    @one_at_a_time
    def __repr__(self):
        design = self.design
        pairs = zip(design.objectives, design.directions, strict=True)
        objectives = [f"{name} ({direction})" for name, direction in pairs]
        ends = {None: "goes on", "answer": "ended by its answer", "budget": "ended by its budget"}
        return "\n".join(
            (
                f"<Session of {textwrap.shorten(repr(self.algorithm), LONGEST_LINE)}",
                f" {design.n_arms} arms: {listed(design.arms)}",
                f" {design.n_objectives} objectives: {listed(objectives)}",
                f" {self.samples} rewards used, {self.waiting.sum()} waiting, "
                f"{self.outstanding.sum()} outstanding; {ends[self.ended_by]}>",
            )
        )

    @property
    def n_arms(self) -> int:
        """Number K of arms."""
        return self.design.n_arms

    @property
    def n_objectives(self) -> int:
        """Number d of objectives."""
        return self.design.n_objectives

    @property
    @one_at_a_time
    def finished(self) -> bool:
        """Whether the session has ended; see ``ended_by``."""
        return self.ended_by is not None

    @property
    @one_at_a_time
    def samples(self) -> int:
        """Observations that the algorithm has used so far."""
        return int(self._run.record.time[0])

    @property
    @one_at_a_time
    def pulls(self) -> np.ndarray:
        """Used observations of each arm, shape (K,)."""
        return self._run.record.counts.copy()

    @property
    @one_at_a_time
    def means(self) -> np.ndarray:
        """Average used reward of each arm, shape (K, d); zero before its first observation."""
        return self.design.restored(self._run.record.means)

    @property
    @one_at_a_time
    def outstanding(self) -> np.ndarray:
        """Samples of each arm that were asked for and not told yet, shape (K,)."""
        return self._ledger.outstanding.copy()

    @property
    @one_at_a_time
    def waiting(self) -> np.ndarray:
        """Observations of each arm that were told and are not used yet, shape (K,)."""
        return np.array([len(queue) for queue in self._course.queues])

    @property
    @one_at_a_time
    def withdrawn(self) -> list[Withdrawal]:
        """Rewards that were withdrawn, a list of `Withdrawal`, the first withdrawn first."""
        return [*self._withdrawn]

    @property
    def budget(self) -> float | None:
        """What samples may cost in all, or None: as given, or as raised since."""
        return self._ledger.budget

    @property
    @one_at_a_time
    def spent(self) -> float:
        """Cost of all samples that were asked for, told or not; their number without costs."""
        return self._ledger.spent

    @property
    @one_at_a_time
    def recommendation(self) -> np.ndarray | Partition | None:
        """The answer: the algorithm's own once it has stopped, before that the empirical one.

        The arms that are looked for, in their order; the best arm of each objective; or a
        `Partition`, which has the reasons for rejecting the others. The empirical answer is
        what would be right if the means were those estimated so far, and means the same for
        all algorithms; it has no guarantee. It is None as long as there is an arm that no
        observation tells of.
        """
        answer = self._algorithms_answer() if self.ended_by == "answer" else self._empirical()
        if isinstance(answer, Partition):
            return Partition(*map(self.design.named, answer))
        return None if answer is None else self.design.named(answer)

    @one_at_a_time
    def status(
        self,
        delta: float = 0.1,
        rule: RuleName = "joint",
        standard_deviation: UnknownNoise | None = None,
    ) -> Status:
        """Return what is certain about each arm, by all that was told, used or not.

        It may be looked at as often as one likes, and the experiment stopped for any reason: all
        statements at all times hold together with probability 1 - delta, whatever algorithm
        decides (the appendix *Proofs*). What was certain stays so, as long as the session is in
        memory and nothing is withdrawn. An algorithm's question decides what is said: for the
        Pareto set see `Certificate`, with a polyhedron `ConstrainedCertificate`, for the best arm
        of every objective `BestArmCertificate`. All rests on the noise that the session states;
        `Status.remarks` says whether the rewards refute it.

        Parameters
        ----------
        delta : float, default 0.1
            Risk that any of these statements is ever wrong; that of the algorithm is its own.
        rule : {"joint", "pairs"}, default "joint"
            ``"pairs"`` holds for objectives whose noise is correlated.
        standard_deviation : "unknown", optional
            Do not use those of the design: the noise is Gaussian, and its variance in each
            objective common to all arms.

        Returns
        -------
        Status

        Raises
        ------
        ValueError
            If an argument is out of range, or the algorithm has a model of the noise of its own
            (`PAL`) and the standard deviation is not ``"unknown"``.

        Examples
        --------
        >>> import pareto_core as pc
        >>> import pareto_lab as lab
        >>> session = lab.Session(
        ...     pc.TrackAndStop(), arms=["A", "B"], objectives=["yield"], standard_deviation=1.0
        ... )
        >>> session.tell_all({"arm": ["A"] * 30 + ["B"] * 30, "yield": [0.0] * 30 + [2.0] * 30})
        Receipt(counted=60, skipped=0)
        >>> session.status().optimal
        ['B']
        """
        check_request(delta, rule, standard_deviation)
        key = (delta, rule, standard_deviation)
        if key not in self._statements:
            self._statements[key] = Statements(self.algorithm, self.design, *key)
        return self._statements[key].look(self)

    def plot(
        self,
        ax: "Axes | Sequence[Axes] | np.ndarray | None" = None,
        delta: float = 0.1,
        rule: RuleName = "joint",
        standard_deviation: UnknownNoise | None = None,
    ) -> np.ndarray:
        """Draw what is certain about each arm: its statement, its averages and its box.

        Two objectives: a point and a box for each arm, the infeasible region if there is one, and
        the staircase of the empirical front. Three and four: points and boxes for each pair of
        objectives. Five and more: parallel axes, from the worst average at the foot to the best at
        the top. Colour and shape tell the statement, and the legend says why there are no boxes. Of
        more than 40 arms, only those of the answer so far, certain or empirical, have boxes and
        names; names that have no room are left out.

        Parameters
        ----------
        ax : matplotlib.axes.Axes or array_like of them, optional
            Where to draw: 3 or 6 axes for three or four objectives, one for each pair; otherwise
            one. By default those of a new figure.
        delta, rule, standard_deviation
            See `status`.

        Returns
        -------
        ndarray of matplotlib.axes.Axes
            One for each panel.

        Raises
        ------
        ValueError
            If an argument is out of range, or ``ax`` is not as many axes as there are panels.
        """
        from pareto_lab.statements import pictures  # Matplotlib is slow to import

        status = self.status(delta, rule, standard_deviation)
        return pictures.plot_status(self.design, status, ax)

    @one_at_a_time
    def report(
        self,
        path: str | os.PathLike,
        delta: float = 0.1,
        rule: RuleName = "joint",
        standard_deviation: UnknownNoise | None = None,
    ) -> None:
        """Write all there is to know of the experiment to one file, for those who read of it.

        The design, the data, what is certain and under which assumptions, how it ended, the
        versions of the program and the digest of the session's file, with a picture inside. The
        same session gives the same file.

        Parameters
        ----------
        path : path-like
            Name of the file, which is replaced: HTML if it ends in ``.html``, to be read in a
            browser or printed, and Markdown if it ends in ``.md``.
        delta, rule, standard_deviation
            See `status`.

        Raises
        ------
        ValueError
            If an argument is out of range, or the algorithm can't be written to a file; see
            `Session.save`.
        OSError
            If the file can't be written.
        """
        from pareto_lab.statements import report  # Matplotlib is slow to import

        report.writer_of(path)
        status = self.status(delta, rule, standard_deviation)
        report.write_report(self, status, path, standard_deviation)

    @property
    def _run(self):
        """The algorithm's own, on all that it has used."""
        return self._course.run

    def _empirical(self):
        """What would be right if the means were those estimated; arms by their numbers."""
        estimates = self._run.estimates()
        if estimates is None:
            return None
        return self.algorithm.question.solve(estimates, self.design.problem.polyhedron)

    def _algorithms_answer(self):
        """What the algorithm answers if it stops now: some answer all arms not yet excluded."""
        return self.algorithm.question.read(self._run.copy().answer())

    def _refuse_if_finished(self):
        if self.ended_by == "answer":
            raise RuntimeError("the session is finished; its recommendation is final")
        if self.ended_by == "budget":
            arm = self.design.arms[self._course.wanted()]
            raise RuntimeError(
                f"the session is finished: of its budget of {self.budget:g}, {self.spent:g} are "
                f"spent, and the samples of arm {arm} that it needs next cost "
                f"{self._ledger.price(self._course):g}"
            )

    def _asked(self, arm):
        """Number of an arm that is asked for.

        Raises
        ------
        ValueError
            If it is another one.
        RuntimeError
            If it is, and the session is finished.
        """
        asked = np.flatnonzero(self._ledger.outstanding).tolist()
        if not self.finished and self._course.wanted() not in asked:
            asked.append(self._course.wanted())
        number = self.design.find(arm)
        if number in asked:
            return number
        self._refuse_if_finished()
        names = [self.design.arms[each] for each in asked]
        expected = f"{names[0]}, the arm asked for"
        if len(names) > 1:
            expected = f"one of {listed(names)}, the arms asked for"
        raise ValueError(f"arm = {shown(arm)}; expected {expected}")
