"""Oracle weights as the baseline of Chen et al. (2024) approximates them."""

import numpy as np

from pareto_core._kernels import kernel
from pareto_core.surrogate.solver import write_surrogate


@kernel
def average_surrogates(means, iterations, weights, space):
    """Replace ``weights`` by averages of surrogate proportions; return the largest gap.

    In each step the linear program is solved for these weights, with no floor, and they
    become the average of all its solutions so far (Algorithm 3). Where they start is not
    part of the average.
    """
    proportions = np.empty(weights.shape[0])
    total = np.zeros(weights.shape[0])
    largest = 0.0
    for k in range(1, iterations + 1):
        gap = write_surrogate(means, weights, 0.0, space, proportions)
        largest = max(largest, gap)
        for i in range(weights.shape[0]):
            total[i] += proportions[i]
            weights[i] = total[i] / k
    return largest
