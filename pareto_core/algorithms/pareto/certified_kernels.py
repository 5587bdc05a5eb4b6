"""The kernels of `Certified`: sampling by any algorithm, until the answer is proven."""

import functools
from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.pareto.accuracy_stopping import (
    AccuracyState,
    is_accurate,
    rarest_unfinished,
)
from pareto_core.algorithms.pareto.evidence import recommend_front
from pareto_core.algorithms.pareto.proven_stopping import (
    ProvenStoppingState,
    is_proven,
    is_proven_among,
)
from pareto_core.compiling.kernels import kernel, part
from pareto_core.confidence.subset_rule import write_front_among
from pareto_core.loop.choices import choice, verdict
from pareto_core.loop.record import Record


class CertifiedParameters(NamedTuple):
    """Parameters of the inner algorithm and of the stopping rule."""

    inner: tuple
    evidence: tuple  # ProvenParameters, or AccuracyParameters
    subsets: bool  # whether the rule is valid for every set of remaining arms at once


class CertifiedState(NamedTuple):
    """State of the inner algorithm and of the stopping rule."""

    record: Record  # of the inner algorithm
    inner: tuple
    has_stopped: np.ndarray  # (1,) whether the inner algorithm alone would have stopped
    evidence: ProvenStoppingState | AccuracyState
    may_sample: np.ndarray  # (K,) whether an arm may be sampled: all arms unless some are retired
    remaining: np.ndarray  # (K,) whether the question is about an arm, with a rule for subsets


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


@part
def _rarest(counts, may_sample):
    """The arm with the fewest samples among those that may be sampled."""
    rarest = -1
    for k in range(counts.shape[0]):
        if may_sample[k] and (rarest < 0 or counts[k] < counts[rarest]):
            rarest = k
    return rarest


@kernel
def arm_that_lacks_evidence(weakest, front, size, record, may_sample):
    """The rarer arm of the pair for which the rule lacked evidence at its last test.

    If one of the pair may not be sampled, the evidence may be lacking for ever: then the rarest
    arm that may be sampled.

    Parameters
    ----------
    weakest : ndarray of int, shape (2,)
        See `proven_rules.Work`.
    front : ndarray of int
        Arms of the answer at that test, the first ``size`` entries.
    size : int
    record : Record
    may_sample : ndarray of bool, shape (K,)
    """
    arm, rival = weakest[0], weakest[1]
    rarest = _rarest(record.counts, may_sample)
    if arm < 0 or record.counts[rarest] ** 2 < record.time[0]:
        return rarest
    if rival < 0:
        rival = _closest_dominator(record.means, arm, front, size)
    if not may_sample[arm] or (rival >= 0 and not may_sample[rival]):
        return rarest
    return rival if rival >= 0 and record.counts[rival] < record.counts[arm] else arm


@kernel
def unfinished_arm(needed, weakest, front, size, record, may_sample):
    """As `arm_that_lacks_evidence`, among arms that have fewer samples than the rule needs.

    Parameters
    ----------
    needed : ndarray of int, shape (K,)
        Samples with which the rule surely stops. If arms that may not be sampled have fewer, any
        other arm may be returned.
    weakest, front, size, record, may_sample
        See `arm_that_lacks_evidence`.
    """
    arm = arm_that_lacks_evidence(weakest, front, size, record, may_sample)
    if record.observed[arm].min() >= needed[arm]:
        rarest = rarest_unfinished(needed, record, may_sample)
        arm = rarest if rarest >= 0 else arm
    return arm


@part
def _is_possible(may_sample, arm, number):
    """Whether a choice is allowed; algorithms that plan phases may choose retired arms."""
    return number >= 1 and 0 <= arm < may_sample.shape[0] and may_sample[arm]


@functools.cache
def kernels_around(select, stop, can_go_on):
    """Kernels ``select`` and ``stop`` around those of an algorithm."""

    @kernel
    def select_certified(parameters, state):
        if not state.has_stopped[0]:
            arm, number = choice(select(parameters.inner, state.inner))
            if state.may_sample.all() or _is_possible(state.may_sample, arm, number):
                return arm, number
        weakest, oracle = state.evidence.work.weakest, state.evidence.oracle
        front, size = oracle.front, oracle.found[0]["size"]
        return arm_that_lacks_evidence(weakest, front, size, state.record, state.may_sample), 1

    @kernel
    def stop_certified(parameters, state):
        if not can_go_on and not state.has_stopped[0]:
            state.has_stopped[0] = verdict(stop(parameters.inner, state.inner))
        if parameters.subsets:
            return is_proven_among(
                parameters.evidence, state.evidence, state.record, state.remaining
            )
        return is_proven(parameters.evidence, state.evidence, state.record)

    return select_certified, stop_certified


@functools.cache
def accurate_kernels_around(select, stop, can_go_on):
    """Kernels ``select`` and ``stop`` of the rule with an accuracy around those of an algorithm."""

    @kernel
    def select_accurate(parameters, state):
        record, evidence, may_sample = state.record, state.evidence, state.may_sample
        needed = parameters.evidence.needed
        if not state.has_stopped[0]:
            arm, number = choice(select(parameters.inner, state.inner))
            if not _is_possible(may_sample, arm, number):
                if may_sample.all():
                    return arm, number  # which is refused
            else:
                left = needed[arm] - record.observed[arm].min()
                state.has_stopped[0] = number > left  # the inner algorithm is not asked again
                if left > 0:
                    return arm, min(number, left)
        work, size = evidence.work, evidence.size[0]
        return unfinished_arm(needed, work.weakest, work.front, size, record, may_sample), 1

    @kernel
    def stop_accurate(parameters, state):
        if not can_go_on and not state.has_stopped[0]:
            state.has_stopped[0] = verdict(stop(parameters.inner, state.inner))
        return is_accurate(parameters.evidence, state.evidence, state.record)

    return select_accurate, stop_accurate


@kernel
def recommend_remaining(parameters, state, answer):
    """Mark the Pareto set of the empirical means of the remaining arms."""
    if not parameters.subsets:
        return recommend_front(parameters, state, answer)
    answer[:] = False
    front = state.evidence.work.front
    for f in range(write_front_among(state.record.means, state.remaining, front)):
        answer[front[f]] = True
