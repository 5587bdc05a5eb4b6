"""Sampling with fixed proportions, and the stopping rule of another algorithm."""

import math

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.studies.fixed_proportions import FixedProportions

MEANS = np.array([[1.5, 0.0], [0.0, 1.5], [-1.5, -1.5]])
INSTANCE = pc.Instance(MEANS)
REGION = pc.orthant([-0.5, -0.5])
BOUNDED = pc.Instance(MEANS, polyhedron=REGION)
PROPORTIONS = (0.5, 2.0, 1.5)
THRESHOLDS = {
    "stylised": lambda t, delta: math.log(math.log(1 + t) / delta),
    "iterated_logarithm": lambda t, delta: math.log((1 + math.log(t)) / delta),
}
CASES = {
    "pareto_set": (pc.TopTwoIDS(), INSTANCE, "stylised"),
    "best_arm_per_objective": (
        pc.TopTwoIDS(problem="best_arm_per_objective", threshold="iterated_logarithm"),
        INSTANCE,
        "iterated_logarithm",
    ),
    "constrained_pareto_set": (
        pc.TopTwoIDS(problem="constrained_pareto_set", threshold="iterated_logarithm"),
        BOUNDED,
        "iterated_logarithm",
    ),
}
COLUMNS = ("samples", "correct", "pulls", "means", "answers")


class Plain(pc.PythonAlgorithm):
    """The same in plain Python, for one question and threshold."""

    def __init__(self, question, threshold, delta=0.1):
        self.question, self.threshold, self.delta = question, threshold, delta

    @property
    def reads(self):
        return {"polyhedron"} if self.question is pc.CONSTRAINED_PARETO_SET else set()

    def select(self, record, memory):
        counts, t = record.counts, record.time
        if t < counts.size:
            return t
        return ((t + 1) * np.array(PROPORTIONS) / sum(PROPORTIONS) - counts).argmax()

    def stop(self, record, memory):
        if record.time < record.counts.size:
            return False
        region = {"polyhedron": REGION} if self.reads else {}
        cost = pc.transport_cost(
            record.means, record.counts, problem=self.question.name, **region
        ).value
        return bool(cost >= THRESHOLDS[self.threshold](record.time, self.delta))

    def recommend(self, record, memory):
        return self.question.solve(record.means, REGION)


@pytest.mark.parametrize("name", CASES)
def test_runs_are_those_of_a_plain_program(name):
    inner, instance, threshold = CASES[name]
    algorithm = FixedProportions(inner, PROPORTIONS)
    found = pc.simulate(algorithm, instance, 4, seed=2, n_jobs=1, progress=False)
    plain = Plain(inner.question, threshold)
    expected = pc.simulate(plain, instance, 4, seed=2, n_jobs=1, progress=False, backend="threads")
    for column in COLUMNS:
        np.testing.assert_array_equal(getattr(found, column), getattr(expected, column))
