"""PaVeBa with its three sets, step by step."""

import math

import numpy as np

import pareto_core as pc


class PlainPaVeBa(pc.PythonAlgorithm):
    """`PaVeBa`."""

    def __init__(self, delta=0.1, epsilon=0.0, contraction=1.0):
        self.delta, self.epsilon, self.contraction = delta, epsilon, contraction

    def start(self, problem, rng):
        everyone = set(range(problem.n_arms))
        return {"S": everyone, "P": set(), "U": set(), "plan": sorted(everyone)}

    def radius(self, record, i):
        n_arms, d = record.means.shape
        inner = math.pi**2 * (d + 1) * n_arms * record.counts[i] ** 2 / (6 * self.delta)
        return math.sqrt(8 / record.counts[i] * math.log(inner)) / self.contraction

    def select(self, record, memory):
        return memory["plan"].pop(0)

    def stop(self, record, memory):
        if not memory["plan"]:
            self.finish_round(record, memory)
        return not memory["S"]

    def finish_round(self, record, memory):
        undecided, accepted = memory["S"], memory["P"]
        everyone = undecided | memory["U"]

        def width(i, j):
            return self.radius(record, i) + self.radius(record, j)

        def lead(i, j):
            return record.means[j] - record.means[i]

        def rules_out(i, j):
            short = np.maximum(self.epsilon - lead(i, j), 0)
            return np.linalg.norm(short) > width(i, j)

        below = {
            i for i in undecided if any((lead(i, j) >= width(i, j)).all() for j in everyone - {i})
        }
        undecided -= below
        everyone -= below
        found = {i for i in undecided if all(rules_out(i, j) for j in everyone - {i})}
        undecided -= found
        accepted |= found
        memory["U"] = {j for j in accepted if any(not rules_out(i, j) for i in undecided)}
        memory["plan"] = sorted(undecided | memory["U"])

    def recommend(self, record, memory):
        return sorted(memory["P"] | memory["S"])
