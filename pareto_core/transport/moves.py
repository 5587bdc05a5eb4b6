"""The cheapest alternative to an answer: the best response that every algorithm calls.

An answer labels the arms. By Lemma 1 of Crepon et al. (2024) and Lemma B.3 of Kone et al. (2025,
constrained), the cheapest means with a different answer refute one label by one of five moves:

* an ``OPTIMAL`` arm falls below another optimal arm (removal), or leaves the region (departure);
* a ``DOMINATED`` arm moves to a point where no optimal arm dominates it (addition);
* an ``INFEASIBLE`` arm enters the region (entry);
* a ``REJECTED`` arm, which is infeasible or dominated, moves to a point of the region where no
  optimal arm dominates it (admission). Without a region this is an addition.

The Pareto set and that of the feasible arms label all other arms ``REJECTED``, a partition states
the reason. What a move costs depends on the metric (`metric`) and on the region. The addition of a
feasible arm is computed first: usually it ends inside the region, and is the cheapest admission.
Only an optimal arm can be in the way of an admission, and making it infeasible instead is never
cheaper than its departure alone.

The sweep applies to two objectives and unit variance only: under other metrics, the objective in
which an arm is lowered depends on its own prices, so the assignments are not those of a staircase.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.copies import copy_matrix, copy_vector
from pareto_core.compiling.kernels import kernel, part
from pareto_core.geometry.dominance import _pareto_set
from pareto_core.geometry.polyhedron import room_inside
from pareto_core.geometry.staircase import sorted_front
from pareto_core.questions import DOMINATED, INFEASIBLE, OPTIMAL, REJECTED
from pareto_core.transport.addition import blocks, dominator_bound
from pareto_core.transport.admission import (
    ConstrainedSpace,
    admission_space,
    admit_target,
    admit_target_2d,
    constrained_space,
)
from pareto_core.transport.admission_minimum import nearest_inside
from pareto_core.transport.branch_and_bound import SearchSpace, free_target, search_space
from pareto_core.transport.coupled import JointSearch, free_target_at_prices, joint_search
from pareto_core.transport.metric import (
    facet_room,
    is_weightless,
    move_to,
    noise_of,
    noise_price,
    shift,
    write_exit,
    write_gradient,
)
from pareto_core.transport.removal import (
    cost_at_prices,
    cost_at_weights,
    cost_under_noise,
    meeting_weight,
    write_removal,
    write_shares_of_leads,
)
from pareto_core.transport.sweep import SWEEP_ROWS, free_target_2d

SWEEP, BRANCH_AND_BOUND = 0, 1  # methods
OPEN = -2  # label of an arm that no move refutes
NOTHING, REMOVE, DEPART, ADD, ENTER = range(5)  # moves; an admission is recorded as an addition
NEAR = 2.0  # alternatives that cost less than this multiple of the minimum add their bound
FOUND = np.dtype(
    [("size", np.int64), ("move", np.int64), ("arm", np.int64), ("rival", np.int64)], align=True
)


class Inside(NamedTuple):
    """Work arrays for a region."""

    room: np.ndarray  # (K,) to the nearest facet's plane, in standard deviations; below 0 outside
    trial: np.ndarray  # (d,) candidate for the new mean of an arm
    chosen: np.ndarray  # (K,) the arms from which the front is computed
    chosen_means: np.ndarray  # (K, d) their means
    search: ConstrainedSpace


class Pair(NamedTuple):
    """Work arrays for known noise."""

    lead: np.ndarray  # (d,) of the loser of two arms that meet
    held: np.ndarray  # (d,) bool: whether they meet in an objective
    forces: np.ndarray  # (d,) the loser moves by -share Sigma forces, the winner by its share
    matrix: np.ndarray  # (d, d) covariance of their difference, or precision of a mean
    factor: np.ndarray  # (d, d)
    search: JointSearch


class Oracle(NamedTuple):
    """The labels, the cheapest move found last, and the work arrays of the search."""

    labels: np.ndarray  # (K,) of the answer to refute
    front: np.ndarray  # (K,) arms labelled optimal: the first ``found[0]["size"]`` entries
    found: np.ndarray  # (1,) FOUND: ``arm`` falls below ``rival``, or moves to ``point`` (rival -1)
    point: np.ndarray  # (d,)
    bounds: np.ndarray  # (K,) lower bounds on the cost of refuting arms that are not optimal
    prices: np.ndarray  # (K,) or (K, d)
    rows: np.ndarray  # (SWEEP_ROWS, K + 1) work array of the sweep; (0,) for branch and bound
    search: SearchSpace | None  # of branch and bound
    pair: Pair | None  # for known noise
    inside: Inside | None  # for a region


def search_method(n_objectives, is_priced=False):
    """The fastest method that finds additions: the sweep with two objectives of unit variance."""
    return SWEEP if n_objectives == 2 and not is_priced else BRANCH_AND_BOUND


def oracle_of(problem, region=None):
    """Allocate an `Oracle` for the noise of a problem."""
    size = problem.n_arms, problem.n_objectives
    return allocate_oracle(*size, noise=noise_of(problem), region=region)


def allocate_oracle(n_arms, n_objectives, noise=None, region=None, separate=False, method=None):
    """Allocate an `Oracle`, whose types select the code of the kernels that it is given to."""
    d, is_priced = n_objectives, separate or noise is not None
    if method is None:
        method = search_method(d, is_priced)
    search, pair, inside = None, None, None
    if noise is not None:
        joint, vector = joint_search(n_arms, d), np.empty(d)
        search, matrix = joint.space, np.empty((d, d))
        pair = Pair(vector, np.empty(d, np.bool_), vector.copy(), matrix, matrix.copy(), joint)
    elif method != SWEEP:
        search = search_space(n_arms, d)
    if region is not None:
        admission_of = constrained_space if noise is None else admission_space
        inside = Inside(
            np.empty(n_arms),
            np.empty(d),
            np.empty(n_arms, np.int64),
            np.empty((n_arms, d)),
            admission_of(region.normals.shape[0], n_arms, d),
        )
    return Oracle(
        np.zeros(n_arms, np.int64),
        np.empty(n_arms, np.int64),
        np.zeros(1, FOUND),
        np.zeros(d),
        np.empty(n_arms),
        np.empty((n_arms, d) if is_priced else n_arms),
        np.empty((SWEEP_ROWS, n_arms + 1) if method == SWEEP else 0),
        search,
        pair,
        inside,
    )


# Labels


@kernel
def _find_front(means, rows, front):
    """Write the Pareto set, sorted by the first objective for the sweep; return its size."""
    if rows.ndim == 1:
        return _pareto_set(means, front)
    else:
        return sorted_front(means, front)


@kernel
def _find_front_among(means, chosen, n, oracle):
    """As `_find_front`, among the ``n`` arms of ``chosen``."""
    chosen_means, front = oracle.inside.chosen_means, oracle.front
    for i in range(n):
        for c in range(means.shape[1]):
            chosen_means[i, c] = means[chosen[i], c]
    size = _find_front(chosen_means[:n], oracle.rows, front)
    for f in range(size):
        front[f] = chosen[front[f]]
    return size


@kernel
def _write_room(means, noise, region, room):
    """Measure the distance of each arm from the planes of the facets."""
    for k in range(means.shape[0]):
        room[k] = np.inf
        for facet in range(region.normals.shape[0]):
            room[k] = min(room[k], facet_room(means, noise, region, k, facet))


@kernel
def label_answer(means, noise, region, oracle):
    """Label the Pareto set of the (feasible) arms as optimal and all others as rejected."""
    if region is None:
        size = _find_front(means, oracle.rows, oracle.front)
    else:
        inside, n = oracle.inside, 0
        _write_room(means, noise, region, inside.room)
        for k in range(means.shape[0]):
            if inside.room[k] >= 0.0:
                inside.chosen[n] = k
                n += 1
        size = _find_front_among(means, inside.chosen, n, oracle)
    oracle.labels[:] = REJECTED
    for f in range(size):
        oracle.labels[oracle.front[f]] = OPTIMAL
    oracle.found[0]["size"] = size
    return size


@kernel
def label_partition(means, noise, region, labels, oracle):
    """Take the labels of a valid partition; some may be `OPEN`."""
    inside, n = oracle.inside, 0
    _write_room(means, noise, region, inside.room)
    for k in range(means.shape[0]):
        oracle.labels[k] = labels[k]
        if labels[k] == OPTIMAL:
            inside.chosen[n] = k
            n += 1
    oracle.found[0]["size"] = _find_front_among(means, inside.chosen, n, oracle)


# Moves: each returns its cost if it is below ``upper``, and is then recorded; ``upper`` otherwise


@part
def record(oracle, move, arm, rival):
    """Record a move."""
    found = oracle.found[0]
    found["move"], found["arm"], found["rival"] = move, arm, rival


@kernel
def _removal_cost(means, weights, prices, noise, arm, rival, upper, pair):
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
    cost = _removal_cost(means, weights, prices, noise, arm, rival, upper, pair)
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
    normals, offsets, space = region.normals, region.offsets, inside.search.minimum
    if prices.ndim == 1:
        return nearest_inside(means, None, normals, offsets, arm, inside.trial, space)
    else:
        own = noise.precision[arm]
        return nearest_inside(means, own, normals, offsets, arm, inside.trial, space)


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


@kernel
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


@part
def _add(means, weights, noise, arm, upper, oracle):
    if is_weightless(weights, arm):
        cost = min(0.0, upper)
        _write_escape(means, weights, noise, arm, oracle, oracle.point)
    else:
        cost = _free(means, weights, noise, arm, upper, oracle.point, oracle.rows, oracle)
    if cost < upper:
        record(oracle, ADD, arm, -1)
    return cost


@kernel
def add(means, weights, noise, arm, upper, oracle):
    """A dominated arm becomes optimal, wherever it moves."""
    return _add(means, weights, noise, arm, upper, oracle)


@kernel
def _admit_inside(means, weights, prices, noise, region, arm, upper, rows, oracle):
    """Cost below ``upper`` at which ``arm`` is feasible and not dominated."""
    front, size, inside = oracle.front, oracle.found[0]["size"], oracle.inside
    normals, offsets, point, search = region.normals, region.offsets, inside.trial, inside.search
    if rows.ndim == 2:
        return admit_target_2d(
            means, prices, normals, offsets, front, size, arm, upper, point, search
        )
    elif prices.ndim == 1:
        return admit_target(
            means, prices, None, normals, offsets, front, size, arm, upper, point, search
        )
    else:
        own = oracle.pair.matrix
        _write_precision(weights, noise, arm, own)
        return admit_target(
            means, prices, own, normals, offsets, front, size, arm, upper, point, search
        )


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
        return _add(means, weights, noise, arm, upper, oracle)
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
def _refute(means, weights, noise, region, arm, upper, oracle):
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


# Lower bounds


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


# All moves: the cheapest, or all that are nearly as cheap


@kernel
def write_prices(weights, noise, prices):
    """Write the prices, on which all moves depend."""
    for k in range(weights.shape[0]):
        if prices.ndim == 1:
            prices[k] = weights[k]
        else:
            for c in range(prices.shape[1]):
                prices[k, c] = noise_price(weights, noise, k, c)


@kernel
def weightless_arm(weights, labels):
    """First rejected arm of weight 0, whose admission costs nothing; -1 without such an arm."""
    for k in range(labels.shape[0]):
        if labels[k] == REJECTED:
            if weights.ndim == 1:
                if weights[k] == 0.0:
                    return k
            else:
                for c in range(weights.shape[1]):
                    if weights[k, c] == 0.0:
                        return k
    return -1


@kernel
def cheapest_adjacent_removal(means, weights, upper, oracle):
    """The cheapest removal on a staircase, where only neighbours meet (Appendix D.1). O(p)."""
    best, front = upper, oracle.front
    for f in range(oracle.found[0]["size"] - 1):
        left, right = front[f], front[f + 1]
        half = 0.5 * meeting_weight(weights[left], weights[right])
        ahead = half * (means[right, 0] - means[left, 0]) ** 2
        behind = half * (means[left, 1] - means[right, 1]) ** 2
        if ahead < best:
            best = ahead
            record(oracle, REMOVE, right, left)
        if behind < best:
            best = behind
            record(oracle, REMOVE, left, right)
    return best


@kernel
def cheapest_removal(means, weights, prices, noise, upper, rows, oracle):
    """The cheapest removal. O(p^2 d), or O(p) on a staircase."""
    if rows.ndim == 2:
        return cheapest_adjacent_removal(means, weights, upper, oracle)
    else:
        best, front, size, pair = upper, oracle.front, oracle.found[0]["size"], oracle.pair
        for f in range(size):
            for g in range(size):
                if f == g:
                    continue
                if prices.ndim == 1:
                    cost = cost_at_weights(means, prices, front[f], front[g])
                elif noise is None:
                    cost = cost_at_prices(means, prices, front[f], front[g])
                else:
                    cost = cost_under_noise(means, weights, noise, front[f], front[g], best, pair)
                if cost < best:
                    best = cost
                    record(oracle, REMOVE, front[f], front[g])
        return best


@part
def _may_become_optimal(label):
    return label == REJECTED or label == DOMINATED


@part
def _most_promising(means, weights, region, limit, oracle):
    """Write the bounds of arms that may become optimal; return that of the lowest one, or -1."""
    labels, bounds, lowest = oracle.labels, oracle.bounds, -1
    for k in range(means.shape[0]):
        if _may_become_optimal(labels[k]):
            bounds[k] = bound(means, weights, region, k, limit, oracle)
            if lowest < 0 or bounds[k] < bounds[lowest]:
                lowest, limit = k, min(limit, bounds[k])
    return lowest


@kernel
def cheapest_move(means, weights, noise, region, upper, oracle):
    """Cost below ``upper`` of the cheapest move that refutes the labels, recorded; or ``upper``."""
    labels, bounds, prices, rows = oracle.labels, oracle.bounds, oracle.prices, oracle.rows
    record(oracle, NOTHING, -1, -1)
    write_prices(weights, noise, prices)
    weightless = weightless_arm(weights, labels)
    if upper > 0.0 and weightless >= 0:
        return admit(means, weights, noise, region, weightless, upper, oracle)
    best = cheapest_removal(means, weights, prices, noise, upper, rows, oracle)
    if region is not None:
        for f in range(oracle.found[0]["size"]):
            best = depart(means, weights, noise, region, oracle.front[f], best, oracle)
        for k in range(means.shape[0]):
            if labels[k] == INFEASIBLE:
                best = enter(means, weights, noise, region, k, best, oracle)
    lowest = _most_promising(means, weights, region, best, oracle)
    if lowest < 0 or bounds[lowest] >= best:
        return best
    for attempt in range(-1, means.shape[0]):
        k = lowest if attempt < 0 else attempt
        if attempt != lowest and _may_become_optimal(labels[k]) and bounds[k] < best:
            if attempt < 0 or bound(means, weights, region, k, best, oracle) < best:
                best = _refute(means, weights, noise, region, k, best, oracle)
    return best


@kernel
def cheapest_alternative(means, weights, noise, region, upper, oracle):
    """`cheapest_move` against the answer of the means."""
    label_answer(means, noise, region, oracle)
    return cheapest_move(means, weights, noise, region, upper, oracle)


@kernel
def near_moves(means, weights, noise, region, slack, oracle, alternative, gradients):
    """The cheapest move and all that cost at most about twice as much: their gradients.

    The cost of one alternative is linear in the weights, and an upper bound on the transportation
    cost. Returns the cost of the cheapest move, and how many rows of ``gradients`` (n, K) or
    (n, K, d) are filled: by alternatives below `NEAR` times and below ``slack`` more than it.
    """
    value = cheapest_move(means, weights, noise, region, np.inf, oracle)
    write_move(means, weights, noise, oracle, alternative, gradients[0])
    limit, count = min(NEAR * value, value + slack), 1
    front, size = oracle.front, oracle.found[0]["size"]
    for f in range(size):
        for g in range(size):
            if f == g or count == gradients.shape[0]:
                continue
            if remove(means, weights, noise, front[f], front[g], limit, oracle) < limit:
                write_move(means, weights, noise, oracle, alternative, gradients[count])
                count += 1
    for k in range(means.shape[0]):
        if count == gradients.shape[0]:
            break
        may_be_near = not _may_become_optimal(oracle.labels[k])
        if may_be_near or bound(means, weights, region, k, limit, oracle) < limit:
            if _refute(means, weights, noise, region, k, limit, oracle) < limit:
                write_move(means, weights, noise, oracle, alternative, gradients[count])
                count += 1
    return value, count


@kernel
def near_gradients(means, weights, noise, region, labels, oracle, gradients):
    """`near_moves` against the answer of the means, or against the labels of a partition."""
    alternative = np.empty_like(means)
    if labels is None:
        label_answer(means, noise, region, oracle)
    else:
        label_partition(means, noise, region, labels, oracle)
    return near_moves(means, weights, noise, region, np.inf, oracle, alternative, gradients)


# The alternative of a move


@kernel
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


@kernel
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
