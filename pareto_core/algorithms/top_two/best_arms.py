"""Top-two sampling for the best arm of every objective."""

from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.best_arms.best_arm_evidence import (
    PROVEN,
    best_arm_evidence_parameters,
    leads_are_proven,
    write_best_arms,
)
from pareto_core.algorithms.pareto.proven_stopping import units_of_noise
from pareto_core.algorithms.top_two.rule import Rule, searching, selection, stopping
from pareto_core.compiling.kernels import kernel
from pareto_core.confidence.proven_rules import PAIRS
from pareto_core.confidence.proven_rules import Rule as ProvenRule
from pareto_core.transport.best_arms import cheapest_confusion, write_confusion
from pareto_core.transport.known_noise import KnownNoise, noise_of
from pareto_core.transport.noise_oracle import (
    NoiseResponse,
    allocate_noise_response,
    cheapest_confusion_with_noise,
    write_gradient_with_noise,
)
from pareto_core.transport.oracle import write_gradient

CONFUSION = np.dtype(
    [("objective", np.int64), ("best", np.int64), ("challenger", np.int64)], align=True
)


class BestArmParameters(NamedTuple):
    """What the kernels read."""

    noise_is_known: bool  # otherwise the objectives have unit variance
    noise: KnownNoise


class ProvenBestArmParameters(NamedTuple):
    """What the kernels read: the fields of `BestArmParameters`, and the proven rule."""

    noise_is_known: bool
    noise: KnownNoise
    rule: ProvenRule
    unit: np.ndarray  # (d,) a typical standard deviation of each objective
    variance: np.ndarray  # (K, d) of the noise, in these units


class BestArmOracle(NamedTuple):
    """Arrays of the kernels."""

    found: np.ndarray  # (1,) CONFUSION: the cheapest alternative
    response_to_noise: NoiseResponse


class ProvenBestArmOracle(NamedTuple):
    """Arrays of the kernels, and of the proven rule."""

    found: np.ndarray
    response_to_noise: NoiseResponse
    information: np.ndarray  # (K, d) samples, divided by the variance of the noise in units
    means: np.ndarray  # (K, d) in units


@kernel
def _find(parameters, state):
    """Cost of the cheapest confusion of two arms in an objective."""
    if parameters.oracle.noise_is_known:
        means, noise = state.record.means, parameters.oracle.noise
        response = state.oracle.response_to_noise
        return cheapest_confusion_with_noise(means, state.weights, noise, np.inf, response)
    found = state.oracle.found[0]
    cost, objective, best, challenger = cheapest_confusion(state.record.means, state.weights)
    found["objective"], found["best"], found["challenger"] = objective, best, challenger
    return cost


@kernel
def _write(parameters, state):
    """Write the evidence of a sample of each arm against the alternative found."""
    if parameters.oracle.noise_is_known:
        means, noise = state.record.means, parameters.oracle.noise
        response = state.oracle.response_to_noise
        write_gradient_with_noise(means, state.weights, noise, response, state.shares)
        return
    found = state.oracle.found[0]
    write_confusion(
        state.record.means,
        state.weights,
        found["objective"],
        found["best"],
        found["challenger"],
        state.alternative,
    )
    write_gradient(state.record.means, state.alternative, state.shares)


_search = searching(_find)


@kernel
def _stop_when_proven(parameters, state):
    """Test whether the answer is proven, at multiples of ``check_every``.

    The evidence is at most the cost of the cheapest confusion, which is faster to compute.
    """
    record, oracle, proof = state.record, state.oracle, parameters.oracle
    if record.time[0] % parameters.test.check_every != 0 or record.observed.min() == 0:
        return False
    if _search(parameters, state) < proof.rule.log_needed:
        return False
    for k in range(record.means.shape[0]):
        for c in range(record.means.shape[1]):
            oracle.information[k, c] = record.observed[k, c] / proof.variance[k, c]
            oracle.means[k, c] = record.means[k, c] / proof.unit[c]
    return leads_are_proven(proof.rule, oracle.information, oracle.means)


@kernel
def _recommend(parameters, state, answer):
    write_best_arms(state.record, answer)


def _parameters(check_every, delta, problem):
    return BestArmParameters(problem.covariance is not None, noise_of(problem))


def _proven_parameters(check_every, delta, problem):
    rule = best_arm_evidence_parameters(PROVEN, delta, problem).rule
    known = _parameters(check_every, delta, problem)
    return ProvenBestArmParameters(*known, rule, *units_of_noise(PAIRS, problem))


def _allocate(problem):
    response = allocate_noise_response(problem.n_arms, problem.n_objectives)
    return BestArmOracle(np.zeros(1, CONFUSION), response)


def _allocate_for_proof(problem):
    shape = (problem.n_arms, problem.n_objectives)
    return ProvenBestArmOracle(*_allocate(problem), np.zeros(shape), np.zeros(shape))


_select = selection(_search, _write)
STYLISED = Rule(_select, stopping(_search), _recommend, _parameters, _allocate)
RULES_WITH_PROOF = {
    PROVEN: Rule(_select, _stop_when_proven, _recommend, _proven_parameters, _allocate_for_proof)
}
