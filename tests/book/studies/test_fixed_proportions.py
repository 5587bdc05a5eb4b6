"""Sampling with fixed proportions, and the stopping rule of another algorithm."""

import math

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.studies.fixed_proportions import FixedProportions

MEANS = np.array([[1.5, 0.0], [0.0, 1.5], [-1.5, -1.5]])
REGION = pc.orthant([-0.5, -0.5])
PROPORTIONS = np.array([0.5, 2.0, 1.5])
COLUMNS = ("samples", "correct", "pulls", "means", "answers")


class Plain(pc.PythonAlgorithm):
    """The same in plain Python, for one question."""

    def __init__(self, question, delta=0.1):
        self.question, self.delta = question, delta
        self.region = REGION if question is pc.CONSTRAINED_PARETO_SET else None

    @property
    def reads(self):
        return set() if self.region is None else {"polyhedron"}

    def select(self, record, memory):
        counts, t = record.counts, record.time
        return t if t < 3 else ((t + 1) * PROPORTIONS / 4 - counts).argmax()

    def stop(self, record, memory):
        if record.time < record.counts.size:
            return False
        given = {"problem": self.question.name, "polyhedron": self.region}
        cost = pc.transport_cost(record.means, record.counts, **given).value
        return bool(cost >= math.log((1 + math.log(record.time)) / self.delta))

    def recommend(self, record, memory):
        return self.question.solve(record.means, REGION)


@pytest.mark.parametrize(
    "problem", ["pareto_set", "best_arm_per_objective", "constrained_pareto_set"]
)
def test_runs_are_those_of_a_plain_program(problem):
    inner = pc.TopTwoIDS(problem=problem, threshold="iterated_logarithm")
    instance = pc.Instance(MEANS, polyhedron=REGION if "constrained" in problem else None)
    request = {"runs": 4, "seed": 2, "n_jobs": 1, "progress": False}
    found = pc.simulate(FixedProportions(inner, tuple(PROPORTIONS)), instance, **request)
    expected = pc.simulate(Plain(inner.question), instance, **request, backend="threads")
    for column in COLUMNS:
        np.testing.assert_array_equal(getattr(found, column), getattr(expected, column))
