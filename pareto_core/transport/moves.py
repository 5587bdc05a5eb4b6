"""The moves that refute one label of an answer, and the alternative to which a move leads.

By Lemma 1 of Crepon et al. (2024) and Lemma B.3 of Kone et al. (2025, constrained), the cheapest
means with a different answer refute one label by one of five moves:

* an ``OPTIMAL`` arm falls below another optimal arm (removal), or leaves the region (departure);
* a ``DOMINATED`` arm moves to a point where no optimal arm dominates it (addition);
* an ``INFEASIBLE`` arm enters the region (entry);
* a ``REJECTED`` arm, which is infeasible or dominated, moves to a point of the region where no
  optimal arm dominates it (admission). Without a region this is an addition.

What a move costs depends on the metric (`metric`) and on the region. The addition of a feasible arm
is computed first: usually it ends inside the region, and is the cheapest admission. Only an optimal
arm can be in the way of an admission, and making it infeasible instead is never cheaper than its
departure alone.

A move returns its cost if it is below ``upper``, and is then recorded; ``upper`` otherwise.
"""

import numpy as np

from pareto_core.compiling.copies import copy_matrix, copy_vector
from pareto_core.compiling.kernels import inner, kernel, part
from pareto_core.geometry.polyhedron import room_inside
from pareto_core.questions import DOMINATED, INFEASIBLE, OPTIMAL, REJECTED
from pareto_core.transport.addition import blocks, dominator_bound
from pareto_core.transport.admission import admit_target, admit_target_2d
from pareto_core.transport.admission_minimum import nearest_inside
from pareto_core.transport.branch_and_bound import free_target
from pareto_core.transport.coupled import free_target_at_prices
from pareto_core.transport.metric import (
    facet_room,
    is_weightless,
    move_to,
    shift,
    write_exit,
    write_gradient,
)
from pareto_core.transport.oracle import ADD, DEPART, ENTER, NOTHING, REMOVE, record
from pareto_core.transport.removal import (
    cost_at_prices,
    cost_at_weights,
    cost_under_noise,
    write_removal,
    write_shares_of_leads,
)
from pareto_core.transport.sweep import free_target_2d


@inner
def removal_cost(means, weights, prices, noise, arm, rival, upper, pair):
    """Cost below ``upper`` of a removal, or any value from ``upper`` on."""
    if prices.ndim == 1:
        return cost_at_weights(means, prices, arm, rival)
    elif noise is None:
        return cost_at_prices(means, prices, arm, rival)
    else:
        return cost_under_noise(means, weights, noise, arm, rival, upper, pair)


@kernel
def remove(means, weights, noise, arm, rival, upper, oracle):
    """``rival`` becomes at least as good as ``arm`` in every objective."""
    prices, pair = oracle.prices, oracle.pair
    cost = removal_cost(means, weights, prices, noise, arm, rival, upper, pair)
    if cost < upper:
        record(oracle, REMOVE, arm, rival)
        return cost
    return upper


@kernel
def depart(means, weights, noise, region, arm, upper, oracle):
    """A feasible arm leaves the region through the nearest facet."""
    room = oracle.inside.room[arm]
    cost = 0.5 * weights[arm] * room * room
    if not (room < np.inf and cost < upper):
        return upper
    for facet in range(region.normals.shape[0]):
        if facet_room(means, noise, region, arm, facet) == room:
            write_exit(means, noise, region, arm, facet, room, oracle.point)
            break
    record(oracle, DEPART, arm, -1)
    return cost


@kernel
def _find_nearest_inside(means, prices, noise, region, arm, inside):
    """Write the point of the region that is nearest to an arm; return the cost at weight 1."""
    space = inside.search.minimum
    if prices.ndim == 1:
        return nearest_inside(means, None, region, arm, inside.trial, space)
    else:
        return nearest_inside(means, noise.precision[arm], region, arm, inside.trial, space)


@kernel
def enter(means, weights, noise, region, arm, upper, oracle):
    """An arm enters the region."""
    inside = oracle.inside
    outside = max(-inside.room[arm], 0.0)
    if 0.5 * weights[arm] * outside * outside >= upper:  # to the facet that is furthest away
        return upper
    cost = _find_nearest_inside(means, oracle.prices, noise, region, arm, inside)
    cost = weights[arm] * cost if weights[arm] > 0.0 else 0.0
    if cost < upper:
        copy_vector(oracle.point, inside.trial)
        record(oracle, ENTER, arm, -1)
        return cost
    return upper


@part
def _write_precision(weights, noise, arm, matrix):
    for b in range(matrix.shape[0]):
        for c in range(matrix.shape[0]):
            matrix[b, c] = weights[arm] * noise.precision[arm, b, c]


@inner
def _free(means, weights, noise, arm, upper, point, rows, oracle):
    """Cost below ``upper`` at which no optimal arm dominates ``arm``, moved to ``point``."""
    front, size, prices = oracle.front, oracle.found[0]["size"], oracle.prices
    if rows.ndim == 2:
        return free_target_2d(means, prices, front, size, arm, upper, point, rows)
    elif noise is None:
        return free_target(means, prices, front, size, arm, upper, point, oracle.search)
    else:
        pair, coupled = oracle.pair, not noise.independent[arm]
        if coupled:
            _write_precision(weights, noise, arm, pair.matrix)
        return free_target_at_prices(
            means, prices, pair.matrix, coupled, front, size, arm, upper, point, pair.search
        )


@kernel
def _write_escape(means, weights, noise, arm, oracle, point):
    """Write a mean at no cost: above all optimal arms in an objective whose price is 0."""
    objective = 0
    if weights.ndim == 2:
        objective = weights[arm].argmin()
    copy_vector(point, means[arm])
    for f in range(oracle.found[0]["size"]):
        point[objective] = max(point[objective], means[oracle.front[f], objective])
    if noise is not None:
        rise, variance = point[objective] - means[arm, objective], noise.variance[arm, objective]
        for c in range(means.shape[1]):
            if c != objective:
                point[c] += noise.covariance[arm, c, objective] / variance * rise


@kernel
def add(means, weights, noise, arm, upper, oracle):
    """A dominated arm becomes optimal, wherever it moves."""
    if is_weightless(weights, arm):
        cost = min(0.0, upper)
        _write_escape(means, weights, noise, arm, oracle, oracle.point)
    else:
        cost = _free(means, weights, noise, arm, upper, oracle.point, oracle.rows, oracle)
    if cost < upper:
        record(oracle, ADD, arm, -1)
    return cost


@kernel
def _admit_inside(means, weights, prices, noise, region, arm, upper, rows, oracle):
    """Cost below ``upper`` at which ``arm`` is feasible and not dominated."""
    front, size, inside = oracle.front, oracle.found[0]["size"], oracle.inside
    point, search = inside.trial, inside.search
    if rows.ndim == 2:
        return admit_target_2d(means, prices, region, front, size, arm, upper, point, search)
    elif prices.ndim == 1:
        return admit_target(means, prices, None, region, front, size, arm, upper, point, search)
    else:
        own = oracle.pair.matrix
        _write_precision(weights, noise, arm, own)
        return admit_target(means, prices, own, region, front, size, arm, upper, point, search)


@kernel
def _write_feasible_escape(means, weights, noise, region, arm, oracle):
    """As `_write_escape`, into the region: or to an optimal arm, or to its nearest point."""
    inside = oracle.inside
    _write_escape(means, weights, noise, arm, oracle, inside.trial)
    if room_inside(region.normals, region.offsets, inside.trial) < 0.0:
        if oracle.found[0]["size"] > 0:
            copy_vector(inside.trial, means[oracle.front[0]])
        else:
            _find_nearest_inside(means, oracle.prices, noise, region, arm, inside)


@kernel
def admit(means, weights, noise, region, arm, upper, oracle):
    """An arm that is not optimal becomes feasible and optimal."""
    if region is None:
        return add(means, weights, noise, arm, upper, oracle)
    else:
        inside, prices, rows, cost = oracle.inside, oracle.prices, oracle.rows, -1.0
        if is_weightless(weights, arm):
            cost = min(0.0, upper)
            _write_feasible_escape(means, weights, noise, region, arm, oracle)
        elif inside.room[arm] >= 0.0:
            cost = _free(means, weights, noise, arm, upper, inside.trial, rows, oracle)
            if cost < upper and room_inside(region.normals, region.offsets, inside.trial) < 0.0:
                cost = -1.0
        if cost < 0.0:
            cost = _admit_inside(means, weights, prices, noise, region, arm, upper, rows, oracle)
        if cost < upper:
            copy_vector(oracle.point, inside.trial)
            record(oracle, ADD, arm, -1)
        return cost


@part
def refute(means, weights, noise, region, arm, upper, oracle):
    """The cheapest move that refutes the label of an arm alone; ``upper`` for open labels."""
    label = oracle.labels[arm]
    if label == REJECTED:
        upper = admit(means, weights, noise, region, arm, upper, oracle)
    if region is not None:
        if label == OPTIMAL:
            upper = depart(means, weights, noise, region, arm, upper, oracle)
        elif label == DOMINATED:
            upper = add(means, weights, noise, arm, upper, oracle)
        elif label == INFEASIBLE:
            upper = enter(means, weights, noise, region, arm, upper, oracle)
    return upper


@part
def dominators(means, oracle, arm):
    """Slice (first, last) of the front that holds all arms above ``arm`` in all objectives."""
    front, size = oracle.front, oracle.found[0]["size"]
    if oracle.rows.ndim == 1:
        return 0, size
    first, end = 0, size
    while first < end:
        middle = (first + end) // 2
        if means[front[middle], 0] > means[arm, 0]:
            end = middle
        else:
            first = middle + 1
    last, end = first, size
    while last < end:
        middle = (last + end) // 2
        if means[front[middle], 1] > means[arm, 1]:
            last = middle + 1
        else:
            end = middle
    return first, last


@part
def bound(means, weights, region, arm, limit, oracle):
    """Lower bound on the cost at which an arm becomes optimal, exact below ``limit``."""
    first, last = dominators(means, oracle, arm)
    least = dominator_bound(means, oracle.prices, oracle.front, first, last, arm, limit)
    if region is not None:
        if oracle.labels[arm] == REJECTED:
            outside = max(-oracle.inside.room[arm], 0.0)
            least = max(least, 0.5 * weights[arm] * outside * outside)
    return least


# The alternative of a move


@inner
def _cheapest_fall(means, prices, noise, arm, point):
    """Objective in which lowering an arm to a point costs least."""
    objective, least = 0, np.inf
    for c in range(means.shape[1]):
        cost = means[arm, c] - point[c]
        if noise is not None:
            cost = cost * cost / noise.variance[arm, c]
        elif prices.ndim == 2:
            cost = prices[arm, c] * cost * cost
        if cost < least:
            objective, least = c, cost
    return objective


@inner
def write_move(means, weights, noise, oracle, alternative, gradient):
    """Write the means of the recorded move, and the gradient of its cost in the weights."""
    copy_matrix(alternative, means)
    found, point = oracle.found[0], oracle.point
    move, arm = found["move"], found["arm"]
    if noise is not None:
        gradient[:] = 0.0
    if move == REMOVE:
        rival, prices, pair = found["rival"], oracle.prices, oracle.pair
        write_removal(means, weights, prices, noise, arm, rival, pair, alternative, gradient)
    elif move != NOTHING:
        if move == ADD:
            for f in range(found["size"]):
                blocker = oracle.front[f]
                if blocks(means, blocker, point):
                    c = _cheapest_fall(means, oracle.prices, noise, blocker, point)
                    shift(means, noise, blocker, c, point[c], alternative, gradient)
        move_to(means, noise, arm, point, alternative, gradient)
    if noise is None:
        write_gradient(means, alternative, gradient)
        if gradient.ndim == 2:
            if move == REMOVE:
                write_shares_of_leads(means, oracle.prices, arm, found["rival"], gradient)
