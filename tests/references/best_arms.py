"""Slow, plain versions of the algorithms that look for the best arm of every objective."""

import math

import numpy as np


def confusion_cost(means, counts):
    """Z(t) of Chen et al. (2024), Equation (14)."""
    cheapest = math.inf
    for m in range(means.shape[1]):
        b = int(np.argmax(means[:, m]))
        for i in range(len(means)):
            if i != b:
                gap = means[b, m] - means[i, m]
                cheapest = min(
                    cheapest, counts[i] * counts[b] * gap**2 / (2 * (counts[i] + counts[b]))
                )
    return cheapest


class Observations:
    """Samples so far, the empirically best arms, and whether the evidence for them is as needed."""

    def __init__(self, n_arms, n_objectives, needed=None):
        self.rewards = [[] for _ in range(n_arms)]
        self.n_arms, self.d, self.needed = n_arms, n_objectives, needed

    @property
    def finished(self):
        if self.samples < self.n_arms:
            return False
        return confusion_cost(self.means, self.counts) >= self.needed(self.samples)

    @property
    def counts(self):
        return np.array([len(r) for r in self.rewards], dtype=float)

    @property
    def means(self):
        return np.array([np.mean(r, axis=0) for r in self.rewards])

    @property
    def samples(self):
        return sum(map(len, self.rewards))

    def answer(self):
        return [int(np.argmax(self.means[:, m])) for m in range(self.d)]


def nearly_largest(values):
    """Arms whose value is the largest, up to rounding errors."""
    return np.flatnonzero(values >= values.max() - 1e-6).tolist()


class MOBAILoop(Observations):
    """Algorithm 1, with its buffer; ``solve`` gives the surrogate proportions."""

    def __init__(self, n_arms, n_objectives, needed, solve):
        super().__init__(n_arms, n_objectives, needed)
        self.solve = solve
        self.buffer = np.zeros(n_arms)

    def arms(self):
        """Arms that may be sampled as number t = samples + 1; call it once a step."""
        t = self.samples + 1
        if t <= self.n_arms:
            return [t - 1]
        power = max(2**k for k in range(60) if 2**k < t)
        if t == self.n_arms + 1 or t - 1 == power:
            self.old_means = self.means
        proportions = self.solve(self.old_means, (self.counts + self.buffer) / (t - 1))
        self.buffer += proportions
        return nearly_largest(self.buffer)

    def observe(self, arm, reward):
        if self.samples >= self.n_arms:
            self.buffer[arm] -= 1
        self.rewards[arm].append(reward)


class DTrackingLoop(Observations):
    """Algorithm 2; ``solve`` gives the oracle weights of empirical means."""

    def __init__(self, n_arms, n_objectives, needed, solve, tracking="D"):
        super().__init__(n_arms, n_objectives, needed)
        self.solve, self.tracking = solve, tracking
        self.total = np.ones(n_arms)

    def arms(self):
        t = self.samples + 1
        if t <= self.n_arms:
            return [t - 1]
        if self.counts.min() < math.sqrt((t - 1) / self.n_arms):
            return [int(np.argmin(self.counts))]
        weights = self.solve(self.means)
        self.total += weights
        target = self.total if self.tracking == "C" else t * weights
        return nearly_largest(target - self.counts)

    def observe(self, arm, reward):
        self.rewards[arm].append(reward)


class MOSELoop(Observations):
    """Algorithm 4."""

    def __init__(self, n_arms, n_objectives, delta, count):
        super().__init__(n_arms, n_objectives)
        self.delta, self.count = delta, count
        self.best, self.waiting, self.left = [], list(range(n_arms)), list(range(n_arms))

    @property
    def finished(self):
        return len(self.best) == self.d

    def radius(self, arm):
        t = self.samples if self.count == "total" else len(self.rewards[arm])
        k, m = self.n_arms, self.d
        return math.sqrt(2 * math.log(4 * m * k * t**2 / self.delta) / t)

    def arms(self):
        return [self.waiting[0]]

    def answer(self):
        return self.best

    def observe(self, arm, reward):
        self.waiting.remove(arm)
        self.rewards[arm].append(reward)
        if self.waiting:
            return
        column = {i: float(np.mean(self.rewards[i], axis=0)[len(self.best)]) for i in self.left}
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
