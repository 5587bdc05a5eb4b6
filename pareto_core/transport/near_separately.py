"""As `near_alternatives`, with weights per arm and objective."""

import numpy as np

from pareto_core.compiling.kernels import kernel
from pareto_core.transport.near_alternatives import NEAR
from pareto_core.transport.noise_addition import dominator_price_bound
from pareto_core.transport.noise_response import allocate_noise_response
from pareto_core.transport.separate_oracle import (
    cheapest_separate_alternative,
    free_arm_separately,
    meet_separately,
    write_separate_gradient,
)


@kernel
def near_separate_gradients(means, weights, gradients):
    """Gradients of the alternatives near the minimum, for the Pareto set.

    Parameters
    ----------
    means, weights : ndarray, shape (K, d)
    gradients : ndarray, shape (n, K, d)
        Modified in place.

    Returns
    -------
    tuple of float and int
        The cost of the cheapest alternative, and the number of gradients.
    """
    response = allocate_noise_response(means.shape[0], means.shape[1])
    value = cheapest_separate_alternative(means, weights, np.inf, response)
    write_separate_gradient(means, weights, response, gradients[0])
    front, size = response.front, response.found[0]["size"]
    limit, count = NEAR * value, 1
    for f in range(size):
        for g in range(size):
            if f == g or count == gradients.shape[0]:
                continue
            if meet_separately(means, weights, front[f], front[g], limit, response) < limit:
                write_separate_gradient(means, weights, response, gradients[count])
                count += 1
    for target in range(means.shape[0]):
        if response.optimal[target] or count == gradients.shape[0]:
            continue
        if dominator_price_bound(means, weights, front, size, target, limit) < limit:
            if free_arm_separately(means, weights, target, limit, response) < limit:
                write_separate_gradient(means, weights, response, gradients[count])
                count += 1
    return value, count
