"""Stopping rules that compare the evidence against every other answer with a threshold."""

from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.pareto.proven_stopping import (
    PROVEN,
    allocate_proven_stopping,
    is_proven,
    proven_parameters,
)
from pareto_core.algorithms.tracking import in_first_round
from pareto_core.compiling.kernels import kernel
from pareto_core.confidence.thresholds import THRESHOLDS, threshold, threshold_constant
from pareto_core.questions import OPTIMAL
from pareto_core.transport.metric import KnownNoise, noise_of
from pareto_core.transport.moves import Oracle, cheapest_alternative, label_answer, oracle_of

STOPPING = (*THRESHOLDS, *PROVEN)  # names of all stopping rules


class EvidenceParameters(NamedTuple):
    """When to test, and the threshold of the test."""

    check_every: int
    threshold: int
    threshold_constant: float
    noise: KnownNoise | None


class Evidence(NamedTuple):
    """Arrays of the test."""

    proportions: np.ndarray  # (K,) of the samples
    oracle: Oracle


def evidence_parameters(check_every, name, delta, problem):
    """Parameters of the test with the threshold ``name``, or of the proven rule ``name``."""
    if name in PROVEN:
        return proven_parameters(check_every, PROVEN[name], delta, problem)
    return EvidenceParameters(
        check_every,
        THRESHOLDS[name].number,
        threshold_constant(name, delta, problem.n_arms * problem.n_objectives),
        noise_of(problem),
    )


def allocate_evidence(name, problem):
    """Allocate the arrays of the test with the threshold ``name``, or of the proven rule."""
    if name in PROVEN:
        return allocate_proven_stopping(problem)
    return Evidence(np.empty(problem.n_arms), oracle_of(problem))


@kernel
def is_conclusive(parameters, evidence, record):
    """Whether t times the transportation cost at the proportions so far reaches the threshold.

    The generalised likelihood ratio test of Garivier & Kaufmann (2016), if t is a multiple of
    ``check_every`` and every arm has been sampled. The search for an alternative ends at the
    threshold, because more expensive alternatives do not matter.
    """
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
    cost = cheapest_alternative(
        record.means, evidence.proportions, parameters.noise, None, enough, evidence.oracle
    )
    return cost >= enough


@kernel
def stop_when_conclusive(parameters, state):
    """`is_conclusive` for a state that holds the evidence and a record."""
    return is_conclusive(parameters.evidence, state.evidence, state.record)


@kernel
def stop_when_proven(parameters, state):
    """`is_proven` for a state that holds the evidence and a record."""
    return is_proven(parameters.evidence, state.evidence, state.record)


@kernel
def recommend_front(parameters, state, answer):
    """Mark the Pareto set of the empirical means."""
    oracle = state.evidence.oracle
    label_answer(state.record.means, None, None, oracle)
    for k in range(answer.shape[0]):
        answer[k] = oracle.labels[k] == OPTIMAL


def stopping_kernel(name):
    """Kernel ``stop`` for the threshold ``name``, or for the proven rule ``name``."""
    return stop_when_proven if name in PROVEN else stop_when_conclusive
