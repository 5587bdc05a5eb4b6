"""PAL with Gaussian processes in plain Python."""

import math

import numpy as np

import pareto_core as pc
from pareto_book.rivals import PAL


class PlainPAL(pc.PythonAlgorithm):
    """`PAL`, with the posterior computed anew from all averages."""

    reads = PAL.reads
    noise = PAL.noise

    def __init__(self, like):
        self.like = like

    def start(self, problem, rng):
        shape = problem.n_arms, problem.n_objectives
        memory = {
            "covs": [
                self.prior_cov(problem.features, prior) for prior in self.like.hyperparameters
            ],
            "low": np.full(shape, -np.inf),
            "high": np.full(shape, np.inf),
            "undecided": list(range(problem.n_arms)),
            "optimal": [],
        }
        self.look(pc.RecordView(pc.empty_record(problem)), memory)
        return memory

    def prior_cov(self, features, prior):
        return np.array([[self.kernel(x, z, prior) for x in features] for z in features])

    def kernel(self, x, z, prior):
        distance = sum(
            ((a - b) / s) ** 2 for a, b, s in zip(x, z, prior.length_scales, strict=True)
        )
        return prior.linear_variance * (1 + x @ z) + prior.signal_variance * math.exp(-distance / 2)

    def posterior(self, prior, cov, counts, averages):
        """Posterior means and deviations of all arms in one objective."""
        seen = np.flatnonzero(counts)
        cross = cov[:, seen]
        gram = cross[seen] + np.diag(prior.noise_variance / counts[seen])
        mean = prior.mean + cross @ np.linalg.solve(gram, averages[seen] - prior.mean)
        return mean, np.sqrt(np.diag(cov - cross @ np.linalg.solve(gram, cross.T)))

    def look(self, record, memory):
        low, high = memory["low"], memory["high"]
        if record.time <= self.like.initial_samples:
            low[:], high[:] = -np.inf, np.inf
        inside = low.size * math.pi**2 * (record.time + 1) ** 2 / (6 * self.like.delta)
        root = math.sqrt(2 * math.log(inside)) / self.like.beta_divisor
        columns = [
            self.posterior(*model, record.counts, averages)
            for *model, averages in zip(
                self.like.hyperparameters, memory["covs"], record.means.T, strict=True
            )
        ]
        means, deviations = (np.column_stack(part) for part in zip(*columns, strict=True))
        lowest, highest = means - root * deviations, means + root * deviations
        for k in range(len(low)):
            meets = (lowest[k] <= high[k]).all() and (highest[k] >= low[k]).all()
            if not meets and self.like.empty_intersection == "newest":
                low[k], high[k] = lowest[k], highest[k]
            else:
                low[k], high[k] = (
                    np.clip(lowest[k], low[k], high[k]),
                    np.clip(highest[k], low[k], high[k]),
                )
        if record.time >= self.like.initial_samples:
            self.decide(memory)

    def decide(self, memory):
        low, high, undecided = memory["low"], memory["high"], memory["undecided"]
        half = self.like.epsilon / 2
        for k in list(undecided):
            others = [j for j in undecided + memory["optimal"] if j != k]
            if not any((high[j] - half >= low[k] + half).all() for j in others):
                undecided.remove(k)
                memory["optimal"].append(k)
            elif any((low[j] + half >= high[k] - half).all() for j in others):
                undecided.remove(k)

    def select(self, record, memory):
        sizes = ((memory["high"] - memory["low"]) ** 2).sum(axis=1)
        return max(self.recommend(record, memory), key=lambda k: sizes[k])

    def stop(self, record, memory):
        self.look(record, memory)
        return not memory["undecided"]

    def recommend(self, record, memory):
        return sorted(memory["undecided"] + memory["optimal"])
