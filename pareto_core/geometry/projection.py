"""Projection onto a polyhedron: a small quadratic program, solved exactly.

    minimise  sum_c h_c / 2 (x_c - s_c)^2   subject to  a_k . x <= b_k for all rows k.

In the coordinates y_c = sqrt(h_c) (x_c - s_c) it asks for the shortest y with
g_k . y <= r_k. The dual active-set method of Goldfarb & Idnani (1983) begins at y = 0 and
takes up one violated row after the other; the multipliers of the rows taken up stay
non-negative, so y = -sum_k u_k g_k is the shortest vector for the rows taken up, and the
answer once no row is violated. At most d rows are ever taken up at once, and their
directions are kept orthonormal by Gram and Schmidt, twice over.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import kernel

ROUNDING = 1e-13  # of a row's slack, relative to the numbers it is made of
DEPENDENT = 1e-14  # length of the part of a unit row outside the span of the others that is nought


LENGTH, ROOM, DOUBT = 0, 1, 2
MULTIPLIER, ALONG, SHARE, SHIFT, ACROSS = 0, 1, 2, 3, 4
BASIS, TRIANGLE = 0, 1
CONTRADICTION, PENDING = -1, -2


class ProjectionSpace(NamedTuple):
    """Arrays of one projection, allocated once for m rows and d objectives.

    Few arrays with several parts each: every array that a call hands over costs time.
    """

    rows: np.ndarray  # (m, d) g_k, of unit length
    limits: np.ndarray  # (3, m) LENGTH by which a row was divided, ROOM r_k, its rounding DOUBT
    taken: np.ndarray  # (d + 1,) rows taken up
    vectors: np.ndarray  # (5, d + 1) see below
    factors: np.ndarray  # (2, d + 1, d + 1) see below


# Of the rows taken up: their MULTIPLIERs, non-negative; an orthonormal BASIS of their span, row
# by row, and in columns their coordinates in it, a TRIANGLE. Of the row about to enter: its
# coordinates ALONG the basis, the SHARE of each row taken up in it, and its part ACROSS, outside
# the span. And y, the SHIFT.


@kernel
def projection_space(n_rows, n_objectives):
    """Allocate a `ProjectionSpace`."""
    n = n_objectives + 1
    return ProjectionSpace(
        np.empty((n_rows, n_objectives)),
        np.empty((3, n_rows)),
        np.empty(n, np.int64),
        np.empty((5, n)),
        np.empty((2, n, n)),
    )


@kernel
def set_metric(normals, metric, space):
    """Write the rows in the coordinates y."""
    for k in range(normals.shape[0]):
        squares = 0.0
        for c in range(normals.shape[1]):
            space.rows[k, c] = normals[k, c] / np.sqrt(metric[c])
            squares += space.rows[k, c] ** 2
        length = np.sqrt(squares)
        space.limits[LENGTH, k] = length
        for c in range(normals.shape[1]):
            space.rows[k, c] /= length


@kernel
def _measure_room(normals, offsets, start, limits):
    """Write the room that each row leaves at y = 0; return whether none is violated."""
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
def _most_violated(rows, limits, vectors, taken, size):
    """Row of the most negative slack, and that slack; (-1, 0) if none is violated.

    Those taken up are left out: they are violated by rounding only, and could enter for ever.
    """
    worst, least = np.int64(-1), 0.0
    for k in range(rows.shape[0]):
        slack, largest = limits[ROOM, k], abs(limits[ROOM, k])
        for c in range(rows.shape[1]):
            term = rows[k, c] * vectors[SHIFT, c]
            slack -= term
            largest = max(largest, abs(term))
        if slack < least and -slack > ROUNDING * largest:
            free = True
            for i in range(size):
                free = free and taken[i] != k
            if free:
                worst, least = k, slack
    return worst, least


@kernel
def _split(rows, k, size, vectors, factors):
    """Split row k into its part outside the span and its coordinates in the basis.

    Returns the squared length of the first.
    """
    d = rows.shape[1]
    for c in range(d):
        vectors[ACROSS, c] = rows[k, c]
    for i in range(size):
        vectors[ALONG, i] = 0.0
    for _ in range(2):  # the second time takes away what the first one's rounding left
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


@kernel
def _append(d, size, squares, vectors, factors):
    """Add the row split last to the basis."""
    length = np.sqrt(squares)
    for i in range(size):
        factors[TRIANGLE, i, size] = vectors[ALONG, i]
    factors[TRIANGLE, size, size] = length
    for c in range(d):
        factors[BASIS, size, c] = vectors[ACROSS, c] / length


@kernel
def _drop(rows, taken, vectors, factors, size, leaving):
    """Let go of a row taken up; the basis is built anew from the rows after it."""
    for i in range(leaving, size - 1):
        taken[i] = taken[i + 1]
        vectors[MULTIPLIER, i] = vectors[MULTIPLIER, i + 1]
    for i in range(leaving, size - 1):
        squares = _split(rows, taken[i], i, vectors, factors)
        _append(rows.shape[1], i, squares, vectors, factors)


@kernel
def _find_shares(size, vectors, factors):
    """Turn coordinates in the basis into coefficients on the rows taken up."""
    for i in range(size - 1, -1, -1):
        total = vectors[ALONG, i]
        for j in range(i + 1, size):
            total -= factors[TRIANGLE, i, j] * vectors[SHARE, j]
        vectors[SHARE, i] = total / factors[TRIANGLE, i, i]


@kernel
def _blocking(size, vectors):
    """Row whose multiplier is the first to vanish, and the step that takes; (-1, inf) if none."""
    leaving, step = np.int64(-1), np.inf
    for i in range(size):
        multiplier, share = vectors[MULTIPLIER, i], vectors[SHARE, i]
        if share > 0.0 and multiplier / share < step:
            leaving, step = i, multiplier / share
    return leaving, step


@kernel
def _rounding_of_slack(limits, taken, vectors, d, size, entering):
    """What rounding makes of the slack of a row that depends on those taken up."""
    squares, total, doubt = 0.0, 1.0, limits[DOUBT, entering]
    for c in range(d):
        squares += vectors[SHIFT, c] ** 2
    for i in range(size):
        share = abs(vectors[SHARE, i])
        total += share
        doubt += share * limits[DOUBT, taken[i]]
    return doubt + ROUNDING * np.sqrt(squares) * total


@kernel
def _walk(step, full, d, size, vectors):
    """Make a step in the dual, and in y unless the row that enters depends on the others."""
    for i in range(size):
        lowered = vectors[MULTIPLIER, i] - step * vectors[SHARE, i]
        vectors[MULTIPLIER, i] = max(lowered, 0.0)
    if full < np.inf:
        for c in range(d):
            vectors[SHIFT, c] -= step * vectors[ACROSS, c]


@kernel
def _take_up(rows, limits, taken, vectors, factors, size, entering, slack):
    """Satisfy the row ``entering``, letting go of others on the way; return how many are taken.

    Returns ``CONTRADICTION`` if the rows contradict each other.
    """
    d = rows.shape[1]
    gained = 0.0
    result = PENDING
    while result == PENDING:
        squares = _split(rows, entering, size, vectors, factors)
        full = np.inf
        if squares > DEPENDENT**2 and size < d:
            full = -slack / squares
        _find_shares(size, vectors, factors)
        leaving, step = _blocking(size, vectors)
        if leaving < 0 and full == np.inf:
            result = CONTRADICTION
            if -slack <= _rounding_of_slack(limits, taken, vectors, d, size, entering):
                limits[ROOM, entering] -= slack  # so it is satisfied
                result = size
            continue
        last = full <= step
        step = min(step, full)
        gained += step
        _walk(step, full, d, size, vectors)
        if last:
            _append(d, size, squares, vectors, factors)
            taken[size] = entering
            vectors[MULTIPLIER, size] = gained
            result = size + 1
        else:
            slack += step * squares if full < np.inf else 0.0
            _drop(rows, taken, vectors, factors, size, leaving)
            size -= 1
    return result


@kernel
def _settle(d, size, taken, limits, vectors, factors):
    """Recompute y from the rows taken up: the shortest vector on all their borders."""
    for c in range(d):
        vectors[SHIFT, c] = 0.0
    for i in range(size):
        total = limits[ROOM, taken[i]]
        for j in range(i):
            total -= factors[TRIANGLE, j, i] * vectors[ALONG, j]
        vectors[ALONG, i] = total / factors[TRIANGLE, i, i]
        for c in range(d):
            vectors[SHIFT, c] += vectors[ALONG, i] * factors[BASIS, i, c]


@kernel
def _project(normals, offsets, metric, start, point, rows, limits, taken, vectors, factors):
    d = start.shape[0]
    for c in range(d):
        vectors[SHIFT, c] = 0.0
    size, entering, slack = np.int64(0), np.int64(-1), 0.0
    if not _measure_room(normals, offsets, start, limits):
        entering, slack = _most_violated(rows, limits, vectors, taken, size)
    left = 100 * (normals.shape[0] + d)
    while entering >= 0 and left > 0:
        left -= 1
        size = _take_up(rows, limits, taken, vectors, factors, size, entering, slack)
        entering = np.int64(-1)
        if size >= 0:
            _settle(d, size, taken, limits, vectors, factors)
            entering, slack = _most_violated(rows, limits, vectors, taken, size)
    squares = 0.0
    for c in range(d):
        squares += vectors[SHIFT, c] ** 2
        point[c] = start[c] + vectors[SHIFT, c] / np.sqrt(metric[c])
    return 0.5 * squares if size >= 0 else np.inf


@kernel
def project_again(normals, offsets, metric, start, point, space):
    """As `project`, where `set_metric` has been called for these normals and this metric."""
    return _project(
        normals,
        offsets,
        metric,
        start,
        point,
        space.rows,
        space.limits,
        space.taken,
        space.vectors,
        space.factors,
    )


@kernel
def project(normals, offsets, metric, start, point, space):
    """Write the projection of ``start`` to ``point``; return half its squared distance.

    Distances are those of the diagonal ``metric``, of shape (d,) and positive. The rows are
    ``normals`` of shape (m, d) and ``offsets`` of shape (m,), of any positive length. Returns
    infinity if no point satisfies all of them.
    """
    set_metric(normals, metric, space)
    return project_again(normals, offsets, metric, start, point, space)
