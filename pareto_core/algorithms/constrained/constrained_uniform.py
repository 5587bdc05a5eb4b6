"""Uniform sampling until the constrained Pareto set is clear, with reasons."""

import dataclasses

import numpy as np

from pareto_core.algorithms.constrained.partition_evidence import (
    SAMPLED,
    SIZE,
    PartitionAlgorithm,
    PartitionState,
    locate,
    partition_state,
    weakest_case,
    weigh,
    write_partition,
)
from pareto_core.compiling.kernels import kernel
from pareto_core.instances.instance import Problem

__all__ = ["ConstrainedUniformSampling"]


@kernel
def _select(parameters, state):
    """Arms in turn."""
    arm = state.record.time[0] % state.record.counts.shape[0]
    state.evidence.now[SAMPLED] = arm
    return arm, 1


@kernel
def _stop(parameters, state):
    """Whether all cases are positive, at the end of a round."""
    evidence, record = state.evidence, state.record
    locate(parameters, evidence, record)
    if record.time[0] % record.counts.shape[0] != 0:
        return False
    weigh(parameters, evidence, record)
    _, case = weakest_case(
        parameters.limits.union,
        record.means,
        evidence.numbers,
        evidence.flags,
        evidence.front,
        evidence.now[SIZE],
    )
    return case > 0.0


@kernel
def _recommend(parameters, state, answer):
    write_partition(parameters, state.evidence, state.record, answer)


@dataclasses.dataclass(frozen=True)
class ConstrainedUniformSampling(PartitionAlgorithm):
    """Sample all arms equally often, and stop as `ECAPE` does.

    The baseline (U) of Kone et al. (2025, constrained, Section 5): stopping rule (7) is
    looked at once per round.

    Parameters
    ----------
    delta, radius_constant, bonus, variance_bound, norm_variance_bound
        See `ECAPE`.

    Raises
    ------
    ValueError
        See `ECAPE`.

    Examples
    --------
    >>> import pareto_core as pc
    >>> region = pc.orthant([-0.5, -0.5])
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], polyhedron=region)
    >>> pc.simulate(
    ...     pc.ConstrainedUniformSampling(delta=0.1), instance, runs=1, progress=False
    ... ).answers
    array([[2, 2, 0]])
    """

    select = staticmethod(_select)
    stop = staticmethod(_stop)
    recommend = staticmethod(_recommend)

    def start(self, problem: Problem, rng: np.random.Generator) -> PartitionState:
        """See `Algorithm.start`."""
        return partition_state(problem)
