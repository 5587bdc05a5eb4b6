"""The evidence for the label of each arm, for an algorithm that answers with a partition.

Source: Kone et al. 2025 (constrained), Equations (5) and (6).
"""

import numpy as np

from pareto_core.algorithms.constrained.partition_evidence import (
    optimal_case,
    pair_width,
    rejected_case,
    weigh,
)
from pareto_core.compiling.kernels import kernel
from pareto_core.geometry.dominance import largest_lead

__all__ = ["write_cases"]


@kernel
def write_cases(parameters, evidence, record, case, rival, lead):
    """Write the evidence for the label of each arm, its closest rival in O, and the rival's lead.

    ``case`` is positive if the label is certain, and ``lead`` if the rival certainly dominates the
    arm; ``rival`` is -1 without another arm in O.
    """
    weigh(parameters, evidence, record)
    union, means, arms = parameters.limits.union, record.means, evidence.arms
    for i in range(means.shape[0]):
        if arms.optimal[i]:
            case[i] = optimal_case(union, means, arms, i)
        else:
            case[i] = rejected_case(union, means, arms, i)
        rival[i], lead[i] = -1, -np.inf
        for f in range(arms.front_size[0]):
            j = arms.front[f]
            value = -largest_lead(means, i, j) - pair_width(union, arms, i, j)
            if j != i and value > lead[i]:
                rival[i], lead[i] = j, value
