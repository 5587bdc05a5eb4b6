"""Stopping rules that compare the evidence against every other answer with a threshold."""

import dataclasses
from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.proven_stopping import PROVEN, Proven
from pareto_core.algorithms.tracking import in_first_round
from pareto_core.compiling.kernels import part
from pareto_core.confidence.thresholds import THRESHOLDS, threshold, threshold_constant
from pareto_core.loop.parts import Stopping
from pareto_core.questions import OPTIMAL
from pareto_core.transport.metric import KnownNoise, Region, noise_of
from pareto_core.transport.oracle import Oracle, label_answer, oracle_of
from pareto_core.transport.walk import cheapest_alternative

STOPPING = (*THRESHOLDS, *PROVEN)  # names of all stopping rules
NO_THRESHOLD = -1  # instead of its number


class Test(NamedTuple):
    """When to test, and the threshold of the test; infinite if a different rule stops."""

    check_every: int
    threshold: int
    constant: float


class EvidenceParameters(NamedTuple):
    """The test, and what the cost of an alternative depends on."""

    test: Test
    noise: KnownNoise | None
    region: Region | None


class Evidence(NamedTuple):
    """Arrays of the test."""

    proportions: np.ndarray  # (K,) of the samples
    oracle: Oracle


@part
def sufficient_evidence(test, record):
    """The threshold of a test."""
    n_objectives = record.means.shape[1]
    return threshold(test.threshold, record.time[0], record.counts, n_objectives, test.constant)


@part
def stop_when_conclusive(parameters, state):
    """Whether the likelihood ratio reaches the threshold (Garivier & Kaufmann 2016)."""
    parameters, evidence, record = parameters.evidence, state.evidence, state.record
    samples = record.time[0]
    if in_first_round(record) or samples % parameters.test.check_every != 0:
        return False
    for k in range(record.counts.shape[0]):
        evidence.proportions[k] = record.counts[k] / samples
    enough = sufficient_evidence(parameters.test, record) / samples
    noise, region = parameters.noise, parameters.region
    cost = cheapest_alternative(
        record.means, evidence.proportions, noise, region, enough, evidence.oracle
    )
    return cost >= enough


@part
def stop_when_spent(parameters, state):
    """Whether the budget is spent."""
    return state.record.time[0] >= parameters.budget


@part
def recommend_front(parameters, state, answer):
    """Mark the Pareto set of the empirical means."""
    oracle = state.evidence.oracle
    label_answer(state.record.means, None, None, oracle)
    for k in range(answer.shape[0]):
        answer[k] = oracle.labels[k] == OPTIMAL


@dataclasses.dataclass(frozen=True)
class Threshold(Stopping):
    """Stop when the cost of the cheapest alternative reaches a threshold.

    The methods are for Pareto sets, and for compiled kernels.
    """

    name: str  # a key of `THRESHOLDS`
    delta: float
    check_every: int = 1
    sampling_ignores_delta: bool = dataclasses.field(default=True, kw_only=True)

    can_go_on = True
    kernel = staticmethod(stop_when_conclusive)

    def test(self, problem):
        """The test for the number of means of a problem."""
        constant = threshold_constant(self.name, self.delta, problem.n_arms * problem.n_objectives)
        return Test(self.check_every, THRESHOLDS[self.name].number, constant)

    def parameters(self, problem, region=None):
        """What the kernels read of the test and of the noise of a problem."""
        return EvidenceParameters(self.test(problem), noise_of(problem), region)

    def allocate(self, problem, region=None):
        """Arrays of the test."""
        return Evidence(np.empty(problem.n_arms), oracle_of(problem, region))


def stopping_named(name, delta, check_every=1, proven=PROVEN):
    """The test with the threshold ``name``, or the proven rule that ``name`` selects."""
    if name in proven:
        return Proven(proven[name], delta, check_every)
    return Threshold(name, delta, check_every)


def test_of(stopping, problem):
    """`Test` of a threshold; without a threshold if a different rule stops."""
    if isinstance(stopping, Threshold):
        return stopping.test(problem)
    return Test(getattr(stopping, "check_every", 1), NO_THRESHOLD, np.inf)
