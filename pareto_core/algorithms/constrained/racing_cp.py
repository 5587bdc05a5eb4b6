"""R-CP: racing for the constrained Pareto set (Kone et al. 2025, constrained)."""

import dataclasses
from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.constrained.partition_evidence import (
    PartitionAlgorithm,
    PartitionEvidence,
    allocate_partition_evidence,
    label,
    locate,
    pair_width,
    weigh,
    widen,
)
from pareto_core.algorithms.tracking import in_first_round
from pareto_core.compiling.kernels import kernel, part
from pareto_core.geometry.dominance import largest_lead
from pareto_core.geometry.polyhedron import check_polyhedron
from pareto_core.instances.instance import Problem
from pareto_core.loop.record import Record, empty_record
from pareto_core.questions import DOMINATED, INFEASIBLE, OPTIMAL

__all__ = ["RacingCP"]

ACTIVE = -1


class RacingCPState(NamedTuple):
    """State of one run."""

    record: Record
    evidence: PartitionEvidence
    verdict: np.ndarray  # (K,) final label of each arm that has left the race, or ACTIVE
    leaving: np.ndarray  # (K,) arms that leave, or may leave, in this round
    turn: np.ndarray  # (1,) arm to sample next; K at the end of a round


@part
def _is_certainly_feasible(arms, i):
    """Whether arm i is certainly feasible."""
    return arms.feasible[i] and arms.margin[i] > 0.0


@part
def _is_dominated(union, means, arms, verdict, i):
    """Whether an active arm that is certainly feasible certainly dominates arm i."""
    for j in range(means.shape[0]):
        if j != i and verdict[j] == ACTIVE and _is_certainly_feasible(arms, j):
            if -largest_lead(means, i, j) - pair_width(union, arms, i, j) > 0.0:
                return True
    return False


@part
def _is_undominated(union, means, arms, verdict, i):
    """Whether certainly no active arm dominates arm i."""
    for j in range(means.shape[0]):
        if j != i and verdict[j] == ACTIVE:
            if largest_lead(means, i, j) - pair_width(union, arms, i, j) <= 0.0:
                return False
    return True


@part
def _is_needed(union, means, arms, verdict, leaving, i):
    """Whether arm i may still dominate an arm that stays in the race."""
    for j in range(means.shape[0]):
        if verdict[j] == ACTIVE and not leaving[j]:
            if largest_lead(means, j, i) - pair_width(union, arms, j, i) <= 0.0:
                return True
    return False


@kernel
def _reject(union, means, arms, verdict, leaving):
    """Remove the arms that are certainly infeasible, then those that are certainly dominated."""
    for i in range(verdict.shape[0]):
        if verdict[i] == ACTIVE and not arms.feasible[i] and arms.margin[i] > 0.0:
            verdict[i] = INFEASIBLE
    for i in range(verdict.shape[0]):
        leaving[i] = verdict[i] == ACTIVE and _is_dominated(union, means, arms, verdict, i)
    for i in range(verdict.shape[0]):
        if leaving[i]:
            verdict[i] = DOMINATED


@kernel
def _accept(union, means, arms, verdict, leaving):
    """Remove the arms that are certainly feasible and optimal, unless another arm needs them."""
    for i in range(verdict.shape[0]):
        is_candidate = verdict[i] == ACTIVE and _is_certainly_feasible(arms, i)
        leaving[i] = is_candidate and _is_undominated(union, means, arms, verdict, i)
    for i in range(verdict.shape[0]):
        if leaving[i] and not _is_needed(union, means, arms, verdict, leaving, i):
            verdict[i] = OPTIMAL


@kernel
def _next_active(state, first):
    """First active arm from ``first`` on, or K."""
    arm = first
    while arm < state.verdict.shape[0] and state.verdict[arm] != ACTIVE:
        arm += 1
    return arm


@part
def _select(parameters, state):
    """The active arms in order."""
    arm = state.turn[0]
    state.evidence.sampled[0] = arm
    state.turn[0] = _next_active(state, arm + 1)
    return arm, 1


@part
def _stop(parameters, state):
    """At the end of a round, whether the race is over."""
    n_arms = state.verdict.shape[0]
    locate(parameters, state.evidence, state.record)
    if state.turn[0] < n_arms:
        return False
    union, means, arms = parameters.limits.union, state.record.means, state.evidence.arms
    widen(parameters, state.evidence, state.record)
    _reject(union, means, arms, state.verdict, state.leaving)
    _accept(union, means, arms, state.verdict, state.leaving)
    state.turn[0] = _next_active(state, 0)
    return state.turn[0] == n_arms


@part
def _recommend(parameters, state, answer):
    """Final labels, and the current labels of the active arms."""
    answer[:] = INFEASIBLE
    if in_first_round(state.record):
        return
    weigh(parameters, state.evidence, state.record)
    for i in range(answer.shape[0]):
        answer[i] = state.verdict[i] if state.verdict[i] != ACTIVE else label(state.evidence, i)


@dataclasses.dataclass(frozen=True)
class RacingCP(PartitionAlgorithm):
    """Sample all active arms once per round, until every arm has its final label.

    An active arm becomes *infeasible* when it is certainly infeasible, and *dominated* when an arm
    that is certainly feasible certainly dominates it. It becomes *optimal* when it is certainly
    feasible, certainly not dominated by an active arm, and cannot dominate any arm that stays
    active (Kone et al. 2025, constrained, Appendix F; the last condition is that of Auer et al.
    2016).

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
    pareto_core.algorithms.pareto.racing.Racing : without constraints.
    pareto_core.algorithms.constrained.ecape.ECAPE : adaptive sampling.

    References
    ----------
    Kone, Kaufmann & Richert 2025, Constrained Pareto set identification with bandit feedback,
    arXiv:2506.08127.

    Examples
    --------
    >>> import pareto_core as pc
    >>> region = pc.orthant([-0.5, -0.5])
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], polyhedron=region)
    >>> pc.simulate(pc.RacingCP(delta=0.1), instance, runs=1, progress=False).answers
    array([[2, 2, 0]])
    """

    select = staticmethod(_select)
    stop = staticmethod(_stop)
    recommend = staticmethod(_recommend)

    def start(self, problem: Problem, rng: np.random.Generator) -> RacingCPState:
        """See `Algorithm.start`."""
        check_polyhedron(problem.polyhedron, problem.n_objectives)
        return RacingCPState(
            empty_record(problem),
            allocate_partition_evidence(problem),
            np.full(problem.n_arms, ACTIVE),
            np.zeros(problem.n_arms, np.bool_),
            np.zeros(1, np.int64),
        )
