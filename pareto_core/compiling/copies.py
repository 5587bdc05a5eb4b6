"""Copies of arrays in kernels, entry by entry.

``target[:] = source`` does the same, but Numba compiles its error message too, which takes two
seconds each time.
"""

from pareto_core.compiling.kernels import part


@part
def copy_vector(target, source):
    """Write a vector into another."""
    for k in range(target.shape[0]):
        target[k] = source[k]


@part
def copy_matrix(target, source):
    """Write a matrix into another."""
    for k in range(target.shape[0]):
        for c in range(target.shape[1]):
            target[k, c] = source[k, c]
