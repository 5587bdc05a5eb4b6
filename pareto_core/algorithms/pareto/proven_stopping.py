"""Stopping when the answer is proven, whatever decides which arm is sampled."""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import kernel, part
from pareto_core.confidence.proven_rules import (
    JOINT,
    PAIRS,
    Rule,
    Work,
    allocate_work,
    log_evidence,
    make_rule,
)
from pareto_core.confidence.unknown_variance import (
    VARIANCE_SHARE,
    VarianceGrid,
    variance_grid,
    write_scaled_means,
)
from pareto_core.transport.oracle import (
    Response,
    allocate_response,
    find_front,
    search_method,
)

PROVEN = {"proven": JOINT, "proven_correlated": PAIRS}  # values that select a stopping rule
NEEDS_INDEPENDENCE = tuple(name for name, rule in PROVEN.items() if rule == JOINT)
LOOKS = 200  # the evidence is looked at each time the samples have grown by this part


class ProvenParameters(NamedTuple):
    """When to look at the evidence, and what it must rule out."""

    check_every: int
    method: int
    rule: Rule
    unknown: bool  # the variance of the noise
    grid: VarianceGrid


class ProvenEvidence(NamedTuple):
    """Arrays that the rule works with."""

    response: Response
    work: Work
    information: np.ndarray  # (K, d) samples, over the variance of the noise
    means: np.ndarray  # (K, d) in units of the noise's standard deviation, or more
    times: np.ndarray  # (2,) samples now, and when asked before


def proven_parameters(check_every, name, delta, problem, unknown=False):
    """Parameters of the rule ``name`` for unit variance, or for an unknown one."""
    log_risk = -np.log(delta)
    grid = variance_grid(log_risk, problem.n_objectives)
    needed = log_risk - np.log1p(-VARIANCE_SHARE) if unknown else log_risk
    return ProvenParameters(
        check_every,
        search_method(problem.n_objectives),
        make_rule(name, needed, problem.n_arms),
        unknown,
        grid,
    )


def allocate_proven_evidence(problem):
    """Arrays of the rule."""
    shape = (problem.n_arms, problem.n_objectives)
    return ProvenEvidence(
        allocate_response(*shape),
        allocate_work(*shape),
        np.zeros(shape),
        np.zeros(shape),
        np.zeros(2, np.int64),
    )


@part
def _is_time_to_look(check_every, times, samples):
    """Whether a multiple of the spacing was passed since the time before.

    It depends on the numbers of samples alone, so that runs at several risks can share them.
    """
    if samples != times[0]:
        times[1] = times[0]
        times[0] = samples
    spacing = max(check_every, samples // LOOKS // check_every * check_every)
    return times[0] // spacing > times[1] // spacing


@kernel
def _write_data(parameters, evidence, record):
    """What the rule looks at: samples, and means in units of the standard deviation."""
    if parameters.unknown:
        write_scaled_means(
            parameters.grid, record.counts, record.means, record.scatter, evidence.means
        )
    for k in range(record.means.shape[0]):
        for c in range(record.means.shape[1]):
            evidence.information[k, c] = record.counts[k]
            if not parameters.unknown:
                evidence.means[k, c] = record.means[k, c]


@kernel
def is_proven(parameters, evidence, record):
    """Whether the Pareto set of the empirical means is proven to be the answer.

    Looked at when the samples have grown by a half per cent, and by ``check_every``.
    """
    samples = record.time[0]
    if not _is_time_to_look(parameters.check_every, evidence.times, samples):
        return False
    if record.counts.min() == 0:
        return False
    work = evidence.work
    size = find_front(record.means, parameters.method, evidence.response)
    for k in range(record.counts.shape[0]):
        work.front[k] = evidence.response.front[k]
        work.optimal[k] = evidence.response.optimal[k]
    _write_data(parameters, evidence, record)
    needed = parameters.rule.log_needed
    found = log_evidence(parameters.rule, evidence.information, evidence.means, size, needed, work)
    return found >= needed
