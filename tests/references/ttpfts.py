"""TTPFTS with both fronts by definition."""

import numpy as np
from references.pareto import pareto_set

import pareto_core as pc
from pareto_core.loop.parts import ANY, UNIT


class PlainTTPFTS(pc.PythonAlgorithm):
    """`TTPFTS`; rewards have unit variance if that is known."""

    def __init__(self, budget, warm_up, variance="known", p=0.5):
        self.budget, self.warm_up, self.variance, self.p = budget, warm_up, variance, p

    @property
    def noise(self):
        return UNIT if self.variance == "known" else ANY

    def start(self, problem, rng):
        self.sums = np.zeros((problem.n_arms, problem.n_objectives))
        self.squares = np.zeros((problem.n_arms, problem.n_objectives))
        return rng

    def add_square(self, record):
        """Add the square of the last sample about the average that includes it."""
        sample = record.sums - self.sums
        k = np.flatnonzero(sample.any(axis=1))
        self.squares[k] += (sample[k] - record.means[k]) ** 2
        self.sums = record.sums.copy()

    def drawn(self, record, rng):
        n = record.counts[:, None]
        if self.variance == "known":
            return record.means + rng.standard_normal(record.means.shape) * np.sqrt(1 / n)
        scale = np.sqrt(record.scatter / (n * (n - 2)))
        if self.variance == "unrooted":
            scale = self.squares / np.sqrt(n * (n - 2))
        return record.means + rng.standard_t(n - 2, record.means.shape) * scale

    def select(self, record, memory):
        n_arms = record.counts.size
        self.add_square(record)
        if record.time < self.warm_up * n_arms:
            return record.time % n_arms
        means = self.drawn(record, memory)
        first = pareto_set(means)
        rest = [k for k in range(n_arms) if k not in first]
        second = [rest[k] for k in pareto_set(means[rest])]
        front = first if memory.random() < self.p or not second else second
        return front[memory.integers(len(front))]

    def stop(self, record, memory):
        return record.time >= self.budget

    def recommend(self, record, memory):
        return pareto_set(record.means)
