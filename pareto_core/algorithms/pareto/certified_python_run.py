"""A run of `Certified` around an algorithm in plain Python."""

import copy
from typing import Any, Self

import numpy as np

from pareto_core.algorithms.pareto.accuracy_stopping import (
    AccuracyParameters,
    allocate_accuracy,
    first_unfinished,
    is_accurate,
)
from pareto_core.algorithms.pareto.certified_kernels import (
    CertifiedParameters,
    arm_that_lacks_evidence,
)
from pareto_core.algorithms.pareto.proven_stopping import allocate_proven_stopping, is_proven
from pareto_core.confidence.accuracy_evidence import LEFT_OUT, write_unbeaten
from pareto_core.geometry.dominance import write_front
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
        self._evidence, self._has_stopped = allocate(problem), False

    def go_on_as(self, algorithm: Any, parameters: CertifiedParameters) -> None:
        """See `PythonRun.go_on_as`."""
        self.algorithm, self._rule = algorithm, parameters.evidence

    def copy(self) -> Self:
        """See `PythonRun.copy`."""
        twin = super().copy()
        twin._evidence = copy.deepcopy(self._evidence)
        return twin

    def _left(self):
        """Samples that the inner algorithm may still choose."""
        return self._rule.total - self.record.time[0] if self._is_accurate else np.inf

    def _choose(self):
        left = self._left()
        if left <= 0:
            return first_unfinished(self._rule, self.record), 1
        if self._has_stopped:
            return self._lacking_arm(), 1
        arm, number = python_choice(self.algorithm.algorithm.select(self._view, self.memory))
        return arm, min(number, left)

    def _lacking_arm(self):
        """The arm for which the rule lacked evidence at its last test."""
        weakest, front = self._evidence.work.weakest, self._evidence.work.front
        if self._is_accurate:
            size = self._evidence.size[0]
        else:
            size = self._evidence.response.found[0]["size"]
        return arm_that_lacks_evidence(weakest, front, size, self.record)

    def stop(self) -> bool:
        """Return whether the answer is proven."""
        inner = self.algorithm.algorithm
        is_asked = self._left() > 0 and not self._has_stopped
        if is_asked and type(inner).stop is not PythonAlgorithm.stop:
            self._has_stopped = python_verdict(inner.stop(self._view, self.memory))
        is_enough = is_accurate if self._is_accurate else is_proven
        return is_enough(self._rule, self._evidence, self.record)

    def answer(self) -> np.ndarray:
        """Return the answer of the rule to the empirical means, one bool per arm."""
        means, front = self.record.means, np.zeros(self._problem.n_arms, np.int64)
        answer = np.zeros(self._problem.n_arms, np.bool_)
        if self._is_accurate:
            write_unbeaten(means, LEFT_OUT * self._rule.epsilon, front, answer)
        else:
            answer[front[: write_front(means, front)]] = True
        return answer
