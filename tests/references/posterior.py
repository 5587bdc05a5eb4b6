"""Posterior sampling with everything computed anew, in plain NumPy."""

import math

import numpy as np
from references.pareto import pareto_set

import pareto_core as pc
from pareto_core.algorithms.ada_hedge import ada_hedge, gain


class PlainPosterior(pc.PythonAlgorithm):
    """What `PSIPS` and `OraclePosterior` share."""

    def centre(self, record):
        samples = np.maximum(record.counts + (self.prior == "ridge"), 1)[:, None]
        return record.sums / samples, 1 / np.sqrt(samples)

    def begins(self, record):
        return self.prior == "flat" and record.time < record.counts.size

    def rules(self, t):
        """How many draws have to agree, and the scale of their noise."""
        risk = math.log(1 / self.delta)
        least = (math.log(t) + risk) / math.log(1 / (1 - self.delta))
        return least, math.sqrt(1 + math.log(max(math.log(t), 1)) / risk)

    def at_random(self, rng, mixture):
        """The first arm at which the sum of the shares exceeds a uniform number."""
        return min(np.searchsorted(mixture.cumsum(), rng.random(), "right"), mixture.size - 1)

    def recommend(self, record, memory):
        return pareto_set(self.centre(record)[0])


class PlainOracle(PlainPosterior):
    """`OraclePosterior`."""

    def __init__(self, weights, delta=0.1, prior="flat"):
        self.weights, self.delta, self.prior = weights, delta, prior

    def start(self, problem, rng):
        return rng

    def select(self, record, memory):
        if self.begins(record):
            return record.time
        return self.at_random(memory, np.array(self.weights) / sum(self.weights))

    def stop(self, record, memory):
        if self.begins(record):
            return False
        estimates, deviation = self.centre(record)
        least, wide = self.rules(record.time + 1)
        for _ in range(math.ceil(least)):
            noise = deviation * memory.standard_normal(estimates.shape)
            if pareto_set(estimates + wide * noise) != pareto_set(estimates):
                return False
        return True


class PlainPSIPS(PlainPosterior):
    """`PSIPS`."""

    def __init__(self, delta=0.1, prior="flat", eta=1.0, sampling="tracking"):
        self.delta, self.prior, self.eta, self.sampling = delta, prior, eta, sampling

    def start(self, problem, rng):
        return {
            "rng": rng,
            "learner": ada_hedge(problem.n_arms),
            "targets": np.ones(problem.n_arms),
        }

    def select(self, record, memory):
        if self.begins(record):
            return record.time
        if record.time == 0:
            self.stop(record, memory)
        n_arms, share = record.counts.size, 1 / (record.time + 1)
        mixture = (1 - share) * memory["learner"].weights + share / n_arms
        if self.sampling == "random":
            arm = self.at_random(memory["rng"], mixture)
        else:
            memory["targets"] += mixture
            arm = (memory["targets"] - record.counts).argmax()
        squares = (self.centre(record)[0] - memory["challenger"]) ** 2
        gain(memory["learner"], squares.sum(axis=1))
        return arm

    def stop(self, record, memory):
        if self.begins(record):
            return False
        estimates, deviation = self.centre(record)
        least, wide = self.rules(record.time + 1)
        draws, spoke_against = 0, False
        while True:
            draws += 1
            noise = deviation * memory["rng"].standard_normal(estimates.shape)
            memory["challenger"] = estimates + noise / math.sqrt(self.eta)
            changed = pareto_set(estimates + wide * noise) != pareto_set(estimates)
            spoke_against = spoke_against or changed
            if draws >= least and not spoke_against:
                return True
            if pareto_set(memory["challenger"]) != pareto_set(estimates):
                return False
