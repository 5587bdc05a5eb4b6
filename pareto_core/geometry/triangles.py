"""Triangular factors L of positive definite matrices L L', and the systems that they solve.

A factor is the lower triangle of a square array, whose other entries are not read. That of an
information matrix V, the sum of w_k x_k x_k', is computed by Givens rotations: rows of very
different weight keep their relative accuracy, which V itself loses.
"""

import numpy as np

from pareto_core.compiling.kernels import kernel, part

EPSILON = 2.0**-52


@kernel
def factorise(matrix, added, factor):
    """Write the Cholesky factor of matrix + diag(added); tiny pivots are replaced."""
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


@kernel
def factorise_information(features, weights, factor, row):
    """Write the factor of V; return the least diagonal entry in its row's length, 0 if singular."""
    n_features = features.shape[1]
    factor[:, :] = 0.0
    for k in range(features.shape[0]):
        if weights[k] <= 0.0:
            continue
        root = np.sqrt(weights[k])
        for f in range(n_features):
            row[f] = root * features[k, f]
        for f in range(n_features):
            if row[f] != 0.0:
                _rotate(factor, row, f)
    smallest = np.inf
    for f in range(n_features):
        length = 0.0
        for g in range(f + 1):
            length += factor[f, g] ** 2
        share = abs(factor[f, f]) / np.sqrt(length) if length > 0.0 else 0.0
        smallest = min(smallest, share)
    return smallest


@kernel
def _rotate(factor, row, f):
    """Rotate column ``f`` of a factor and a further one so that entry ``f`` of that becomes 0."""
    length = np.hypot(factor[f, f], row[f])
    cosine, sine = factor[f, f] / length, row[f] / length
    for g in range(f, row.shape[0]):
        above, below = factor[g, f], row[g]
        factor[g, f] = cosine * above + sine * below
        row[g] = cosine * below - sine * above
    factor[f, f] = length


@kernel
def whiten(features, factor, whitened):
    """Write L^-1 x for each row x of the features, whose squared length is that of x in V^-1."""
    for k in range(features.shape[0]):
        for f in range(features.shape[1]):
            whitened[k, f] = features[k, f]
        solve_lower(factor, whitened[k])
