"""The run of an algorithm on rewards that wait for it in one queue per arm."""

import collections
import copy

import numpy as np

from pareto_core.geometry.dominance import pareto_set
from pareto_core.loop.record import observe


class QueuedRun:
    """The run of an algorithm, and the queues of rewards that feed it.

    The algorithm uses the first reward of an arm when it first samples that arm, the second reward
    the second time, and so on. So neither the order in which rewards of different arms arrive, nor
    the number of arms requested at once, changes the run.

    Parameters
    ----------
    algorithm : Algorithm
    design : ExperimentDesign
    seed : int
        Seed of the algorithm's own random decisions.

    Attributes
    ----------
    run : CompiledRun or PythonRun
        The algorithm's state after all rewards that it has used.
    used : list of (int, ndarray)
        Arm and reward of each observation, in the order in which the algorithm used them.
    queues : list of deque
        Rewards of each arm that wait.
    known : ndarray, shape (K, d)
        First value of each arm received in each objective without noise; NaN before it, and in
        other objectives.
    retirements : list of Retirement
        Arms by number that the algorithm no longer samples. Rewards of them that wait then or are
        told later are used at once.
    """

    def __init__(self, algorithm, design, seed):
        self._algorithm, self._design = algorithm, design
        self.run = algorithm.begin(design.problem, np.random.default_rng(seed))
        self.queues = [collections.deque() for _ in design.arms]
        self.used, self.retirements = [], []
        self.known = np.full((len(design.arms), design.n_objectives), np.nan)
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
    def next_arm(self):
        """The arm that the algorithm has selected; None if it has not selected one yet."""
        return self._next_arm

    def wanted(self):
        """The arm whose reward the algorithm needs next; None if it has stopped."""
        self._select()
        while self._due and self._due[0].samples <= len(self.used):
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
        return np.array([len(queue) for queue in self.queues])

    def told(self):
        """All rewards of each arm in the order received: the used ones, then the waiting ones."""
        rewards = [[] for _ in self.queues]
        for arm, reward in self.used:
            rewards[arm].append(reward)
        return [[*used, *queue] for used, queue in zip(rewards, self.queues, strict=True)]

    def receive(self, arm, reward):
        """Queue a reward of an arm. Every reward of an experiment enters here."""
        self.queues[arm].append(reward)
        for c in self._design.deterministic:
            if np.isnan(self.known[arm, c]):
                self.known[arm, c] = reward[c]

    def advance(self):
        """Run the algorithm as far as the queues allow."""
        while not self.stopped and any(self.queues):
            arm = self.wanted()
            if self.stopped:
                break
            gone = [each.arm for each in self.retirements if self.queues[each.arm]]
            if gone:
                self._observe(gone[0], self.queues[gone[0]].popleft())
            elif self.queues[arm]:
                self._use(self.queues[arm].popleft())
            else:
                break

    # Arms that leave

    def schedule(self, retirements):
        """Retire each arm in a new run once the run has used the stated number of rewards."""
        self._due.extend(retirements)

    def retire(self, retirement):
        """Retire an arm now.

        Raises
        ------
        ValueError
            If the algorithm cannot do without the arm.
        """
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
        self.retirements.append(retirement._replace(samples=len(self.used)))
        if not retirement.still_counts:
            self._decided = False
        if self.stopped or self._next_arm == retirement.arm:
            self._next_arm, self._missing = None, 0
        self._select()

    def _use(self, reward):
        """Give the algorithm a reward of the arm that it wants."""
        self._observe(self.wanted(), reward)
        self._missing -= 1
        if self._missing == 0:
            self._next_arm, self._decided = None, False

    def _observe(self, arm, reward):
        self.used.append((arm, reward))
        scaled = reward / self._design.scale_of(arm)
        for c in self._design.deterministic:
            if self.run.record.observed[arm, c]:  # an average of equal values may differ from them
                scaled[c] = np.nan
        observe(self.run.record, arm, 1, scaled, np.zeros(scaled.size))

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

    def plan(self, n, outstanding, prices, funds):
        """Plan the next samples by running a copy of the algorithm on imagined rewards.

        Parameters
        ----------
        n : int
            Largest number of samples.
        outstanding : ndarray of int, shape (K,)
            Samples that were requested before, and are not part of the plan.
        prices : ndarray, shape (K,)
            Cost of a sample of each arm.
        funds : float
            The plan ends before samples that cost more than what remains of this.

        Returns
        -------
        list of int
            Arms in the order in which the algorithm wants them.
        """
        ahead, outstanding, arms = self._copy_without_history(), outstanding.copy(), []
        while not ahead.stopped and len(arms) < n:
            arm = ahead.wanted()
            if ahead.queues[arm]:
                ahead._use(ahead.queues[arm].popleft())
                continue
            if outstanding[arm]:
                outstanding[arm] -= 1
            elif prices[arm] * ahead.missing() > funds:
                break
            else:
                arms.append(arm)
                funds -= prices[arm]
            ahead._use(ahead._imagined(arm))
        return arms

    def _copy_without_history(self):
        ahead = copy.copy(self)
        ahead.run = self.run.copy()
        ahead.queues = copy.deepcopy(self.queues)
        ahead.used = []
        return ahead

    def _imagined(self, arm):
        """Average of the values of an arm; without any, of arms like it, or zero."""
        observed = self.run.record.observed > 0
        means = self._design.restored(self.run.record.means)
        if observed[arm].all():
            return means[arm]
        alike = [k for k in self._design.alike(arm) if observed[k].any()]
        typical = means[alike].sum(axis=0) / np.maximum(observed[alike].sum(axis=0), 1)
        return np.where(observed[arm], means[arm], typical)
