"""The cheapest alternative to the Pareto set of the feasible arms.

An alternative is a set of means for which it is another one. By Lemma B.3 of Kone et al.
(2025, constrained), in the cheapest one an optimal arm leaves the polyhedron (departure) or
is put below another optimal one (removal), or an arm that is not optimal is put into the
polyhedron, where no optimal arm dominates it (admission).

Without the polyhedron an admission is an addition (`oracle`), which is never dearer. For a
feasible arm that is found first: mostly it ends inside, and then it is the answer.
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

ALONE = -2  # stands for the ``winner`` where the moved arm moves alone


class ConstrainedResponse(NamedTuple):
    """The cheapest alternative found last, and the arrays it was found with."""

    plain: Response  # its front are the optimal arms among the feasible ones
    feasible: np.ndarray  # (K,) whether an arm is feasible
    room: np.ndarray  # (K,) distance to the nearest facet's plane, negative from outside
    chosen: np.ndarray  # (K,) the arms among which the front was sought
    chosen_means: np.ndarray  # (K, d) their means
    place: np.ndarray  # (d,) where an arm would go
    search: ConstrainedSpace


@kernel
def allocate_constrained_response(n_rows, n_arms, n_objectives):
    """Allocate a `ConstrainedResponse`."""
    return ConstrainedResponse(
        allocate_response(n_arms, n_objectives),
        np.zeros(n_arms, np.bool_),
        np.empty(n_arms),
        np.empty(n_arms, np.int64),
        np.empty((n_arms, n_objectives)),
        np.empty(n_objectives),
        constrained_space(n_rows, n_arms, n_objectives),
    )


@kernel
def find_front_among(means, candidates, method, response):
    """Find the Pareto set of the arms that ``candidates`` marks; return its size.

    As `oracle.find_front`, which orders it, and recorded where that records it.
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
    """Measure how far from the planes of the facets each arm is."""
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
    """Record that ``moved`` goes to ``point``, by itself if ``winner`` is ``ALONE``."""
    plain = response.plain
    plain.found[0]["moved"] = moved
    plain.found[0]["winner"] = winner
    for c in range(point.shape[0]):
        plain.point[c] = point[c]


@kernel
def depart(means, weights, normals, offsets, arm, upper, response):
    """Cost below ``upper`` at which ``arm`` leaves the polyhedron; recorded if there is one."""
    room = response.room[arm]
    cost = 0.5 * weights[arm] * room * room
    if not (room < np.inf and cost < upper):
        return upper
    place = response.place
    for k in range(normals.shape[0]):
        if room_inside(normals[k : k + 1], offsets[k : k + 1], means[arm]) == room:
            for c in range(means.shape[1]):
                place[c] = means[arm, c] + room * normals[k, c]
            break
    record(response, arm, ALONE, place)
    return cost


@kernel
def cheapest_on_front(means, weights, normals, offsets, method, upper, response):
    """Cheapest departure or removal of an optimal arm below ``upper``, recorded."""
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
    """Cheapest admission of ``target`` below ``upper``; records it when there is one."""
    plain, place = response.plain, response.place
    cost = -1.0
    if response.feasible[target]:
        cost = free_to(means, weights, target, upper, method, plain, place)
    if cost < 0.0 or (cost < upper and room_inside(normals, offsets, place) < 0.0):
        front, size, space = plain.front, plain.found[0]["size"], response.search
        if method == SWEEP:
            cost = admit_target_2d(
                means, weights, normals, offsets, front, size, target, upper, place, space
            )
        else:
            cost = admit_target(
                means, weights, normals, offsets, front, size, target, upper, place, space
            )
    if cost < upper:
        record(response, target, -1, place)
    return cost


@kernel
def _admit_weightless(means, normals, offsets, target, response):
    """Record the free admission of an arm of weight 0, to where an optimal arm is if need be."""
    plain, place = response.plain, response.place
    size = plain.found[0]["size"]
    free_escape(means, plain.front, size, target, place)
    if room_inside(normals, offsets, place) < 0.0:
        if size > 0:
            copy_vector(place, means[plain.front[0]])
        else:
            nearest_inside(means, normals, offsets, target, place, response.search.minimum)
    record(response, target, -1, place)


@kernel
def _bound_admissions(means, weights, response):
    """Fill the lower bounds of all arms that are not optimal; return the lowest's, or -1."""
    plain, hopeful = response.plain, -1
    size, bounds = plain.found[0]["size"], plain.bounds
    for k in range(means.shape[0]):
        if not plain.optimal[k]:
            outside = max(-response.room[k], 0.0)
            bounds[k] = max(
                single_arm_bound(means, weights, plain.front, size, k),
                0.5 * weights[k] * outside * outside,
            )
            if hopeful < 0 or bounds[k] < bounds[hopeful]:
                hopeful = k
    return hopeful


@kernel
def cheapest_constrained_alternative(means, weights, normals, offsets, method, upper, response):
    """Cost of the cheapest alternative below ``upper``, recorded in ``response``.

    As `oracle.cheapest_alternative`, for the Pareto set of the feasible arms.
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
    hopeful = _bound_admissions(means, weights, response)
    if hopeful < 0 or bounds[hopeful] >= best:
        return best
    for attempt in range(-1, means.shape[0]):
        k = hopeful if attempt < 0 else attempt
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
