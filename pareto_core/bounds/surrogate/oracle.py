"""Approximate oracle weights of the baseline of Chen et al. (2024)."""

from typing import NamedTuple

import numpy as np

from pareto_core.bounds.surrogate.basis import ROW
from pareto_core.bounds.surrogate.program import write_means
from pareto_core.bounds.surrogate.solver import copy_rows, solve_from
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
def average_surrogates(means, weights, space, memory):
    """Replace ``weights`` by averages of surrogate proportions; return the largest gap.

    Each iteration solves the linear program for the current weights, without a floor, and sets the
    weights to the average of all solutions so far (Algorithm 3). The initial weights are not
    part of the average.
    """
    names, pieces = memory.names, memory.pieces
    proportions = np.empty(weights.shape[0])
    total = np.zeros(weights.shape[0])
    largest = 0.0
    write_means(means, space.program)
    for k in range(names.shape[0]):
        gap = solve_from(names[k], pieces[k], weights, 0.0, space, proportions)
        copy_rows(space.basis.names, space.basis.pieces, names[k], pieces[k])
        largest = max(largest, gap)
        for i in range(weights.shape[0]):
            total[i] += proportions[i]
            weights[i] = total[i] / (k + 1)
    return largest
