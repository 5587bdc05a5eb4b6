"""Slow, plain versions of the algorithms that look for the best arm of every objective."""

import math

import numpy as np
from references.tracking import TrackingLoop

ROUNDING = 1e-6  # of proportions that are found anew


class MOBAILoop(TrackingLoop):
    """Algorithm 1, with its buffer; ``solve`` gives the surrogate proportions."""

    def __init__(self, algorithm, n_arms, d, solve):
        super().__init__(algorithm, n_arms, d)
        self.solve, self.buffer = solve, np.zeros(n_arms)

    def arms(self):
        t = int(self.counts.sum()) + 1
        if t <= self.n_arms:
            return [t - 1]
        power = max(2**k for k in range(60) if 2**k < t)
        if t == self.n_arms + 1 or t - 1 == power:
            self.old_means = self.means
        self.buffer += self.solve(self.old_means, (self.counts + self.buffer) / (t - 1))
        return self.behind(self.buffer, ROUNDING)

    def observe(self, arm, reward):
        if self.counts.sum() >= self.n_arms:
            self.buffer[arm] -= 1
        super().observe(arm, reward)


class DTrackingLoop(TrackingLoop):
    """Algorithm 2; ``solve`` gives the oracle weights of empirical means."""

    def __init__(self, algorithm, n_arms, d, solve):
        super().__init__(algorithm, n_arms, d)
        self.solve = solve

    def arms(self):
        t = int(self.counts.sum()) + 1
        if t <= self.n_arms:
            return [t - 1]
        if self.counts.min() < math.sqrt((t - 1) / self.n_arms):
            return [int(self.counts.argmin())]
        weights = self.solve(self.means)
        self.targets += weights
        targets = self.targets if self.algorithm.tracking == "C" else t * weights
        return self.behind(targets - self.counts, ROUNDING)


class MOSELoop(TrackingLoop):
    """Algorithm 4."""

    def __init__(self, algorithm, n_arms, d):
        super().__init__(algorithm, n_arms, d)
        self.best, self.waiting, self.left = [], list(range(n_arms)), list(range(n_arms))

    @property
    def finished(self):
        return len(self.best) == self.d

    def radius(self, arm):
        t = self.counts.sum() if self.algorithm.count == "total" else self.counts[arm]
        log = math.log(4 * self.d * self.n_arms * t**2 / self.algorithm.delta)
        return math.sqrt(2 * log / t)

    def arms(self):
        return [self.waiting[0]]

    def answer(self):
        return self.best

    def observe(self, arm, reward):
        super().observe(arm, reward)
        self.waiting.remove(arm)
        if self.waiting:
            return
        column = self.means[:, len(self.best)]
        leader = max(self.left, key=lambda i: (column[i], -i))
        self.left = [
            i
            for i in self.left
            if column[leader] - column[i] <= self.radius(leader) + self.radius(i)
        ]
        if len(self.left) == 1:
            self.best.append(self.left[0])
            self.left = list(range(self.n_arms))
        if not self.finished:
            self.waiting = list(self.left)
