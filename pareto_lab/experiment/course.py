"""The course of an experiment: what was told of each arm, and what the algorithm made of it."""

import collections
import copy

import numpy as np

from pareto_core.loop.record import observe


class Course:
    """Rewards in a queue for each arm, and the run of an algorithm that takes them from there.

    The algorithm uses the first reward told of an arm when it first wants a sample of that arm,
    the second the second time, and so on. So it does not matter to it in which order rewards of
    different arms come in, or how many arms were asked for at once.

    Parameters
    ----------
    algorithm : Algorithm
    design : ExperimentDesign
    seed : int
        Of what the algorithm leaves to chance.

    Attributes
    ----------
    run : CompiledRun or PythonRun
        Of the algorithm, on all that it has used.
    log : list of (int, ndarray)
        Arm and reward of each observation, in the order used, as told.
    queues : list of deque
        Rewards of each arm that are not used yet.
    stopped : bool
        Whether the algorithm has stopped.
    """

    def __init__(self, algorithm, design, seed):
        self._algorithm, self._design, self._seed = algorithm, design, seed
        self.queues = [collections.deque() for _ in design.arms]
        self._begin()

    def _begin(self):
        rng = np.random.default_rng(self._seed)
        self.run = self._algorithm.begin(self._design.problem, rng)
        self.stopped, self.log = False, []
        self._next_arm, self._missing = None, 0

    @property
    def next_arm(self):
        """Arm that the algorithm was last found to want; None if it was not asked since."""
        return self._next_arm

    def wanted(self):
        """Arm whose reward the algorithm needs next."""
        if self._next_arm is None:
            self._next_arm, self._missing = self.run.select()
        return self._next_arm

    def missing(self):
        """Samples of the wanted arm that the algorithm needs before it decides anew."""
        self.wanted()
        return self._missing

    def use(self, reward):
        """Give the algorithm a reward of the arm that it wants."""
        arm = self.wanted()
        self.log.append((arm, reward))
        scaled = reward / self._design.scale
        observe(self.run.record, arm, 1, scaled, np.zeros(scaled.size))
        self._missing -= 1
        if self._missing == 0:
            self._next_arm = None
            self.stopped = self.run.stop()

    def advance(self):
        """Use what waits, as far as the algorithm wants it."""
        while not self.stopped and any(self.queues) and self.queues[self.wanted()]:
            self.use(self.queues[self.wanted()].popleft())

    def told(self):
        """All rewards of each arm, in the order told: those used, and then those that wait."""
        rewards = [[] for _ in self.queues]
        for arm, reward in self.log:
            rewards[arm].append(reward)
        return [[*used, *queue] for used, queue in zip(rewards, self.queues, strict=True)]

    def begin_anew(self, rewards):
        """Run the algorithm from its start, on these rewards of each arm."""
        self.queues = [collections.deque(each) for each in rewards]
        self._begin()
        self.advance()

    def plan(self, n, coming, prices, left):
        """At most n arms to sample next, besides those that are ``coming``, shape (K,).

        The algorithm is run ahead, on imagined rewards where none waits. It ends where what is
        ``left`` does not pay for the samples that the algorithm wants of an arm.
        """
        ahead, coming, arms = self._ahead(), coming.copy(), []
        while not ahead.stopped and len(arms) < n:
            arm = ahead.wanted()
            if ahead.queues[arm]:
                ahead.use(ahead.queues[arm].popleft())
                continue
            if coming[arm]:
                coming[arm] -= 1
            elif prices[arm] * ahead.missing() > left:
                break
            else:
                arms.append(arm)
                left -= prices[arm]
            ahead.use(ahead._imagined(arm))
        return arms

    def _ahead(self):
        """The same course without its log, to be run ahead."""
        ahead = copy.copy(self)
        ahead.run = self.run.copy()
        ahead.queues = copy.deepcopy(self.queues)
        ahead.log = []
        return ahead

    def _imagined(self, arm):
        """Average reward of the arm, of those sampled if it is not, or zero if none is."""
        sampled = self.run.record.counts > 0
        means = self._design.restored(self.run.record.means)
        return means[arm] if sampled[arm] or not sampled.any() else means[sampled].mean(axis=0)
