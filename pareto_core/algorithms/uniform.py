"""Uniform sampling: every arm in turn, until the evidence is conclusive."""

import dataclasses
from typing import NamedTuple

from pareto_core._checks import check_choice, check_count, check_probability
from pareto_core._kernels import kernel
from pareto_core.algorithms.base import Algorithm, Record, empty_record
from pareto_core.algorithms.evidence import (
    Evidence,
    allocate_evidence,
    evidence_parameters,
    is_conclusive,
    mark_empirical_front,
)
from pareto_core.confidence import THRESHOLDS

__all__ = ["UniformSampling"]


class UniformSamplingState(NamedTuple):
    """State of one run."""

    record: Record
    evidence: Evidence


@kernel
def _select(parameters, state):
    return state.record.time[0] % state.record.counts.shape[0], 1


@kernel
def _stop(parameters, state):
    return is_conclusive(parameters, state.evidence, state.record)


@kernel
def _recommend(parameters, state, answer):
    mark_empirical_front(parameters, state.evidence, state.record, answer)


@dataclasses.dataclass(frozen=True)
class UniformSampling(Algorithm):
    """Sample the arms in turn and stop as Track-and-Stop does.

    The baseline that isolates what an adaptive choice of arms is worth: same
    evidence, same threshold, equal shares.

    Parameters
    ----------
    delta : float, default 0.1
        Risk: the probability of a wrong answer that is allowed.
    check_every : int, default 1
        Test whether to stop when t is a multiple of this.
    threshold : {"stylised", "mixture"}, default "stylised"
        See `TrackAndStop`.

    Raises
    ------
    ValueError
        If a parameter is out of range.
    """

    delta: float = 0.1
    check_every: int = 1
    threshold: str = "stylised"

    select = staticmethod(_select)
    stop = staticmethod(_stop)
    recommend = staticmethod(_recommend)

    def __post_init__(self):
        check_probability(self.delta, "delta")
        check_count(self.check_every, "check_every")
        check_choice(self.threshold, "threshold", THRESHOLDS)

    def parameters(self, problem):
        """See `Algorithm.parameters`."""
        return evidence_parameters(self.check_every, self.threshold, self.delta, problem)

    def state(self, problem):
        """See `Algorithm.state`."""
        return UniformSamplingState(empty_record(problem), allocate_evidence(problem))
