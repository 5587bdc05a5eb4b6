"""As `near_alternatives`, under noise of known covariance."""

import numpy as np

from pareto_core.compiling.kernels import kernel
from pareto_core.questions import DOMINATED, INFEASIBLE
from pareto_core.transport.near_alternatives import NEAR
from pareto_core.transport.noise_addition import dominator_price_bound
from pareto_core.transport.noise_oracle import (
    allocate_noise_response,
    cheapest_alternative_with_noise,
    cheapest_confusion_with_noise,
    confuse,
    free_arm_with_noise,
    meet,
    write_gradient_with_noise,
)
from pareto_core.transport.noise_partitions import (
    cheapest_wrong_partition_with_noise,
    enter_with_noise,
    free_dominated_with_noise,
)
from pareto_core.transport.noise_region import (
    admit_arm_with_noise,
    allocate_noise_region_response,
    bound_admissions_with_noise,
    cheapest_constrained_alternative_with_noise,
    depart_with_noise,
    write_constrained_gradient_with_noise,
)


@kernel
def _add_removals(means, weights, noise, limit, response, gradients, count):
    """Add all removals that cost less than ``limit``; return the new count.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    noise : KnownNoise
    limit : float
    response : NoiseResponse
        With the front. Its record is modified in place.
    gradients : ndarray, shape (n, K)
        Modified in place, from row ``count`` on.
    count : int
        Number of rows filled so far.
    """
    front = response.front[: response.found[0]["size"]]
    for loser in front:
        for winner in front:
            if loser == winner or count == gradients.shape[0]:
                continue
            if meet(means, weights, noise, loser, winner, limit, response) < limit:
                write_gradient_with_noise(means, weights, noise, response, gradients[count])
                count += 1
    return count


@kernel
def near_gradients_with_noise(means, weights, noise, gradients):
    """Gradients of the alternatives near the minimum, for the Pareto set.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    noise : KnownNoise
    gradients : ndarray, shape (n, K)
        Modified in place.

    Returns
    -------
    tuple of float and int
        The cost of the cheapest alternative, and the number of rows filled.
    """
    response = allocate_noise_response(means.shape[0], means.shape[1])
    value = cheapest_alternative_with_noise(means, weights, noise, np.inf, response)
    write_gradient_with_noise(means, weights, noise, response, gradients[0])
    limit = NEAR * value
    count = _add_removals(means, weights, noise, limit, response, gradients, 1)
    front, size = response.front, response.found[0]["size"]
    for target in range(means.shape[0]):
        if response.optimal[target] or count == gradients.shape[0]:
            continue
        if dominator_price_bound(means, response.prices, front, size, target, limit) < limit:
            if free_arm_with_noise(means, weights, noise, target, limit, response) < limit:
                write_gradient_with_noise(means, weights, noise, response, gradients[count])
                count += 1
    return value, count


@kernel
def near_confusions_with_noise(means, weights, noise, gradients):
    """As `near_gradients_with_noise`, for the best arm of every objective."""
    response = allocate_noise_response(means.shape[0], means.shape[1])
    value = cheapest_confusion_with_noise(means, weights, noise, np.inf, response)
    write_gradient_with_noise(means, weights, noise, response, gradients[0])
    limit, count = NEAR * value, 1
    for m in range(means.shape[1]):
        best = means[:, m].argmax()
        for i in range(means.shape[0]):
            if i == best or count == gradients.shape[0]:
                continue
            if confuse(means, weights, noise, m, best, i, limit, response) < limit:
                write_gradient_with_noise(means, weights, noise, response, gradients[count])
                count += 1
    return value, count


@kernel
def near_constrained_gradients_with_noise(means, weights, noise, normals, offsets, gradients):
    """As `near_gradients_with_noise`, for the Pareto set of the feasible arms.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    noise : KnownNoise
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    gradients : ndarray, shape (n, K)
        Modified in place.

    Returns
    -------
    tuple of float and int
        The cost of the cheapest alternative, and the number of rows filled.
    """
    response = allocate_noise_region_response(normals.shape[0], means.shape[0], means.shape[1])
    value = cheapest_constrained_alternative_with_noise(
        means, weights, noise, normals, offsets, np.inf, response
    )
    write_constrained_gradient_with_noise(means, weights, noise, response, gradients[0])
    limit, plain = NEAR * value, response.plain
    count = _add_removals(means, weights, noise, limit, plain, gradients, 1)
    bound_admissions_with_noise(means, weights, limit, response)
    for k in range(means.shape[0]):
        if count == gradients.shape[0]:
            break
        cost = limit
        if plain.optimal[k]:
            cost = depart_with_noise(means, weights, noise, normals, offsets, k, limit, response)
        elif plain.bounds[k] < limit:
            cost = admit_arm_with_noise(means, weights, noise, normals, offsets, k, limit, response)
        if cost < limit:
            write_constrained_gradient_with_noise(means, weights, noise, response, gradients[count])
            count += 1
    return value, count


@kernel
def near_partition_gradients_with_noise(
    means, weights, noise, normals, offsets, reasons, gradients
):
    """As `near_gradients_with_noise`, for one valid partition.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    noise : KnownNoise
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    reasons : ndarray of int, shape (K,)
        See `pareto_core.transport.partitions.reasons_of`.
    gradients : ndarray, shape (n, K)
        Modified in place.

    Returns
    -------
    tuple of float and int
        The cost of the cheapest alternative, and the number of rows filled.
    """
    response = allocate_noise_region_response(normals.shape[0], means.shape[0], means.shape[1])
    value = cheapest_wrong_partition_with_noise(
        means, weights, noise, normals, offsets, reasons, np.inf, response
    )
    write_constrained_gradient_with_noise(means, weights, noise, response, gradients[0])
    limit = NEAR * value
    count = _add_removals(means, weights, noise, limit, response.plain, gradients, 1)
    for k in range(means.shape[0]):
        if count == gradients.shape[0]:
            break
        if reasons[k] == DOMINATED:
            cost = free_dominated_with_noise(means, weights, noise, k, limit, response)
        elif reasons[k] == INFEASIBLE:
            cost = enter_with_noise(means, weights, noise, normals, offsets, k, limit, response)
        else:
            cost = depart_with_noise(means, weights, noise, normals, offsets, k, limit, response)
        if cost < limit:
            write_constrained_gradient_with_noise(means, weights, noise, response, gradients[count])
            count += 1
    return value, count
