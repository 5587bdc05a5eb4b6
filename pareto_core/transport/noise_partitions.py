"""The cheapest means that refute a valid partition of the arms under known noise.

The alternatives are those of `partitions`, each in the metric of the arms that move: departures and
removals cost what they cost in `noise_region`, an arm called infeasible enters at the point of the
polyhedron that is nearest in its own metric, and an arm called dominated is added as in
`noise_addition`.
"""

from pareto_core.compiling.kernels import kernel
from pareto_core.questions import DOMINATED, INFEASIBLE, OPTIMAL
from pareto_core.transport.constrained_oracle import ALONE, find_front_among, record
from pareto_core.transport.noise_addition import dominator_price_bound
from pareto_core.transport.noise_minimum import nearest_inside_with_noise
from pareto_core.transport.noise_oracle import (
    cheapest_removal_with_noise,
    free_arm_with_noise,
    free_weightless_with_noise,
)
from pareto_core.transport.noise_region import depart_with_noise, write_room_with_noise
from pareto_core.transport.noise_response import write_prices
from pareto_core.transport.oracle import BRANCH_AND_BOUND


@kernel
def enter_with_noise(means, weights, noise, normals, offsets, arm, upper, response):
    """Cost below ``upper`` at which ``arm`` enters the polyhedron, else ``upper``.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    noise : KnownNoise
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    arm : int
        An infeasible arm.
    upper : float
        Costs of at least this are ignored.
    response : ConstrainedResponse
        With the room. Modified in place: the entry, if its cost is below ``upper``.
    """
    point, space = response.point, response.search.minimum
    if 0.5 * weights[arm] * response.room[arm] ** 2 >= upper:  # the facet that is furthest away
        return upper
    cost = nearest_inside_with_noise(
        means, noise.precision[arm], normals, offsets, arm, point, space
    )
    cost = weights[arm] * cost if weights[arm] > 0.0 else 0.0
    if cost < upper:
        record(response, arm, ALONE, point)
        return cost
    return upper


@kernel
def free_dominated_with_noise(means, weights, noise, arm, upper, response):
    """Cheapest cost below ``upper`` of an addition of ``arm``, else ``upper``.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    noise : KnownNoise
    arm : int
        An arm called dominated.
    upper : float
        Costs of at least this are not searched for.
    response : ConstrainedResponse
        With the front and the prices. Modified in place: the addition, if its cost is below
        ``upper``.
    """
    plain = response.plain
    if weights[arm] > 0.0:
        front, size = plain.front, plain.found[0]["size"]
        if dominator_price_bound(means, plain.prices, front, size, arm, upper) >= upper:
            return upper
        return free_arm_with_noise(means, weights, noise, arm, upper, plain)
    if upper > 0.0:
        free_weightless_with_noise(means, noise, arm, plain)
        record(response, arm, -1, plain.point)
    return min(0.0, upper)


@kernel
def find_named_front_with_noise(means, weights, noise, normals, offsets, reasons, response):
    """Measure the room of all arms, and find the prices and the arms called optimal.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    noise : KnownNoise
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    reasons : ndarray of int, shape (K,)
        See `partitions.reasons_of`.
    response : ConstrainedResponse
        Modified in place.
    """
    write_room_with_noise(means, noise, normals, offsets, response)
    find_front_among(means, reasons == OPTIMAL, BRANCH_AND_BOUND, response)
    write_prices(weights, noise, response.plain.prices)


@kernel
def cheapest_wrong_partition_with_noise(
    means, weights, noise, normals, offsets, reasons, upper, response
):
    """As `partitions.cheapest_wrong_partition`, under known noise.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    noise : KnownNoise
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron, with normals of any positive length.
    reasons : ndarray of int, shape (K,)
        `reasons_of` a valid partition. An arm of any other label is not an alternative.
    upper : float
        Costs of at least this are not searched for.
    response : ConstrainedResponse
        Modified in place: the alternative, or -1 if no alternative costs less than ``upper``.

    Returns
    -------
    float
        The cost, or ``upper``.
    """
    find_named_front_with_noise(means, weights, noise, normals, offsets, reasons, response)
    plain = response.plain
    plain.found[0]["moved"] = -1
    plain.found[0]["winner"] = -1
    best = cheapest_removal_with_noise(means, weights, noise, upper, plain)
    for k in range(means.shape[0]):
        if reasons[k] == OPTIMAL:
            best = depart_with_noise(means, weights, noise, normals, offsets, k, best, response)
        elif reasons[k] == INFEASIBLE:
            best = enter_with_noise(means, weights, noise, normals, offsets, k, best, response)
    for k in range(means.shape[0]):
        if reasons[k] == DOMINATED:
            best = free_dominated_with_noise(means, weights, noise, k, best, response)
    return best
