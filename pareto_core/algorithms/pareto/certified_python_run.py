"""A run of `Certified` around an algorithm in plain Python."""

import copy
from typing import Any, Self

import numpy as np

from pareto_core.algorithms.pareto.certified_kernels import (
    CertifiedParameters,
    CertifiedState,
    arm_that_lacks_evidence,
)
from pareto_core.algorithms.pareto.proven_stopping import (
    allocate_proven_stopping,
    is_proven,
    write_answer,
)
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
        self.state = CertifiedState(
            self.record,
            (),
            np.zeros(1, np.bool_),
            allocate_proven_stopping(problem, parameters.evidence.raised == 0),
            np.ones(problem.n_arms, np.bool_),
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
        left = self._parameters.evidence.needed[arm] - self.record.observed[arm].min()
        state.has_stopped[0] = number > left  # the inner algorithm is not asked again
        if left > 0 and may_sample[arm]:
            return arm, min(number, left)
        return self._lacking_arm(), 1

    def _lacking_arm(self):
        """The arm for which the rule lacked evidence at its last test."""
        rule, state = self._parameters.evidence, self.state
        return arm_that_lacks_evidence(rule, state.evidence, self.record, state.may_sample)

    def stop(self) -> bool:
        """Return whether the answer is proven."""
        inner, state = self.algorithm.algorithm, self.state
        if not state.has_stopped[0] and type(inner).stop is not PythonAlgorithm.stop:
            state.has_stopped[0] = python_verdict(inner.stop(self._view, self.memory))
        return is_proven(self._parameters.evidence, state.evidence, self.record)

    def answer(self) -> np.ndarray:
        """Return the answer of the rule to the empirical means, one bool per arm."""
        answer = np.zeros(self._problem.n_arms, np.bool_)
        write_answer(self._parameters.evidence, self.state.evidence, self.record.means, answer)
        return answer
