"""The shortest vector in an intersection of half-spaces, and projections onto a polyhedron.

    minimise  |y|^2 / 2   subject to  g_k . y <= r_k for all rows k.

The dual active-set method of Goldfarb & Idnani (1983, doi:10.1007/BF02591962) starts at y = 0 and
activates one violated row after the other. The multipliers u of the active rows stay non-negative,
so that y = -sum_k u_k g_k is the shortest vector for the active rows, and the solution once no row
is violated. At most h rows are active at once, in h dimensions. An orthonormal basis of their span
is computed by Gram-Schmidt with reorthogonalisation. Each activation computes y and u afresh from
the basis, so that rounding errors don't accumulate.

The projection onto a polyhedron is such a problem in the coordinates that turn its metric into the
Euclidean one:

    minimise  (x - s)' M (x - s) / 2   subject to  a_k . x <= b_k for all rows k,

with y_c = sqrt(M_cc) (x_c - s_c) if the metric is diagonal, and with Cholesky's factor M = L L' and
y = L'(x - s) if it couples the coordinates. A metric is given by its diagonal or by its factor;
normals have any positive length. Half the squared distance is inf if no point satisfies all rows.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import kernel, part
from pareto_core.geometry.triangles import solve_lower, solve_upper

ROUNDING = 1e-13  # rounding error of a slack, relative to its terms
DEPENDENT = 1e-14  # part of a row outside the span of the others, in its length, that counts as 0

ROOM, DOUBT, SQUARES, LENGTH = 0, 1, 2, 3
MULTIPLIER, ALONG, SHARE, SHIFT, ACROSS = 0, 1, 2, 3, 4
BASIS, TRIANGLE = 0, 1
CONTRADICTION = -1


class HalfSpaces(NamedTuple):
    """Arrays of one problem of m rows in h dimensions, packed, as each array of a call costs."""

    rows: np.ndarray  # (m, h) g_k
    limits: np.ndarray  # (4, m) see below
    active: np.ndarray  # (h + 1,) active rows
    vectors: np.ndarray  # (5, h + 1) see below
    factors: np.ndarray  # (2, h + 1, h + 1) see below


# Of each row: ROOM r_k, its rounding error (DOUBT), the squared length of g_k (SQUARES), and the
# LENGTH by which a row of a polyhedron was divided to make it 1. For the active rows: their
# MULTIPLIERs, non-negative; an orthonormal BASIS of their span, row by row; and, in columns, their
# coordinates in this basis, a TRIANGLE. For the entering row: its coordinates ALONG the basis, its
# coefficient (SHARE) on each active row, and its part ACROSS, outside the span. And y, the SHIFT.


def allocate_half_spaces(n_rows, dimension):
    """Allocate `HalfSpaces`."""
    n = dimension + 1
    return HalfSpaces(
        np.empty((n_rows, dimension)),
        np.empty((4, n_rows)),
        np.empty(n, np.int64),
        np.empty((5, n)),
        np.empty((2, n, n)),
    )


@part
def is_active(active, size, row):
    """Whether a row is active, so that rounding alone can violate it."""
    found = False
    for i in range(size):
        found = found or active[i] == row
    return found


@kernel
def _most_violated(rows, limits, active, vectors, size):
    """Row with the most negative slack, or -1 if no row but active ones is violated."""
    worst, least = np.int64(-1), 0.0
    for k in range(rows.shape[0]):
        slack, largest = limits[ROOM, k], abs(limits[ROOM, k])
        for c in range(rows.shape[1]):
            term = rows[k, c] * vectors[SHIFT, c]
            slack -= term
            largest = max(largest, abs(term))
        if slack < least and -slack > ROUNDING * largest and not is_active(active, size, k):
            worst, least = k, slack
    return worst


@part
def _split(rows, k, size, vectors, factors):
    """Split a row into coordinates in the basis and a part across; return its squared length."""
    d = rows.shape[1]
    for c in range(d):
        vectors[ACROSS, c] = rows[k, c]
    for i in range(size):
        vectors[ALONG, i] = 0.0
    for _ in range(2):  # the second pass removes the rounding errors of the first
        for i in range(size):
            along = 0.0
            for c in range(d):
                along += factors[BASIS, i, c] * vectors[ACROSS, c]
            vectors[ALONG, i] += along
            for c in range(d):
                vectors[ACROSS, c] -= along * factors[BASIS, i, c]
    squares = 0.0
    for c in range(d):
        squares += vectors[ACROSS, c] ** 2
    return squares


@part
def _append(d, size, squares, vectors, factors):
    """Add the row split last to the basis."""
    length = np.sqrt(squares)
    for i in range(size):
        factors[TRIANGLE, i, size] = vectors[ALONG, i]
    factors[TRIANGLE, size, size] = length
    for c in range(d):
        factors[BASIS, size, c] = vectors[ACROSS, c] / length


@kernel
def write_basis(rows, active, vectors, factors, first, size):
    """Write the basis and the triangle from the active row ``first`` on."""
    for i in range(first, size):
        squares = _split(rows, active[i], i, vectors, factors)
        _append(rows.shape[1], i, squares, vectors, factors)


@part
def _find_shares(size, vectors, factors):
    """Turn coordinates ALONG the basis into coefficients on the active rows."""
    for i in range(size - 1, -1, -1):
        total = vectors[ALONG, i]
        for j in range(i + 1, size):
            total -= factors[TRIANGLE, i, j] * vectors[SHARE, j]
        vectors[SHARE, i] = total / factors[TRIANGLE, i, i]


@part
def _blocking(size, vectors):
    """Active row whose multiplier vanishes first, and the step until then; (-1, inf) without."""
    leaving, step = np.int64(-1), np.inf
    for i in range(size):
        multiplier, share = vectors[MULTIPLIER, i], vectors[SHARE, i]
        if share > 0.0 and multiplier / share < step:
            leaving, step = i, multiplier / share
    return leaving, step


@kernel
def _drop(rows, active, vectors, factors, size, leaving):
    """Deactivate the row at position ``leaving``."""
    for i in range(leaving, size - 1):
        active[i] = active[i + 1]
        vectors[MULTIPLIER, i] = vectors[MULTIPLIER, i + 1]
    write_basis(rows, active, vectors, factors, leaving, size - 1)


@part
def _rounding_of_slack(limits, active, vectors, d, size, entering):
    """Rounding error of the slack of a row that depends on the active rows."""
    squares, total, doubt = 0.0, 1.0, limits[DOUBT, entering]
    for c in range(d):
        squares += vectors[SHIFT, c] ** 2
    for i in range(size):
        share = abs(vectors[SHARE, i])
        total += share
        doubt += share * limits[DOUBT, active[i]]
    return doubt + ROUNDING * np.sqrt(squares) * total


@part
def _settle(limits, active, vectors, factors, d, size):
    """Write the shortest vector on the planes of all active rows, and its multipliers."""
    for c in range(d):
        vectors[SHIFT, c] = 0.0
    for i in range(size):
        total = limits[ROOM, active[i]]
        for j in range(i):
            total -= factors[TRIANGLE, j, i] * vectors[ALONG, j]
        vectors[ALONG, i] = total / factors[TRIANGLE, i, i]
        for c in range(d):
            vectors[SHIFT, c] += vectors[ALONG, i] * factors[BASIS, i, c]
    _find_shares(size, vectors, factors)
    for i in range(size):
        vectors[MULTIPLIER, i] = max(-vectors[SHARE, i], 0.0)


@kernel
def activate(rows, limits, active, vectors, factors, size, entering):
    """Activate a violated row; write y; return the number of active rows, or a contradiction."""
    d = rows.shape[1]
    while True:
        squares = _split(rows, entering, size, vectors, factors)
        slack = limits[ROOM, entering]
        for c in range(d):
            slack -= rows[entering, c] * vectors[SHIFT, c]
        full = np.inf
        if squares > DEPENDENT**2 * limits[SQUARES, entering] and size < d:
            full = max(-slack, 0.0) / squares
        _find_shares(size, vectors, factors)
        leaving, step = _blocking(size, vectors)
        if full <= step and full < np.inf:
            _append(d, size, squares, vectors, factors)
            active[size] = entering
            size += 1
            break
        if leaving < 0:
            if -slack > _rounding_of_slack(limits, active, vectors, d, size, entering):
                return CONTRADICTION
            limits[ROOM, entering] -= slack  # so it is satisfied
            break
        for i in range(size):
            lowered = vectors[MULTIPLIER, i] - step * vectors[SHARE, i]
            vectors[MULTIPLIER, i] = max(lowered, 0.0)
        if full < np.inf:
            for c in range(d):
                vectors[SHIFT, c] -= step * vectors[ACROSS, c]
        _drop(rows, active, vectors, factors, size, leaving)
        size -= 1
    _settle(limits, active, vectors, factors, d, size)
    return size


@part
def shortest_shift(rows, limits, active, vectors, factors):
    """Write y as the SHIFT; return the number of active rows, or ``CONTRADICTION``."""
    for c in range(rows.shape[1]):
        vectors[SHIFT, c] = 0.0
    size = np.int64(0)
    entering = _most_violated(rows, limits, active, vectors, size)
    steps_left = 100 * (rows.shape[0] + rows.shape[1])
    while entering >= 0 and steps_left > 0:
        steps_left -= 1
        size = activate(rows, limits, active, vectors, factors, size, entering)
        entering = np.int64(-1)
        if size >= 0:
            entering = _most_violated(rows, limits, active, vectors, size)
    return size


@kernel
def set_metric(normals, metric, space):
    """Write the rows of a polyhedron in the coordinates y, of unit length."""
    for k in range(normals.shape[0]):
        for c in range(normals.shape[1]):
            space.rows[k, c] = normals[k, c]
            if metric.ndim == 1:
                space.rows[k, c] /= np.sqrt(metric[c])
        if metric.ndim == 2:
            solve_lower(metric, space.rows[k])
        squares = 0.0
        for c in range(normals.shape[1]):
            squares += space.rows[k, c] ** 2
        length = np.sqrt(squares)
        for c in range(normals.shape[1]):
            space.rows[k, c] /= length
        space.limits[SQUARES, k] = 1.0
        space.limits[LENGTH, k] = length


@kernel
def _measure_room(normals, offsets, start, limits):
    """Write the slack of each row at y = 0; return whether all rows hold."""
    inside = True
    for k in range(normals.shape[0]):
        room, size = offsets[k], abs(offsets[k])
        for c in range(normals.shape[1]):
            term = normals[k, c] * start[c]
            room -= term
            size = max(size, abs(term))
        if abs(room) <= ROUNDING * size:
            room = 0.0
        limits[ROOM, k] = room / limits[LENGTH, k]
        limits[DOUBT, k] = ROUNDING * size / limits[LENGTH, k]
        inside = inside and room >= 0.0
    return inside


@kernel
def project_again(normals, offsets, metric, start, point, space):
    """As `project`, if `set_metric` has been called for these normals and this metric."""
    limits, vectors, size, squares = space.limits, space.vectors, np.int64(0), 0.0
    if _measure_room(normals, offsets, start, limits):
        vectors[SHIFT, :] = 0.0
    else:
        size = shortest_shift(space.rows, limits, space.active, vectors, space.factors)
    for c in range(start.shape[0]):
        squares += vectors[SHIFT, c] ** 2
    if metric.ndim == 1:
        for c in range(start.shape[0]):
            point[c] = start[c] + vectors[SHIFT, c] / np.sqrt(metric[c])
    else:
        for c in range(start.shape[0]):
            point[c] = vectors[SHIFT, c]
        solve_upper(metric, point)
        for c in range(start.shape[0]):
            point[c] += start[c]
    return 0.5 * squares if size >= 0 else np.inf


@kernel
def project(normals, offsets, metric, start, point, space):
    """Write the projection of ``start`` to ``point``; return half its squared distance, or inf."""
    set_metric(normals, metric, space)
    return project_again(normals, offsets, metric, start, point, space)
