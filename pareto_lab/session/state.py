"""What can be read from a session: its samples, its answer, what is certain, and its files."""

import dataclasses
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pareto_core.checks.arguments import check_path
from pareto_core.checks.words import RuleName, UnknownNoise
from pareto_core.geometry.partition import Partition
from pareto_core.loop.algorithm import Algorithm
from pareto_lab.experiment.adapted_algorithm import adapted
from pareto_lab.experiment.design import ExperimentDesign
from pareto_lab.experiment.ledger import Ledger
from pareto_lab.experiment.separate_design import SeparateDesign
from pareto_lab.experiment.session_file import locked
from pareto_lab.experiment.withdrawal import Withdrawal
from pareto_lab.session.lock import SessionLock, synchronized
from pareto_lab.session.replay import write_restorable
from pareto_lab.statements.request import checked_request
from pareto_lab.statements.status import Status, StatusMonitor
from pareto_lab.statements.terminal import representation_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["SessionState"]


class SessionState:
    """The state of a session: what can be read, drawn and written, but nothing that changes it.

    Parameters
    ----------
    algorithm : Algorithm
        As given to `Session`.
    design : ExperimentDesign
        Names, directions, units, costs and the statement about the noise.
    seed : int
        Seed of the algorithm's random decisions.
    """

    def __init__(self, algorithm: Algorithm, design: ExperimentDesign, seed: int) -> None:
        self.algorithm: Algorithm = adapted(algorithm, design)
        self.design: ExperimentDesign = dataclasses.replace(
            design,
            allows_missing_values=self.algorithm.allows_missing_values,
            uses_covariance=self.algorithm.uses_covariance and self.algorithm.needs_unit_variance,
        )
        self.seed = seed
        self._lock = SessionLock()
        self._monitors = {}
        is_separate = self.algorithm.measures_separately
        sampled = SeparateDesign(self.design) if is_separate else self.design
        self._ledger = Ledger(self.algorithm, sampled, seed)

    @synchronized
    def __repr__(self):
        return representation_of(self)

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
        return self._ledger.ended_by is not None

    @property
    @synchronized
    def ended_by(self) -> str | None:
        """How the session ended: None, "answer", "budget" or "retired".

        "answer" means that the algorithm has stopped, and its answer has its guarantee. "budget"
        means that the budget does not suffice to continue, and the answer is the empirical one.
        "retired" means that arms are open, and because of arms that were retired and still count,
        no sample could decide one of them; see `Session.retire`.
        """
        return self._ledger.ended_by

    @property
    @synchronized
    def samples(self) -> int:
        """Observations that the algorithm has used so far."""
        return int(self._run.record.time[0])

    @property
    @synchronized
    def pulls(self) -> np.ndarray:
        """Used observations of each arm, shape (K,), or of each arm and objective, (K, d)."""
        return self._shaped(self._run.record.counts.copy())

    @property
    @synchronized
    def means(self) -> np.ndarray:
        """Average of the used values, shape (K, d); zero before the first one of an objective."""
        means = self._ledger.design.restored(self._run.record.means)
        return means.reshape(self.n_arms, self.n_objectives)

    @property
    @synchronized
    def outstanding(self) -> np.ndarray:
        """Samples that were asked for and not told yet, in the shape of `pulls`."""
        return self._shaped(self._ledger.outstanding.copy())

    @property
    @synchronized
    def waiting(self) -> np.ndarray:
        """Observations that were told and not used yet, in the shape of `pulls`."""
        return self._shaped(self._ledger.queued_run.waiting())

    @property
    @synchronized
    def withdrawn(self) -> list[Withdrawal]:
        """Withdrawn rewards, in the order of withdrawal."""
        return [*self._ledger.withdrawn]

    @property
    def budget(self) -> float | None:
        """Total cost that samples may have, as given or as raised since; None without a budget."""
        return self._ledger.budget

    @property
    @synchronized
    def spent(self) -> float:
        """Cost of all samples that were asked for, told or not; their number without costs."""
        return self._ledger.spent

    @property
    @synchronized
    def recommendation(self) -> np.ndarray | Partition | None:
        """The answer: the algorithm's own once it has stopped, before that the empirical one.

        The arms of the answer in order; the best arm of each objective; or a `Partition`, which
        has the reasons for rejecting the other arms. The empirical answer is right if the means
        are their estimates so far, is the same for all algorithms, and has no guarantee. It is
        None until there are observations about every arm.
        """
        run = self._ledger.queued_run
        answer = self._algorithms_answer() if run.stopped else run.empirical_answer()
        if isinstance(answer, Partition):
            return Partition(*map(self.design.named, answer))
        return None if answer is None else self.design.named(answer)

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
        certain statement remains, as long as the session is in memory and nothing is withdrawn.
        The algorithm's question determines the statements: see `Certificate` for the Pareto set,
        `ConstrainedCertificate` with a polyhedron, and `BestArmCertificate` for the best arm of
        every objective. If the algorithm is `Certified` with an accuracy ``epsilon``, arms may be
        equal within it, and the status states when the session will have ended at the latest. The
        statements rest on the stated noise; `Status.remarks` reports whether the
        rewards refute it.

        Parameters
        ----------
        delta : float, optional
            Risk that any of these statements is ever wrong, besides that of the algorithm's answer;
            by default as large as that, or 0.1 if the algorithm has no risk.
        rule : {"joint", "pairs"}, optional
            ``"pairs"`` allows correlated noise between objectives. By default the rule by which the
            algorithm stops: ``rule`` of `Certified`, or ``"pairs"`` with ``threshold =
            "proven_correlated"``; ``"joint"`` if it stops by another one.
        standard_deviation : "unknown", optional
            Do not use the stated noise, but assume Gaussian noise with an unknown variance in each
            objective, the same for all arms.

        Returns
        -------
        Status

        Raises
        ------
        ValueError
            If an argument is out of range, or the algorithm has its own model of the noise
            and ``standard_deviation`` is not ``"unknown"``.

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
        asked = self._request(delta, rule, standard_deviation)
        if asked not in self._monitors:
            self._monitors[asked] = StatusMonitor(self.algorithm, self.design, *asked)
        return self._monitors[asked].status_of(self._ledger)

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
        objectives. Five and more: parallel axes, from the worst average at the bottom to the best
        at the top. If there are more than 40 arms, only those of the certain or empirical answer
        have boxes and names. Names without room beside their points are written further away, or
        omitted.

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
            Name of the file, which is replaced. It ends in ``.html``, and can be read in a browser
            or printed.
        delta, rule, standard_deviation
            See `status`.

        Raises
        ------
        ValueError
            If an argument is out of range, or the algorithm cannot be written to a file; see
            `save`.
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
        earlier state of the same session. A session that could not be restored is not written;
        for an algorithm of your own, `save` runs it again on all observations.

        Parameters
        ----------
        path : path-like
            Name of the file. It is written under another name and then renamed, while a lock in
            the hidden file ``.NAME.lock`` beside it makes other writers wait.

        Raises
        ------
        ValueError
            If the file has other content, or an algorithm of your own cannot be restored: its
            class has the name of one of the package, its parameters cannot be written as JSON, or
            it asks for other arms when it is run again.
        OSError
            If the file cannot be written, or another program holds the lock for a minute.
        """
        with locked(check_path(path, "path")):
            write_restorable(self, path)

    @property
    def _run(self):
        """The algorithm's state after all observations that it has used."""
        return self._ledger.queued_run.run

    def _request(self, delta, rule, standard_deviation=None):
        """What is asked for, with the session's own risk and rule in place of None."""
        return checked_request(self.algorithm, delta, rule, standard_deviation)

    def _shaped(self, counts):
        """Counts of what is sampled, in the shape of the design."""
        return counts.reshape(self._ledger.design.shape)

    def _algorithms_answer(self):
        """The algorithm's answer if it stopped now; some algorithms return all remaining arms."""
        return self._ledger.queued_run.answer()
