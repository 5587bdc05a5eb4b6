"""The cheapest means that refute a valid partition of the arms (e-cPSI).

A partition is refuted if an optimal arm leaves the polyhedron (departure) or falls below another
optimal arm (removal), if an arm called infeasible enters the polyhedron (entry), or if no optimal
arm dominates an arm called dominated any longer, wherever that arm moves (addition). No other
alternative is cheaper: admitting an arm to the constrained Pareto set is an entry if the arm is
called infeasible, and an addition if it is called dominated.
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
from pareto_core.transport.noise_cost import given_noise, partition_cost_with_noise
from pareto_core.transport.oracle import free_to, search_method, write_gradient

__all__ = ["partition_cost"]


def partition_cost(
    means: ArrayLike,
    weights: ArrayLike,
    polyhedron: Polyhedron,
    partition: Partition,
    variance: ArrayLike | None = None,
    covariance: ArrayLike | None = None,
) -> TransportCost:
    r"""Cheapest cost of refuting a valid partition.

    .. math::
        \min_{\lambda:(O,S,I)\notin\mathcal M(\lambda)}
        \sum_k\frac{w_k}{2}\|\mu_k-\lambda_k\|^2,

    where :math:`\mathcal M(\lambda)` are the valid partitions for :math:`\lambda`. A partition
    is not among them if O is not the set of feasible optimal arms, if no feasible arm dominates
    some arm of S, or if an arm of I is feasible. If the noise is given, the distance of arm k is
    in the metric of its covariance.

    Parameters
    ----------
    means : array_like, shape (K, d)
        Means, in units of the noise's standard deviation unless the noise is given.
    weights : array_like, shape (K,)
        Non-negative and not all zero; they need not sum to one.
    polyhedron : Polyhedron
        The feasible region.
    partition : Partition
        A valid partition for these means.
    variance, covariance : array_like, optional
        Noise of each arm and objective, see `transport_cost`.

    Returns
    -------
    TransportCost
        Value, gradient, alternative and the arm whose status it changes.

    Raises
    ------
    ValueError
        If ``means`` or ``weights`` is not finite or has the wrong shape, if a weight is negative
        or all weights are zero, if ``polyhedron`` is not a `Polyhedron` in d dimensions, if
        ``partition`` is invalid for these means, or if the noise is invalid, see `transport_cost`.

    See Also
    --------
    transport_cost : cost of changing the constrained Pareto set
    easiest_partition : the partition that is cheapest to identify

    References
    ----------
    Kone et al. 2025, Constrained Pareto set identification with bandit feedback, ICML.

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
    written = gradient, alternative
    weights, exponent = unit_weights(weights)
    if variance is None and covariance is None:
        method = search_method(means.shape[1])
        value, arm = _partition_cost(means, weights, *polyhedron.rows(), reasons, method, *written)
    else:
        means, *noise = given_noise(means, variance, covariance)
        value, arm = partition_cost_with_noise(
            means, weights, *noise, polyhedron, reasons, *written
        )
    return TransportCost(scaled_cost(value, exponent), gradient, alternative, arm)


def reasons_of(means, polyhedron, partition):
    """``OPTIMAL``, ``DOMINATED`` or ``INFEASIBLE`` for each arm, shape (K,).

    Raises
    ------
    ValueError
        If ``partition`` is invalid for ``means``.
    """
    if not is_valid_partition(means, polyhedron, partition):
        raise ValueError(f"partition = {partition!r}; expected a valid partition for the means")
    reasons = np.empty(means.shape[0], np.int64)
    for reason, arms in zip((OPTIMAL, DOMINATED, INFEASIBLE), partition, strict=True):
        reasons[np.asarray(arms, int)] = reason
    return reasons


@kernel
def enter(means, weights, normals, offsets, arm, upper, response):
    """Cost below ``upper`` at which ``arm`` enters the polyhedron, else ``upper``.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    arm : int
    upper : float
        Costs of at least this are ignored.
    response : ConstrainedResponse
        Modified in place: the entry, if its cost is below ``upper``.
    """
    point = response.point
    half_squares = nearest_inside(means, normals, offsets, arm, point, response.search.minimum)
    cost = weights[arm] * half_squares if weights[arm] > 0.0 else 0.0
    if cost < upper:
        record(response, arm, ALONE, point)
        return cost
    return upper


@kernel
def free_dominated(means, weights, arm, upper, method, response):
    """Cheapest cost below ``upper`` of an addition of ``arm``, else ``upper``.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    arm : int
        An arm called dominated.
    upper : float
        Costs of at least this are not searched for.
    method : int
        ``SWEEP`` or ``BRANCH_AND_BOUND``.
    response : ConstrainedResponse
        Modified in place: the addition, if its cost is below ``upper``.
    """
    plain, point = response.plain, response.point
    if weights[arm] > 0.0:
        cost = free_to(means, weights, arm, upper, method, plain, point)
    else:
        cost = min(0.0, upper)
        free_escape(means, plain.front, plain.found[0]["size"], arm, point)
    if cost < upper:
        record(response, arm, -1, point)
    return cost


@kernel
def find_named_front(means, normals, offsets, reasons, method, response):
    """Measure the room of all arms, and sort the arms called optimal.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    reasons : ndarray of int, shape (K,)
        See `reasons_of`.
    method : int
        ``SWEEP`` or ``BRANCH_AND_BOUND``.
    response : ConstrainedResponse
        Modified in place.
    """
    write_room(means, normals, offsets, response)
    find_front_among(means, reasons == OPTIMAL, method, response)


@kernel
def cheapest_wrong_partition(means, weights, normals, offsets, reasons, method, upper, response):
    """Cost below ``upper`` of the cheapest alternative that refutes a partition, else ``upper``.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    reasons : ndarray of int, shape (K,)
        `reasons_of` a valid partition.
    method : int
        ``SWEEP`` or ``BRANCH_AND_BOUND``.
    upper : float
        Costs of at least this are not searched for.
    response : ConstrainedResponse
        Modified in place: the alternative, or -1 if no alternative costs less than ``upper``.
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
    """Fill ``gradient`` and ``alternative``; return the cost and the arm of `TransportCost`.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    reasons : ndarray of int, shape (K,)
        See `reasons_of`.
    method : int
        ``SWEEP`` or ``BRANCH_AND_BOUND``.
    gradient : ndarray, shape (K,)
        Modified in place.
    alternative : ndarray, shape (K, d)
        Modified in place.
    """
    response = allocate_constrained_response(normals.shape[0], means.shape[0], means.shape[1])
    value = cheapest_wrong_partition(
        means, weights, normals, offsets, reasons, method, np.inf, response
    )
    write_constrained_alternative(means, weights, response, alternative)
    write_gradient(means, alternative, gradient)
    return value, response.plain.found[0]["moved"]
