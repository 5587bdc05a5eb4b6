"""Two algorithms of the package in plain Python, and one that leaves its choices to chance."""

import math

import numpy as np

import pareto_core as pc


class PythonTrackAndStop(pc.PythonAlgorithm):
    """`TrackAndStop` as the paper's experiments run it: throttled, direct tracking."""

    def __init__(self, delta=0.1, gradient_every=10, check_every=25):
        self.delta = delta
        self.gradient_every = gradient_every
        self.check_every = check_every

    def start(self, problem, rng):
        n_arms = problem.n_arms
        return {"weights": np.full(n_arms, 1 / n_arms), "gradient": None, "largest": 0.0}

    def select(self, record, memory):
        n_arms, t = record.counts.size, record.time
        if t < n_arms:
            return t
        if (t - n_arms) % self.gradient_every == 0:
            memory["gradient"] = pc.transport_cost(record.means, memory["weights"]).gradient
            memory["largest"] = max(memory["largest"], memory["gradient"].max())
        rate = math.sqrt(math.log(n_arms) / (1.0 + t)) / memory["largest"]
        raised = [
            weight * math.exp(rate * step)
            for weight, step in zip(memory["weights"], memory["gradient"], strict=True)
        ]
        memory["weights"] = np.array([max(weight / sum(raised), 1e-100) for weight in raised])
        rarest = record.counts.argmin()
        if record.counts[rarest] <= math.sqrt(t) - n_arms / 2:
            return rarest
        return (t * memory["weights"] - record.counts).argmax()

    def stop(self, record, memory):
        t = record.time
        if t < record.counts.size or t % self.check_every:
            return False
        evidence = pc.transport_cost(record.means, record.counts).value
        return evidence >= math.log(math.log(1 + t) / self.delta)

    def recommend(self, record, memory):
        return pc.pareto_set(record.means)


class PythonAPE(pc.PythonAlgorithm):
    """`APE` with all numbers of all pairs computed anew at every sample."""

    def __init__(self, delta=0.1, epsilon=0.0):
        self.delta = delta
        self.epsilon = epsilon

    def numbers(self, record):
        """Least M^-(i, j) and M^+(i, j) of each arm i over the others, and the j of the first."""
        slack = np.log1p(np.log(record.counts))
        x = math.log(1 / self.delta)
        constant = x + 2 * max(math.log(x / 2), 0)
        inverse = 1 / record.counts
        bonus = np.sqrt(2 * (constant + slack[:, None] + slack) * (inverse[:, None] + inverse))
        excess = (record.means[:, None] - record.means).max(axis=2)
        np.fill_diagonal(excess, np.inf)
        low, high = excess - bonus, excess + bonus
        return low.min(axis=1), high.min(axis=1), low.argmin(axis=1)

    def select(self, record, memory):
        if record.time < record.counts.size:
            return record.time
        low, high, rival = self.numbers(record)
        leader = np.where(low + self.epsilon <= 0, high, -np.inf).argmax()
        pair = leader, rival[leader]
        return pair[1] if record.counts[pair[1]] < record.counts[leader] else leader

    def stop(self, record, memory):
        if record.time < record.counts.size:
            return False
        low, high, _ = self.numbers(record)
        return ((low + self.epsilon > 0) | (high < 0)).all()

    def recommend(self, record, memory):
        if record.counts.min() == 0:
            return np.ones(record.counts.size, bool)
        return self.numbers(record)[1] >= 0


class AtRandom(pc.PythonAlgorithm):
    """Sample random arms, once or twice each, at least ``budget`` times; answer a random arm."""

    def __init__(self, budget=40):
        self.budget = budget

    def start(self, problem, rng):
        return rng

    def select(self, record, memory):
        return memory.integers(record.counts.size), memory.integers(1, 3)

    def stop(self, record, memory):
        return record.time >= self.budget and memory.random() < 0.5

    def recommend(self, record, memory):
        return [memory.integers(record.counts.size)]


TWINS = [  # an algorithm in Python, and the compiled one that makes the same runs
    (PythonTrackAndStop(), pc.TrackAndStop(gradient_every=10, check_every=25)),
    (PythonAPE(delta=1e-3, epsilon=0.2), pc.APE(delta=1e-3, epsilon=0.2)),
]
