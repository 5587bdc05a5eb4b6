"""A feasible region as the kernels of top-two sampling read it, with the noise of the arms."""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import kernel
from pareto_core.geometry.polyhedron import check_polyhedron
from pareto_core.transport.constrained_oracle import (
    ConstrainedResponse,
    allocate_constrained_response,
    write_constrained_alternative,
)
from pareto_core.transport.known_noise import KnownNoise, noise_of
from pareto_core.transport.noise_region import (
    allocate_noise_region_response,
    write_constrained_gradient_with_noise,
)
from pareto_core.transport.oracle import search_method, write_gradient


class Region(NamedTuple):
    """The polyhedron, and the noise of the arms."""

    normals: np.ndarray  # (m, d) of the polyhedron
    offsets: np.ndarray  # (m,)
    method: int
    noise_is_known: bool  # otherwise objectives are independent, with unit variance
    noise: KnownNoise


class RegionWork(NamedTuple):
    """The cheapest alternative found last, in one of two forms, and the arrays of its search."""

    response: ConstrainedResponse
    response_to_noise: ConstrainedResponse  # if the noise is known
    alternative: np.ndarray  # (K, d)


def region_of(problem):
    """`Region` of a problem; refuses a problem without a polyhedron."""
    polyhedron = check_polyhedron(problem.polyhedron, problem.n_objectives)
    method, is_known = search_method(problem.n_objectives), problem.covariance is not None
    return Region(*polyhedron.rows(), method, is_known, noise_of(problem))


def allocate_region_work(problem):
    """Allocate a `RegionWork`."""
    n_rows = check_polyhedron(problem.polyhedron, problem.n_objectives).normals.shape[0]
    size = n_rows, problem.n_arms, problem.n_objectives
    return RegionWork(
        allocate_constrained_response(*size),
        allocate_noise_region_response(*size),
        np.empty(size[1:]),
    )


@kernel
def write_evidence(means, weights, region, work, gradient):
    """Write the evidence of a sample of each arm against the alternative found.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    region : Region
    work : RegionWork
        With the alternative, in the form that the noise requires. Modified in place.
    gradient : ndarray, shape (K,)
        Modified in place: half the squared distance that each arm moves.
    """
    if region.noise_is_known:
        write_constrained_gradient_with_noise(
            means, weights, region.noise, work.response_to_noise, gradient
        )
    else:
        write_constrained_alternative(means, weights, work.response, work.alternative)
        write_gradient(means, work.alternative, gradient)
