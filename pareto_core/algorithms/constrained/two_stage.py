"""Two stages: first the feasible arms by MD-APT, then their Pareto set by APE."""

import dataclasses
from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.constrained.partition_evidence import (
    DISTANCE,
    FEASIBLE,
    MARGIN,
    NOBODY,
    OPTIMAL_NOW,
    SAMPLED,
    PartitionAlgorithm,
    PartitionEvidence,
    allocate_partition_evidence,
    excess,
    find_feasible_front,
    locate,
    pair_width,
    widen,
)
from pareto_core.compiling.kernels import kernel, part
from pareto_core.geometry.polyhedron import check_polyhedron
from pareto_core.instances.instance import Problem
from pareto_core.loop.record import Record, empty_record
from pareto_core.questions import DOMINATED, INFEASIBLE, OPTIMAL

__all__ = ["TwoStage"]


class TwoStageState(NamedTuple):
    """State of one run."""

    record: Record
    evidence: PartitionEvidence
    found: np.ndarray  # (K,) the feasible arms, the first ``n_found[0]`` entries
    n_found: np.ndarray  # (1,) how many; NOBODY in the first stage
    pair: np.ndarray  # (2,) arms to sample next in the second stage, or NOBODY


@kernel
def _nearest(counts, numbers):
    """Arm of the least sqrt(T_i) times its distance to the boundary."""
    arm, least = np.int64(0), np.inf
    for i in range(counts.shape[0]):
        index = np.sqrt(counts[i]) * numbers[DISTANCE, i]
        if index < least:
            arm, least = i, index
    return arm


@kernel
def _end_first_stage(numbers, flags, found):
    """Once all arms are surely on one side of the boundary, list those inside.

    Returns how many there are, or NOBODY before.
    """
    for i in range(numbers.shape[1]):
        if numbers[MARGIN, i] <= 0.0:
            return NOBODY
    size = 0
    for i in range(numbers.shape[1]):
        if flags[FEASIBLE, i]:
            found[size] = i
            size += 1
    return size


@part
def _least_leads(union, means, numbers, found, size, i):
    """Least M(i, j) minus and plus its width over the other arms found, and the j of the first."""
    low, high, rival = np.inf, np.inf, np.int64(NOBODY)
    for place in range(size):
        j = found[place]
        if j != i:
            lead, width = excess(means, i, j), pair_width(union, numbers, i, j)
            if lead - width < low:
                low, rival = lead - width, j
            high = min(high, lead + width)
    return low, high, rival


@kernel
def _end_second_stage(union, means, numbers, found, size, pair):
    """Whether each arm found is surely optimal or surely dominated; else name the next pair."""
    settled = True
    most = -np.inf
    for place in range(size):
        i = found[place]
        low, high, rival = _least_leads(union, means, numbers, found, size, i)
        if low <= 0.0:
            settled = settled and high < 0.0
            if high > most:
                most = high
                pair[0], pair[1] = i, rival
    if settled:
        pair[:] = NOBODY
    return settled


@kernel
def _select(parameters, state):
    """Each arm once; then the arm nearest to the boundary; then leader and challenger."""
    if state.record.time[0] < state.record.counts.shape[0]:
        arm = state.record.time[0]
    elif state.n_found[0] == NOBODY:
        arm = _nearest(state.record.counts, state.evidence.numbers)
    else:
        turn = 0 if state.pair[0] != NOBODY else 1
        arm = state.pair[turn]
        state.pair[turn] = NOBODY
    state.evidence.now[SAMPLED] = arm
    return arm, 1


@kernel
def _stop(parameters, state):
    """Look at the margins in the first stage, and at the leads in the second."""
    evidence, record = state.evidence, state.record
    if state.n_found[0] == NOBODY:
        locate(parameters, evidence, record)
    if record.time[0] < record.counts.shape[0] or state.pair[1] != NOBODY:
        return False
    numbers = evidence.numbers
    widen(parameters, numbers, record)
    if state.n_found[0] == NOBODY:
        state.n_found[0] = _end_first_stage(numbers, evidence.flags, state.found)
        if state.n_found[0] == NOBODY:
            return False
    return _end_second_stage(
        parameters.limits.union, record.means, numbers, state.found, state.n_found[0], state.pair
    )


@kernel
def _recommend(parameters, state, answer):
    """The feasible arms are those found, or those that look feasible in the first stage."""
    answer[:] = INFEASIBLE
    if state.record.time[0] < answer.shape[0]:
        return
    flags = state.evidence.flags
    find_feasible_front(state.record.means, flags, state.evidence.front)
    for i in range(answer.shape[0]):
        if flags[FEASIBLE, i]:
            answer[i] = OPTIMAL if flags[OPTIMAL_NOW, i] else DOMINATED


@dataclasses.dataclass(frozen=True)
class TwoStage(PartitionAlgorithm):
    r"""Find all feasible arms, then the Pareto set of those.

    First MD-APT (Katz-Samuels & Scott 2018): the arm of the least
    :math:`\sqrt{T_i}\,\hat\eta_i` is sampled, until every arm is surely on one side of the
    boundary, :math:`\gamma_i>0`. Then APE (Kone et al. 2023) on the arms inside: of those not
    surely optimal, the arm with the largest :math:`\min_jM^+(i,j)` and its challenger with the
    least :math:`M^-(i,j)` are both sampled, until each arm is surely optimal or surely
    dominated. The samples of the first stage are used in the second. The baseline A-A of Kone
    et al. (2025, constrained, Section 5); MD-APT is published for a fixed budget, and this rule
    for its end is ours.

    Parameters
    ----------
    delta, radius_constant, bonus, variance_bound, norm_variance_bound
        See `ECAPE`. Both stages rely on the same event, and use the whole of delta.

    Raises
    ------
    ValueError
        See `ECAPE`.

    Examples
    --------
    >>> import pareto_core as pc
    >>> region = pc.orthant([-0.5, -0.5])
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], polyhedron=region)
    >>> pc.simulate(pc.TwoStage(delta=0.1), instance, runs=1, progress=False).answers
    array([[2, 2, 0]])
    """

    select = staticmethod(_select)
    stop = staticmethod(_stop)
    recommend = staticmethod(_recommend)

    def start(self, problem: Problem, rng: np.random.Generator) -> TwoStageState:
        """See `Algorithm.start`."""
        check_polyhedron(problem.polyhedron, problem.n_objectives)
        return TwoStageState(
            empty_record(problem),
            allocate_partition_evidence(problem),
            np.zeros(problem.n_arms, np.int64),
            np.full(1, NOBODY),
            np.full(2, NOBODY),
        )
