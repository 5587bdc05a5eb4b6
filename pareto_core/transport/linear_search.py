"""Cheapest addition of one dominated arm in a linear model, by branch and bound.

With the features whitened, so that the cost of a move of the regression matrix is half its
squared length, an assignment maps each Pareto optimal arm to the objective in which the target
shall be at least as good. In each objective the regression vector moves into the half-spaces of
the arms assigned there, by the shortest way (`halfspaces`). The cost of a *partial* assignment is
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
from pareto_core.transport.halfspaces import (
    Moves,
    add_half_space,
    allocate_moves,
    clear_slot,
    copy_slot,
    is_active,
    missing,
)

SAME = 1e-28  # share of the squared lengths of two feature vectors that are equal up to rounding


class LinearSearch(NamedTuple):
    """Arrays of one search, for up to n optimal arms, d objectives and h features.

    Slots 0 to d - 1 of ``moves`` hold the current move of each objective, and slot d + i the
    move that the assignment of level i replaced.
    """

    rows: np.ndarray  # (n, h) whitened features of the target minus those of each optimal arm
    sizes: np.ndarray  # (n,) squared lengths of the rows
    gaps: np.ndarray  # (d, n) means of the arms minus those of the target
    order: np.ndarray  # (n,) rows: those assigned come first, by level
    objective: np.ndarray  # (n,) objective to which each row is assigned, or -1
    lowered: np.ndarray  # (n + 1,) objective of the assignment of each level
    value: np.ndarray  # (n + 1,) cost of the partial assignment of each level
    branch_bound: np.ndarray  # (n + 2, d) bounds on what the assignments still to try add
    moves: Moves


@kernel
def allocate_linear_search(n, n_features, n_objectives):
    """Allocate a `LinearSearch`."""
    return LinearSearch(
        np.empty((n, n_features)),
        np.empty(n),
        np.empty((n_objectives, n)),
        np.empty(n, np.int64),
        np.empty(n, np.int64),
        np.empty(n + 1, np.int64),
        np.empty(n + 1),
        np.empty((n + 2, n_objectives)),
        allocate_moves(n_objectives + n + 1, n_features),
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
    """Lower bound on the cost of adding ``target``: that of its most expensive dominator.

    Infinite if the target has the features of an optimal arm: the two are always equal.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    whitened : ndarray, shape (K, h)
        Whitened features.
    front : ndarray of int, shape (K,)
        Pareto optimal arms, the first ``size`` entries.
    size, target : int
    limit : float
        Once the bound reaches this value, the remaining arms are skipped.
    """
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
    """Set up the empty assignment.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    whitened : ndarray, shape (K, h)
    front : ndarray of int, shape (K,)
        Pareto optimal arms, the first ``size`` entries.
    size : int
    target : int
        The dominated arm.
    search : LinearSearch
        Modified in place.
    """
    for c in range(means.shape[1]):
        clear_slot(search.moves, c)
    search.value[0] = 0.0
    for n in range(size):
        arm = front[n]
        search.order[n] = n
        search.objective[n] = -1
        search.sizes[n] = squared_distance(whitened, target, arm)
        for f in range(whitened.shape[1]):
            search.rows[n, f] = whitened[target, f] - whitened[arm, f]
        for c in range(means.shape[1]):
            search.gaps[c, n] = means[arm, c] - means[target, c]


@kernel
def _choose_branch(search, n, depth, n_objectives):
    """Move the row with the highest bound to position ``depth``, with its bounds.

    Returns its cheapest bound, which is negative if no arm blocks the target.
    """
    highest, chosen = -1.0, depth
    bounds = search.branch_bound[depth + 1]
    for k in range(depth, n):
        row = search.order[k]
        cheapest = np.inf
        for c in range(n_objectives):
            rest = missing(
                search.moves, c, search.rows[row], search.sizes[row], search.gaps[c, row]
            )
            bounds[c] = 0.5 * rest * rest / search.sizes[row] if rest > 0.0 else 0.0
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


@kernel
def _meet(search, depth, c):
    """Move objective ``c`` into the half-spaces of all rows assigned to it up to ``depth``."""
    rows, sizes, gaps = search.rows, search.sizes, search.gaps[c]
    farther = True
    while farther:
        farthest, distance = -1, 0.0
        for k in range(depth + 1):
            row = search.order[k]
            if search.objective[row] == c and not is_active(search.moves, c, row):
                rest = missing(search.moves, c, rows[row], sizes[row], gaps[row])
                if rest * rest > distance * sizes[row]:
                    farthest, distance = row, rest * rest / sizes[row]
        farther = farthest >= 0
        if farther:
            farther = add_half_space(search.moves, c, rows, sizes, gaps, farthest)


@kernel
def _assign(search, depth, c, n_objectives):
    """Assign the row of level ``depth`` to objective ``c``, so that `_undo` can undo it."""
    before = search.moves.cost[c]
    copy_slot(search.moves, n_objectives + depth, c)
    search.objective[search.order[depth]] = c
    search.lowered[depth] = c
    _meet(search, depth, c)
    search.value[depth + 1] = search.value[depth] + (search.moves.cost[c] - before)


@kernel
def _undo(search, depth, n_objectives):
    """Undo the assignment of ``depth``."""
    copy_slot(search.moves, search.lowered[depth], n_objectives + depth)
    search.objective[search.order[depth]] = -1


@kernel
def _open_node(search, n, depth, best, shift):
    """Bound the partial assignment of ``depth``; close it if it cannot improve.

    A complete assignment that improves on ``best`` is written to ``shift``. Returns the best
    value known afterwards.

    Parameters
    ----------
    search : LinearSearch
        Modified in place.
    n, depth : int
        The rows not yet assigned are ``search.order[depth:n]``.
    best : float
        The best value known.
    shift : ndarray, shape (d, h)
        Modified in place: the move of each objective, in whitened coordinates.
    """
    highest = _choose_branch(search, n, depth, shift.shape[0])
    room = best - search.value[depth]
    if highest < 0.0 and room > 0.0:
        best = search.value[depth]
        for c in range(shift.shape[0]):
            for f in range(shift.shape[1]):
                shift[c, f] = search.moves.shift[c, f]
    if highest < 0.0 or highest >= room:
        search.branch_bound[depth, :] = np.inf
    return best


@part
def _take_cheapest(search, depth):
    """Take the cheapest assignment still to try at a level; return (objective, its bound)."""
    bounds = search.branch_bound[depth]
    c = bounds.argmin()
    bound = bounds[c]
    bounds[c] = np.inf
    return c, bound


@kernel
def free_linear_target(means, whitened, front, size, target, upper, shift, search):
    """Cheapest cost below ``upper`` at which no optimal arm dominates ``target``.

    Returns ``upper``, and does not modify ``shift``, if no addition is cheaper.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    whitened : ndarray, shape (K, h)
        Features in coordinates in which the cost of a move is half its squared length.
    front : ndarray of int, shape (K,)
        Pareto optimal arms, the first ``size`` entries.
    size : int
    target : int
        A dominated arm.
    upper : float
        Costs of at least this are not searched for.
    shift : ndarray, shape (d, h)
        Modified in place: the move of each objective.
    search : LinearSearch
        Modified in place.
    """
    n_objectives = means.shape[1]
    _start(means, whitened, front, size, target, search)
    depth = np.int64(0)
    best = _open_node(search, size, depth, upper, shift)
    while depth >= 0:
        c, bound = _take_cheapest(search, depth)
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
