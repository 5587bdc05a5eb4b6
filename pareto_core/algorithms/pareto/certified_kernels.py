"""The kernels of `Certified`: sampling by any algorithm, until the answer is proven."""

import functools
from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.pareto.proven_stopping import (
    ProvenParameters,
    ProvenStoppingState,
    is_proven,
    write_answer,
)
from pareto_core.compiling.kernels import kernel, part
from pareto_core.loop.choices import choice, verdict
from pareto_core.loop.record import Record


class CertifiedParameters(NamedTuple):
    """Parameters of the inner algorithm and of the stopping rule."""

    inner: tuple
    evidence: ProvenParameters


class CertifiedState(NamedTuple):
    """State of the inner algorithm and of the stopping rule."""

    record: Record  # of the inner algorithm
    inner: tuple
    has_stopped: np.ndarray  # (1,) whether the inner algorithm alone would have stopped
    evidence: ProvenStoppingState
    may_sample: np.ndarray  # (K,) whether an arm may be sampled: all arms unless some are retired


@part
def _closest_dominator(means, arm, optimal):
    """Arm of the answer whose smallest lead over ``arm`` is largest; -1 without another arm."""
    closest, largest = -1, -np.inf
    for i in range(means.shape[0]):
        lead = np.inf
        for c in range(means.shape[1]):
            lead = min(lead, means[i, c] - means[arm, c])
        if optimal[i] and i != arm and lead > largest:
            closest, largest = i, lead
    return closest


@kernel
def _rarest(record, may_sample, needed):
    """The rarest arm that may be sampled and has fewer values than needed; -1 if there is none."""
    rarest = np.int64(-1)
    for k in range(record.counts.shape[0]):
        if may_sample[k] and record.observed[k].min() < needed[k]:
            if rarest < 0 or record.counts[k] < record.counts[rarest]:
                rarest = np.int64(k)
    return rarest


@part
def _rarest_of_all(counts, may_sample):
    """The arm with the fewest samples among those that may be sampled."""
    rarest = -1
    for k in range(counts.shape[0]):
        if may_sample[k] and (rarest < 0 or counts[k] < counts[rarest]):
            rarest = k
    return rarest


@kernel
def _rarer_of_weakest_pair(work, record, may_sample):
    """The rarer arm of the pair for which the rule lacked evidence at its last test.

    If one of the pair may not be sampled, the evidence may be lacking for ever: then the rarest
    arm that may be sampled.
    """
    arm, rival = work.weakest[0], work.weakest[1]
    rarest = _rarest_of_all(record.counts, may_sample)
    if arm < 0 or record.counts[rarest] ** 2 < record.time[0]:
        return rarest
    if rival < 0:
        rival = _closest_dominator(record.means, arm, work.optimal)
    if not may_sample[arm] or (rival >= 0 and not may_sample[rival]):
        return rarest
    return rival if rival >= 0 and record.counts[rival] < record.counts[arm] else arm


@kernel
def arm_that_lacks_evidence(parameters, evidence, record, may_sample):
    """The arm that the rule needs most, of those with fewer samples than it surely needs.

    If only arms that may not be sampled have fewer, any other arm may be returned.
    """
    needed = parameters.needed
    arm = _rarer_of_weakest_pair(evidence.work, record, may_sample)
    if record.observed[arm].min() >= needed[arm]:
        rarest = _rarest(record, may_sample, needed)
        arm = rarest if rarest >= 0 else arm
    return arm


@part
def _is_possible(may_sample, arm, number):
    """Whether a choice is allowed; algorithms that plan phases may choose retired arms."""
    return number >= 1 and 0 <= arm < may_sample.shape[0] and may_sample[arm]


@functools.cache
def kernels_around(select, stop, can_go_on):
    """Kernels ``select`` and ``stop`` around those of an algorithm.

    No arm is sampled more often than the rule surely needs; once the inner algorithm asks for
    more, it is not asked again.
    """

    @kernel
    def select_certified(parameters, state):
        record, may_sample = state.record, state.may_sample
        if not state.has_stopped[0]:
            arm, number = choice(select(parameters.inner, state.inner))
            if _is_possible(may_sample, arm, number):
                left = parameters.evidence.needed[arm] - record.observed[arm].min()
                state.has_stopped[0] = number > left
                if left > 0:
                    return arm, min(number, left)
            elif may_sample.all():
                return arm, number  # which is refused
        return arm_that_lacks_evidence(parameters.evidence, state.evidence, record, may_sample), 1

    @kernel
    def stop_certified(parameters, state):
        if not can_go_on and not state.has_stopped[0]:
            state.has_stopped[0] = verdict(stop(parameters.inner, state.inner))
        return is_proven(parameters.evidence, state.evidence, state.record)

    return select_certified, stop_certified


@kernel
def recommend_certified(parameters, state, answer):
    """Mark the answer to the empirical means of the remaining arms."""
    write_answer(parameters.evidence, state.evidence, state.record.means, answer)
