"""Uniform sampling until the label of every arm is certain (Kone et al. 2025, constrained)."""

import dataclasses

from pareto_core.algorithms.constrained.partition_evidence import (
    PartitionAlgorithm,
    locate,
    weakest_case,
    weigh,
)
from pareto_core.compiling.kernels import part

__all__ = ["ConstrainedUniformSampling"]


@part
def _select(parameters, state):
    """Arms in order, one round after the other."""
    arm = state.record.time[0] % state.record.counts.shape[0]
    state.evidence.sampled[0] = arm
    return arm, 1


@part
def _stop(parameters, state):
    """At the end of a round, whether all cases are positive."""
    evidence, record = state.evidence, state.record
    locate(parameters, evidence, record)
    if record.time[0] % record.counts.shape[0] != 0:
        return False
    weigh(parameters, evidence, record)
    _, case = weakest_case(parameters.limits.union, record.means, evidence.arms)
    return case > 0.0


@dataclasses.dataclass(frozen=True)
class ConstrainedUniformSampling(PartitionAlgorithm):
    """Sample all arms equally often, and stop by the rule of `ECAPE`.

    The baseline (U) of Kone et al. (2025, constrained, Section 5). Stopping rule (7) is tested
    once per round.

    Parameters
    ----------
    delta, radius_constant, bonus, variance_bound, norm_variance_bound
        See `ECAPE`.

    Raises
    ------
    ValueError
        See `ECAPE`.

    See Also
    --------
    pareto_core.algorithms.constrained.ecape.ECAPE : adaptive sampling with the same rule.

    References
    ----------
    Kone, Kaufmann & Richert 2025, Constrained Pareto set identification with bandit feedback,
    arXiv:2506.08127.

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
