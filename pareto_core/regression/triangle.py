"""The triangle of a weighted least-squares problem, and coordinates that whiten its estimates."""

import numpy as np

from pareto_core.compiling.kernels import kernel


@kernel
def weighted_triangle(features, weights, triangle, row):
    """Write the upper triangle R with R'R = V, the sum of w_k x_k x_k', by Givens rotations.

    Rows of very different weight keep their relative accuracy, which the matrix V itself loses.
    Returns the smallest share of a diagonal entry in the length of its column: zero, up to
    rounding, if and only if V is singular.

    Parameters
    ----------
    features : ndarray, shape (K, h)
    weights : ndarray, shape (K,)
    triangle : ndarray, shape (h, h)
        Modified in place.
    row : ndarray, shape (h,)
        Work array. Modified in place.
    """
    n_features = features.shape[1]
    triangle[:, :] = 0.0
    for k in range(features.shape[0]):
        if weights[k] <= 0.0:
            continue
        root = np.sqrt(weights[k])
        for f in range(n_features):
            row[f] = root * features[k, f]
        for f in range(n_features):
            if row[f] != 0.0:
                _rotate(triangle[f], row, f)
    smallest = np.inf
    for f in range(n_features):
        length = 0.0
        for g in range(f + 1):
            length += triangle[g, f] ** 2
        share = abs(triangle[f, f]) / np.sqrt(length) if length > 0.0 else 0.0
        smallest = min(smallest, share)
    return smallest


@kernel
def _rotate(upper, row, f):
    """Rotate two rows so that entry ``f`` of the second becomes zero."""
    length = np.hypot(upper[f], row[f])
    cosine, sine = upper[f] / length, row[f] / length
    for g in range(f, row.shape[0]):
        above, below = upper[g], row[g]
        upper[g] = cosine * above + sine * below
        row[g] = cosine * below - sine * above
    upper[f] = length


@kernel
def whiten(features, triangle, whitened):
    """Write R'^-1 x for each row x of the features, whose squared length is that of x in V^-1.

    Parameters
    ----------
    features : ndarray, shape (K, h)
    triangle : ndarray, shape (h, h)
        Upper triangle R, not singular.
    whitened : ndarray, shape (K, h)
        Modified in place.
    """
    for k in range(features.shape[0]):
        for f in range(features.shape[1]):
            rest = features[k, f]
            for g in range(f):
                rest -= triangle[g, f] * whitened[k, g]
            whitened[k, f] = rest / triangle[f, f]
