"""Projection onto a polyhedron in a metric that couples the coordinates.

    minimise  (x - s)' M (x - s) / 2   subject to  a_k . x <= b_k for all rows k.

With Cholesky's factor M = L L' and y = L'(x - s), this is the shortest y with
(L^-1 a_k) . y <= b_k - a_k . s, the problem that `projection` solves.
"""

import numpy as np

from pareto_core.compiling.kernels import kernel, part
from pareto_core.geometry.projection import LENGTH, SHIFT, shortest_shift

EPSILON = 2.0**-52


@kernel
def factorise(matrix, added, factor):
    """Write the Cholesky factor of matrix + diag(added), which is positive definite.

    Parameters
    ----------
    matrix : ndarray, shape (d, d)
    added : ndarray, shape (d,)
    factor : ndarray, shape (d, d)
        Modified in place: its lower triangle.
    """
    for b in range(added.shape[0]):
        pivot = matrix[b, b] + added[b]
        for c in range(b):
            entry = matrix[b, c]
            for a in range(c):
                entry -= factor[b, a] * factor[c, a]
            factor[b, c] = entry / factor[c, c]
            pivot -= factor[b, c] * factor[b, c]
        factor[b, b] = np.sqrt(max(pivot, EPSILON * matrix[b, b]))


@part
def solve_lower(factor, vector):
    """Solve L x = vector in place."""
    for b in range(vector.shape[0]):
        for c in range(b):
            vector[b] -= factor[b, c] * vector[c]
        vector[b] /= factor[b, b]


@part
def solve_upper(factor, vector):
    """Solve L'x = vector in place."""
    for b in range(vector.shape[0] - 1, -1, -1):
        for c in range(b + 1, vector.shape[0]):
            vector[b] -= factor[c, b] * vector[c]
        vector[b] /= factor[b, b]


@part
def _write_rows(normals, factor, rows, limits):
    """Write the rows in the coordinates y, of unit length."""
    for k in range(normals.shape[0]):
        row = rows[k]
        for c in range(normals.shape[1]):
            row[c] = normals[k, c]
        solve_lower(factor, row)
        squares = 0.0
        for c in range(normals.shape[1]):
            squares += row[c] * row[c]
        length = np.sqrt(squares)
        limits[LENGTH, k] = length
        for c in range(normals.shape[1]):
            row[c] /= length


@kernel
def _project(normals, offsets, factor, start, point, rows, limits, active, vectors, factors):
    """As `project_in_metric`, with the arrays of the `ProjectionSpace` one by one."""
    _write_rows(normals, factor, rows, limits)
    half_squares = shortest_shift(normals, offsets, start, rows, limits, active, vectors, factors)
    for c in range(start.shape[0]):
        point[c] = vectors[SHIFT, c]
    solve_upper(factor, point)
    for c in range(start.shape[0]):
        point[c] += start[c]
    return half_squares


@kernel
def project_in_metric(normals, offsets, factor, start, point, space):
    """Write the projection of ``start`` to ``point``; return half the squared distance.

    Parameters
    ----------
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The rows, with normals of any positive length.
    factor : ndarray, shape (d, d)
        Cholesky factor of the metric, see `factorise`.
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
    return _project(
        normals,
        offsets,
        factor,
        start,
        point,
        space.rows,
        space.limits,
        space.active,
        space.vectors,
        space.factors,
    )
