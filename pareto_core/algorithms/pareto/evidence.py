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
from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel
from pareto_core.confidence.thresholds import THRESHOLDS, threshold, threshold_constant
from pareto_core.transport.known_noise import KnownNoise, noise_of
from pareto_core.transport.noise_oracle import (
    NoiseResponse,
    allocate_noise_response,
    cheapest_alternative_with_noise,
    write_gradient_with_noise,
)
from pareto_core.transport.oracle import (
    Response,
    allocate_response,
    cheapest_alternative,
    find_front,
    search_method,
    write_alternative,
    write_gradient,
)

STOPPING = (*THRESHOLDS, *PROVEN)  # names of all stopping rules


class EvidenceParameters(NamedTuple):
    """When to test, and the threshold of the test."""

    check_every: int
    threshold: int
    threshold_constant: float
    method: int
    noise_is_known: bool  # otherwise objectives are independent, with unit variance
    noise: KnownNoise


class Evidence(NamedTuple):
    """Arrays of the test."""

    proportions: np.ndarray  # (K,) of the samples
    response: Response
    response_to_noise: NoiseResponse


def evidence_parameters(check_every, name, delta, problem):
    """Parameters of the test with the threshold ``name``, or of the proven rule ``name``."""
    if name in PROVEN:
        return proven_parameters(check_every, PROVEN[name], delta, problem)
    return EvidenceParameters(
        check_every,
        THRESHOLDS[name].number,
        threshold_constant(name, delta, problem.n_arms * problem.n_objectives),
        search_method(problem.n_objectives),
        problem.covariance is not None,
        noise_of(problem),
    )


def allocate_evidence(name, problem):
    """Allocate the arrays of the test with the threshold ``name``, or of the proven rule."""
    if name in PROVEN:
        return allocate_proven_stopping(problem)
    size = (problem.n_arms, problem.n_objectives)
    return Evidence(
        np.empty(problem.n_arms), allocate_response(*size), allocate_noise_response(*size)
    )


@kernel
def find_alternative(parameters, evidence, means, weights, upper):
    """Cost of the cheapest alternative below ``upper``, recorded in ``evidence``; else ``upper``.

    Parameters
    ----------
    parameters : EvidenceParameters or ProvenParameters
    evidence : Evidence or ProvenStoppingState
        Modified in place.
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    upper : float
    """
    if parameters.noise_is_known:
        response = evidence.response_to_noise
        return cheapest_alternative_with_noise(means, weights, parameters.noise, upper, response)
    return cheapest_alternative(means, weights, parameters.method, upper, evidence.response)


@kernel
def write_evidence_of_sample(parameters, evidence, means, weights, alternative, gradient):
    """Write the evidence of a sample of each arm against the alternative found last.

    Parameters
    ----------
    parameters : EvidenceParameters or ProvenParameters
    evidence : Evidence or ProvenStoppingState
        With the alternative to ``means`` that `find_alternative` recorded for ``weights``.
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    alternative : ndarray, shape (K, d)
        Work array. Modified in place.
    gradient : ndarray, shape (K,)
        Modified in place: the gradient of the transportation cost in the weights.
    """
    if parameters.noise_is_known:
        response = evidence.response_to_noise
        write_gradient_with_noise(means, weights, parameters.noise, response, gradient)
    else:
        write_alternative(means, weights, evidence.response, alternative)
        write_gradient(means, alternative, gradient)


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
    proportions = evidence.proportions
    return find_alternative(parameters, evidence, record.means, proportions, enough) >= enough


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
    """Kernel ``stop`` for the threshold ``name``, or for the proven rule ``name``."""
    return stop_when_proven if name in PROVEN else stop_when_conclusive
