"""Top-two sampling for the Pareto set."""

from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.pareto.evidence import find_alternative, write_evidence_of_sample
from pareto_core.algorithms.pareto.proven_stopping import (
    PROVEN,
    allocate_proven_stopping,
    is_proven,
    proven_parameters,
)
from pareto_core.algorithms.top_two.rule import Rule, searching, selection, stopping
from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel
from pareto_core.transport.known_noise import KnownNoise, noise_of
from pareto_core.transport.noise_oracle import (
    NoiseResponse,
    allocate_noise_response,
    cheapest_alternative_with_noise,
    find_front_with_noise,
    free_arm_with_noise,
    meet,
)
from pareto_core.transport.oracle import (
    Response,
    allocate_response,
    cheapest_alternative,
    find_front,
    free_arm,
    search_method,
)


class ParetoSetParameters(NamedTuple):
    """What the kernels read."""

    method: int
    noise_is_known: bool  # otherwise objectives are independent, with unit variance
    noise: KnownNoise


class ParetoSetOracle(NamedTuple):
    """Arrays of the kernels."""

    response: Response
    response_to_noise: NoiseResponse


@kernel
def _find(parameters, state):
    """Cost of the cheapest alternative."""
    means, weights = state.record.means, state.weights
    return find_alternative(parameters.oracle, state.oracle, means, weights, np.inf)


@kernel
def _find_with_noise_for_proof(parameters, state):
    """`_find_for_proof` with known noise."""
    means, weights, noise = state.record.means, state.weights, parameters.oracle.noise
    response, weakest = state.oracle.response_to_noise, state.oracle.work.weakest
    arm, rival = weakest[0], weakest[1]
    find_front_with_noise(means, weights, noise, response)
    if arm < 0 or response.optimal[arm] != (rival >= 0):
        return cheapest_alternative_with_noise(means, weights, noise, np.inf, response)
    if rival < 0:
        return free_arm_with_noise(means, weights, noise, arm, np.inf, response)
    return meet(means, weights, noise, arm, rival, np.inf, response)


@kernel
def _find_for_proof(parameters, state):
    """As `_find`, among the alternatives that the proof lacked evidence against.

    The returned cost is infinite if the alternative is a removal, because no caller needs it.
    """
    if parameters.oracle.noise_is_known:
        return _find_with_noise_for_proof(parameters, state)
    means, method = state.record.means, parameters.oracle.method
    response, weakest = state.oracle.response, state.oracle.work.weakest
    arm, rival = weakest[0], weakest[1]
    find_front(means, method, response)
    if arm < 0 or response.optimal[arm] != (rival >= 0):
        return cheapest_alternative(means, state.weights, method, np.inf, response)
    if rival < 0:
        return free_arm(means, state.weights, arm, np.inf, method, response)
    response.found[0]["moved"], response.found[0]["winner"] = arm, rival
    return np.inf


@kernel
def _write(parameters, state):
    """Write the evidence of a sample of each arm against the alternative found."""
    write_evidence_of_sample(
        parameters.oracle,
        state.oracle,
        state.record.means,
        state.weights,
        state.alternative,
        state.shares,
    )


@kernel
def _stop_when_proven(parameters, state):
    return is_proven(parameters.oracle, state.oracle, state.record)


@kernel
def _recommend(parameters, state, answer):
    """Mark the Pareto set of the empirical means."""
    response = state.oracle.response
    find_front(state.record.means, parameters.oracle.method, response)
    copy_vector(answer, response.optimal)


def _parameters(check_every, delta, problem):
    method, is_known = search_method(problem.n_objectives), problem.covariance is not None
    return ParetoSetParameters(method, is_known, noise_of(problem))


def _allocate(problem):
    size = (problem.n_arms, problem.n_objectives)
    return ParetoSetOracle(allocate_response(*size), allocate_noise_response(*size))


def _proven(name):
    """The rule with the proven stopping rule ``name``."""

    def parameters(check_every, delta, problem):
        return proven_parameters(check_every, PROVEN[name], delta, problem)

    select = selection(searching(_find_for_proof), _write)
    return Rule(select, _stop_when_proven, _recommend, parameters, allocate_proven_stopping)


_search = searching(_find)

STYLISED = Rule(selection(_search, _write), stopping(_search), _recommend, _parameters, _allocate)
RULES_WITH_PROOF = {name: _proven(name) for name in PROVEN}
