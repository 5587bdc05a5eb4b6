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


class EvidenceParameters(NamedTuple):
    """When to test, and the threshold of the test."""

    check_every: int
    threshold: int
    threshold_constant: float
    noise: KnownNoise | None
    region: Region | None


class Evidence(NamedTuple):
    """Arrays of the test."""

    proportions: np.ndarray  # (K,) of the samples
    oracle: Oracle


@part
def stop_when_conclusive(parameters, state):
    """Whether t times the transportation cost at the proportions so far reaches the threshold.

    The generalised likelihood ratio test of Garivier & Kaufmann (2016), if t is a multiple of
    ``check_every`` and every arm has been sampled. The search for an alternative ends at the
    threshold, because more expensive alternatives do not matter.
    """
    parameters, evidence, record = parameters.evidence, state.evidence, state.record
    counts = record.counts
    samples = record.time[0]
    n_arms, n_objectives = record.means.shape
    if in_first_round(record) or samples % parameters.check_every != 0:
        return False
    for k in range(n_arms):
        evidence.proportions[k] = counts[k] / samples
    enough = threshold(
        parameters.threshold, samples, counts, n_objectives, parameters.threshold_constant
    )
    enough /= samples
    noise, region = parameters.noise, parameters.region
    cost = cheapest_alternative(
        record.means, evidence.proportions, noise, region, enough, evidence.oracle
    )
    return cost >= enough


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

    @property
    def number(self):
        """Number of the threshold, for kernels."""
        return THRESHOLDS[self.name].number

    def constant(self, problem):
        """Term of the threshold that depends on the risk and on the number of means."""
        return threshold_constant(self.name, self.delta, problem.n_arms * problem.n_objectives)

    def parameters(self, problem, region=None):
        """What the kernels read of the test and of the noise of a problem."""
        constant, noise = self.constant(problem), noise_of(problem)
        return EvidenceParameters(self.check_every, self.number, constant, noise, region)

    def allocate(self, problem, region=None):
        """Arrays of the test."""
        return Evidence(np.empty(problem.n_arms), oracle_of(problem, region))


def stopping_named(name, delta, check_every=1):
    """The test with the threshold ``name``, or the proven rule ``name``."""
    if name in PROVEN:
        return Proven(PROVEN[name], delta, check_every)
    return Threshold(name, delta, check_every)
