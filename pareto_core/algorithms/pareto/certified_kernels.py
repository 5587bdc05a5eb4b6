"""The kernels of `Certified`: sampling by any algorithm, until the answer is proven."""

import functools
from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.pareto.accuracy_stopping import (
    AccuracyState,
    first_unfinished,
    is_accurate,
)
from pareto_core.algorithms.pareto.proven_stopping import ProvenStoppingState, is_proven
from pareto_core.compiling.kernels import kernel, part
from pareto_core.loop.choices import choice, verdict
from pareto_core.loop.record import Record


class CertifiedParameters(NamedTuple):
    """Parameters of the inner algorithm and of the stopping rule."""

    inner: tuple
    evidence: tuple  # ProvenParameters, or AccuracyParameters


class CertifiedState(NamedTuple):
    """State of the inner algorithm and of the stopping rule."""

    record: Record  # of the inner algorithm
    inner: tuple
    has_stopped: np.ndarray  # (1,) whether the inner algorithm alone would have stopped
    evidence: ProvenStoppingState | AccuracyState


@part
def _closest_dominator(means, arm, front, size):
    """Arm of the front whose smallest lead over ``arm`` is largest; -1 if there is no other arm."""
    closest, largest = -1, -np.inf
    for f in range(size):
        lead = np.inf
        for c in range(means.shape[1]):
            lead = min(lead, means[front[f], c] - means[arm, c])
        if lead > largest and front[f] != arm:
            closest, largest = front[f], lead
    return closest


@kernel
def arm_that_lacks_evidence(weakest, front, size, record):
    """The rarer arm of the pair for which the rule lacked evidence at its last test.

    Parameters
    ----------
    weakest : ndarray of int, shape (2,)
        See `proven_rules.Work`.
    front : ndarray of int
        Arms of the answer at that test, the first ``size`` entries.
    size : int
    record : Record
    """
    arm, rival = weakest[0], weakest[1]
    if arm < 0 or record.counts.min() ** 2 < record.time[0]:
        return record.counts.argmin()
    if rival < 0:
        rival = _closest_dominator(record.means, arm, front, size)
    return rival if rival >= 0 and record.counts[rival] < record.counts[arm] else arm


@functools.cache
def kernels_around(select, stop, can_go_on):
    """Kernels ``select`` and ``stop`` around those of an algorithm."""

    @kernel
    def select_certified(parameters, state):
        if state.has_stopped[0]:
            evidence, response = state.evidence, state.evidence.response
            size = response.found[0]["size"]
            weakest = evidence.work.weakest
            return arm_that_lacks_evidence(weakest, response.front, size, state.record), 1
        return choice(select(parameters.inner, state.inner))

    @kernel
    def stop_certified(parameters, state):
        if not can_go_on and not state.has_stopped[0]:
            state.has_stopped[0] = verdict(stop(parameters.inner, state.inner))
        return is_proven(parameters.evidence, state.evidence, state.record)

    return select_certified, stop_certified


@functools.cache
def accurate_kernels_around(select, stop, can_go_on):
    """Kernels ``select`` and ``stop`` of the rule with an accuracy around those of an algorithm."""

    @kernel
    def select_accurate(parameters, state):
        record, evidence = state.record, state.evidence
        left = parameters.evidence.total - record.time[0]
        if left <= 0:
            return first_unfinished(parameters.evidence, record), 1
        if state.has_stopped[0]:
            work, size = evidence.work, evidence.size[0]
            return arm_that_lacks_evidence(work.weakest, work.front, size, record), 1
        arm, number = choice(select(parameters.inner, state.inner))
        return arm, min(number, left)

    @kernel
    def stop_accurate(parameters, state):
        is_asked = state.record.time[0] < parameters.evidence.total and not state.has_stopped[0]
        if not can_go_on and is_asked:
            state.has_stopped[0] = verdict(stop(parameters.inner, state.inner))
        return is_accurate(parameters.evidence, state.evidence, state.record)

    return select_accurate, stop_accurate
