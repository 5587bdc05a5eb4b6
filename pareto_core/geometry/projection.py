"""Projection onto a polyhedron: a small quadratic program, solved exactly.

    minimise  sum_c h_c / 2 (x_c - s_c)^2   subject to  a_k . x <= b_k for all rows k.

In the coordinates y_c = sqrt(h_c) (x_c - s_c) this is the shortest y with
g_k . y <= r_k. The dual active-set method of Goldfarb & Idnani (1983, doi:10.1007/BF02591962)
starts at y = 0 and activates one violated row after the other. The multipliers of the active rows
stay non-negative, so that y = -sum_k u_k g_k is the shortest vector for the active rows, and the
solution once no row is violated. At most d rows are active at once. An orthonormal basis of their
span is computed by Gram-Schmidt with reorthogonalisation.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import kernel, part

ROUNDING = 1e-13  # rounding error of a slack, relative to its terms
DEPENDENT = 1e-14  # part of a unit row outside the span of the others that counts as zero


LENGTH, ROOM, DOUBT = 0, 1, 2
MULTIPLIER, ALONG, SHARE, SHIFT, ACROSS = 0, 1, 2, 3, 4
BASIS, TRIANGLE = 0, 1
CONTRADICTION, PENDING = -1, -2


class ProjectionSpace(NamedTuple):
    """Arrays of one projection, allocated once for m rows and d objectives.

    The arrays are packed, because each array in the arguments of a call costs time.
    """

    rows: np.ndarray  # (m, d) g_k, of unit length
    limits: np.ndarray  # (3, m) LENGTH by which a row was divided, ROOM r_k, rounding error DOUBT
    active: np.ndarray  # (d + 1,) active rows
    vectors: np.ndarray  # (5, d + 1) see below
    factors: np.ndarray  # (2, d + 1, d + 1) see below


# For the active rows: their MULTIPLIERs, non-negative; an orthonormal BASIS of their span, row
# by row; and, in columns, their coordinates in this basis, a TRIANGLE. For the entering row: its
# coordinates ALONG the basis, its coefficient (SHARE) on each active row, and its part ACROSS,
# outside the span. And y, the SHIFT.


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
def _most_violated(rows, limits, vectors, active, size):
    """Row with the most negative slack, and that slack; (-1, 0) if no row is violated.

    Active rows are skipped: they are violated by rounding only, and could enter forever.
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
                free = free and active[i] != k
            if free:
                worst, least = k, slack
    return worst, least


@kernel
def _split(rows, k, size, vectors, factors):
    """Split row k into its part outside the span and its coordinates in the basis.

    Returns the squared length of the part outside the span.
    """
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
def _drop(rows, active, vectors, factors, size, leaving):
    """Deactivate a row; the basis is recomputed from the rows after it.

    Parameters
    ----------
    rows : ndarray, shape (m, d)
    active : ndarray of int, shape (d + 1,)
        Modified in place.
    vectors : ndarray, shape (5, d + 1)
        Modified in place.
    factors : ndarray, shape (2, d + 1, d + 1)
        Modified in place.
    size : int
        Number of active rows.
    leaving : int
        Index of the row among them.
    """
    for i in range(leaving, size - 1):
        active[i] = active[i + 1]
        vectors[MULTIPLIER, i] = vectors[MULTIPLIER, i + 1]
    for i in range(leaving, size - 1):
        squares = _split(rows, active[i], i, vectors, factors)
        _append(rows.shape[1], i, squares, vectors, factors)


@kernel
def _find_shares(size, vectors, factors):
    """Turn coordinates in the basis into coefficients on the active rows."""
    for i in range(size - 1, -1, -1):
        total = vectors[ALONG, i]
        for j in range(i + 1, size):
            total -= factors[TRIANGLE, i, j] * vectors[SHARE, j]
        vectors[SHARE, i] = total / factors[TRIANGLE, i, i]


@kernel
def _blocking(size, vectors):
    """Row whose multiplier vanishes first, and the step until then; (-1, inf) if no row does."""
    leaving, step = np.int64(-1), np.inf
    for i in range(size):
        multiplier, share = vectors[MULTIPLIER, i], vectors[SHARE, i]
        if share > 0.0 and multiplier / share < step:
            leaving, step = i, multiplier / share
    return leaving, step


@kernel
def _rounding_of_slack(limits, active, vectors, d, size, entering):
    """Rounding error of the slack of a row that depends on the active rows.

    Parameters
    ----------
    limits : ndarray, shape (3, m)
    active : ndarray of int, shape (d + 1,)
    vectors : ndarray, shape (5, d + 1)
    d, size, entering : int
        Numbers of objectives and of active rows, and the row.
    """
    squares, total, doubt = 0.0, 1.0, limits[DOUBT, entering]
    for c in range(d):
        squares += vectors[SHIFT, c] ** 2
    for i in range(size):
        share = abs(vectors[SHARE, i])
        total += share
        doubt += share * limits[DOUBT, active[i]]
    return doubt + ROUNDING * np.sqrt(squares) * total


@kernel
def _step(step, full, d, size, vectors):
    """Step in the dual, and in y unless the entering row depends on the active rows."""
    for i in range(size):
        lowered = vectors[MULTIPLIER, i] - step * vectors[SHARE, i]
        vectors[MULTIPLIER, i] = max(lowered, 0.0)
    if full < np.inf:
        for c in range(d):
            vectors[SHIFT, c] -= step * vectors[ACROSS, c]


@kernel
def _activate(rows, limits, active, vectors, factors, size, entering, slack):
    """Activate the row ``entering``, deactivating others as needed.

    Parameters
    ----------
    rows : ndarray, shape (m, d)
    limits : ndarray, shape (3, m)
        Modified in place.
    active : ndarray of int, shape (d + 1,)
        Modified in place.
    vectors : ndarray, shape (5, d + 1)
        Modified in place.
    factors : ndarray, shape (2, d + 1, d + 1)
        Modified in place.
    size, entering : int
        Number of active rows, and the row to activate.
    slack : float
        Slack of that row, negative.

    Returns
    -------
    int
        Number of active rows; ``CONTRADICTION`` if no point satisfies all rows.
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
            if -slack <= _rounding_of_slack(limits, active, vectors, d, size, entering):
                limits[ROOM, entering] -= slack  # so it is satisfied
                result = size
            continue
        last = full <= step
        step = min(step, full)
        gained += step
        _step(step, full, d, size, vectors)
        if last:
            _append(d, size, squares, vectors, factors)
            active[size] = entering
            vectors[MULTIPLIER, size] = gained
            result = size + 1
        else:
            slack += step * squares if full < np.inf else 0.0
            _drop(rows, active, vectors, factors, size, leaving)
            size -= 1
    return result


@kernel
def _settle(d, size, active, limits, vectors, factors):
    """Recompute y from the active rows: the shortest vector on all their hyperplanes.

    Parameters
    ----------
    d, size : int
        Numbers of objectives and of active rows.
    active : ndarray of int, shape (d + 1,)
    limits : ndarray, shape (3, m)
    vectors : ndarray, shape (5, d + 1)
        Modified in place.
    factors : ndarray, shape (2, d + 1, d + 1)
    """
    for c in range(d):
        vectors[SHIFT, c] = 0.0
    for i in range(size):
        total = limits[ROOM, active[i]]
        for j in range(i):
            total -= factors[TRIANGLE, j, i] * vectors[ALONG, j]
        vectors[ALONG, i] = total / factors[TRIANGLE, i, i]
        for c in range(d):
            vectors[SHIFT, c] += vectors[ALONG, i] * factors[BASIS, i, c]


@part
def shortest_shift(normals, offsets, start, rows, limits, active, vectors, factors):
    """Write y as the SHIFT, for known rows, and return half its squared length.

    The arrays from `rows` on are those of a `ProjectionSpace`; all but `rows` are modified in
    place. The result is infinity if no point satisfies all rows.
    """
    d = start.shape[0]
    for c in range(d):
        vectors[SHIFT, c] = 0.0
    size, entering, slack = np.int64(0), np.int64(-1), 0.0
    if not _measure_room(normals, offsets, start, limits):
        entering, slack = _most_violated(rows, limits, vectors, active, size)
    steps_left = 100 * (normals.shape[0] + d)
    while entering >= 0 and steps_left > 0:
        steps_left -= 1
        size = _activate(rows, limits, active, vectors, factors, size, entering, slack)
        entering = np.int64(-1)
        if size >= 0:
            _settle(d, size, active, limits, vectors, factors)
            entering, slack = _most_violated(rows, limits, vectors, active, size)
    squares = 0.0
    for c in range(d):
        squares += vectors[SHIFT, c] ** 2
    return 0.5 * squares if size >= 0 else np.inf


@kernel
def _project(normals, offsets, metric, start, point, rows, limits, active, vectors, factors):
    """As `project_again`, with the arrays of the `ProjectionSpace` one by one."""
    half_squares = shortest_shift(normals, offsets, start, rows, limits, active, vectors, factors)
    for c in range(start.shape[0]):
        point[c] = start[c] + vectors[SHIFT, c] / np.sqrt(metric[c])
    return half_squares


@kernel
def project_again(normals, offsets, metric, start, point, space):
    """As `project`, if `set_metric` has been called for these normals and this metric.

    Parameters
    ----------
    normals, offsets : ndarray, shapes (m, d) and (m,)
    metric, start : ndarray, shape (d,)
    point : ndarray, shape (d,)
        Modified in place.
    space : ProjectionSpace
        Modified in place.
    """
    return _project(
        normals,
        offsets,
        metric,
        start,
        point,
        space.rows,
        space.limits,
        space.active,
        space.vectors,
        space.factors,
    )


@kernel
def project(normals, offsets, metric, start, point, space):
    """Write the projection of ``start`` to ``point``; return half the squared distance.

    Parameters
    ----------
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The rows, with normals of any positive length.
    metric : ndarray, shape (d,)
        Diagonal of the metric, positive.
    start : ndarray, shape (d,)
    point : ndarray, shape (d,)
        Modified in place.
    space : ProjectionSpace
        Modified in place.

    Returns
    -------
    float
        Infinity if no point satisfies all rows.
    """
    set_metric(normals, metric, space)
    return project_again(normals, offsets, metric, start, point, space)
