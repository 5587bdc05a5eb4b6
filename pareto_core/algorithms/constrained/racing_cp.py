"""R-CP: racing for the constrained Pareto set."""

import dataclasses
from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.constrained.partition_evidence import (
    FEASIBLE,
    MARGIN,
    SAMPLED,
    PartitionAlgorithm,
    PartitionEvidence,
    allocate_partition_evidence,
    excess,
    label,
    locate,
    pair_width,
    weigh,
    widen,
)
from pareto_core.compiling.kernels import kernel, part
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
    verdict: np.ndarray  # (K,) what an arm that has left the race is called, or ACTIVE
    leaving: np.ndarray  # (K,) whether an arm leaves in this round, or may
    turn: np.ndarray  # (1,) arm at which to look for the next active one


@part
def _is_sure(numbers, flags, i):
    """Whether arm i is surely feasible."""
    return flags[FEASIBLE, i] and numbers[MARGIN, i] > 0.0


@part
def _is_dominated(union, means, numbers, flags, verdict, i):
    """Whether an active arm that is surely feasible surely dominates arm i."""
    for j in range(means.shape[0]):
        if j != i and verdict[j] == ACTIVE and _is_sure(numbers, flags, j):
            if -excess(means, i, j) - pair_width(union, numbers, i, j) > 0.0:
                return True
    return False


@part
def _is_undominated(union, means, numbers, verdict, i):
    """Whether surely no active arm dominates arm i."""
    for j in range(means.shape[0]):
        if j != i and verdict[j] == ACTIVE:
            if excess(means, i, j) - pair_width(union, numbers, i, j) <= 0.0:
                return False
    return True


@part
def _is_needed(union, means, numbers, verdict, leaving, i):
    """Whether an arm that stays in the race may still turn out to be dominated by arm i."""
    for j in range(means.shape[0]):
        if verdict[j] == ACTIVE and not leaving[j]:
            if excess(means, j, i) - pair_width(union, numbers, j, i) <= 0.0:
                return True
    return False


@kernel
def _reject(union, means, numbers, flags, verdict, leaving):
    """Arms that are surely infeasible leave, then those that are surely dominated."""
    for i in range(verdict.shape[0]):
        if verdict[i] == ACTIVE and not flags[FEASIBLE, i] and numbers[MARGIN, i] > 0.0:
            verdict[i] = INFEASIBLE
    for i in range(verdict.shape[0]):
        leaving[i] = verdict[i] == ACTIVE and _is_dominated(
            union, means, numbers, flags, verdict, i
        )
    for i in range(verdict.shape[0]):
        if leaving[i]:
            verdict[i] = DOMINATED


@kernel
def _accept(union, means, numbers, flags, verdict, leaving):
    """Arms leave that are surely feasible and optimal and that no other verdict waits for."""
    for i in range(verdict.shape[0]):
        sure = verdict[i] == ACTIVE and _is_sure(numbers, flags, i)
        leaving[i] = sure and _is_undominated(union, means, numbers, verdict, i)
    for i in range(verdict.shape[0]):
        if leaving[i] and not _is_needed(union, means, numbers, verdict, leaving, i):
            verdict[i] = OPTIMAL


@kernel
def _next_active(state, first):
    """First active arm from ``first`` on; K if there is none."""
    arm = first
    while arm < state.verdict.shape[0] and state.verdict[arm] != ACTIVE:
        arm += 1
    return arm


@kernel
def _select(parameters, state):
    """The active arms in turn."""
    arm = state.turn[0]
    state.evidence.now[SAMPLED] = arm
    state.turn[0] = _next_active(state, arm + 1)
    return arm, 1


@kernel
def _stop(parameters, state):
    """At the end of a round, whether the race is over."""
    n_arms = state.verdict.shape[0]
    locate(parameters, state.evidence, state.record)
    if state.turn[0] < n_arms:
        return False
    numbers, flags, means = state.evidence.numbers, state.evidence.flags, state.record.means
    widen(parameters, numbers, state.record)
    _reject(parameters.limits.union, means, numbers, flags, state.verdict, state.leaving)
    _accept(parameters.limits.union, means, numbers, flags, state.verdict, state.leaving)
    state.turn[0] = _next_active(state, 0)
    return state.turn[0] == n_arms


@kernel
def _recommend(parameters, state, answer):
    """Verdicts, and what the arms still racing are called now."""
    answer[:] = INFEASIBLE
    if state.record.time[0] < answer.shape[0]:
        return
    weigh(parameters, state.evidence, state.record)
    for i in range(answer.shape[0]):
        answer[i] = state.verdict[i] if state.verdict[i] != ACTIVE else label(state.evidence, i)


@dataclasses.dataclass(frozen=True)
class RacingCP(PartitionAlgorithm):
    """Sample all arms whose verdict is open once per round, until none is.

    An arm leaves as infeasible when it surely is; as dominated when an arm that is itself
    surely feasible surely dominates it; as optimal when it is surely feasible, surely not
    dominated by an arm still racing, and no arm that stays may turn out to be dominated by it
    (Kone et al. 2025, constrained, Appendix F; the last rule is that of Auer et al. 2016).

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
