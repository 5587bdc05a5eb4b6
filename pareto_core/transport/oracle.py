"""The cheapest alternative: the best response that every algorithm calls.

An alternative is a set of means with a different Pareto set. By Lemma 1 of Crepon et
al. (2024), the cheapest alternative either lets one Pareto optimal arm become at least as good
as another in every objective (removal) or makes a dominated arm optimal (addition).
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import kernel, part
from pareto_core.geometry.cells import cell_walk
from pareto_core.geometry.dominance import _pareto_set
from pareto_core.geometry.staircase import sorted_front
from pareto_core.transport.addition import dominator_bound, free_escape, write_addition
from pareto_core.transport.branch_and_bound import SearchSpace, free_target, search_space
from pareto_core.transport.cell_search import cheapest_addition_by_cells
from pareto_core.transport.removal import cheapest_removal, write_removal
from pareto_core.transport.sweep import SWEEP_ROWS, cheapest_adjacent_removal, free_target_2d

BRANCH_AND_BOUND, CELLS, SWEEP = 0, 1, 2


FOUND = np.dtype([("size", np.int64), ("moved", np.int64), ("winner", np.int64)], align=True)


class Response(NamedTuple):
    """The cheapest alternative found last, and the work arrays of the search."""

    front: np.ndarray  # (K,) the Pareto optimal arms: the first ``found[0]["size"]`` entries
    optimal: np.ndarray  # (K,) whether an arm is Pareto optimal
    found: np.ndarray  # (1,) FOUND: ``moved`` falls below ``winner``, or is added (winner -1)
    point: np.ndarray  # (d,) the new mean of an added arm
    bounds: np.ndarray  # (K,) lower bound on the cost of adding each arm
    search: SearchSpace
    rows: np.ndarray  # work array of the sweep


def search_method(n_objectives):
    """The fastest method that finds additions: the sweep with two objectives."""
    return SWEEP if n_objectives == 2 else BRANCH_AND_BOUND


@kernel
def allocate_response(n_arms, n_objectives):
    """Allocate a `Response`."""
    return Response(
        np.empty(n_arms, np.int64),
        np.zeros(n_arms, np.bool_),
        np.zeros(1, FOUND),
        np.zeros(n_objectives),
        np.empty(n_arms),
        search_space(n_arms, n_objectives),
        np.empty((SWEEP_ROWS, n_arms + 1 if n_objectives == 2 else 1)),
    )


@kernel
def find_front(means, method, response):
    """Find the Pareto set, sorted by the first objective if the method is the sweep."""
    if method == SWEEP:
        size = sorted_front(means, response.front)
    else:
        size = _pareto_set(means, response.front)
    response.found[0]["size"] = size
    response.optimal[:] = False
    for f in range(size):
        response.optimal[response.front[f]] = True
    return size


@kernel
def free_to(means, weights, target, upper, method, response, point):
    """Cheapest cost below ``upper`` of adding ``target``, else ``upper``.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    target : int
        A dominated arm of positive weight.
    upper : float
        Costs of at least this are not searched for.
    method : int
        ``SWEEP`` or ``BRANCH_AND_BOUND``.
    response : Response
        With the front found by `find_front`. Its work arrays are modified in place.
    point : ndarray, shape (d,)
        Modified in place: the new mean of the target, if the cost is below ``upper``.
    """
    front, size = response.front, response.found[0]["size"]
    if method == SWEEP:
        return free_target_2d(means, weights, front, size, target, upper, point, response.rows)
    return free_target(means, weights, front, size, target, upper, point, response.search)


@kernel
def free_arm(means, weights, target, upper, method, response):
    """As `free_to`; records the addition in ``response`` if its cost is below ``upper``.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    target : int
        A dominated arm of positive weight.
    upper : float
        Costs of at least this are not searched for.
    method : int
        ``SWEEP`` or ``BRANCH_AND_BOUND``.
    response : Response
        Modified in place.
    """
    cost = free_to(means, weights, target, upper, method, response, response.point)
    if cost < upper:
        response.found[0]["moved"] = target
        response.found[0]["winner"] = -1
    return cost


@kernel
def weightless_arm(weights, optimal):
    """First dominated arm of weight 0, whose addition costs nothing; -1 without such an arm."""
    for k in range(weights.shape[0]):
        if weights[k] == 0.0 and not optimal[k]:
            return k
    return -1


@part
def dominators(means, front, size, target, method):
    """Slice (first, last) of the front that holds all arms above ``target`` in all objectives."""
    if method != SWEEP:
        return 0, size
    first, end = 0, size
    while first < end:
        middle = (first + end) // 2
        if means[front[middle], 0] > means[target, 0]:
            end = middle
        else:
            first = middle + 1
    last, end = first, size
    while last < end:
        middle = (last + end) // 2
        if means[front[middle], 1] > means[target, 1]:
            last = middle + 1
        else:
            end = middle
    return first, last


@kernel
def _bound_additions(means, weights, front, size, optimal, method, best, bounds):
    """Find the dominated arm with the lowest bound; -1 if no arm is dominated.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    front : ndarray of int, shape (K,)
        Pareto optimal arms, the first ``size`` entries.
    size : int
    optimal : ndarray of bool, shape (K,)
    method : int
        ``SWEEP`` or ``BRANCH_AND_BOUND``.
    best : float
        Cost of the best alternative known.
    bounds : ndarray, shape (K,)
        Modified in place: for each dominated arm a number that is at most the bound. It equals
        the bound if that is below ``best`` and below the bounds of all earlier arms.
    """
    lowest = -1
    limit = best
    for k in range(means.shape[0]):
        if not optimal[k]:
            first, last = dominators(means, front, size, k, method)
            bounds[k] = dominator_bound(means, weights, front, first, last, k, limit)
            if lowest < 0 or bounds[k] < bounds[lowest]:
                lowest = k
                limit = min(limit, bounds[k])
    return lowest


@kernel
def _may_improve(means, weights, front, size, k, method, best):
    """Whether the bound of arm k is below ``best``.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    front : ndarray of int, shape (K,)
        Pareto optimal arms, the first ``size`` entries.
    size : int
    k : int
        A dominated arm.
    method : int
        ``SWEEP`` or ``BRANCH_AND_BOUND``.
    best : float
        Cost of the best alternative known.
    """
    first, last = dominators(means, front, size, k, method)
    return dominator_bound(means, weights, front, first, last, k, best) < best


@kernel
def _free_weightless(means, target, response):
    """Record the addition of an arm of weight 0, which costs nothing."""
    free_escape(means, response.front, response.found[0]["size"], target, response.point)
    response.found[0]["moved"] = target
    response.found[0]["winner"] = -1


@kernel
def cheapest_alternative(means, weights, method, upper, response):
    """Cost of the cheapest alternative below ``upper``, recorded in ``response``.

    Returns ``upper``, with -1 recorded, if no alternative is cheaper. Additions are searched
    for the arm with the lowest bound first, then for every arm whose bound is below the best
    cost found.
    """
    size = find_front(means, method, response)
    front, optimal, bounds, found = (
        response.front,
        response.optimal,
        response.bounds,
        response.found,
    )
    found[0]["moved"] = -1
    found[0]["winner"] = -1
    weightless = weightless_arm(weights, optimal)
    if upper > 0.0 and weightless >= 0:
        _free_weightless(means, weightless, response)
        return 0.0
    if method == SWEEP:
        best = cheapest_adjacent_removal(means, weights, front, size, upper, found)
    else:
        best = cheapest_removal(means, weights, front, size, upper, found)
    lowest = _bound_additions(means, weights, front, size, optimal, method, best, bounds)
    if lowest < 0 or bounds[lowest] >= best:
        return best
    best = free_arm(means, weights, lowest, best, method, response)
    for k in range(means.shape[0]):
        if not optimal[k] and k != lowest and bounds[k] < best:
            if _may_improve(means, weights, front, size, k, method, best):
                best = free_arm(means, weights, k, best, method, response)
    return best


@kernel
def cheapest_alternative_by_cells(means, weights, response):
    """As `cheapest_alternative`, with all additions found by enumerating cells."""
    size = find_front(means, CELLS, response)
    found = response.found
    found[0]["moved"] = -1
    found[0]["winner"] = -1
    weightless = weightless_arm(weights, response.optimal)
    if weightless >= 0:
        _free_weightless(means, weightless, response)
        return 0.0
    best = cheapest_removal(means, weights, response.front, size, np.inf, found)
    targets = np.flatnonzero(~response.optimal)
    walk = cell_walk(size, means.shape[1])
    best, target = cheapest_addition_by_cells(
        means, weights, response.front[:size], targets, best, response.point, walk
    )
    if target >= 0:
        found[0]["moved"] = target
        found[0]["winner"] = -1
    return best


@kernel
def write_alternative(means, weights, response, alternative):
    """Write the means of the recorded alternative."""
    for k in range(means.shape[0]):
        for c in range(means.shape[1]):
            alternative[k, c] = means[k, c]
    found, front = response.found[0], response.front
    moved, winner = found["moved"], found["winner"]
    if moved >= 0 and winner >= 0:
        write_removal(means, weights, moved, winner, alternative)
    elif moved >= 0:
        write_addition(means, front, found["size"], moved, response.point, alternative)


@kernel
def write_gradient(means, alternative, gradient):
    """Write the gradient of the cost in the weights: half the squared distance of each arm."""
    for k in range(means.shape[0]):
        squares = 0.0
        for c in range(means.shape[1]):
            squares += (means[k, c] - alternative[k, c]) ** 2
        gradient[k] = 0.5 * squares
