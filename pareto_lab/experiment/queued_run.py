"""The run of an algorithm on rewards that wait for it in one queue per arm."""

import collections
import copy

import numpy as np

from pareto_core.geometry.dominance import pareto_set
from pareto_core.loop.record import observe


class QueuedRun:
    """The run of an algorithm, which uses the first reward of an arm first, then the second, ..."""

    def __init__(self, algorithm, design, seed, rewards, known_order=()):
        self._algorithm, self._design, self._rewards = algorithm, design, rewards  # lists that grow
        self.run = algorithm.begin(design.problem, np.random.default_rng(seed))
        # Arms in the order of use: those of retired arms as soon as told, if no order is known
        self.order, self.retirements, self._known_order = [], [], known_order
        self._due = collections.deque()  # retirements at later numbers of used rewards
        self._stopped, self._decided = False, True
        self._next_arm, self._missing = None, 0

    @property
    def stopped(self):
        """Whether the algorithm has stopped, which it decides after each batch of rewards."""
        if not self._decided:  # also if the decision was interrupted
            self._stopped, self._decided = self.run.stop(), True
        return self._stopped

    @property
    def samples(self):
        """Number of rewards that the algorithm has used."""
        return int(self.run.record.time[0])

    def wanted(self):
        """The arm whose reward the algorithm needs next; None if it has stopped."""
        self._select()
        while self._due and self._due[0].samples <= self.samples:
            self._retire(self._due.popleft())
        return self._next_arm

    def _select(self):
        if self._next_arm is None and not self.stopped:
            self._next_arm, self._missing = self.run.select()

    def missing(self):
        """Number of samples of the wanted arm before the algorithm decides again."""
        self.wanted()
        return self._missing

    def waiting(self):
        """Number of waiting rewards of each arm, shape (K,)."""
        return np.array([*map(len, self._rewards)]) - self.run.record.counts

    def _next_reward(self, arm):
        """The first waiting reward of an arm; None if none waits."""
        used = self.run.record.counts[arm]
        return self._rewards[arm][used] if used < len(self._rewards[arm]) else None

    def advance(self):
        """Run the algorithm as far as the rewards allow."""
        left = sum(map(len, self._rewards)) - self.samples
        while not self.stopped and left:
            arm = self.wanted()
            if self.stopped:
                break
            candidates = [*(each.arm for each in self.retirements), arm]
            known = self._known_order[self.samples : self.samples + 1]
            candidates.sort(key=lambda each: each not in known)
            waiting = [each for each in candidates if self._next_reward(each) is not None]
            if not waiting:
                break
            use = self._use if waiting[0] == arm else self._observe
            use(waiting[0], self._next_reward(waiting[0]))
            left -= 1

    # Arms that leave

    def schedule(self, retirements):
        """Retire each arm in a new run once the run has used the stated number of rewards."""
        self._due.extend(retirements)

    def retire(self, retirement):
        """Retire an arm now."""
        self._select()
        self._retire(retirement)
        self.advance()

    def retire_all(self):
        """Retire now all arms whose stated number of rewards the run cannot reach."""
        while self._due:
            self.retire(self._due.popleft())

    def _retire(self, retirement):
        """Retire an arm; the algorithm has selected one, and selects again if it was this arm."""
        self._algorithm.retire(self.run.state, retirement.arm, retirement.still_counts)
        self.retirements.append(retirement._replace(samples=self.samples))
        if not retirement.still_counts:
            self._decided = False
        if self.stopped or self._next_arm == retirement.arm:
            self._next_arm, self._missing = None, 0
        self._select()

    def _use(self, arm, reward):
        """Give the algorithm a reward of the arm that it wants."""
        self._observe(arm, reward)
        self._missing -= 1
        if self._missing == 0:
            self._next_arm, self._decided = None, False

    def _observe(self, arm, reward):
        self.order.append(int(arm))
        scaled = reward / self._design.scale
        for c in self._design.deterministic:
            if self.run.record.observed[arm, c]:  # an average of equal values may differ from them
                scaled[c] = np.nan
        observe(self.run.record, arm, 1, scaled, np.zeros(scaled.size))

    # Answers

    def answer(self):
        """The algorithm's answer if it stopped now, with arms by number."""
        return self._algorithm.question.read(self.run.copy().answer())

    def empirical_answer(self):
        """The right answer if the means were their estimates; None before there are estimates."""
        gone = [each.arm for each in self.retirements if not each.still_counts]
        if gone:
            return self._remaining_answer(gone)
        estimates = self.run.estimates()
        if estimates is None:
            return None
        return self._algorithm.question.solve(estimates, self._design.problem.polyhedron)

    def _remaining_answer(self, gone):
        """The right answer among the arms that still count."""
        left = np.delete(np.arange(self._design.n_arms), gone)
        if not self.run.record.counts[left].all():
            return None
        return left[pareto_set(self.run.record.means[left])] if left.size > 1 else left

    # Plans

    def plan(self, n, outstanding, prices, funds):
        """The next n samples, of a copy that runs ahead on imagined rewards, within the funds."""
        ahead, outstanding, arms = copy.copy(self), outstanding.copy(), []
        ahead.run, ahead.order = self.run.copy(), []
        while not ahead.stopped and len(arms) < n:
            arm = ahead.wanted()
            if (reward := ahead._next_reward(arm)) is not None:
                ahead._use(arm, reward)
                continue
            if outstanding[arm]:
                outstanding[arm] -= 1
            elif prices[arm] * ahead.missing() > funds:
                break
            else:
                arms.append(int(arm))
                funds -= prices[arm]
            ahead._use(arm, ahead.imagined(arm))
        return arms

    def imagined(self, arm):
        """Average of the values of an arm; without any, of the other arms, or zero."""
        record = self.run.record
        own = self._design.restored(record.means[arm])
        observed = record.observed[arm] > 0
        if observed.all():
            return own
        numbers = (record.observed > 0).sum(axis=0)
        typical = self._design.restored(record.means).sum(axis=0) / np.maximum(numbers, 1)
        return np.where(observed, own, typical)
