"""Sampling by any algorithm until the answer is proven: the kernels and runs of `Certified`."""

import copy
import functools
from typing import Any, NamedTuple, Self

import numpy as np

from pareto_core.algorithms.proven_stopping import (
    ProvenParameters,
    ProvenStoppingState,
    is_proven,
    write_answer,
)
from pareto_core.compiling.kernels import inner, kernel, part, part_with_kernels, with_kernels
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import PythonAlgorithm
from pareto_core.loop.choices import choice, python_choice, python_verdict, verdict
from pareto_core.loop.python_run import PythonRun
from pareto_core.loop.record import Record
from pareto_core.loop.run import CompiledRun
from pareto_core.transport.metric import KnownNoise

FIRST = 3  # samples of each arm before the first use of estimates of its variances
AIMED = 4  # afterwards, every fourth sample is of an arm that lacks evidence


class CertifiedParameters(NamedTuple):
    """Parameters of the inner algorithm and of the stopping rule."""

    inner: Any
    evidence: ProvenParameters
    noise: KnownNoise | None  # that of ``inner`` if its variances are estimated: `_write_estimates`


class CertifiedState(NamedTuple):
    """State of the inner algorithm and of the stopping rule."""

    record: Record  # of the inner algorithm
    inner: Any
    has_stopped: np.ndarray  # (1,) whether the inner algorithm alone would have stopped
    evidence: ProvenStoppingState
    may_sample: np.ndarray  # (K,) whether an arm may be sampled: all arms unless some are retired


def noise_within(parameters):
    """The known noise that nested parameters contain."""
    for each in filter(lambda each: isinstance(each, tuple), parameters):
        found = each if isinstance(each, KnownNoise) else noise_within(each)
        if found is not None:
            return found
    return None


def certified_state(record, inner, stopping, problem):
    """State before the first sample, around that of the inner algorithm."""
    evidence, may_sample = stopping.allocate(problem), np.ones(problem.n_arms, np.bool_)
    return CertifiedState(record, inner, np.zeros(1, np.bool_), evidence, may_sample)


@part
def _closest_dominator(means, arm, optimal):
    """Arm of the answer whose smallest lead over ``arm`` is largest; -1 without another arm."""
    closest, largest = -1, -np.inf
    for i in range(means.shape[0]):
        lead = np.inf
        for c in range(means.shape[1]):
            lead = min(lead, means[i, c] - means[arm, c])
        if optimal[i] and i != arm and lead > largest:
            closest, largest = i, lead
    return closest


@kernel
def _rarest(record, may_sample, needed):
    """The rarest arm that may be sampled and lacks values, if any are needed; -1 if none does."""
    rarest = np.int64(-1)
    for k in range(record.counts.shape[0]):
        if may_sample[k] and (needed is None or record.observed[k].min() < needed[k]):
            if rarest < 0 or record.counts[k] < record.counts[rarest]:
                rarest = np.int64(k)
    return rarest


@kernel
def _rarer_of_weakest_pair(work, record, may_sample):
    """The rarer arm of the pair that lacked evidence, or the rarest of all if one is retired."""
    arm, rival = work.weakest[0], work.weakest[1]
    rarest = _rarest(record, may_sample, None)
    if arm < 0 or record.counts[rarest] ** 2 < record.time[0]:
        return rarest
    if rival < 0:
        rival = _closest_dominator(record.means, arm, work.optimal)
    if not may_sample[arm] or (rival >= 0 and not may_sample[rival]):
        return rarest
    return rival if rival >= 0 and record.counts[rival] < record.counts[arm] else arm


@kernel
def arm_that_lacks_evidence(parameters, evidence, record, may_sample):
    """The arm that the rule needs most, of those with fewer samples than it surely needs."""
    needed = parameters.needed
    arm = _rarer_of_weakest_pair(evidence.work, record, may_sample)
    if record.observed[arm].min() >= needed[arm]:
        rarest = _rarest(record, may_sample, needed)
        arm = rarest if rarest >= 0 else arm
    return arm


@part
def _is_possible(may_sample, arm, number):
    """Whether a choice is allowed; algorithms that plan phases may choose retired arms."""
    return number >= 1 and 0 <= arm < may_sample.shape[0] and may_sample[arm]


@inner
def _write_estimates(evidence, record, noise):
    """Write estimates of the unknown variances; 1 as long as no reward differs from another.

    Where they may differ between arms, each arm counts one more square, the pooled variance.
    """
    if noise is not None:
        for c in range(record.means.shape[1]):
            if not (evidence.unknown[c] or np.isnan(evidence.comparisons.deviations[c])):
                continue
            squares, freedom = 0.0, 0
            for k in range(record.means.shape[0]):
                squares += record.scatter[k, c]
                freedom += max(record.observed[k, c] - 1, 0)
            pooled = squares / freedom if squares > 0.0 else 1.0
            for k in range(record.means.shape[0]):
                variance = pooled
                if evidence.compares and record.observed[k, c] > 0:
                    variance = (record.scatter[k, c] + pooled) / record.observed[k, c]
                noise.variance[k, c] = noise.covariance[k, c, c] = variance
                noise.precision[k, c, c] = 1.0 / variance


@inner
def _own_choice(parameters, state):
    """An arm with too few samples for an estimate, or one that lacks evidence in its turn, or -1.

    Evidence with unknown variances is less than estimates of them promise, above all for few
    samples and large gaps.
    """
    arm = -1
    if parameters.noise is not None:
        record, may_sample = state.record, state.may_sample
        arm = _rarest(record, may_sample, None)
        if record.counts[arm] >= FIRST:
            arm = -1
            if record.time[0] % AIMED == 0:
                arm = arm_that_lacks_evidence(
                    parameters.evidence, state.evidence, record, may_sample
                )
    return arm


def select_inner(parameters, state):
    """Stands for ``select`` of the inner algorithm."""


def stop_inner(parameters, state):
    """Stands for ``stop`` of the inner algorithm, or `never` if it can go on."""


@part
def never(parameters, state):
    """``stop`` of an algorithm that can go on: it is not asked."""
    return False


def select_certified(parameters, state):
    """The choice of the inner algorithm while it is allowed, then an arm that lacks evidence."""
    record, may_sample = state.record, state.may_sample
    _write_estimates(parameters.evidence, record, parameters.noise)
    own = _own_choice(parameters, state)
    if own >= 0:
        return own, 1
    if not state.has_stopped[0]:
        arm, number = choice(select_inner(parameters.inner, state.inner))
        if _is_possible(may_sample, arm, number):
            left = parameters.evidence.needed[arm] - record.observed[arm].min()
            state.has_stopped[0] = number > left
            if left > 0:
                return arm, min(number, left)
        elif may_sample.all():
            return arm, number  # which is refused
    return arm_that_lacks_evidence(parameters.evidence, state.evidence, record, may_sample), 1


def stop_certified(parameters, state):
    """Whether the answer is proven."""
    if not state.has_stopped[0]:
        state.has_stopped[0] = verdict(stop_inner(parameters.inner, state.inner))
    return is_proven(parameters.evidence, state.evidence, state.record)


@functools.cache
def kernels_around(select, stop, can_go_on):
    """Kernels ``select`` and ``stop`` around those of an algorithm."""
    inner_stop = never if can_go_on else stop
    return (
        part_with_kernels(select_certified, select_inner=select),
        part_with_kernels(stop_certified, stop_inner=inner_stop),
    )


@part
def recommend_certified(parameters, state, answer):
    """Mark the answer to the empirical means of the remaining arms."""
    write_answer(parameters.evidence, state.evidence, state.record.means, answer)


@part
def _given(parameters, state):
    """The choice or the verdict of an algorithm in plain Python, in place of its parameters."""
    return parameters


_select_given = with_kernels(select_certified, select_inner=_given)
_stop_given = with_kernels(stop_certified, stop_inner=_given)


class CertifiedRun(CompiledRun):
    """One run of `Certified`, an algorithm, with its own estimates of unknown variances."""

    def go_on_as(self, algorithm: Any, parameters: CertifiedParameters) -> None:
        """See `CompiledRun.go_on_as`."""
        is_estimated = parameters.noise is not None
        super().go_on_as(algorithm, copy.deepcopy(parameters) if is_estimated else parameters)

    def copy(self) -> Self:
        """See `CompiledRun.copy`."""
        twin = super().copy()
        twin.go_on_as(self.algorithm, self.parameters)
        return twin


class CertifiedPythonRun(PythonRun):
    """One run of `Certified`, an algorithm, around an algorithm in plain Python."""

    def __init__(
        self,
        algorithm: Any,
        problem: Problem,
        rng: np.random.Generator,
        parameters: CertifiedParameters,
    ) -> None:
        super().__init__(algorithm.algorithm, problem, rng)
        self.go_on_as(algorithm, parameters)
        self.state = certified_state(self.record, (), algorithm.stopping, problem)

    def go_on_as(self, algorithm: Any, parameters: CertifiedParameters) -> None:
        """See `PythonRun.go_on_as`."""
        self.algorithm, self._parameters = algorithm, parameters

    def copy(self) -> Self:
        """See `PythonRun.copy`."""
        twin = super().copy()
        twin.state = copy.deepcopy(self.state)._replace(record=twin.record)
        return twin

    def _choose(self):
        arm, number = 0, 1  # not read once the inner algorithm has stopped
        if not self.state.has_stopped[0]:
            arm, number = python_choice(self.algorithm.algorithm.select(self._view, self.memory))
        if not 0 <= arm < self._problem.n_arms or number < 1:
            return arm, number  # which is refused
        return _select_given(self._parameters._replace(inner=(arm, number)), self.state)

    def stop(self) -> bool:
        """Return whether the answer is proven."""
        inner, has_stopped = self.algorithm.algorithm, False
        if not self.state.has_stopped[0] and type(inner).stop is not PythonAlgorithm.stop:
            has_stopped = python_verdict(inner.stop(self._view, self.memory))
        return _stop_given(self._parameters._replace(inner=has_stopped), self.state)

    def answer(self) -> np.ndarray:
        """Return the answer of the rule to the empirical means, one bool per arm."""
        answer = np.zeros(self._problem.n_arms, np.bool_)
        recommend_certified(self._parameters, self.state, answer)
        return answer
