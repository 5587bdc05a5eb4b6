"""The evidence behind each verdict of an algorithm that answers with a partition.

Source: Kone et al. 2025 (constrained), Equations (5) and (6).
"""

import numpy as np

from pareto_core.algorithms.constrained.partition_evidence import (
    OPTIMAL_NOW,
    SIZE,
    excess,
    optimal_case,
    pair_width,
    rejected_case,
    weigh,
)
from pareto_core.compiling.kernels import kernel

__all__ = ["write_cases"]


@kernel
def write_cases(parameters, evidence, record, case, rival, lead):
    """Compute the evidence for what each arm is called now.

    Parameters
    ----------
    parameters, evidence
        Of the algorithm, see `partition_evidence`; ``evidence`` is updated in place.
    record : Record
        With a sample of each arm at least.
    case : ndarray, shape (K,)
        Statistic of the verdict on each arm, positive if the verdict is certain. Modified in
        place.
    rival : ndarray of int, shape (K,)
        Empirically optimal arm that comes nearest to dominating each arm, or -1. Modified in
        place.
    lead : ndarray, shape (K,)
        By how much the rival certainly dominates the arm; negative if that is not certain.
        Modified in place.
    """
    weigh(parameters, evidence, record)
    union, means = parameters.limits.union, record.means
    numbers, flags, front, size = (
        evidence.numbers,
        evidence.flags,
        evidence.front,
        evidence.now[SIZE],
    )
    for i in range(means.shape[0]):
        if flags[OPTIMAL_NOW, i]:
            case[i] = optimal_case(union, means, numbers, front, size, i)
        else:
            case[i] = rejected_case(union, means, numbers, flags, front, size, i)
        rival[i], lead[i] = -1, -np.inf
        for f in range(size):
            j = front[f]
            value = -excess(means, i, j) - pair_width(union, numbers, i, j)
            if j != i and value > lead[i]:
                rival[i], lead[i] = j, value
