"""The cheapest means for which a right answer with reasons (e-cPSI) is wrong.

It is if an optimal arm leaves the polyhedron or is put below another optimal one, if an arm
called infeasible enters the polyhedron (entry), or if an arm called dominated is no longer
dominated by any optimal arm, wherever it goes (addition). No other alternative is cheaper: to
admit an arm to the constrained Pareto set is an entry if it is called infeasible, and an
addition if it is called dominated.
"""

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_means, check_weights, unit_weights
from pareto_core.compiling.kernels import kernel
from pareto_core.geometry.partition import Partition, is_valid_partition
from pareto_core.geometry.polyhedron import Polyhedron
from pareto_core.questions import DOMINATED, INFEASIBLE, OPTIMAL
from pareto_core.transport.addition import free_escape, single_arm_bound
from pareto_core.transport.constrained_oracle import (
    ALONE,
    allocate_constrained_response,
    cheapest_on_front,
    find_front_among,
    record,
    write_constrained_alternative,
    write_room,
)
from pareto_core.transport.constrained_search import nearest_inside
from pareto_core.transport.cost import TransportCost, scaled_cost
from pareto_core.transport.oracle import BRANCH_AND_BOUND, SWEEP, free_to, write_gradient

__all__ = ["partition_cost"]


def partition_cost(
    means: ArrayLike, weights: ArrayLike, polyhedron: Polyhedron, partition: Partition
) -> TransportCost:
    r"""Cheapest cost of making a right partition wrong.

    .. math::
        \min_{\lambda:(O,S,I)\notin\mathcal M(\lambda)}
        \sum_k\frac{w_k}{2}\|\mu_k-\lambda_k\|^2,

    where :math:`\mathcal M(\lambda)` are the right answers of `valid_partitions`: the optimal
    arms O are others than for :math:`\mu`, an arm of S is not dominated by a feasible one, or
    an arm of I is feasible.

    Parameters
    ----------
    means : array_like, shape (K, d)
        Means, in units of the noise's standard deviation.
    weights : array_like, shape (K,)
        Non-negative and not all zero; they need not sum to one.
    polyhedron : Polyhedron
        The feasible region.
    partition : Partition
        A right answer.

    Returns
    -------
    TransportCost
        Value, gradient and alternative.

    Raises
    ------
    ValueError
        If an argument does not fit, or the partition is no right answer.

    Examples
    --------
    >>> import pareto_core as pc
    >>> region = pc.orthant([-0.5])
    >>> partition = pc.Partition(optimal=[1], dominated=[0], infeasible=[])
    >>> print(round(pc.partition_cost([[0.0], [1.0]], [0.5, 0.5], region, partition).value, 6))
    0.125
    """
    means = check_means(means)
    weights = check_weights(weights, means.shape[0])
    reasons = reasons_of(means, polyhedron, partition)
    gradient, alternative = np.empty(means.shape[0]), np.empty_like(means)
    method = SWEEP if means.shape[1] == 2 else BRANCH_AND_BOUND
    weights, exponent = unit_weights(weights)
    value = _partition_cost(
        means,
        weights,
        *polyhedron.rows(),
        reasons,
        method,
        gradient,
        alternative,
    )
    return TransportCost(scaled_cost(value, exponent), gradient, alternative)


def reasons_of(means, polyhedron, partition):
    """What a right partition calls each arm, of shape (K,).

    Raises
    ------
    ValueError
        If it is no right answer.
    """
    if not is_valid_partition(means, polyhedron, partition):
        raise ValueError(f"partition = {partition!r}; expected a right answer")
    reasons = np.empty(means.shape[0], np.int64)
    for reason, arms in zip((OPTIMAL, DOMINATED, INFEASIBLE), partition, strict=True):
        reasons[np.asarray(arms, int)] = reason
    return reasons


@kernel
def enter(means, weights, normals, offsets, arm, upper, response):
    """Cost below ``upper`` at which ``arm`` enters the polyhedron; recorded if there is one."""
    place = response.place
    half_squares = nearest_inside(means, normals, offsets, arm, place, response.search.minimum)
    cost = weights[arm] * half_squares if weights[arm] > 0.0 else 0.0
    if cost < upper:
        record(response, arm, ALONE, place)
        return cost
    return upper


@kernel
def free_dominated(means, weights, arm, upper, method, response):
    """Cheapest addition of ``arm`` below ``upper``; records it when there is one."""
    plain, place = response.plain, response.place
    if weights[arm] > 0.0:
        cost = free_to(means, weights, arm, upper, method, plain, place)
    else:
        cost = min(0.0, upper)
        free_escape(means, plain.front, plain.found[0]["size"], arm, place)
    if cost < upper:
        record(response, arm, -1, place)
    return cost


@kernel
def find_named_front(means, normals, offsets, reasons, method, response):
    """Measure the room of all arms, and put the arms called optimal in order."""
    write_room(means, normals, offsets, response)
    find_front_among(means, reasons == OPTIMAL, method, response)


@kernel
def cheapest_wrong_partition(means, weights, normals, offsets, reasons, method, upper, response):
    """Cost of the cheapest alternative to a partition below ``upper``, recorded.

    Returns ``upper``, with -1 recorded, when there is none. ``reasons`` are `reasons_of` a
    right answer.
    """
    find_named_front(means, normals, offsets, reasons, method, response)
    plain = response.plain
    plain.found[0]["moved"] = -1
    plain.found[0]["winner"] = -1
    best = cheapest_on_front(means, weights, normals, offsets, method, upper, response)
    for k in range(means.shape[0]):
        if reasons[k] == INFEASIBLE and 0.5 * weights[k] * response.room[k] ** 2 < best:
            best = enter(means, weights, normals, offsets, k, best, response)
    size = plain.found[0]["size"]
    for k in range(means.shape[0]):
        if reasons[k] == DOMINATED:
            if single_arm_bound(means, weights, plain.front, size, k) < best:
                best = free_dominated(means, weights, k, best, method, response)
    return best


@kernel
def _partition_cost(means, weights, normals, offsets, reasons, method, gradient, alternative):
    """Fill ``gradient`` and ``alternative``; return the cost."""
    response = allocate_constrained_response(normals.shape[0], means.shape[0], means.shape[1])
    value = cheapest_wrong_partition(
        means, weights, normals, offsets, reasons, method, np.inf, response
    )
    write_constrained_alternative(means, weights, response, alternative)
    write_gradient(means, alternative, gradient)
    return value
