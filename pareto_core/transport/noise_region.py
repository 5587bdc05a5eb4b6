"""The cheapest alternative to the Pareto set of the feasible arms under known noise.

Which alternatives there are does not depend on the noise (`constrained_oracle`): an optimal arm
leaves the polyhedron (departure) or falls below another optimal arm (removal), or an arm that is
not optimal moves into the polyhedron to a point where no optimal arm dominates it (admission).
Only an optimal arm can be in the way of an admission, and it is never cheaper to make that arm
infeasible instead: this alone is a departure, which changes the answer. With Sigma_k the covariance
of arm k,

* a departure through the facet a . x = b costs w_k (b - a . mu_k)^2 / (2 a' Sigma_k a), the
  smallest w_k (x - mu_k)' Sigma_k^-1 (x - mu_k) / 2 on its plane. The arm moves along Sigma_k a;
* removals are those of `noise_oracle`, between the arms of this front;
* the addition of `noise_addition` is the cheapest admission if it ends inside, because an admission
  is an addition with more constraints. Otherwise, `noise_admission` searches.
"""

import numpy as np

from pareto_core.compiling.copies import copy_matrix, copy_vector
from pareto_core.compiling.kernels import kernel, part
from pareto_core.geometry.polyhedron import room_inside
from pareto_core.transport.constrained_oracle import (
    ALONE,
    find_front_among,
    record,
    response_around,
)
from pareto_core.transport.noise_addition import dominator_price_bound, free_target_at_prices
from pareto_core.transport.noise_admission import (
    admission_space,
    admit_target_with_noise,
)
from pareto_core.transport.noise_minimum import nearest_inside_with_noise, own_cost
from pareto_core.transport.noise_oracle import (
    cheapest_removal_with_noise,
    free_weightless_with_noise,
    write_alternative_with_noise,
    write_gradient_with_noise,
)
from pareto_core.transport.noise_response import (
    allocate_noise_response,
    write_prices,
)
from pareto_core.transport.oracle import BRANCH_AND_BOUND, weightless_arm


@kernel
def allocate_noise_region_response(n_rows, n_arms, n_objectives):
    """Allocate a `ConstrainedResponse` for known noise."""
    plain = allocate_noise_response(n_arms, n_objectives)
    search = admission_space(n_rows, n_arms, n_objectives)
    return response_around(n_arms, n_objectives, plain, search)


@part
def _variance_along(noise, arm, normal):
    """Variance of the arm's rewards along a normal, a' Sigma a."""
    variance = 0.0
    for b in range(normal.shape[0]):
        for c in range(normal.shape[0]):
            variance += normal[b] * normal[c] * noise.covariance[arm, b, c]
    return variance


@part
def _nearest_facet(means, noise, normals, offsets, arm):
    """Row of the polyhedron with the least room in standard deviations of the arm, and that room.

    The room is negative if the row is violated; (-1, inf) if there are no rows.
    """
    facet, least = -1, np.inf
    for k in range(normals.shape[0]):
        room = offsets[k]
        for c in range(means.shape[1]):
            room -= normals[k, c] * means[arm, c]
        room /= np.sqrt(_variance_along(noise, arm, normals[k]))
        if room < least:
            facet, least = k, room
    return facet, least


@kernel
def write_room_with_noise(means, noise, normals, offsets, response):
    """Measure how far each arm is from the planes of the facets, in its standard deviations.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    noise : KnownNoise
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    response : ConstrainedResponse
        Modified in place.
    """
    for k in range(means.shape[0]):
        _, response.room[k] = _nearest_facet(means, noise, normals, offsets, k)
        response.feasible[k] = response.room[k] >= 0.0


@kernel
def find_constrained_front_with_noise(means, noise, normals, offsets, response):
    """Find which arms are feasible, their room and their Pareto set; return its size.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    noise : KnownNoise
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    response : ConstrainedResponse
        Modified in place.
    """
    write_room_with_noise(means, noise, normals, offsets, response)
    return find_front_among(means, response.feasible, BRANCH_AND_BOUND, response)


@kernel
def depart_with_noise(means, weights, noise, normals, offsets, arm, upper, response):
    """Cost below ``upper`` at which ``arm`` leaves the polyhedron, else ``upper``.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    noise : KnownNoise
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    arm : int
        A feasible arm.
    upper : float
        Costs of at least this are ignored.
    response : ConstrainedResponse
        Modified in place: the departure, if its cost is below ``upper``.
    """
    room, point = response.room[arm], response.point
    cost = 0.5 * weights[arm] * room * room
    if not (room < np.inf and cost < upper):
        return upper
    facet, _ = _nearest_facet(means, noise, normals, offsets, arm)
    step = room / np.sqrt(_variance_along(noise, arm, normals[facet]))
    for b in range(means.shape[1]):
        point[b] = means[arm, b]
        for c in range(means.shape[1]):
            point[b] += step * noise.covariance[arm, b, c] * normals[facet, c]
    record(response, arm, ALONE, point)
    return cost


@kernel
def admit_arm_with_noise(means, weights, noise, normals, offsets, target, upper, response):
    """Cheapest cost below ``upper`` of an admission of ``target``, else ``upper``.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    noise : KnownNoise
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    target : int
        An arm of positive weight that is not optimal.
    upper : float
        Costs of at least this are not searched for.
    response : ConstrainedResponse
        With the front and the prices. Modified in place: the admission, if its cost is below
        ``upper``.
    """
    plain, point, search = response.plain, response.point, response.search
    front, size, prices, precision = plain.front, plain.found[0]["size"], plain.prices, plain.matrix
    for b in range(means.shape[1]):
        for c in range(means.shape[1]):
            precision[b, c] = weights[target] * noise.precision[target, b, c]
    cost = -1.0
    if response.feasible[target]:
        coupled = not noise.independent[target]
        cost = free_target_at_prices(
            means, prices, precision, coupled, front, size, target, upper, point, plain.search
        )
    if cost < 0.0 or (cost < upper and room_inside(normals, offsets, point) < 0.0):
        cost = admit_target_with_noise(
            means, prices, precision, normals, offsets, front, size, target, upper, point, search
        )
    if cost < upper:
        record(response, target, -1, point)
    return cost


@kernel
def _admit_weightless(means, noise, normals, offsets, target, response):
    """Record the admission of an arm of weight 0, as `constrained_oracle._admit_weightless`.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    noise : KnownNoise
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    target : int
    response : ConstrainedResponse
        Modified in place.
    """
    plain, point = response.plain, response.point
    free_weightless_with_noise(means, noise, target, plain)
    copy_vector(point, plain.point)
    if room_inside(normals, offsets, point) < 0.0:
        if plain.found[0]["size"] > 0:
            copy_vector(point, means[plain.front[0]])
        else:
            own, space = noise.precision[target], response.search.minimum
            nearest_inside_with_noise(means, own, normals, offsets, target, point, space)
    record(response, target, -1, point)


@kernel
def bound_admissions_with_noise(means, weights, limit, response):
    """Fill lower bounds, up to ``limit``, for all arms that are not optimal; return the lowest one.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    limit : float
    response : ConstrainedResponse
        With the front, the room and the prices. Modified in place: ``plain.bounds``.

    Returns
    -------
    int
        The arm of the lowest bound, or -1 if all arms are optimal.
    """
    plain, lowest = response.plain, -1
    size, bounds = plain.found[0]["size"], plain.bounds
    for k in range(means.shape[0]):
        if not plain.optimal[k]:
            outside = max(-response.room[k], 0.0)
            bounds[k] = max(
                dominator_price_bound(means, plain.prices, plain.front, size, k, limit),
                0.5 * weights[k] * outside * outside,
            )
            if lowest < 0 or bounds[k] < bounds[lowest]:
                lowest = k
    return lowest


@kernel
def cheapest_constrained_alternative_with_noise(
    means, weights, noise, normals, offsets, upper, response
):
    """As `constrained_oracle.cheapest_constrained_alternative`, under known noise.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    noise : KnownNoise
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron, with normals of any positive length.
    upper : float
        Costs of at least this are not searched for.
    response : ConstrainedResponse
        Modified in place: the alternative, or -1 if no alternative costs less than ``upper``.

    Returns
    -------
    float
        The cost, or ``upper``.
    """
    plain = response.plain
    size = find_constrained_front_with_noise(means, noise, normals, offsets, response)
    optimal, bounds = plain.optimal, plain.bounds
    write_prices(weights, noise, plain.prices)
    plain.found[0]["moved"] = -1
    plain.found[0]["winner"] = -1
    weightless = weightless_arm(weights, optimal)
    if upper > 0.0 and weightless >= 0:
        _admit_weightless(means, noise, normals, offsets, weightless, response)
        return 0.0
    best = cheapest_removal_with_noise(means, weights, noise, upper, plain)
    for f in range(size):
        arm = plain.front[f]
        best = depart_with_noise(means, weights, noise, normals, offsets, arm, best, response)
    lowest = bound_admissions_with_noise(means, weights, best, response)
    if lowest < 0 or bounds[lowest] >= best:
        return best
    for attempt in range(-1, means.shape[0]):
        k = lowest if attempt < 0 else attempt
        if not optimal[k] and bounds[k] < best:
            best = admit_arm_with_noise(means, weights, noise, normals, offsets, k, best, response)
    return best


@kernel
def write_constrained_alternative_with_noise(means, weights, noise, response, alternative):
    """Write the means of the recorded alternative.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    noise : KnownNoise
    response : ConstrainedResponse
    alternative : ndarray, shape (K, d)
        Modified in place.
    """
    plain = response.plain
    if plain.found[0]["winner"] == ALONE:
        copy_matrix(alternative, means)
        copy_vector(alternative[plain.found[0]["moved"]], plain.point)
    else:
        write_alternative_with_noise(means, weights, noise, plain, alternative)


@kernel
def write_constrained_gradient_with_noise(means, weights, noise, response, gradient):
    """Write the gradient in the weights, (mu_k - lambda_k)' Sigma_k^-1 (mu_k - lambda_k) / 2.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    noise : KnownNoise
    response : ConstrainedResponse
        With the alternative lambda.
    gradient : ndarray, shape (K,)
        Modified in place.
    """
    found = response.plain.found[0]
    if found["winner"] != ALONE:
        write_gradient_with_noise(means, weights, noise, response.plain, gradient)
        return
    gradient[:] = 0.0
    moved = found["moved"]
    if response.feasible[moved]:
        gradient[moved] = 0.5 * response.room[moved] ** 2
    else:
        gradient[moved] = own_cost(means, noise.precision[moved], moved, response.plain.point)
