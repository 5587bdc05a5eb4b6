"""The cheapest alternative to the Pareto set of the feasible arms.

An alternative is a set of means with a different Pareto set of the feasible arms. By Lemma B.3
of Kone et al. (2025, constrained), in the cheapest alternative an optimal arm leaves the
polyhedron (departure) or falls below another optimal arm (removal), or an arm that is not
optimal moves into the polyhedron to a point where no optimal arm dominates it (admission).

Without the polyhedron an admission is an addition (`oracle`), which never costs more. For a
feasible arm the addition is computed first: usually it ends inside the polyhedron, and is then
the cheapest admission.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.copies import copy_matrix, copy_vector
from pareto_core.compiling.kernels import kernel
from pareto_core.geometry.dominance import _pareto_set
from pareto_core.geometry.polyhedron import room_inside
from pareto_core.geometry.staircase import sorted_front
from pareto_core.transport.addition import free_escape, single_arm_bound
from pareto_core.transport.constrained_search import (
    ConstrainedSpace,
    admit_target,
    admit_target_2d,
    constrained_space,
    nearest_inside,
)
from pareto_core.transport.oracle import (
    SWEEP,
    Response,
    allocate_response,
    free_to,
    weightless_arm,
    write_alternative,
)
from pareto_core.transport.removal import cheapest_removal
from pareto_core.transport.sweep import cheapest_adjacent_removal

ALONE = -2  # value of ``winner`` if the moved arm moves alone


class ConstrainedResponse(NamedTuple):
    """The cheapest alternative found last, and the work arrays of the search."""

    plain: Response  # or a NoiseResponse; its front: the optimal arms among the feasible arms
    feasible: np.ndarray  # (K,) whether an arm is feasible
    room: np.ndarray  # (K,) to the nearest facet's plane, in standard deviations; below 0 outside
    chosen: np.ndarray  # (K,) the arms from which the front was computed
    chosen_means: np.ndarray  # (K, d) their means
    point: np.ndarray  # (d,) candidate for the new mean of an arm
    search: ConstrainedSpace


@kernel
def response_around(n_arms, n_objectives, plain, search):
    """Allocate a `ConstrainedResponse` around the arrays for its parts."""
    return ConstrainedResponse(
        plain,
        np.zeros(n_arms, np.bool_),
        np.empty(n_arms),
        np.empty(n_arms, np.int64),
        np.empty((n_arms, n_objectives)),
        np.empty(n_objectives),
        search,
    )


@kernel
def allocate_constrained_response(n_rows, n_arms, n_objectives):
    """Allocate a `ConstrainedResponse` for independent noise of unit variance."""
    plain = allocate_response(n_arms, n_objectives)
    search = constrained_space(n_rows, n_arms, n_objectives)
    return response_around(n_arms, n_objectives, plain, search)


@kernel
def find_front_among(means, candidates, method, response):
    """Find the Pareto set of the arms that ``candidates`` marks; return its size.

    Sorted and recorded in ``response.plain`` as by `oracle.find_front`.
    """
    n = 0
    for k in range(means.shape[0]):
        if candidates[k]:
            response.chosen[n] = k
            for c in range(means.shape[1]):
                response.chosen_means[n, c] = means[k, c]
            n += 1
    plain = response.plain
    if method == SWEEP:
        size = sorted_front(response.chosen_means[:n], plain.front)
    else:
        size = _pareto_set(response.chosen_means[:n], plain.front)
    plain.found[0]["size"] = size
    plain.optimal[:] = False
    for f in range(size):
        plain.front[f] = response.chosen[plain.front[f]]
        plain.optimal[plain.front[f]] = True
    return size


@kernel
def write_room(means, normals, offsets, response):
    """Measure the distance of each arm from the planes of the facets."""
    for k in range(means.shape[0]):
        response.room[k] = room_inside(normals, offsets, means[k])
        response.feasible[k] = response.room[k] >= 0.0


@kernel
def find_constrained_front(means, normals, offsets, method, response):
    """Find which arms are feasible and their Pareto set; return its size."""
    write_room(means, normals, offsets, response)
    return find_front_among(means, response.feasible, method, response)


@kernel
def record(response, moved, winner, point):
    """Record that ``moved`` moves to ``point``, and no other arm if ``winner`` is ``ALONE``."""
    plain = response.plain
    plain.found[0]["moved"] = moved
    plain.found[0]["winner"] = winner
    for c in range(point.shape[0]):
        plain.point[c] = point[c]


@kernel
def depart(means, weights, normals, offsets, arm, upper, response):
    """Cost below ``upper`` at which ``arm`` leaves the polyhedron, else ``upper``.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    arm : int
        A feasible arm.
    upper : float
        Costs of at least this are ignored.
    response : ConstrainedResponse
        Modified in place: the departure, if its cost is below ``upper``.
    """
    room = response.room[arm]
    cost = 0.5 * weights[arm] * room * room
    if not (room < np.inf and cost < upper):
        return upper
    point = response.point
    for k in range(normals.shape[0]):
        if room_inside(normals[k : k + 1], offsets[k : k + 1], means[arm]) == room:
            for c in range(means.shape[1]):
                point[c] = means[arm, c] + room * normals[k, c]
            break
    record(response, arm, ALONE, point)
    return cost


@kernel
def cheapest_on_front(means, weights, normals, offsets, method, upper, response):
    """Cheapest cost below ``upper`` of a departure or removal of an optimal arm, else ``upper``.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    method : int
        ``SWEEP`` or ``BRANCH_AND_BOUND``.
    upper : float
        Costs of at least this are ignored.
    response : ConstrainedResponse
        Modified in place: the alternative, if its cost is below ``upper``.
    """
    plain = response.plain
    front, size = plain.front, plain.found[0]["size"]
    if method == SWEEP:
        best = cheapest_adjacent_removal(means, weights, front, size, upper, plain.found)
    else:
        best = cheapest_removal(means, weights, front, size, upper, plain.found)
    for f in range(size):
        best = depart(means, weights, normals, offsets, front[f], best, response)
    return best


@kernel
def admit_arm(means, weights, normals, offsets, target, upper, method, response):
    """Cheapest cost below ``upper`` of an admission of ``target``, else ``upper``.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    target : int
        An arm of positive weight that is not optimal.
    upper : float
        Costs of at least this are not searched for.
    method : int
        ``SWEEP`` or ``BRANCH_AND_BOUND``.
    response : ConstrainedResponse
        Modified in place: the admission, if its cost is below ``upper``.
    """
    plain, point = response.plain, response.point
    cost = -1.0
    if response.feasible[target]:
        cost = free_to(means, weights, target, upper, method, plain, point)
    if cost < 0.0 or (cost < upper and room_inside(normals, offsets, point) < 0.0):
        front, size, space = plain.front, plain.found[0]["size"], response.search
        if method == SWEEP:
            cost = admit_target_2d(
                means, weights, normals, offsets, front, size, target, upper, point, space
            )
        else:
            cost = admit_target(
                means, weights, normals, offsets, front, size, target, upper, point, space
            )
    if cost < upper:
        record(response, target, -1, point)
    return cost


@kernel
def _admit_weightless(means, normals, offsets, target, response):
    """Record the admission of an arm of weight 0, which costs nothing.

    The arm moves above all optimal arms in objective 0. If that point is infeasible, the arm
    moves to the mean of an optimal arm, or into the polyhedron if no arm is optimal.
    """
    plain, point = response.plain, response.point
    size = plain.found[0]["size"]
    free_escape(means, plain.front, size, target, point)
    if room_inside(normals, offsets, point) < 0.0:
        if size > 0:
            copy_vector(point, means[plain.front[0]])
        else:
            nearest_inside(means, normals, offsets, target, point, response.search.minimum)
    record(response, target, -1, point)


@kernel
def _bound_admissions(means, weights, response):
    """Fill the lower bounds of all arms that are not optimal; return the arm of the lowest bound.

    Returns -1 if all arms are optimal.
    """
    plain, lowest = response.plain, -1
    size, bounds = plain.found[0]["size"], plain.bounds
    for k in range(means.shape[0]):
        if not plain.optimal[k]:
            outside = max(-response.room[k], 0.0)
            bounds[k] = max(
                single_arm_bound(means, weights, plain.front, size, k),
                0.5 * weights[k] * outside * outside,
            )
            if lowest < 0 or bounds[k] < bounds[lowest]:
                lowest = k
    return lowest


@kernel
def cheapest_constrained_alternative(means, weights, normals, offsets, method, upper, response):
    """As `oracle.cheapest_alternative`, for the Pareto set of the feasible arms.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    method : int
        ``SWEEP`` or ``BRANCH_AND_BOUND``.
    upper : float
        Costs of at least this are not searched for.
    response : ConstrainedResponse
        Modified in place: the alternative, or -1 if no alternative costs less than ``upper``.

    Returns
    -------
    float
        The cost, or ``upper``.
    """
    find_constrained_front(means, normals, offsets, method, response)
    optimal, bounds, found = response.plain.optimal, response.plain.bounds, response.plain.found
    found[0]["moved"] = -1
    found[0]["winner"] = -1
    weightless = weightless_arm(weights, optimal)
    if upper > 0.0 and weightless >= 0:
        _admit_weightless(means, normals, offsets, weightless, response)
        return 0.0
    best = cheapest_on_front(means, weights, normals, offsets, method, upper, response)
    lowest = _bound_admissions(means, weights, response)
    if lowest < 0 or bounds[lowest] >= best:
        return best
    for attempt in range(-1, means.shape[0]):
        k = lowest if attempt < 0 else attempt
        if not optimal[k] and bounds[k] < best:
            best = admit_arm(means, weights, normals, offsets, k, best, method, response)
    return best


@kernel
def write_constrained_alternative(means, weights, response, alternative):
    """Write the means of the recorded alternative."""
    plain = response.plain
    if plain.found[0]["winner"] == ALONE:
        copy_matrix(alternative, means)
        copy_vector(alternative[plain.found[0]["moved"]], plain.point)
    else:
        write_alternative(means, weights, plain, alternative)
