"""Approximate oracle weights of the baseline of Chen et al. (2024)."""

from typing import NamedTuple

import numpy as np

from pareto_core.bounds.surrogate.basis import CUT, ROW
from pareto_core.bounds.surrogate.solver import write_surrogate
from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel


class IterationMemory(NamedTuple):
    """Rows of the last optimum of every iteration.

    The means barely change from one call to the next, whereas the weights change from one
    iteration to the next. So each iteration starts from its own optimum in the last call.
    """

    names: np.ndarray  # (iterations, N) ROW
    pieces: np.ndarray  # (iterations, N, K)


@kernel
def iteration_memory(iterations, n_arms, n_objectives):
    """Allocate an empty `IterationMemory`."""
    n = min(n_arms, n_objectives) + 1
    return IterationMemory(
        np.zeros((iterations, n), ROW), np.zeros((iterations, n, n_arms), np.int64)
    )


@kernel
def _copy_rows(names, pieces, to_names, to_pieces):
    """Copy the names of rows, and the pieces of the rows that are cuts."""
    for k in range(names.shape[0]):
        to_names[k] = names[k]
        if names[k]["kind"] == CUT:
            copy_vector(to_pieces[k], pieces[k])


@kernel
def average_surrogates(means, weights, space, memory):
    """Replace ``weights`` by averages of surrogate proportions; return the largest gap.

    Each iteration solves the linear program for the current weights, without a floor, and sets the
    weights to the average of all solutions so far (Algorithm 3). The initial weights are not
    part of the average.
    """
    names, pieces = memory
    n = names.shape[1]
    proportions = np.empty(weights.shape[0])
    total = np.zeros(weights.shape[0])
    largest = 0.0
    for k in range(names.shape[0]):
        _copy_rows(names[k], pieces[k], space.basis.names[:n], space.basis.pieces[:n])
        gap = write_surrogate(means, weights, 0.0, space, proportions)
        _copy_rows(space.basis.names[:n], space.basis.pieces[:n], names[k], pieces[k])
        largest = max(largest, gap)
        for i in range(weights.shape[0]):
            total[i] += proportions[i]
            weights[i] = total[i] / (k + 1)
    return largest
