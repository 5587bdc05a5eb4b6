"""Top-two sampling for a partition of the arms, with the reason for each rejection.

Several partitions may be valid. The rule samples for the one that is the easiest to verify at the
empirical means. It is expensive to find, and is found anew whenever the number of samples has
doubled. In between, an arm whose label becomes invalid gets its only valid label.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.constrained.proven_labels import (
    PartitionProofWork,
    allocate_partition_proof,
)
from pareto_core.algorithms.pareto.proven_stopping import PROVEN, units_of_noise
from pareto_core.algorithms.top_two.constrained import (
    are_proven,
    constrained_parameters,
    is_due,
    proven_parameters,
    write_found,
)
from pareto_core.algorithms.top_two.easiest_partition import (
    PartitionSearch,
    allocate_partition_search,
    write_easiest_partition,
    write_labels,
)
from pareto_core.algorithms.top_two.rule import Rule, searching, selection, stopping
from pareto_core.compiling.kernels import kernel
from pareto_core.questions import INFEASIBLE
from pareto_core.transport.constrained_oracle import (
    ConstrainedResponse,
    allocate_constrained_response,
)
from pareto_core.transport.partitions import cheapest_wrong_partition

GROWTH = 2  # factor by which the samples grow between two searches for the easiest partition
FEWEST_STEPS = 100  # of such a search; it takes sqrt(t) steps if that is more


class PartitionOracle(NamedTuple):
    """Arrays of the kernels."""

    response: ConstrainedResponse
    labels: np.ndarray  # (K,) the partition to verify
    preferred: np.ndarray  # (K,) labels of the easiest partition at the last search
    due: np.ndarray  # (1,) number of samples at the next search
    search: PartitionSearch


class ProvenPartitionOracle(NamedTuple):
    """Arrays of the kernels, and of the proven rule."""

    response: ConstrainedResponse
    labels: np.ndarray
    preferred: np.ndarray
    due: np.ndarray
    search: PartitionSearch
    times: np.ndarray  # (2,) numbers of samples at this call and at the previous one
    work: PartitionProofWork


@kernel
def _update_partition(parameters, state):
    """Write the labels of the partition to verify."""
    region, oracle, means = parameters.oracle, state.oracle, state.record.means
    normals, offsets, method = region.normals, region.offsets, region.method
    samples = state.record.time[0]
    if samples >= oracle.due[0]:
        steps = max(FEWEST_STEPS, int(np.sqrt(samples)))
        write_easiest_partition(
            means, normals, offsets, method, steps, oracle.search, oracle.preferred
        )
        oracle.due[0] = GROWTH * samples
    write_labels(means, normals, offsets, method, oracle.preferred, oracle.response, oracle.labels)


@kernel
def _find(parameters, state):
    """Cost of the cheapest alternative that refutes the partition."""
    region, oracle = parameters.oracle, state.oracle
    _update_partition(parameters, state)
    return cheapest_wrong_partition(
        state.record.means,
        state.weights,
        region.normals,
        region.offsets,
        oracle.labels,
        region.method,
        np.inf,
        oracle.response,
    )


@kernel
def _recommend(parameters, state, answer):
    """Write the partition of the empirical means that the rule verifies."""
    region, oracle = parameters.oracle, state.oracle
    write_labels(
        state.record.means,
        region.normals,
        region.offsets,
        region.method,
        oracle.preferred,
        oracle.response,
        answer,
    )


@kernel
def _stop_when_proven(parameters, state):
    if not is_due(parameters, state):
        return False
    _update_partition(parameters, state)
    return are_proven(parameters, state)


def _allocate(problem):
    n_rows, n_arms = problem.polyhedron.normals.shape[0], problem.n_arms
    return PartitionOracle(
        allocate_constrained_response(n_rows, n_arms, problem.n_objectives),
        np.full(n_arms, INFEASIBLE),
        np.full(n_arms, INFEASIBLE),
        np.zeros(1, np.int64),
        allocate_partition_search(problem),
    )


def _allocating(name):
    """Function that allocates the arrays for the proven rule ``name``."""

    def allocate(problem):
        return ProvenPartitionOracle(
            *_allocate(problem),
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
