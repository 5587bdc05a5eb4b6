"""An algorithm of the package in plain Python, and one that leaves its choices to chance."""

import math

import numpy as np

import pareto_core as pc


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
