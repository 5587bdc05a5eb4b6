"""Cheapest addition of one dominated arm in a linear model, by branch and bound.

With the features whitened, so that the cost of a move of the regression matrix is half its
squared length, an assignment maps each Pareto optimal arm to the objective in which the target
shall be at least as good. In each objective the regression vector moves into the half-spaces of
the arms assigned there, by the shortest way (`half_spaces`). The cost of a *partial* assignment is
the sum over the objectives, and assigning one more arm never lowers it. The search is depth-first
over partial assignments:

* arms that the moved target already equals or exceeds in an objective need no assignment;
* a move into a further half-space costs at least half its squared distance from the point
  reached, because this is the closest point of a convex set. The largest, over the
  unassigned arms, of the cheapest such assignment bounds the cost from below;
* it branches on the arm that attains this bound, cheapest objective first, and each projection
  starts from that of the parent.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import kernel, part
from pareto_core.geometry.half_spaces import (
    ALONG,
    DOUBT,
    MULTIPLIER,
    ROOM,
    SHIFT,
    SQUARES,
    activate,
    is_active,
    write_basis,
)
from pareto_core.transport.branch_and_bound import take_cheapest

SAME = 1e-28  # share of the squared lengths of two feature vectors that are equal up to rounding
TOLERANCE = 1e-14  # relative: half-spaces missed by less are reached


class LinearSearch(NamedTuple):
    """Arrays of one search, for up to n optimal arms, d objectives and h features.

    Slots 0 to d - 1 hold the current move of each objective, and slot d + i the move that the
    assignment of level i replaced. For ``limits``, ``active``, ``vectors`` and ``factors`` see
    `half_spaces`.
    """

    rows: np.ndarray  # (n, h) whitened features of each optimal arm minus those of the target
    limits: np.ndarray  # (d, 4, n) of the rows, for each objective
    order: np.ndarray  # (n,) rows: those assigned come first, by level
    objective: np.ndarray  # (n,) objective to which each row is assigned, or -1
    lowered: np.ndarray  # (n + 1,) objective of the assignment of each level
    value: np.ndarray  # (n + 1,) cost of the partial assignment of each level
    branch_bound: np.ndarray  # (n + 2, d) bounds on what the assignments still to try add
    active: np.ndarray  # (n_slots, h + 1)
    count: np.ndarray  # (n_slots,) number of active rows
    vectors: np.ndarray  # (n_slots, 5, h + 1)
    cost: np.ndarray  # (n_slots,) half the squared length of the move
    factors: np.ndarray  # (2, h + 1, h + 1)


def allocate_linear_search(n, n_features, n_objectives):
    """Allocate a `LinearSearch`."""
    n_slots = n_objectives + n + 1
    return LinearSearch(
        np.empty((n, n_features)),
        np.zeros((n_objectives, 4, n)),
        np.empty(n, np.int64),
        np.empty(n, np.int64),
        np.empty(n + 1, np.int64),
        np.empty(n + 1),
        np.empty((n + 2, n_objectives)),
        np.zeros((n_slots, n_features + 1), np.int64),
        np.zeros(n_slots, np.int64),
        np.zeros((n_slots, 5, n_features + 1)),
        np.zeros(n_slots),
        np.empty((2, n_features + 1, n_features + 1)),
    )


@part
def squared_distance(whitened, i, j):
    """Squared distance of two arms' whitened features; 0 if they are equal up to rounding."""
    distance, length = 0.0, 0.0
    for f in range(whitened.shape[1]):
        distance += (whitened[i, f] - whitened[j, f]) ** 2
        length += whitened[i, f] ** 2 + whitened[j, f] ** 2
    if distance <= SAME * length:
        distance = 0.0
    return distance


@part
def linear_addition_bound(means, whitened, front, size, target, limit):
    """Cost of adding ``target`` past its most expensive dominator, up to ``limit``; may be inf."""
    bound = 0.0
    for f in range(size):
        closest = np.inf
        for c in range(means.shape[1]):
            closest = min(closest, means[front[f], c] - means[target, c])
        if closest >= 0.0:
            distance = squared_distance(whitened, front[f], target)
            bound = max(bound, 0.5 * closest * closest / distance if distance > 0.0 else np.inf)
            if bound >= limit:
                break
    return bound


@kernel
def _start(means, whitened, front, size, target, search):
    """Set up the empty assignment."""
    search.value[0] = 0.0
    for c in range(means.shape[1]):
        search.count[c], search.cost[c] = 0, 0.0
        search.vectors[c, SHIFT, :] = 0.0
    for n in range(size):
        arm = front[n]
        search.order[n] = n
        search.objective[n] = -1
        distance = squared_distance(whitened, target, arm)
        for f in range(whitened.shape[1]):
            search.rows[n, f] = whitened[arm, f] - whitened[target, f]
        for c in range(means.shape[1]):
            search.limits[c, ROOM, n] = means[target, c] - means[arm, c]
            search.limits[c, SQUARES, n] = distance
            search.limits[c, DOUBT, n] = 0.0


@part
def _missing(search, c, row):
    """Distance, times the row's length, from the move of ``c`` to a half-space; 0 if reached."""
    room, inner = search.limits[c, ROOM, row], 0.0
    for f in range(search.rows.shape[1]):
        inner += search.rows[row, f] * search.vectors[c, SHIFT, f]
    rest = inner - room
    length = np.sqrt(2.0 * search.limits[c, SQUARES, row] * search.cost[c])
    return rest if rest > TOLERANCE * (abs(room) + length) else 0.0


@kernel
def _choose_branch(search, n, depth, n_objectives):
    """Move the row with the highest bound to ``depth``; return it, negative if no arm blocks."""
    highest, chosen = -1.0, depth
    bounds = search.branch_bound[depth + 1]
    for k in range(depth, n):
        row = search.order[k]
        cheapest = np.inf
        for c in range(n_objectives):
            rest = _missing(search, c, row)
            bounds[c] = 0.5 * rest * rest / search.limits[c, SQUARES, row] if rest > 0.0 else 0.0
            cheapest = min(cheapest, bounds[c])
        if cheapest > highest and cheapest > 0.0:
            highest, chosen = cheapest, k
            for c in range(n_objectives):
                search.branch_bound[depth, c] = bounds[c]
    if highest >= 0.0:
        row = search.order[chosen]
        search.order[chosen] = search.order[depth]
        search.order[depth] = row
    return highest


@part
def _farthest(search, depth, c):
    """Row assigned to ``c`` whose half-space is farthest from its move; -1 if all are reached."""
    farthest, distance = -1, 0.0
    for k in range(depth + 1):
        row = search.order[k]
        if search.objective[row] == c and not is_active(search.active[c], search.count[c], row):
            rest, squares = _missing(search, c, row), search.limits[c, SQUARES, row]
            if rest * rest > distance * squares:
                farthest, distance = row, rest * rest / squares
    return farthest


@kernel
def _meet(search, depth, c):
    """Move objective ``c`` into the half-spaces of all rows assigned to it up to ``depth``."""
    rows, limits, factors = search.rows, search.limits[c], search.factors
    active, vectors, size = search.active[c], search.vectors[c], search.count[c]
    write_basis(rows, active, vectors, factors, 0, size)
    farthest = _farthest(search, depth, c)
    while farthest >= 0:
        before = search.cost[c]
        size = activate(rows, limits, active, vectors, factors, size, farthest)
        if size < 0:
            break
        search.count[c], search.cost[c] = size, 0.0
        for i in range(size):
            search.cost[c] += 0.5 * vectors[ALONG, i] * vectors[ALONG, i]
        farthest = _farthest(search, depth, c) if search.cost[c] > before else -1


@kernel
def _copy_slot(search, target, source):
    """Copy a move, with its active rows, to another slot."""
    search.count[target], search.cost[target] = search.count[source], search.cost[source]
    for i in range(search.count[source]):
        search.active[target, i] = search.active[source, i]
        search.vectors[target, MULTIPLIER, i] = search.vectors[source, MULTIPLIER, i]
    for f in range(search.rows.shape[1]):
        search.vectors[target, SHIFT, f] = search.vectors[source, SHIFT, f]


@kernel
def _assign(search, depth, c, n_objectives):
    """Assign the row of level ``depth`` to objective ``c``, so that `_undo` can undo it."""
    before = search.cost[c]
    _copy_slot(search, n_objectives + depth, c)
    search.objective[search.order[depth]] = c
    search.lowered[depth] = c
    _meet(search, depth, c)
    search.value[depth + 1] = search.value[depth] + (search.cost[c] - before)


@kernel
def _undo(search, depth, n_objectives):
    """Undo the assignment of ``depth``."""
    _copy_slot(search, search.lowered[depth], n_objectives + depth)
    search.objective[search.order[depth]] = -1


@kernel
def _open_node(search, n, depth, best, shift):
    """Bound a partial assignment, write it if it is complete and better; return the best value."""
    highest = _choose_branch(search, n, depth, shift.shape[0])
    room = best - search.value[depth]
    if highest < 0.0 and room > 0.0:
        best = search.value[depth]
        for c in range(shift.shape[0]):
            for f in range(shift.shape[1]):
                shift[c, f] = search.vectors[c, SHIFT, f]
    if highest < 0.0 or highest >= room:
        search.branch_bound[depth, :] = np.inf
    return best


@kernel
def free_linear_target(means, whitened, front, size, target, upper, shift, search):
    """Cheapest cost at which no optimal arm dominates ``target``; ``upper`` if not below it."""
    n_objectives = means.shape[1]
    _start(means, whitened, front, size, target, search)
    depth = np.int64(0)
    best = _open_node(search, size, depth, upper, shift)
    while depth >= 0:
        c, bound = take_cheapest(search.branch_bound[depth])
        if search.value[depth] + bound >= best:
            depth -= 1
            if depth >= 0:
                _undo(search, depth, n_objectives)
            continue
        _assign(search, depth, c, n_objectives)
        if search.value[depth + 1] >= best:
            _undo(search, depth, n_objectives)
            continue
        depth += 1
        best = _open_node(search, size, depth, best, shift)
    return best
