"""Alternatives whose cost is close to the minimum: each bounds the cost at other weights.

The cost of one alternative is linear in the weights, and an upper bound on the transportation
cost. Each kernel here fills rows of ``gradients`` with half the squared distances that the arms
move: first for the cheapest alternative, then for the other alternatives found that cost less
than ``NEAR`` (in a linear model ``NEAR_LINEAR``) times as much, until all rows are filled. It
returns the cost of the cheapest alternative and the number of rows filled.
"""

import numpy as np

from pareto_core.compiling.kernels import kernel
from pareto_core.questions import DOMINATED, INFEASIBLE
from pareto_core.transport.addition import dominator_bound
from pareto_core.transport.constrained_oracle import (
    admit_arm,
    allocate_constrained_response,
    cheapest_constrained_alternative,
    depart,
    write_constrained_alternative,
)
from pareto_core.transport.linear_best_arms import (
    cheapest_linear_confusion,
    linear_confusion,
    write_linear_confusion,
)
from pareto_core.transport.linear_oracle import (
    allocate_linear_response,
    cheapest_linear_alternative,
    free_linear_arm,
    linear_removal_cost,
    write_linear_alternative,
    write_linear_removal,
)
from pareto_core.transport.linear_search import linear_addition_bound
from pareto_core.transport.oracle import (
    allocate_response,
    cheapest_alternative,
    dominators,
    free_arm,
    write_alternative,
    write_gradient,
)
from pareto_core.transport.partitions import cheapest_wrong_partition, enter, free_dominated
from pareto_core.transport.removal import removal_cost

NEAR = 2.0  # alternatives that cost less than this multiple of the minimum add their bound
NEAR_LINEAR = 1.3  # the same in a linear model, where most alternatives are close to each other


@kernel
def _add_removals(means, weights, limit, response, alternative, gradients, count):
    """Add all removals that cost less than ``limit``; return the new count.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    limit : float
    response : Response
        With the front. Its record is modified in place.
    alternative : ndarray, shape (K, d)
        Work array. Modified in place.
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
            if removal_cost(means, weights, loser, winner) < limit:
                response.found[0]["moved"] = loser
                response.found[0]["winner"] = winner
                write_alternative(means, weights, response, alternative)
                write_gradient(means, alternative, gradients[count])
                count += 1
    return count


@kernel
def near_gradients_within(means, weights, method, slack, response, alternative, gradients):
    """As `near_gradients`, for alternatives that exceed the minimum by less than ``slack``.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    method : int
        ``SWEEP`` or ``BRANCH_AND_BOUND``.
    slack : float
    response : Response
        Modified in place.
    alternative : ndarray, shape (K, d)
        Work array. Modified in place.
    gradients : ndarray, shape (n, K)
        Modified in place.

    Returns
    -------
    tuple of float and int
        The cost of the cheapest alternative, and the number of rows filled.
    """
    value = cheapest_alternative(means, weights, method, np.inf, response)
    write_alternative(means, weights, response, alternative)
    write_gradient(means, alternative, gradients[0])
    limit = min(NEAR * value, value + slack)
    count = _add_removals(means, weights, limit, response, alternative, gradients, 1)
    front, size = response.front, response.found[0]["size"]
    for target in range(means.shape[0]):
        if response.optimal[target] or count == gradients.shape[0]:
            continue
        first, last = dominators(means, front, size, target, method)
        if dominator_bound(means, weights, front, first, last, target, limit) < limit:
            if free_arm(means, weights, target, limit, method, response) < limit:
                write_alternative(means, weights, response, alternative)
                write_gradient(means, alternative, gradients[count])
                count += 1
    return value, count


@kernel
def near_gradients(means, weights, method, gradients):
    """Gradients of the alternatives near the minimum, for the Pareto set."""
    response = allocate_response(means.shape[0], means.shape[1])
    alternative = np.empty_like(means)
    return near_gradients_within(means, weights, method, np.inf, response, alternative, gradients)


@kernel
def _add_linear(means, response, alternative, gradients, count):
    """Add the alternative of a `LinearResponse`; return the new count."""
    write_linear_alternative(means, response, alternative)
    write_gradient(means, alternative, gradients[count])
    return count + 1


@kernel
def near_linear_gradients(means, features, weights, gradients):
    """As `near_gradients`, with means that are linear in features of full column rank.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    features : ndarray, shape (K, h)
    weights : ndarray, shape (K,)
    gradients : ndarray, shape (n, K)
        Modified in place.

    Returns
    -------
    tuple of float and int
        The cost of the cheapest alternative, and the number of rows filled.
    """
    response = allocate_linear_response(means.shape[0], features.shape[1], means.shape[1])
    alternative = np.empty_like(means)
    value = cheapest_linear_alternative(means, features, weights, np.inf, response)
    count = _add_linear(means, response, alternative, gradients, 0)
    if value == 0.0:
        return value, count
    limit = NEAR_LINEAR * value
    front, whitened = response.front[: response.found[0]["size"]], response.whitened
    for loser in front:
        for winner in front:
            if loser != winner and count < gradients.shape[0]:
                if linear_removal_cost(means, whitened, loser, winner) < limit:
                    write_linear_removal(means, loser, winner, response)
                    count = _add_linear(means, response, alternative, gradients, count)
    for k in range(means.shape[0]):
        if response.optimal[k] or count == gradients.shape[0]:
            continue
        if linear_addition_bound(means, whitened, front, front.size, k, limit) < limit:
            if free_linear_arm(means, k, limit, response) < limit:
                count = _add_linear(means, response, alternative, gradients, count)
    return value, count


@kernel
def near_linear_confusions(means, features, weights, gradients):
    """As `near_linear_gradients`, for the best arm of every objective."""
    response = allocate_linear_response(means.shape[0], features.shape[1], means.shape[1])
    alternative = np.empty_like(means)
    value = cheapest_linear_confusion(means, features, weights, np.inf, response)
    count = _add_linear(means, response, alternative, gradients, 0)
    if value == 0.0:
        return value, count
    for m in range(means.shape[1]):
        best = means[:, m].argmax()
        for i in range(means.shape[0]):
            if i != best and count < gradients.shape[0]:
                if linear_confusion(means, m, best, i, response) < NEAR_LINEAR * value:
                    write_linear_confusion(means, m, best, i, response)
                    count = _add_linear(means, response, alternative, gradients, count)
    return value, count


@kernel
def _add_recorded(means, weights, response, alternative, gradients, count):
    """Add the alternative of a `ConstrainedResponse`; return the new count.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    response : ConstrainedResponse
    alternative : ndarray, shape (K, d)
        Work array. Modified in place.
    gradients : ndarray, shape (n, K)
        Modified in place: row ``count``.
    count : int
        Number of rows filled so far.
    """
    write_constrained_alternative(means, weights, response, alternative)
    write_gradient(means, alternative, gradients[count])
    return count + 1


@kernel
def near_constrained_gradients(means, weights, normals, offsets, method, gradients):
    """As `near_gradients`, for the Pareto set of the feasible arms.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    method : int
        ``SWEEP`` or ``BRANCH_AND_BOUND``.
    gradients : ndarray, shape (n, K)
        Modified in place.

    Returns
    -------
    tuple of float and int
        The cost of the cheapest alternative, and the number of rows filled.
    """
    response = allocate_constrained_response(normals.shape[0], means.shape[0], means.shape[1])
    alternative = np.empty_like(means)
    value = cheapest_constrained_alternative(
        means, weights, normals, offsets, method, np.inf, response
    )
    count = _add_recorded(means, weights, response, alternative, gradients, 0)
    limit = NEAR * value
    count = _add_removals(means, weights, limit, response.plain, alternative, gradients, count)
    for k in range(means.shape[0]):
        if count == gradients.shape[0]:
            break
        if response.plain.optimal[k]:
            cost = depart(means, weights, normals, offsets, k, limit, response)
        else:
            cost = admit_arm(means, weights, normals, offsets, k, limit, method, response)
        if cost < limit:
            count = _add_recorded(means, weights, response, alternative, gradients, count)
    return value, count


@kernel
def near_partition_gradients(means, weights, normals, offsets, reasons, method, gradients):
    """As `near_gradients`, for one valid partition.

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
    gradients : ndarray, shape (n, K)
        Modified in place.

    Returns
    -------
    tuple of float and int
        The cost of the cheapest alternative, and the number of rows filled.
    """
    response = allocate_constrained_response(normals.shape[0], means.shape[0], means.shape[1])
    alternative = np.empty_like(means)
    value = cheapest_wrong_partition(
        means, weights, normals, offsets, reasons, method, np.inf, response
    )
    count = _add_recorded(means, weights, response, alternative, gradients, 0)
    limit = NEAR * value
    count = _add_removals(means, weights, limit, response.plain, alternative, gradients, count)
    for k in range(means.shape[0]):
        if count == gradients.shape[0]:
            break
        if reasons[k] == DOMINATED:
            cost = free_dominated(means, weights, k, limit, method, response)
        elif reasons[k] == INFEASIBLE:
            cost = enter(means, weights, normals, offsets, k, limit, response)
        else:
            cost = depart(means, weights, normals, offsets, k, limit, response)
        if cost < limit:
            count = _add_recorded(means, weights, response, alternative, gradients, count)
    return value, count
