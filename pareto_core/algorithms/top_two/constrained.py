"""Top-two sampling for the Pareto set of the feasible arms.

Known noise that is correlated, or differs between arms, enters the cost of the alternatives, and
the proven rules as in `proven_stopping`.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.constrained.proven_labels import (
    REJECTED,
    PartitionProof,
    PartitionProofWork,
    allocate_partition_proof,
    labels_are_proven,
    partition_proof,
)
from pareto_core.algorithms.pareto.proven_stopping import (
    PROVEN,
    is_time_to_look,
    units_of_noise,
)
from pareto_core.algorithms.top_two.rule import Rule, searching, selection, stopping
from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel
from pareto_core.geometry.polyhedron import check_polyhedron
from pareto_core.questions import OPTIMAL
from pareto_core.transport.constrained_oracle import (
    ConstrainedResponse,
    allocate_constrained_response,
    cheapest_constrained_alternative,
    find_constrained_front,
    write_constrained_alternative,
)
from pareto_core.transport.known_noise import KnownNoise, noise_of
from pareto_core.transport.noise_region import (
    allocate_noise_region_response,
    cheapest_constrained_alternative_with_noise,
    write_constrained_gradient_with_noise,
)
from pareto_core.transport.oracle import search_method, write_gradient


class ConstrainedParameters(NamedTuple):
    """What the kernels read."""

    normals: np.ndarray  # (m, d) of the polyhedron
    offsets: np.ndarray  # (m,)
    method: int
    noise_is_known: bool  # otherwise objectives are independent, with unit variance
    noise: KnownNoise


class ProvenConstrainedParameters(NamedTuple):
    """What the kernels read: the fields of `ConstrainedParameters`, and the proven rule."""

    normals: np.ndarray
    offsets: np.ndarray
    method: int
    noise_is_known: bool
    noise: KnownNoise
    proof: PartitionProof


class ConstrainedOracle(NamedTuple):
    """Arrays of the kernels."""

    response: ConstrainedResponse
    response_to_noise: ConstrainedResponse


class ProvenConstrainedOracle(NamedTuple):
    """Arrays of the kernels, and of the proven rule."""

    response: ConstrainedResponse
    response_to_noise: ConstrainedResponse
    labels: np.ndarray  # (K,) of the empirical answer
    times: np.ndarray  # (2,) numbers of samples at this call and at the previous one
    work: PartitionProofWork


@kernel
def _find(parameters, state):
    """Cost of the cheapest alternative."""
    region, means, weights = parameters.oracle, state.record.means, state.weights
    if region.noise_is_known:
        return cheapest_constrained_alternative_with_noise(
            means,
            weights,
            region.noise,
            region.normals,
            region.offsets,
            np.inf,
            state.oracle.response_to_noise,
        )
    return cheapest_constrained_alternative(
        means,
        weights,
        region.normals,
        region.offsets,
        region.method,
        np.inf,
        state.oracle.response,
    )


@kernel
def write_found(parameters, state):
    """Write the evidence of a sample of each arm of unit variance against the alternative found."""
    means, alternative = state.record.means, state.alternative
    write_constrained_alternative(means, state.weights, state.oracle.response, alternative)
    write_gradient(means, alternative, state.shares)


@kernel
def _write(parameters, state):
    """As `write_found`, in the metric of the noise if it is known."""
    region = parameters.oracle
    if region.noise_is_known:
        write_constrained_gradient_with_noise(
            state.record.means,
            state.weights,
            region.noise,
            state.oracle.response_to_noise,
            state.shares,
        )
    else:
        write_found(parameters, state)


@kernel
def _recommend(parameters, state, answer):
    """Mark the Pareto set of the arms whose empirical means are feasible."""
    region, response = parameters.oracle, state.oracle.response
    find_constrained_front(
        state.record.means, region.normals, region.offsets, region.method, response
    )
    copy_vector(answer, response.plain.optimal)


@kernel
def are_proven(parameters, state):
    """Whether the labels of ``state.oracle`` are proven."""
    oracle, record = state.oracle, state.record
    proof = parameters.oracle.proof
    return labels_are_proven(proof, record.observed, record.means, oracle.labels, oracle.work)


@kernel
def is_due(parameters, state):
    """Whether to test now: the samples have grown by half a per cent, and by ``check_every``."""
    record = state.record
    is_time = is_time_to_look(parameters.test.check_every, state.oracle.times, record.time[0])
    return is_time and record.observed.min() > 0


@kernel
def _stop_when_proven(parameters, state):
    region, oracle = parameters.oracle, state.oracle
    if not is_due(parameters, state):
        return False
    find_constrained_front(
        state.record.means, region.normals, region.offsets, region.method, oracle.response
    )
    for k in range(oracle.labels.shape[0]):
        oracle.labels[k] = OPTIMAL if oracle.response.plain.optimal[k] else REJECTED
    return are_proven(parameters, state)


def constrained_parameters(check_every, delta, problem):
    """What the kernels read; refuses a problem without a polyhedron."""
    region = check_polyhedron(problem.polyhedron, problem.n_objectives)
    method, is_known = search_method(problem.n_objectives), problem.covariance is not None
    return ConstrainedParameters(*region.rows(), method, is_known, noise_of(problem))


def _allocate(problem):
    n_rows = check_polyhedron(problem.polyhedron, problem.n_objectives).normals.shape[0]
    size = n_rows, problem.n_arms, problem.n_objectives
    return ConstrainedOracle(
        allocate_constrained_response(*size), allocate_noise_region_response(*size)
    )


def proven_parameters(name):
    """Function that maps a problem to what the kernels read with the proven rule ``name``."""

    def parameters(check_every, delta, problem):
        region = constrained_parameters(check_every, delta, problem)
        units = units_of_noise(PROVEN[name], problem)
        proof = partition_proof(PROVEN[name], delta, problem.polyhedron, *units)
        return ProvenConstrainedParameters(*region, proof)

    return parameters


def _allocating(name):
    """Function that allocates the arrays for the proven rule ``name``."""

    def allocate(problem):
        return ProvenConstrainedOracle(
            *_allocate(problem),
            np.zeros(problem.n_arms, np.int64),
            np.zeros(2, np.int64),
            allocate_partition_proof(problem.polyhedron, *units_of_noise(PROVEN[name], problem)),
        )

    return allocate


_search = searching(_find)
_select = selection(_search, _write)
STYLISED = Rule(_select, stopping(_search), _recommend, constrained_parameters, _allocate)
RULES_WITH_PROOF = {
    name: Rule(_select, _stop_when_proven, _recommend, proven_parameters(name), _allocating(name))
    for name in PROVEN
}
