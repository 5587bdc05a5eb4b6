r"""The shortest move into an intersection of half-spaces, one half-space at a time.

A slot of `Moves` holds the solution of

.. math::
    \min_\delta\tfrac12\|\delta\|^2\quad\text{subject to}\quad r_f^\top\delta\ge g_f,\ f\in S,

with the rows r_f and the gaps g_f of a set S. The dual active-set method of Goldfarb and Idnani
(1983) adds one row to a solved problem: from the old solution it moves towards the new half-space,
orthogonally to the active rows, and drops an active row as soon as its multiplier reaches zero.
The cost only grows on the way. Each completed step computes the move afresh from the active rows,
by an orthogonal basis, so that rounding errors don't accumulate.

Goldfarb & Idnani 1983, A numerically stable dual method for solving strictly convex quadratic
programs, Mathematical Programming 27.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import kernel, part

DEPENDENT = 1e-14  # share of a row's length that counts as a rounding error
TOLERANCE = 1e-14  # relative: half-spaces missed by less are reached


class Moves(NamedTuple):
    """Solved problems in n_slots slots, and work arrays for one step; h is the dimension."""

    shift: np.ndarray  # (n_slots, h) the move
    active: np.ndarray  # (n_slots, h) rows whose half-spaces the move only just reaches
    multiplier: np.ndarray  # (n_slots, h) of the active rows, in the same order
    count: np.ndarray  # (n_slots,) number of active rows
    cost: np.ndarray  # (n_slots,) half the squared length of the move
    basis: np.ndarray  # (h, h) orthonormal basis of the active rows, one per row
    triangle: np.ndarray  # (h, h) column a: coordinates of active row a in the basis
    aside: np.ndarray  # (h,) part of the new row that is orthogonal to the active rows
    inner: np.ndarray  # (h,) coordinates of the new row in the basis, then in the active rows


@kernel
def allocate_moves(n_slots, dimension):
    """Allocate `Moves`, all of length zero."""
    return Moves(
        np.zeros((n_slots, dimension)),
        np.zeros((n_slots, dimension), np.int64),
        np.zeros((n_slots, dimension)),
        np.zeros(n_slots, np.int64),
        np.zeros(n_slots),
        np.empty((dimension, dimension)),
        np.empty((dimension, dimension)),
        np.empty(dimension),
        np.empty(dimension),
    )


@kernel
def copy_slot(moves, target, source):
    """Copy a solved problem to another slot."""
    moves.count[target] = moves.count[source]
    moves.cost[target] = moves.cost[source]
    for a in range(moves.count[source]):
        moves.active[target, a] = moves.active[source, a]
        moves.multiplier[target, a] = moves.multiplier[source, a]
    for f in range(moves.shift.shape[1]):
        moves.shift[target, f] = moves.shift[source, f]


@kernel
def clear_slot(moves, slot):
    """Put the problem without half-spaces into a slot."""
    moves.count[slot] = 0
    moves.cost[slot] = 0.0
    for f in range(moves.shift.shape[1]):
        moves.shift[slot, f] = 0.0


@part
def missing(moves, slot, row, size, gap):
    """Distance, times the row's length, from the move to a half-space; 0 if it is reached.

    Parameters
    ----------
    moves : Moves
    slot : int
    row : ndarray, shape (h,)
    size : float
        Squared length of the row.
    gap : float
    """
    inner = 0.0
    for f in range(row.shape[0]):
        inner += row[f] * moves.shift[slot, f]
    rest = gap - inner
    if rest <= TOLERANCE * (abs(gap) + np.sqrt(2.0 * size * moves.cost[slot])):
        rest = 0.0
    return rest


@part
def is_active(moves, slot, row):
    """Whether a row is active, so that rounding alone can put the move outside its half-space."""
    for a in range(moves.count[slot]):
        if moves.active[slot, a] == row:
            return True
    return False


@kernel
def _split(moves, row, number):
    """Split a row into its part in the span of the basis and its part ``aside``.

    The coordinates of the former are written to ``inner``. Returns the squared length of the
    latter. The second pass removes what rounding has left in the first.

    Parameters
    ----------
    moves : Moves
        Modified in place: ``inner`` and ``aside``.
    row : ndarray, shape (h,)
    number : int
        Number of vectors in the basis.
    """
    for f in range(row.shape[0]):
        moves.aside[f] = row[f]
    for a in range(number):
        moves.inner[a] = 0.0
    for _ in range(2):
        for a in range(number):
            along = 0.0
            for f in range(row.shape[0]):
                along += moves.basis[a, f] * moves.aside[f]
            moves.inner[a] += along
            for f in range(row.shape[0]):
                moves.aside[f] -= along * moves.basis[a, f]
    length = 0.0
    for f in range(row.shape[0]):
        length += moves.aside[f] ** 2
    return length


@kernel
def _factor(moves, slot, rows):
    """Write the basis and the triangle of the active rows of a slot."""
    for a in range(moves.count[slot]):
        length = np.sqrt(_split(moves, rows[moves.active[slot, a]], a))
        for b in range(a):
            moves.triangle[b, a] = moves.inner[b]
        moves.triangle[a, a] = length
        for f in range(rows.shape[1]):
            moves.basis[a, f] = moves.aside[f] / length


@part
def _solve_triangle(moves, number):
    """Replace ``inner`` by the combination of the active rows that has these coordinates."""
    for a in range(number - 1, -1, -1):
        for b in range(a + 1, number):
            moves.inner[a] -= moves.triangle[a, b] * moves.inner[b]
        moves.inner[a] /= moves.triangle[a, a]


@kernel
def _solve(moves, slot, rows, gaps):
    """Compute the move that only just reaches all active half-spaces, and its multipliers.

    Parameters
    ----------
    moves : Moves
        Modified in place: this slot and the work arrays.
    slot : int
    rows : ndarray, shape (n, h)
    gaps : ndarray, shape (n,)
    """
    _factor(moves, slot, rows)
    number = moves.count[slot]
    for f in range(rows.shape[1]):
        moves.shift[slot, f] = 0.0
    moves.cost[slot] = 0.0
    for a in range(number):
        along = gaps[moves.active[slot, a]]
        for b in range(a):
            along -= moves.triangle[b, a] * moves.inner[b]
        along /= moves.triangle[a, a]
        moves.inner[a] = along
        moves.cost[slot] += 0.5 * along * along
        for f in range(rows.shape[1]):
            moves.shift[slot, f] += along * moves.basis[a, f]
    _solve_triangle(moves, number)
    for a in range(number):
        moves.multiplier[slot, a] = max(moves.inner[a], 0.0)


@kernel
def _blocking_row(moves, slot):
    """Active row whose multiplier reaches zero first; return (its position, the step).

    The position is -1, and the step infinite, if no multiplier falls.
    """
    blocking, step = -1, np.inf
    for a in range(moves.count[slot]):
        if moves.inner[a] > 0.0:
            longest = moves.multiplier[slot, a] / moves.inner[a]
            if longest < step:
                blocking, step = a, longest
    return blocking, step


@kernel
def _drop(moves, slot, position):
    """Drop an active row."""
    moves.count[slot] -= 1
    for a in range(position, moves.count[slot]):
        moves.active[slot, a] = moves.active[slot, a + 1]
        moves.multiplier[slot, a] = moves.multiplier[slot, a + 1]


@kernel
def add_half_space(moves, slot, rows, sizes, gaps, new):
    """Move into a further half-space; return whether the cost has grown.

    Parameters
    ----------
    moves : Moves
        Modified in place: this slot and the work arrays.
    slot : int
    rows : ndarray, shape (n, h)
    sizes : ndarray, shape (n,)
        Squared lengths of the rows.
    gaps : ndarray, shape (n,)
    new : int
        The row to add, whose half-space is not reached.
    """
    before = moves.cost[slot]
    row = rows[new]
    for _ in range(row.shape[0] + 1):
        number = moves.count[slot]
        _factor(moves, slot, rows)
        length = _split(moves, row, number)
        rest = gaps[new]
        for f in range(row.shape[0]):
            rest -= row[f] * moves.shift[slot, f]
        full = np.inf
        if number < row.shape[0] and length > DEPENDENT * DEPENDENT * sizes[new]:
            full = max(rest, 0.0) / length
        _solve_triangle(moves, number)
        blocking, step = _blocking_row(moves, slot)
        if full <= step and full < np.inf:
            moves.active[slot, number] = new
            moves.count[slot] = number + 1
            _solve(moves, slot, rows, gaps)
            return moves.cost[slot] > before
        if blocking < 0:
            return False
        for a in range(number):
            moves.multiplier[slot, a] -= step * moves.inner[a]
        if full < np.inf:
            for f in range(row.shape[0]):
                moves.shift[slot, f] += step * moves.aside[f]
        _drop(moves, slot, blocking)
    return False
