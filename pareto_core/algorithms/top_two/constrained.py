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
from pareto_core.algorithms.top_two.region import (
    Region,
    RegionWork,
    allocate_region_work,
    region_of,
    write_evidence,
)
from pareto_core.algorithms.top_two.rule import Rule, searching, selection, stopping
from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel
from pareto_core.questions import OPTIMAL
from pareto_core.transport.constrained_oracle import (
    cheapest_constrained_alternative,
    find_constrained_front,
)
from pareto_core.transport.noise_region import cheapest_constrained_alternative_with_noise


class ConstrainedParameters(NamedTuple):
    """What the kernels read."""

    region: Region


class ProvenConstrainedParameters(NamedTuple):
    """What the kernels read, with a proven rule."""

    region: Region
    proof: PartitionProof


class ConstrainedOracle(NamedTuple):
    """Arrays of the kernels."""

    work: RegionWork


class ProvenConstrainedOracle(NamedTuple):
    """Arrays of the kernels, and of the proven rule."""

    work: RegionWork
    labels: np.ndarray  # (K,) of the empirical answer
    times: np.ndarray  # (2,) numbers of samples at this call and at the previous one
    proof_work: PartitionProofWork


@kernel
def _find(parameters, state):
    """Cost of the cheapest alternative."""
    region, work = parameters.oracle.region, state.oracle.work
    means, weights, normals, offsets = (
        state.record.means,
        state.weights,
        region.normals,
        region.offsets,
    )
    if region.noise_is_known:
        return cheapest_constrained_alternative_with_noise(
            means, weights, region.noise, normals, offsets, np.inf, work.response_to_noise
        )
    return cheapest_constrained_alternative(
        means, weights, normals, offsets, region.method, np.inf, work.response
    )


@kernel
def write_found(parameters, state):
    """Write the evidence of a sample of each arm against the alternative found."""
    region, means = parameters.oracle.region, state.record.means
    write_evidence(means, state.weights, region, state.oracle.work, state.shares)


@kernel
def _recommend(parameters, state, answer):
    """Mark the Pareto set of the arms whose empirical means are feasible."""
    region, response = parameters.oracle.region, state.oracle.work.response
    find_constrained_front(
        state.record.means, region.normals, region.offsets, region.method, response
    )
    copy_vector(answer, response.plain.optimal)


@kernel
def are_proven(parameters, state):
    """Whether the labels of ``state.oracle`` are proven."""
    oracle, record = state.oracle, state.record
    proof = parameters.oracle.proof
    return labels_are_proven(proof, record.observed, record.means, oracle.labels, oracle.proof_work)


@kernel
def is_due(parameters, state):
    """Whether to test now: the samples have grown by half a per cent, and by ``check_every``."""
    record = state.record
    is_time = is_time_to_look(parameters.test.check_every, state.oracle.times, record.time[0])
    return is_time and record.observed.min() > 0


@kernel
def _stop_when_proven(parameters, state):
    region, oracle = parameters.oracle.region, state.oracle
    if not is_due(parameters, state):
        return False
    response = oracle.work.response
    find_constrained_front(
        state.record.means, region.normals, region.offsets, region.method, response
    )
    for k in range(oracle.labels.shape[0]):
        oracle.labels[k] = OPTIMAL if response.plain.optimal[k] else REJECTED
    return are_proven(parameters, state)


def constrained_parameters(check_every, delta, problem):
    """What the kernels read; refuses a problem without a polyhedron."""
    return ConstrainedParameters(region_of(problem))


def _allocate(problem):
    return ConstrainedOracle(allocate_region_work(problem))


def proven_parameters(name):
    """Function that maps a problem to what the kernels read with the proven rule ``name``."""

    def parameters(check_every, delta, problem):
        region = region_of(problem)
        units = units_of_noise(PROVEN[name], problem)
        proof = partition_proof(PROVEN[name], delta, problem.polyhedron, *units)
        return ProvenConstrainedParameters(region, proof)

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
_select = selection(_search, write_found)
STYLISED = Rule(_select, stopping(_search), _recommend, constrained_parameters, _allocate)
RULES_WITH_PROOF = {
    name: Rule(_select, _stop_when_proven, _recommend, proven_parameters(name), _allocating(name))
    for name in PROVEN
}
