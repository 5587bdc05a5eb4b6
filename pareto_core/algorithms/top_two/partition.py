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
    find_refutation,
    write_easiest_partition,
    write_labels,
)
from pareto_core.algorithms.top_two.region import RegionWork, allocate_region_work
from pareto_core.algorithms.top_two.rule import Rule, searching, selection, stopping
from pareto_core.compiling.kernels import kernel
from pareto_core.questions import INFEASIBLE

GROWTH = 2  # factor by which the samples grow between two searches for the easiest partition
FEWEST_STEPS = 100  # of such a search; it takes sqrt(t) steps if that is more


class PartitionOracle(NamedTuple):
    """Arrays of the kernels."""

    work: RegionWork
    labels: np.ndarray  # (K,) the partition to verify
    preferred: np.ndarray  # (K,) labels of the easiest partition at the last search
    due: np.ndarray  # (1,) number of samples at the next search
    search: PartitionSearch


class ProvenPartitionOracle(NamedTuple):
    """Arrays of the kernels, and of the proven rule."""

    work: RegionWork
    labels: np.ndarray
    preferred: np.ndarray
    due: np.ndarray
    search: PartitionSearch
    times: np.ndarray  # (2,) numbers of samples at this call and at the previous one
    proof_work: PartitionProofWork


@kernel
def _update_partition(parameters, state):
    """Write the labels of the partition to verify."""
    region, oracle, means = parameters.oracle.region, state.oracle, state.record.means
    samples = state.record.time[0]
    if samples >= oracle.due[0]:
        steps = max(FEWEST_STEPS, int(np.sqrt(samples)))
        write_easiest_partition(means, region, state.costs, steps, oracle.search, oracle.preferred)
        oracle.due[0] = GROWTH * samples
    write_labels(means, region, oracle.preferred, oracle.work.response, oracle.labels)


@kernel
def _find(parameters, state):
    """Cost of the cheapest alternative that refutes the partition."""
    region, oracle = parameters.oracle.region, state.oracle
    _update_partition(parameters, state)
    return find_refutation(state.record.means, state.weights, region, oracle.labels, oracle.work)


@kernel
def _recommend(parameters, state, answer):
    """Write the partition of the empirical means that the rule verifies."""
    oracle = state.oracle
    region, response = parameters.oracle.region, oracle.work.response
    write_labels(state.record.means, region, oracle.preferred, response, answer)


@kernel
def _stop_when_proven(parameters, state):
    if not is_due(parameters, state):
        return False
    _update_partition(parameters, state)
    return are_proven(parameters, state)


def _allocate(problem):
    return PartitionOracle(
        allocate_region_work(problem),
        np.full(problem.n_arms, INFEASIBLE),
        np.full(problem.n_arms, INFEASIBLE),
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
