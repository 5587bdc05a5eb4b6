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
from pareto_core.algorithms.race import (
    ACTIVE,
    Race,
    active_arms,
    end_round,
    fresh_race,
    next_arm,
    remove_leaving,
)
from pareto_core.algorithms.tracking import in_first_round
from pareto_core.compiling.kernels import part, with_kernels
from pareto_core.geometry.dominance import largest_lead
from pareto_core.instances.instance import Problem
from pareto_core.loop.record import Record, empty_record
from pareto_core.questions import INFEASIBLE

__all__ = ["RacingCP"]


class RacingCPState(NamedTuple):
    """State of one run."""

    record: Record
    evidence: PartitionEvidence
    race: Race


@part
def _is_certainly_feasible(arms, i):
    """Whether arm i is certainly feasible."""
    return arms.feasible[i] and arms.margin[i] > 0.0


@part
def _update(parameters, state):
    """Update the widths, mark certainly feasible arms, and remove certainly infeasible ones."""
    race, arms = state.race, state.evidence.arms
    widen(parameters, state.evidence, state.record)
    for i in active_arms(race):
        race.sure[i] = _is_certainly_feasible(arms, i)
        race.leaving[i] = not arms.feasible[i] and arms.margin[i] > 0.0
    remove_leaving(race, INFEASIBLE)


@part
def _surely_below(parameters, state, i, j):
    """Whether arm j is certainly feasible, and certainly dominates arm i."""
    arms = state.evidence.arms
    if not _is_certainly_feasible(arms, j):
        return False
    width = pair_width(parameters.limits.union, arms, i, j)
    return -largest_lead(state.record.means, i, j) - width > 0.0


@part
def _may_exceed(parameters, state, i, j):
    """Whether arm j is not certainly below arm i in some objective."""
    width = pair_width(parameters.limits.union, state.evidence.arms, i, j)
    return i != j and largest_lead(state.record.means, i, j) - width <= 0.0


_finish_round = with_kernels(
    end_round, update=_update, surely_below=_surely_below, may_exceed=_may_exceed
)


@part
def _select(parameters, state):
    """The active arms in order."""
    arm = next_arm(state.race)
    state.evidence.sampled[0] = arm
    return arm, 1


@part
def _stop(parameters, state):
    """At the end of a round, whether the race is over."""
    locate(parameters, state.evidence, state.record)
    if state.race.turn[0] == state.race.n_active[0]:
        _finish_round(parameters, state)
    return state.race.n_active[0] == 0


@part
def _recommend(parameters, state, answer):
    """Final labels, and the current labels of the active arms."""
    answer[:] = INFEASIBLE
    if in_first_round(state.record):
        return
    weigh(parameters, state.evidence, state.record)
    labels = state.race.labels
    for i in range(answer.shape[0]):
        answer[i] = labels[i] if labels[i] != ACTIVE else label(state.evidence, i)


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

    See Also
    --------
    pareto_core.algorithms.pareto.racing.Racing : without constraints.
    pareto_core.algorithms.constrained.ecape.ECAPE : adaptive sampling.

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
        return RacingCPState(
            empty_record(problem),
            allocate_partition_evidence(problem),
            fresh_race(problem.n_arms),
        )
