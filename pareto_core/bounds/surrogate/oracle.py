"""Oracle weights as the baseline of Chen et al. (2024) approximates them."""

from typing import NamedTuple

import numpy as np

from pareto_core.bounds.surrogate.basis import CUT, ROW
from pareto_core.bounds.surrogate.solver import write_surrogate
from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel


class IterationMemory(NamedTuple):
    """Rows of the last optimum of every iteration.

    From one call to the next the means hardly change, while from one iteration to the next
    the weights do: so each iteration starts where the same one ended in the last call.
    """

    names: np.ndarray  # (iterations, N) ROW
    pieces: np.ndarray  # (iterations, N, K)


@kernel
def iteration_memory(iterations, n_arms, n_objectives):
    """Allocate an `IterationMemory` that remembers nothing."""
    n = min(n_arms, n_objectives) + 1
    return IterationMemory(
        np.zeros((iterations, n), ROW), np.zeros((iterations, n, n_arms), np.int64)
    )


@kernel
def _copy_rows(names, pieces, to_names, to_pieces):
    """Copy the names of rows, and the pieces of those that are cuts."""
    for k in range(names.shape[0]):
        to_names[k] = names[k]
        if names[k]["kind"] == CUT:
            copy_vector(to_pieces[k], pieces[k])


@kernel
def average_surrogates(means, weights, space, memory):
    """Replace ``weights`` by averages of surrogate proportions; return the largest gap.

    In each iteration the linear program is solved for these weights, with no floor, and they
    become the average of all its solutions so far (Algorithm 3). Where they start is not
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
