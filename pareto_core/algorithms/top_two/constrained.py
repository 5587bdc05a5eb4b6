"""Top-two sampling for the Pareto set of the feasible arms."""

from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.top_two.rule import Rule, searching, selection, stopping
from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel
from pareto_core.geometry.polyhedron import check_polyhedron
from pareto_core.transport.constrained_oracle import (
    ConstrainedResponse,
    allocate_constrained_response,
    cheapest_constrained_alternative,
    find_constrained_front,
    write_constrained_alternative,
)
from pareto_core.transport.oracle import search_method


class ConstrainedParameters(NamedTuple):
    """What the kernels read."""

    normals: np.ndarray  # (m, d) of the polyhedron
    offsets: np.ndarray  # (m,)
    method: int


class ConstrainedOracle(NamedTuple):
    """Arrays of the kernels."""

    response: ConstrainedResponse


@kernel
def _find(parameters, state):
    """Cost of the cheapest alternative."""
    region = parameters.oracle
    return cheapest_constrained_alternative(
        state.record.means,
        state.weights,
        region.normals,
        region.offsets,
        region.method,
        np.inf,
        state.oracle.response,
    )


@kernel
def write_found(parameters, state):
    """Write the alternative found."""
    response = state.oracle.response
    write_constrained_alternative(state.record.means, state.weights, response, state.alternative)


@kernel
def _recommend(parameters, state, answer):
    """Mark the Pareto set of the arms whose empirical means are feasible."""
    region, response = parameters.oracle, state.oracle.response
    find_constrained_front(
        state.record.means, region.normals, region.offsets, region.method, response
    )
    copy_vector(answer, response.plain.optimal)


def constrained_parameters(check_every, delta, problem):
    """What the kernels read; refuses a problem without a polyhedron."""
    region = check_polyhedron(problem.polyhedron, problem.n_objectives)
    return ConstrainedParameters(*region.rows(), search_method(problem.n_objectives))


def allocate_constrained(problem):
    """Arrays of the kernels."""
    n_rows = check_polyhedron(problem.polyhedron, problem.n_objectives).normals.shape[0]
    return ConstrainedOracle(
        allocate_constrained_response(n_rows, problem.n_arms, problem.n_objectives)
    )


_search = searching(_find)
_select = selection(_search, write_found)
STYLISED = Rule(
    _select, stopping(_search), _recommend, constrained_parameters, allocate_constrained
)
