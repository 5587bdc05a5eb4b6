"""The ledger of an experiment: what was requested, received, withdrawn and paid for."""

import warnings

import numpy as np

from pareto_core.algorithms.pareto.certified import Certified
from pareto_core.checks.arguments import check_count, check_positive, shown
from pareto_core.confidence.boxes import UNKNOWN
from pareto_lab.experiment.arrivals import predecessor_of
from pareto_lab.experiment.changes import Retirement, check_retirement, is_nothing_left
from pareto_lab.experiment.first_statement import least_samples
from pareto_lab.experiment.identifiers import SampleIdentifiers
from pareto_lab.experiment.journal import Entry, now
from pareto_lab.experiment.missing_values import first_value
from pareto_lab.experiment.names import listed
from pareto_lab.experiment.queued_run import QueuedRun
from pareto_lab.experiment.withdrawal import new_withdrawal, replaced

MOST_OUTSTANDING = 100_000  # samples that may be outstanding at once
ROUNDING = 1e-9  # relative: a thousand samples at 0.1 cost 100


class Ledger:
    """The state of an experiment.

    `settle` is the only entry for rewards: new ones, those of a table, and those of a saved
    session. A withdrawal runs the algorithm again on the remaining rewards; it requests and pays
    for nothing.

    Parameters
    ----------
    algorithm : Algorithm
    design : ExperimentDesign or SeparateDesign
        What is sampled.
    seed : int
        Seed of the algorithm's own random decisions.

    Attributes
    ----------
    algorithm, design, seed
        As given.
    queued_run : QueuedRun
        The algorithm's run, and the rewards that wait for it.
    identifiers : SampleIdentifiers
        Samples that have identifiers.
    withdrawn : list of Withdrawal
        In the order in which rewards were withdrawn.
    journal : list of Entry
        In the order in which rewards were told.
    predecessors : list of Predecessor
        The experiment as it was before each arm that was added.
    requested : ndarray of int, shape (K,)
        Samples of each arm that were requested, whether they were told or not.
    outstanding : ndarray of int, shape (K,)
        Samples of each arm that were requested and not told yet.
    budget : float or None
        Total cost that samples may have; their number if the design has no costs.
    ended_by : {"answer", "retired", "budget"} or None
        See `Session`.
    """

    def __init__(self, algorithm, design, seed):
        self.algorithm, self.design, self.seed = algorithm, design, seed
        self.queued_run = QueuedRun(algorithm, design, seed)
        self.identifiers = SampleIdentifiers(design)
        self.withdrawn, self.journal, self.predecessors = [], [], []
        self.requested, self.outstanding = np.zeros((2, design.n_arms), np.int64)
        self.budget = None
        self._ended_by, self._is_end_known = None, True
        self._left = None, False

    # Rewards

    def settle(self, samples):
        """Record samples: the only entry for rewards.

        Parameters
        ----------
        samples : sequence of Sample
            Checked before. As many samples of an arm as are outstanding count as the requested
            ones. Each sample is recorded whole before the next one, so that after an interruption
            the same table adds the remaining samples.
        """
        self.refuse_contradictions(samples)
        time = now()
        for sample in samples:
            self.queued_run.receive(sample.arm, sample.reward)
            self.journal.append(Entry(int(sample.arm), time, sample.identifier))
            self.identifiers.add(sample)
            self.outstanding[sample.arm] = max(self.outstanding[sample.arm] - 1, 0)
        self.queued_run.advance()
        self.update_end()

    def refuse_contradictions(self, samples):
        """Refuse values that differ from an earlier one of their arm in an objective without noise.

        Raises
        ------
        ValueError
            If there is such a value.
        """
        if not self.design.deterministic.size:
            return
        firsts = self.queued_run.known.copy()
        for sample in samples:
            for c in self.design.deterministic:
                value, known = sample.reward[c], firsts[sample.arm, c]
                if np.isnan(known):
                    firsts[sample.arm, c] = value
                elif value != known and not np.isnan(value):
                    raise ValueError(
                        f"{sample.source}: reward = {shown([*sample.values[1]])} of arm "
                        f"{self.design.arms[sample.arm]}; expected {known:g} in "
                        f"{self.design.objectives[c]}, which has no noise, as told before"
                    )

    def told(self):
        """All rewards of each arm that count, in the order told."""
        return self.queued_run.told()

    def new_samples(self, samples, repeat=False):
        """Samples that were not told before; see `Session.tell_all`.

        Raises
        ------
        ValueError
            If a sample may have been told before.
        RuntimeError
            If the experiment has ended, and more is new than is outstanding.
        """
        new = self.identifiers.new_samples(samples, self.withdrawn)
        self.refuse_contradictions(new)
        if not repeat:
            told = self.told()
            for is_named in (True, False):
                some = [each for each in new if (each.identifier is not None) == is_named]
                self.identifiers.refuse_repeated(some, len(samples), told, self.withdrawn)
        counts = np.bincount([sample.arm for sample in new], minlength=self.design.n_arms)
        if (counts > self.outstanding).any():
            self.refuse_if_ended()
        return new

    def withdraw(self, number, position, instead, reason):
        """Remove or replace a reward of an arm, and run the algorithm again without it.

        The position is that among the rewards of the arm. The new run is made aside, so that an
        error or an interruption changes nothing.
        """
        told, arm = self.told(), self.design.arms[number]
        reward = told[number][position]
        counted = bool(position < self.queued_run.run.record.counts[number])
        withdrawal = new_withdrawal(arm, reward, instead, position, counted, reason)
        told[number] = replaced(told[number], position, instead)
        self._refuse_contradiction_among(told[number], arm)
        run = self._new_run(self.algorithm, self.design, told)
        self.queued_run, self.withdrawn = run, [*self.withdrawn, withdrawal]
        self.update_end()

    def _new_run(self, algorithm, design, told):
        """A run on these rewards, in which arms are retired when they were, or else at its end."""
        run = QueuedRun(algorithm, design, self.seed)
        for k, rewards in enumerate(told):
            for each in rewards:
                run.receive(k, each)
        run.schedule(self.queued_run.retirements)
        run.advance()
        run.retire_all()
        return run

    def add_arm(self, algorithm, design):
        """Go on with an algorithm and a design that have one more arm, the last one.

        The new run is made aside, so that an error or an interruption changes nothing.
        """
        told = self.told()
        run = self._new_run(algorithm, design, told)
        before = predecessor_of(self, sum(map(len, told)))
        self.algorithm, self.design, self.queued_run = algorithm, design, run
        self.predecessors = [*self.predecessors, before]
        self.identifiers.set_design(design)
        self.requested, self.outstanding = np.append(
            [self.requested, self.outstanding], [[0], [0]], axis=1
        )
        self.update_end()

    def retire(self, number, reason, still_counts):
        """Never request an arm again; see `Session.retire`."""
        check_retirement(self, number, reason, still_counts)
        self.queued_run.retire(Retirement(number, reason, still_counts, 0))
        self.update_end()

    def _refuse_contradiction_among(self, told, arm):
        """Refuse rewards of an arm that differ from each other in an objective without noise."""
        for c in self.design.deterministic:
            values = np.array([each[c] for each in told])
            if (values != first_value(told, c))[~np.isnan(values)].any():
                raise ValueError(
                    f"instead = {values[-1]:g} of arm {arm} in {self.design.objectives[c]}; "
                    f"expected {first_value(told, c):g} as in its other rewards, because this "
                    "objective has no noise"
                )

    # Requests

    def request(self):
        """Request a sample of the arm that the algorithm wants; return the arm."""
        self.refuse_if_ended()
        arm = self.queued_run.wanted()
        self.ensure_requested(arm)
        return arm

    def ensure_requested(self, arm):
        """Request a sample of an arm unless one is outstanding."""
        if not self.outstanding[arm]:
            self._add_requests([arm])

    def request_many(self, n):
        """Request up to n samples besides the outstanding ones; see `Session.ask_many`."""
        if n + self.outstanding.sum() > MOST_OUTSTANDING:
            raise ValueError(
                f"n = {shown(n)} with {self.outstanding.sum()} samples outstanding; expected at "
                f"most {MOST_OUTSTANDING} together"
            )
        self.refuse_if_ended()
        arms = self.queued_run.plan(n, self.outstanding, self.design.prices, self.funds())
        self._add_requests(arms)
        return arms

    def expected_arm(self, arm):
        """Number of an arm that is outstanding, or that the algorithm wants next.

        Raises
        ------
        ValueError
            If the arm is neither.
        RuntimeError
            If the experiment has ended, and the arm is not outstanding.
        """
        expected = np.flatnonzero(self.outstanding).tolist()
        if self.ended_by is None and self.queued_run.wanted() not in expected:
            expected.append(self.queued_run.wanted())
        number = self.design.find(arm)
        if number not in expected:
            self.refuse_if_ended()
            names = [self.design.arms[each] for each in expected]
            text = f"{names[0]}, the arm asked for"
            if len(names) > 1:
                text = f"one of {listed(names)}, the arms asked for"
            hint = "" if number is None else "; tell_all takes rewards of other arms"
            raise ValueError(f"arm = {shown(arm)}; expected {text}{hint}")
        return number

    def _add_requests(self, arms):
        counts = np.bincount(arms, minlength=self.design.n_arms)
        self.requested += counts
        self.outstanding += counts

    # Costs

    @property
    def spent(self):
        """Cost of all requested samples."""
        return float(self.design.prices @ self.requested)

    def funds(self):
        """What may still be spent."""
        return np.inf if self.budget is None else self.budget * (1 + ROUNDING) - self.spent

    def next_price(self):
        """Cost of the samples that the algorithm wants next and that were not requested yet."""
        arm = self.queued_run.wanted()
        available = len(self.queued_run.queues[arm]) + self.outstanding[arm]
        return float(self.design.prices[arm] * max(self.queued_run.missing() - available, 0))

    def set_budget(self, budget):
        """Set the first budget.

        Raises
        ------
        ValueError
            If it is not a number above 0, or without costs not a positive integer, or if it does
            not pay for what the algorithm samples first.
        """
        self.budget = None if budget is None else self._checked_budget(budget)
        if not self._suffices():
            raise ValueError(
                f"budget = {self.budget}; expected at least {self.next_price():g}, the cost of "
                f"what {type(self.algorithm).__name__} samples first"
            )

    def raise_budget(self, budget):
        """Set a higher budget; see `Session.raise_budget`."""
        raised = self._checked_budget(budget)
        if self.budget is None:
            raise ValueError(f"budget = {shown(budget)}; expected a session that has a budget")
        if raised <= self.budget:
            raise ValueError(f"budget = {shown(budget)}; expected more than {self.budget}")
        self.budget = raised
        self.update_end()

    def _checked_budget(self, budget):
        return (check_count if self.design.costs is None else check_positive)(budget, "budget")

    def _suffices(self):
        return self.budget is None or self.next_price() <= max(self.funds(), 0)

    # The end

    @property
    def ended_by(self):
        """Whether and how the experiment has ended; found when it is asked for."""
        if not self._is_end_known:
            self._ended_by, self._is_end_known = self._end(), True
        return self._ended_by

    def update_end(self):
        """Find out anew whether the experiment has ended, when that is asked for."""
        self._is_end_known = False

    def _end(self):
        if self.queued_run.stopped:
            return "answer"
        if self._is_nothing_left():
            return "retired"
        return None if self._suffices() else "budget"

    def _is_nothing_left(self):
        """See `changes.is_nothing_left`, which takes long: once for the same data."""
        run = self.queued_run
        counts = run.waiting().sum() + len(run.used), len(self.withdrawn), len(run.retirements)
        key = (*counts, self.design.n_arms)
        if self._left[0] != key:
            self._left = key, is_nothing_left(self)
        return self._left[1]

    def refuse_if_ended(self):
        """Raise a RuntimeError if the experiment has ended."""
        self.update_end()  # which an interruption may have prevented
        if self.ended_by == "answer":
            raise RuntimeError("the session is finished; its recommendation is final")
        if self.ended_by == "retired":
            arms = [self.design.arms[each.arm] for each in self.queued_run.retirements]
            raise RuntimeError(
                "the session is finished: no sample of the other arms could decide an open arm, "
                f"because {listed(arms)} cannot be sampled again"
            )
        if self.ended_by == "budget":
            arm = self.design.arms[self.queued_run.wanted()]
            raise RuntimeError(
                f"the session is finished: of its budget of {self.budget:g}, {self.spent:g} are "
                f"spent, and the samples of arm {arm} that it needs next cost "
                f"{self.next_price():g}"
            )


def warn_of_small_budget(ledger):
    """Warn of a budget that is too small for an answer, unless `Session.tell_all` adds rewards.

    With features the session may judge an arm without samples of it. If the algorithm has to
    estimate the noise, the cost is that of one sample of each arm and then of the cheapest arm.
    """
    design, algorithm = ledger.design, ledger.algorithm
    if ledger.budget is None or design.features is not None:
        return
    cost = float(design.prices.sum())
    reason = f"one {design.samples.format(design.n_arms)} costs {cost:g}"
    if isinstance(algorithm, Certified) and algorithm.variance == UNKNOWN:
        least = least_samples(np.ones(design.n_arms), design.n_objectives, algorithm.delta)
        cost += float((least - design.n_arms) * design.prices.min())
        reason = (
            "with an unknown standard deviation no statement is possible before about "
            f"{least} samples, which cost {cost:g} or more"
        )
    if ledger.funds() < cost:
        warnings.warn(
            f"budget = {ledger.budget:g}, but {reason}: unless tell_all adds rewards, this session "
            "will not have an answer with a guarantee",
            UserWarning,
            stacklevel=3,
        )
