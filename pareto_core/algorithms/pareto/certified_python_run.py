"""A run of `Certified` around an algorithm in plain Python."""

import copy
from typing import Any, Self

import numpy as np

from pareto_core.algorithms.pareto.accuracy_stopping import (
    AccuracyParameters,
    allocate_accuracy,
    is_accurate,
)
from pareto_core.algorithms.pareto.certified_kernels import (
    CertifiedParameters,
    CertifiedState,
    arm_that_lacks_evidence,
    unfinished_arm,
)
from pareto_core.algorithms.pareto.proven_stopping import (
    allocate_proven_stopping,
    is_proven,
    is_proven_among,
)
from pareto_core.confidence.accuracy_evidence import LEFT_OUT, write_unbeaten
from pareto_core.confidence.subset_rule import write_front_among
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import PythonAlgorithm
from pareto_core.loop.choices import python_choice, python_verdict
from pareto_core.loop.python_run import PythonRun

__all__ = ["CertifiedPythonRun"]


class CertifiedPythonRun(PythonRun):
    """One run of `Certified` around an algorithm in plain Python.

    Parameters
    ----------
    algorithm : Certified
    problem : Problem
    rng : Generator
        Random generator of the inner algorithm.
    parameters : CertifiedParameters
    """

    def __init__(
        self,
        algorithm: Any,
        problem: Problem,
        rng: np.random.Generator,
        parameters: CertifiedParameters,
    ) -> None:
        super().__init__(algorithm.algorithm, problem, rng)
        self.go_on_as(algorithm, parameters)
        self._is_accurate = isinstance(parameters.evidence, AccuracyParameters)
        allocate = allocate_accuracy if self._is_accurate else allocate_proven_stopping
        every = np.ones((2, problem.n_arms), np.bool_)
        self.state = CertifiedState(
            self.record, (), np.zeros(1, np.bool_), allocate(problem), *every
        )

    def go_on_as(self, algorithm: Any, parameters: CertifiedParameters) -> None:
        """See `PythonRun.go_on_as`."""
        self.algorithm, self._parameters = algorithm, parameters

    def copy(self) -> Self:
        """See `PythonRun.copy`."""
        twin = super().copy()
        twin.state = copy.deepcopy(self.state)._replace(record=twin.record)
        return twin

    def _choose(self):
        state, may_sample = self.state, self.state.may_sample
        if state.has_stopped[0]:
            return self._lacking_arm(), 1
        arm, number = python_choice(self.algorithm.algorithm.select(self._view, self.memory))
        if arm not in range(len(may_sample)) or number < 1:
            return arm, number  # which is refused
        left = np.inf
        if self._is_accurate:
            left = self._parameters.evidence.needed[arm] - self.record.observed[arm].min()
            state.has_stopped[0] = number > left  # the inner algorithm is not asked again
        return (
            (arm, min(number, left)) if left > 0 and may_sample[arm] else (self._lacking_arm(), 1)
        )

    def _lacking_arm(self):
        """The arm for which the rule lacked evidence at its last test."""
        evidence, record, may_sample = self.state.evidence, self.record, self.state.may_sample
        weakest = evidence.work.weakest
        if self._is_accurate:
            needed, front = self._parameters.evidence.needed, evidence.work.front
            return unfinished_arm(needed, weakest, front, evidence.size[0], record, may_sample)
        front, size = evidence.oracle.front, evidence.oracle.found[0]["size"]
        return arm_that_lacks_evidence(weakest, front, size, record, may_sample)

    def stop(self) -> bool:
        """Return whether the answer is proven."""
        inner, state, rule = self.algorithm.algorithm, self.state, self._parameters.evidence
        if not state.has_stopped[0] and type(inner).stop is not PythonAlgorithm.stop:
            state.has_stopped[0] = python_verdict(inner.stop(self._view, self.memory))
        if self._parameters.subsets:
            return is_proven_among(rule, state.evidence, self.record, state.remaining)
        is_enough = is_accurate if self._is_accurate else is_proven
        return is_enough(rule, state.evidence, self.record)

    def answer(self) -> np.ndarray:
        """Return the answer of the rule to the empirical means, one bool per arm."""
        means, remaining = self.record.means, self.state.remaining
        front = np.zeros(self._problem.n_arms, np.int64)
        answer = np.zeros(self._problem.n_arms, np.bool_)
        if self._is_accurate:
            margin = LEFT_OUT * self._parameters.evidence.epsilon
            write_unbeaten(means, margin, front, answer)
        else:
            answer[front[: write_front_among(means, remaining, front)]] = True
        return answer
