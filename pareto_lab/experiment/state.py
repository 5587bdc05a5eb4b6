"""The state of an experiment, as it follows from its events."""

from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.pareto.certified import Certified
from pareto_core.checks.arguments import check_flag, shown
from pareto_core.loop.algorithm import Algorithm
from pareto_lab.experiment import events
from pareto_lab.experiment.arrivals import with_new_arm
from pareto_lab.experiment.design import ExperimentDesign
from pareto_lab.experiment.events import Predecessor, Retirement, Withdrawal
from pareto_lab.experiment.identifiers import Sample
from pareto_lab.experiment.missing_values import plain_reward
from pareto_lab.experiment.names import listed
from pareto_lab.experiment.queued_run import QueuedRun
from pareto_lab.experiment.retirement import is_nothing_left

MOST_OUTSTANDING = 100_000  # samples that may be outstanding at once
ROUNDING = 1e-9  # relative: a thousand samples at 0.1 cost 100


class Start(NamedTuple):
    """How an experiment begins; predecessors only if it goes on from an earlier file."""

    algorithm: Algorithm
    design: ExperimentDesign
    seed: int
    budget: float | None
    predecessors: tuple[Predecessor, ...] = ()


class State:
    """The state of an experiment after the events that it has applied."""

    def __init__(self, start):
        self.algorithm, self.design, self.seed = start.algorithm, start.design, start.seed
        self.budget = start.budget
        self.samples, self.identified = [], {}  # in the order told, and by identifier
        self.told = [[] for _ in self.design.arms]  # samples of each arm
        self.rewards = [[] for _ in self.design.arms]  # those that count
        self.withdrawn, self.retirements, self.predecessors = [], [], [*start.predecessors]
        self.requested, self.outstanding = np.zeros((2, self.design.n_arms), np.int64)
        self._run, self._is_behind = None, False
        self._left = None, False

    # Events

    def apply(self, event):
        """Apply one event, which was checked before."""
        APPLY[type(event)](self, event)

    def _ask(self, event):
        counts = np.bincount(event.arms, minlength=self.design.n_arms)
        self.requested += counts
        self.outstanding += counts

    def _tell(self, event):
        for reward in event.rewards:
            sample = Sample(len(self.samples) + 1, len(self.told[reward.arm]), reward)
            self.samples.append(sample)
            self.told[reward.arm].append(sample)
            self.rewards[reward.arm].append(reward.values)
            if reward.identifier is not None:
                self.identified.setdefault(reward.identifier, []).append(sample)
            self.outstanding[reward.arm] = max(self.outstanding[reward.arm] - 1, 0)
        self._is_behind = True
        if self.retirements:  # whose rewards are used when they are told
            self.run  # noqa: B018 - which advances

    def _withdraw(self, event):
        sample, position = self.told[event.arm][event.rank], self.position(event.arm, event.rank)
        reward, own = sample.values()[1], self.rewards[event.arm]
        sample.withdraw(event.instead, event.reason)
        own[position : position + 1] = [] if event.instead is None else [event.instead]
        instead = None if event.instead is None else plain_reward(event.instead)
        record = (reward, instead, position, event.counted, event.reason)
        self.withdrawn.append(Withdrawal(self.design.arms[event.arm], *record))
        self._begin_anew()

    def _retire(self, event):
        self.run.retire(Retirement(*event, samples=self.run.samples))

    def _resume(self, event):
        pairs = zip(event.retirements, event.samples, strict=True)
        self.retirements = [Retirement(*each, samples=samples) for each, samples in pairs]
        self._run = self._new_run(event.order)

    def _add(self, event):
        delta = getattr(self.algorithm, "delta", None)
        before = (None if delta is None else float(delta), sum(map(len, self.rewards)))
        self.predecessors.append(Predecessor(tuple(self.design.arms), *before))
        self.algorithm, self.design = with_new_arm(self.algorithm, self.design, event)
        self.told.append([])
        self.rewards.append([])
        self.requested = np.append(self.requested, 0)
        self.outstanding = np.append(self.outstanding, 0)
        self._begin_anew()

    def _raise(self, event):
        self.budget = event.budget

    def _begin_anew(self):
        """Run the algorithm again; arms that are retired may then be retired earlier."""
        self._run = None
        if self.retirements:
            self._run = self._new_run()

    # Rewards

    @property
    def run(self):
        """The algorithm's run on all rewards that count."""
        if self._run is None:
            self._run, self._is_behind = self._new_run(), False
        elif self._is_behind:
            self._run.advance()
            self._is_behind = False
        return self._run

    def _new_run(self, known_order=()):
        """A run in which arms are retired when they were, or else at its end."""
        run = QueuedRun(self.algorithm, self.design, self.seed, self.rewards, known_order)
        run.schedule(self.retirements)
        run.advance()
        run.retire_all()
        self.retirements = run.retirements
        return run

    def position(self, arm, rank):
        """Position of a sample among the rewards of its arm that count."""
        return sum(each.counts for each in self.told[arm][:rank])

    def unreplaced(self):
        """Withdrawn samples that have no other reward, nor were told again with the identifier."""
        return [
            each
            for each in self.samples
            if not each.counts
            and (each.identifier is None or self.identified[each.identifier][-1] is each)
        ]

    def refuse_contradictions(self, rows):
        """Refuse values that differ from an earlier one where there is no noise."""
        firsts = {}
        for row in rows if self.design.deterministic.size else ():
            for c in self.design.deterministic:
                key, value = (row.arm, c), row.reward[c]
                known = firsts.get(key, first_value(self.rewards[row.arm], c))
                if np.isnan(known):
                    firsts[key] = value
                elif value != known and not np.isnan(value):
                    raise ValueError(
                        f"{row.source}: reward = {shown([*plain_reward(row.reward)])} of arm "
                        f"{self.design.arms[row.arm]}; expected {known:g} in "
                        f"{self.design.objectives[c]}, which has no noise, as told before"
                    )

    def refuse_contradiction(self, arm, position, instead):
        """Refuse a correction that differs from the other rewards where there is no noise."""
        others = self.rewards[arm][:position] + self.rewards[arm][position + 1 :]
        for c in self.design.deterministic:
            first = first_value(others, c)
            values = np.array([each[c] for each in (others if instead is None else [instead])])
            wrong = values[(values != first) & ~np.isnan(values)]
            if wrong.size and not np.isnan(first):
                raise ValueError(
                    f"reward = {wrong[0]:g} of arm {self.design.arms[arm]} in "
                    f"{self.design.objectives[c]}; expected {first:g} as in its other rewards, "
                    "because this objective has no noise"
                )

    def check_retirement(self, arm, reason, still_counts):
        """Refuse an invalid argument, an arm that is retired, and an algorithm without this."""
        events.check_reason(reason)
        check_flag(still_counts, "still_counts")
        if not isinstance(self.algorithm, Certified):
            raise ValueError(
                f"algorithm = {self.algorithm!r}, which cannot avoid an arm; expected "
                "pc.Certified(algorithm), whose guarantee holds for any sampling"
            )
        if any(each.arm == arm for each in self.retirements):
            raise ValueError(f"arm = {shown(self.design.arms[arm])} is retired already")

    # Requests and costs

    def expected_arm(self, arm):
        """Number of an arm that is outstanding, or that the algorithm wants next."""
        expected = np.flatnonzero(self.outstanding).tolist()
        number = self.design.find(arm)
        if number in expected:
            return number
        if self.ended_by is None and self.run.wanted() not in expected:
            expected.append(self.run.wanted())
        if number not in expected:
            self.refuse_if_ended()
            names = [self.design.arms[each] for each in expected]
            text = f"{names[0]}, the arm asked for"
            if len(names) > 1:
                text = f"one of {listed(names)}, the arms asked for"
            hint = "" if number is None else "; tell_all takes rewards of other arms"
            raise ValueError(f"arm = {shown(arm)}; expected {text}{hint}")
        return number

    def plan(self, n):
        """Up to n samples to request besides the outstanding ones; see `Session.ask_many`."""
        if n + self.outstanding.sum() > MOST_OUTSTANDING:
            raise ValueError(
                f"n = {shown(n)} with {self.outstanding.sum()} samples outstanding; expected at "
                f"most {MOST_OUTSTANDING} together"
            )
        self.refuse_if_ended()
        return self.run.plan(n, self.outstanding, self.design.prices, self.funds())

    @property
    def spent(self):
        """Cost of all requested samples."""
        return float(self.design.prices @ self.requested)

    def funds(self):
        """What may still be spent."""
        return np.inf if self.budget is None else self.budget * (1 + ROUNDING) - self.spent

    def next_price(self):
        """Cost of the samples that the algorithm wants next and that were not requested yet."""
        arm = self.run.wanted()
        available = self.run.waiting()[arm] + self.outstanding[arm]
        return float(self.design.prices[arm] * max(self.run.missing() - available, 0))

    def check_raise(self, budget):
        """Return a budget that is higher than the present one."""
        raised = self.design.check_budget(budget)
        if self.budget is None:
            raise ValueError(f"budget = {shown(budget)}; expected a session that has a budget")
        if raised <= self.budget:
            raise ValueError(f"budget = {shown(budget)}; expected more than {self.budget}")
        return raised

    def suffices(self):
        """Whether the budget pays for what the algorithm wants next."""
        return self.budget is None or self.next_price() <= max(self.funds(), 0)

    # The end

    @property
    def ended_by(self):
        """How the experiment has ended, "answer", "retired" or "budget"; None if it goes on."""
        if self.run.stopped:
            return "answer"
        if self._is_nothing_left():
            return "retired"
        return None if self.suffices() else "budget"

    def _is_nothing_left(self):
        """See `is_nothing_left`, which takes long: once for the same data."""
        key = tuple(map(len, (self.samples, self.withdrawn, self.retirements, self.told)))
        if self._left[0] != key:
            self._left = key, is_nothing_left(self)
        return self._left[1]

    def refuse_if_ended(self):
        """Raise a RuntimeError if the experiment has ended."""
        ended_by = self.ended_by
        if ended_by == "answer":
            raise RuntimeError("the session is finished; its recommendation is final")
        if ended_by == "retired":
            arms = [self.design.arms[each.arm] for each in self.retirements]
            raise RuntimeError(
                "the session is finished: no sample of the other arms could decide an open arm, "
                f"because {listed(arms)} cannot be sampled again"
            )
        if ended_by == "budget":
            arm = self.design.arms[self.run.wanted()]
            raise RuntimeError(
                f"the session is finished: of its budget of {self.budget:g}, {self.spent:g} are "
                f"spent, and the samples of arm {arm} that it needs next cost "
                f"{self.next_price():g}"
            )


APPLY = {
    events.Asked: State._ask,
    events.Told: State._tell,
    events.Withdrawn: State._withdraw,
    events.Retired: State._retire,
    events.Added: State._add,
    events.Raised: State._raise,
    events.Resumed: State._resume,
}


def first_value(rewards, c):
    """First value of an objective that was told for an arm; NaN without one."""
    return next((each[c] for each in rewards if not np.isnan(each[c])), np.nan)
