"""What the algorithms of top-two sampling share."""

from collections.abc import Callable
from typing import ClassVar

import numpy as np

from pareto_core.algorithms.exploration import EXPLORATIONS
from pareto_core.algorithms.proven_stopping import Proven
from pareto_core.algorithms.stopping import Threshold, test_of
from pareto_core.algorithms.top_two.rule import (
    Rule,
    TopTwoParameters,
    TopTwoState,
    allocate_state,
)
from pareto_core.instances.instance import Problem
from pareto_core.instances.unfolding import unfolded_problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.parts import COVARIANCE, Stopping
from pareto_core.questions import PARETO_SET, Question

__all__ = ["TopTwo"]


class TopTwo(Algorithm):
    """A rule of `rule` for the question and the threshold that the parameters name.

    A subclass is a dataclass, sets the following, and defines ``_costs(problem)``.
    """

    _questions: ClassVar[dict[str, Question]]  # values of ``problem``
    _proofs: ClassVar[dict[str, dict[str, str]]]  # for each: ``threshold`` of each proven rule
    _rules: ClassVar[dict[str, dict[bool, Rule]]]  # for each: with a threshold, and with a proof

    noise = COVARIANCE

    @property
    def question(self) -> Question:
        """The question that ``problem`` names."""
        return self._questions[self.problem]

    @property
    def stopping(self) -> Stopping:
        """The test or the proof that ``threshold`` selects; see `Algorithm`.

        For the Pareto set, sampling is aimed at the proof, which compares its evidence with
        ln(1/delta).
        """
        rule = self._proofs[self.problem].get(self.threshold)
        if rule is None:
            return Threshold(self.threshold, self.delta, self.check_every)
        is_aimed = self.problem == PARETO_SET.name
        return Proven(rule, self.delta, self.check_every, sampling_ignores_delta=not is_aimed)

    @property
    def _exploration(self) -> str:
        """The exploration that is given; by default by evidence unless a proof needs more.

        A proof needs evidence about all arms, more than the closest wrong answer does. Without a
        floor that rises, sampling that is not aimed at the proof leaves it waiting for some arm.
        """
        is_aimed = self.problem == PARETO_SET.name or not isinstance(self.stopping, Proven)
        return self.exploration or ("evidence" if is_aimed else "square_root")

    @property
    def _rule(self) -> Rule:
        """Kernels for this question and this way to stop."""
        return self._rules[self.problem][isinstance(self.stopping, Proven)]

    @property
    def select(self) -> Callable:
        """The kernel that chooses what to sample; see `Algorithm`."""
        return self._rule.select

    @property
    def stop(self) -> Callable:
        """The kernel that decides whether to stop; see `Algorithm`."""
        return self._rule.stop

    @property
    def recommend(self) -> Callable:
        """The kernel that writes the answer; see `Algorithm`."""
        return self._rule.recommend

    def parameters(self, problem: Problem) -> TopTwoParameters:
        """See `Algorithm.parameters`."""
        self._costs(problem)  # refuses a wrong number of costs
        return TopTwoParameters(
            self.alternative_every,
            EXPLORATIONS.index(self._exploration),
            test_of(self.stopping, problem),
            getattr(self, "budget", None) or 0,
            self._rule.parameters(self.stopping, problem),
        )

    def start(self, problem: Problem, rng: np.random.Generator) -> TopTwoState:
        """See `Algorithm.start`."""
        costs, oracle = self._costs(problem), self._rule.allocate(self.stopping, problem)
        sampled = unfolded_problem(problem) if self.samples == "values" else problem
        return allocate_state(sampled, costs, self._explored(problem, sampled), oracle)

    def _explored(self, problem, sampled):
        """Arms that are sampled once each at first."""
        return np.arange(sampled.n_arms)
