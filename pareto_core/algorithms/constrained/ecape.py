"""e-cAPE: constrained Adaptive Pareto Exploration with explainability."""

import dataclasses
from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.constrained.case_bounds import Bounds, allocate_bounds, follow, is_lazy
from pareto_core.algorithms.constrained.lazy_evidence import name_pair_lazily
from pareto_core.algorithms.constrained.partition_evidence import (
    FEASIBLE,
    MARGIN,
    NOBODY,
    SAMPLED,
    SIZE,
    PartitionAlgorithm,
    PartitionEvidence,
    excess,
    locate,
    pair_width,
    partition_state,
    weakest_case,
    weigh,
    write_partition,
)
from pareto_core.compiling.kernels import kernel
from pareto_core.instances.instance import Problem
from pareto_core.loop.record import Record

__all__ = ["ECAPE"]


class ECAPEState(NamedTuple):
    """State of one run."""

    record: Record
    evidence: PartitionEvidence
    pair: np.ndarray  # (2,) arms to sample next, or NOBODY
    bounds: Bounds


@kernel
def _challenger(union, means, numbers, flags, leader):
    """Arm that may be feasible and is closest to dominating the leader; NOBODY if none is."""
    challenger, least = np.int64(NOBODY), np.inf
    for j in range(means.shape[0]):
        if j != leader and (flags[FEASIBLE, j] or numbers[MARGIN, j] <= 0.0):
            value = excess(means, leader, j) - pair_width(union, numbers, leader, j)
            if value < least:
                challenger, least = j, value
    return challenger


@kernel
def _select(parameters, state):
    """Each arm once; then leader and challenger in turn."""
    if state.record.time[0] < state.record.counts.shape[0]:
        arm = state.record.time[0]
    else:
        turn = 0 if state.pair[0] != NOBODY else 1
        arm = state.pair[turn]
        state.pair[turn] = NOBODY
    state.evidence.now[SAMPLED] = arm
    return arm, 1


@kernel
def _name_pair(union, means, numbers, flags, front, size, pair):
    """Whether both statistics are positive; else name the next pair."""
    leader, case = weakest_case(union, means, numbers, flags, front, size)
    if case > 0.0:
        return True
    pair[0] = leader
    pair[1] = _challenger(union, means, numbers, flags, leader)
    return False


@kernel
def _stop(parameters, state):
    """Locate the arm sampled last; at the end of a round, weigh the evidence."""
    locate(parameters, state.evidence, state.record)
    if is_lazy(state.bounds):
        follow(parameters, state.bounds, state.evidence, state.record)
    if state.record.time[0] < state.record.counts.shape[0] or state.pair[1] != NOBODY:
        return False
    if is_lazy(state.bounds):
        return name_pair_lazily(parameters, state.bounds, state.evidence, state.record, state.pair)
    weigh(parameters, state.evidence, state.record)
    return _name_pair(
        parameters.limits.union,
        state.record.means,
        state.evidence.numbers,
        state.evidence.flags,
        state.evidence.front,
        state.evidence.now[SIZE],
        state.pair,
    )


@kernel
def _recommend(parameters, state, answer):
    write_partition(parameters, state.evidence, state.record, answer)


@dataclasses.dataclass(frozen=True)
class ECAPE(PartitionAlgorithm):
    r"""Settle the weakest case first: the arm least surely what it is called now.

    With F the arms whose empirical mean is feasible, O their empirical Pareto set and
    :math:`\gamma_i=\hat\eta_i-U_i` the margin of an arm's distance to the boundary, an arm of O
    has the case :math:`\min\{\gamma_i,\min_{j\in O\setminus i}M^-(i,j)\}`, any other
    :math:`\max\{\gamma_i\ \text{if}\ i\notin F,\ \max_{j\in O}m^-(i,j)\}`. The *leader* is the arm
    outside O with the least case while that is not positive, after that the arm of O. The
    *challenger* is, of the arms that are not surely infeasible, the one that is closest to
    dominating the leader. Both are sampled, until all cases are positive (Kone et al. 2025,
    constrained, Algorithm 1).

    Parameters
    ----------
    delta : float, default 0.1
        Risk: the probability of a wrong answer that is allowed.
    radius_constant : float, default 8.0
        :math:`c_U` in the radius of an empirical mean, :math:`U_i^2=c_U\sigma_u^2f/T_i`. Our
        copy of the paper has lost the constant of its experiments; the covering argument of the
        theory gives 8, the deviation in one direction alone 2.
    bonus : {"iterated_logarithm", "union_bound"}, default "iterated_logarithm"
        ``"iterated_logarithm"``: :math:`f=\ln((1+\ln t)/\delta)` and
        :math:`\beta_{ij}^2=2\sigma^2f(1/T_i+1/T_j)`, what experiments use, without proof.
        ``"union_bound"``: :math:`\beta_{ij}=\beta_i+\beta_j` with
        :math:`\beta_i^2=2\sigma^2\ln(\tfrac23\pi^2KdT_i^2/\delta)/T_i` and
        :math:`U_i^2=c_U\sigma_u^2\ln(\tfrac13\pi^2K5^dT_i^2/\delta)/T_i`, which is proven with
        :math:`c_U=8`: a union bound over arms, numbers of samples, and objectives or the
        :math:`5^d` points of a net of directions.
    variance_bound : float, optional
        Bound :math:`\sigma^2` on the variance of the noise in each objective, for
        :math:`\sigma`-subgaussian rewards. By default `simulate` whitens the instance, the
        polyhedron with it, and the bound is 1.
    norm_variance_bound : float, optional
        Bound :math:`\sigma_u^2` in any direction; the same by default, as for independent
        objectives. It never exceeds :math:`d\sigma^2`.

    Raises
    ------
    ValueError
        If a parameter is out of range; when a run begins, if there is no polyhedron.

    Examples
    --------
    >>> import pareto_core as pc
    >>> region = pc.orthant([-0.5, -0.5])
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], polyhedron=region)
    >>> pc.simulate(pc.ECAPE(delta=0.1), instance, runs=1, progress=False).answers
    array([[2, 2, 1]])
    """

    select = staticmethod(_select)
    stop = staticmethod(_stop)
    recommend = staticmethod(_recommend)

    def start(self, problem: Problem, rng: np.random.Generator) -> ECAPEState:
        """See `Algorithm.start`."""
        return ECAPEState(*partition_state(problem), allocate_bounds(problem))
