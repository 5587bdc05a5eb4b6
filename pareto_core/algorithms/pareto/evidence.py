"""The stopping rule of algorithms that weigh the evidence against every other answer."""

from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.pareto.proven_stopping import (
    PROVEN,
    allocate_proven_evidence,
    is_proven,
    proven_parameters,
)
from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel
from pareto_core.confidence.thresholds import THRESHOLDS, threshold, threshold_constant
from pareto_core.transport.oracle import (
    Response,
    allocate_response,
    cheapest_alternative,
    find_front,
    search_method,
)

STOPPING = (*THRESHOLDS, *PROVEN)  # names of all ways to decide that the evidence is enough


class EvidenceParameters(NamedTuple):
    """When to look at the evidence, and how much is enough."""

    check_every: int
    threshold: int
    threshold_constant: float
    method: int


class Evidence(NamedTuple):
    """Arrays that the test works with."""

    proportions: np.ndarray  # (K,) shares of the samples
    response: Response


def evidence_parameters(check_every, name, delta, problem):
    """Parameters of a test with the threshold ``name``, or of a proven rule of that name."""
    if name in PROVEN:
        return proven_parameters(check_every, PROVEN[name], delta, problem)
    return EvidenceParameters(
        check_every,
        THRESHOLDS[name].number,
        threshold_constant(name, delta, problem.n_arms * problem.n_objectives),
        search_method(problem.n_objectives),
    )


def allocate_evidence(name, problem):
    """Arrays of a test with the threshold ``name``, or of a proven rule of that name."""
    if name in PROVEN:
        return allocate_proven_evidence(problem)
    return Evidence(
        np.empty(problem.n_arms), allocate_response(problem.n_arms, problem.n_objectives)
    )


@kernel
def is_conclusive(parameters, evidence, record):
    """Whether t times the transportation cost at the shares so far passes the threshold.

    The generalised likelihood ratio test of Garivier & Kaufmann (2016), looked at when
    t is a multiple of ``check_every`` and every arm has been sampled. The search for
    an alternative ends at the threshold: one that is dearer need not be known.
    """
    counts = record.counts
    samples = record.time[0]
    n_arms, n_objectives = record.means.shape
    if samples < n_arms or samples % parameters.check_every != 0:
        return False
    for k in range(n_arms):
        evidence.proportions[k] = counts[k] / samples
    enough = threshold(
        parameters.threshold, samples, counts, n_objectives, parameters.threshold_constant
    )
    enough /= samples
    cost = cheapest_alternative(
        record.means, evidence.proportions, parameters.method, enough, evidence.response
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
    response = state.evidence.response
    find_front(state.record.means, parameters.evidence.method, response)
    copy_vector(answer, response.optimal)


def stopping_kernel(name):
    """Kernel that stops by the threshold ``name``, or by a proven rule of that name."""
    return stop_when_proven if name in PROVEN else stop_when_conclusive
