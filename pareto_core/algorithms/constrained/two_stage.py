"""Two stages: first the feasible arms by MD-APT, then their Pareto set by APE."""

import dataclasses
from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.constrained.partition_evidence import (
    NO_ARM,
    PartitionAlgorithm,
    PartitionEvidence,
    allocate_partition_evidence,
    find_feasible_front,
    locate,
    next_of_pair,
    pair_width,
    widen,
)
from pareto_core.algorithms.tracking import in_first_round
from pareto_core.compiling.kernels import kernel, part
from pareto_core.geometry.dominance import largest_lead
from pareto_core.instances.instance import Problem
from pareto_core.loop.record import Record, empty_record
from pareto_core.questions import DOMINATED, INFEASIBLE, OPTIMAL

__all__ = ["TwoStage"]


class TwoStageState(NamedTuple):
    """State of one run."""

    record: Record
    evidence: PartitionEvidence
    found: np.ndarray  # (K,) the feasible arms, the first ``n_found[0]`` entries
    n_found: np.ndarray  # (1,) number of feasible arms; NO_ARM in the first stage
    pair: np.ndarray  # (2,) arms to sample next in the second stage, or NO_ARM


@kernel
def _closest_to_boundary(counts, distance):
    """Arm with the smallest product of sqrt(T_i) and its distance to the boundary."""
    arm, least = np.int64(0), np.inf
    for i in range(counts.shape[0]):
        index = np.sqrt(counts[i]) * distance[i]
        if index < least:
            arm, least = i, index
    return arm


@kernel
def _end_first_stage(arms, found):
    """List the feasible arms in ``found``; their number, or NO_ARM if some side is uncertain."""
    for i in range(arms.margin.shape[0]):
        if arms.margin[i] <= 0.0:
            return NO_ARM
    size = 0
    for i in range(arms.margin.shape[0]):
        if arms.feasible[i]:
            found[size] = i
            size += 1
    return size


@part
def _least_leads(union, means, arms, found, i):
    """Smallest M(i, j) minus and plus its width over the other arms, and the first one's j."""
    low, high, rival = np.inf, np.inf, np.int64(NO_ARM)
    for j in found:
        if j != i:
            lead, width = largest_lead(means, i, j), pair_width(union, arms, i, j)
            if lead - width < low:
                low, rival = lead - width, j
            high = min(high, lead + width)
    return low, high, rival


@kernel
def _end_second_stage(union, means, arms, found, pair):
    """Whether all arms of ``found`` are certainly optimal or dominated; write the next ``pair``."""
    settled = True
    most = -np.inf
    for i in found:
        low, high, rival = _least_leads(union, means, arms, found, i)
        if low <= 0.0:
            settled = settled and high < 0.0
            if high > most:
                most = high
                pair[0], pair[1] = i, rival
    if settled:
        pair[:] = NO_ARM
    return settled


@part
def _select(parameters, state):
    """Each arm once; then the arm closest to the boundary; then leader and challenger."""
    if in_first_round(state.record):
        arm = state.record.time[0]
    elif state.n_found[0] == NO_ARM:
        arm = _closest_to_boundary(state.record.counts, state.evidence.arms.distance)
    else:
        arm = next_of_pair(state.pair)
    state.evidence.sampled[0] = arm
    return arm, 1


@part
def _stop(parameters, state):
    """Test the margins in the first stage, and the leads in the second."""
    evidence, record, arms = state.evidence, state.record, state.evidence.arms
    if state.n_found[0] == NO_ARM:
        locate(parameters, evidence, record)
    if in_first_round(record) or state.pair[1] != NO_ARM:
        return False
    widen(parameters, evidence, record)
    if state.n_found[0] == NO_ARM:
        state.n_found[0] = _end_first_stage(arms, state.found)
        if state.n_found[0] == NO_ARM:
            return False
    found = state.found[: state.n_found[0]]
    return _end_second_stage(parameters.limits.union, record.means, arms, found, state.pair)


@part
def _recommend(parameters, state, answer):
    """Labels from the empirical means, as the first stage located them."""
    answer[:] = INFEASIBLE
    if in_first_round(state.record):
        return
    arms = state.evidence.arms
    find_feasible_front(state.record.means, arms)
    for i in range(answer.shape[0]):
        if arms.feasible[i]:
            answer[i] = OPTIMAL if arms.optimal[i] else DOMINATED


@dataclasses.dataclass(frozen=True)
class TwoStage(PartitionAlgorithm):
    r"""Find all feasible arms, then the Pareto set of these arms.

    The first stage is MD-APT (Katz-Samuels & Scott 2018): sample the arm with the smallest
    :math:`\sqrt{T_i}\,\hat\eta_i`, until every arm is certainly on one side of the boundary,
    :math:`\gamma_i>0`. The second stage is APE (Kone et al. 2023) on the feasible arms. Among the
    arms that are not certainly optimal, it selects the one with the largest
    :math:`\min_jM^+(i,j)`, and its challenger with the smallest :math:`M^-(i,j)`. It samples both,
    until each arm is certainly optimal or certainly dominated. The second stage also uses the
    samples of the first. This is the baseline A-A of Kone et al. (2025, constrained, Section 5).
    MD-APT is published for a fixed budget; the rule that ends it here is ours.

    Parameters
    ----------
    delta, radius_constant, bonus, variance_bound, norm_variance_bound
        See `ECAPE`. Both stages rely on the same event, and each uses all of ``delta``.

    See Also
    --------
    pareto_core.algorithms.pareto.ape.APE : the rule of the second stage.
    pareto_core.algorithms.constrained.ecape.ECAPE : both questions at once.

    References
    ----------
    Kone, Kaufmann & Richert 2025, Constrained Pareto set identification with bandit feedback,
    arXiv:2506.08127.
    Katz-Samuels & Scott 2018, https://proceedings.mlr.press/v80/katz-samuels18a.html.

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
        return TwoStageState(
            empty_record(problem),
            allocate_partition_evidence(problem),
            np.zeros(problem.n_arms, np.int64),
            np.full(1, NO_ARM),
            np.full(2, NO_ARM),
        )
