"""Sampling with fixed proportions, and the stopping rule of `TopTwoIDS`."""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from pareto_core.algorithms.stopping import Test
from pareto_core.algorithms.top_two.top_two_ids import TopTwoIDS
from pareto_core.algorithms.tracking import in_first_round
from pareto_core.checks.arguments import check_weights
from pareto_core.compiling.kernels import kernel
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.parts import Stopping
from pareto_core.questions import Question


class FixedProportionsParameters(NamedTuple):
    """The parameters that the kernels of `TopTwoIDS` read by name, and one more."""

    test: Test
    budget: int
    oracle: Any
    proportions: np.ndarray  # (K,) of sum 1


@kernel
def _select(parameters, state):
    """Each arm once; then the arm furthest behind its proportion of the samples."""
    record, proportions = state.record, parameters.proportions
    samples = record.time[0]
    if in_first_round(record):
        return samples
    furthest, deficit = 0, -np.inf
    for k in range(proportions.shape[0]):
        behind = (samples + 1) * proportions[k] - record.counts[k]
        if behind > deficit:
            furthest, deficit = k, behind
    return furthest


@dataclasses.dataclass(frozen=True)
class FixedProportions(Algorithm):
    """Sample with fixed proportions, and stop and answer as a `TopTwoIDS` does.

    After one sample of each arm, the arm furthest behind its proportion of the samples is sampled
    (D-tracking of Garivier & Kaufmann 2016, https://proceedings.mlr.press/v49/garivier16a.html,
    with known proportions). With the optimal proportions of `characteristic_time`, this is an
    oracle: it knows what all asymptotically optimal algorithms have to learn. The difference to
    `TopTwoIDS` isolates the sampling rule, because both stop by the same rule.
    """

    algorithm: TopTwoIDS
    proportions: Sequence[float]

    select = staticmethod(_select)

    def __post_init__(self):
        object.__setattr__(self, "proportions", tuple(map(float, self.proportions)))

    @property
    def delta(self) -> float:
        return self.algorithm.delta

    @property
    def question(self) -> Question:
        return self.algorithm.question

    @property
    def reads(self) -> set[str]:
        return {"polyhedron"} & self.algorithm.reads

    @property
    def stopping(self) -> Stopping:
        return self.algorithm.stopping

    @property
    def stop(self) -> Callable:
        return self.algorithm.stop

    @property
    def recommend(self) -> Callable:
        return self.algorithm.recommend

    def with_delta(self, delta: float) -> Self:
        return dataclasses.replace(self, algorithm=self.algorithm.with_delta(delta))

    def parameters(self, problem: Problem) -> FixedProportionsParameters:
        proportions = check_weights(self.proportions, problem.n_arms, "proportions")
        inner = self.algorithm.parameters(problem)
        shares = proportions / proportions.sum()
        return FixedProportionsParameters(inner.test, inner.budget, inner.oracle, shares)

    def start(self, problem: Problem, rng: np.random.Generator) -> tuple:
        return self.algorithm.start(problem, rng)
