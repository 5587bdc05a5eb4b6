"""A stopping rule with a proof that holds for every sampling rule."""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import kernel, part
from pareto_core.confidence.noise_kinds import DETERMINISTIC, KNOWN, UNKNOWN, are_of_kind
from pareto_core.confidence.proven_rules import (
    JOINT,
    PAIRS,
    Rule,
    Work,
    allocate_work,
    log_evidence,
    make_rule,
)
from pareto_core.confidence.subset_rule import log_subset_evidence, write_front_among
from pareto_core.confidence.unknown_variance import (
    VARIANCE_SHARE,
    VarianceGrid,
    variance_grid,
    write_scaled_means,
)
from pareto_core.geometry.dominance import write_front
from pareto_core.transport.metric import KnownNoise, noise_of
from pareto_core.transport.moves import Oracle, oracle_of

PROVEN = {"proven": JOINT, "proven_correlated": PAIRS}  # values that select a stopping rule
NEEDS_INDEPENDENCE = tuple(name for name, rule in PROVEN.items() if rule == JOINT)
LOOKS = 200  # the rule is tested when the samples have grown by one part in this many


class ProvenParameters(NamedTuple):
    """When to test, and the rule."""

    check_every: int
    rule: Rule
    unknown: np.ndarray  # (d,) objectives whose variance is unknown
    deterministic: np.ndarray  # (d,) objectives without noise
    grid: VarianceGrid
    unit: np.ndarray  # (d,) a typical standard deviation of each objective
    variance: np.ndarray  # (K, d) of the noise in these units, or what "joint" needs instead
    noise: KnownNoise | None  # for sampling rules


class ProvenStoppingState(NamedTuple):
    """Arrays of the rule during one run."""

    oracle: Oracle
    work: Work
    information: np.ndarray  # (K, d) samples, divided by the variance of the noise in units
    means: np.ndarray  # (K, d) in units, or in (upper bounds on) standard deviations
    times: np.ndarray  # (2,) numbers of samples at this call and at the previous one


def joint_variances(covariance):
    """Variances with which "joint" holds for noise of known covariance, shape (K, d).

    Of arm k in objective c it is the variance times the sum of the positive correlations of c, with
    itself included (the appendix *Proofs*, Theorem 3b).

    Parameters
    ----------
    covariance : ndarray, shape (K, d, d)
    """
    deviation = np.sqrt(np.diagonal(covariance, axis1=1, axis2=2))
    correlation = covariance / deviation[:, :, None] / deviation[:, None, :]
    correlated = np.maximum(correlation, 0.0) * (1 - np.eye(deviation.shape[1]))
    return deviation**2 * (1 + correlated.sum(axis=2))


def units_of_noise(name, problem):
    """Typical standard deviations of the objectives, shape (d,), and variances in these units.

    The shifts of the rules have variances of 1/16 and 1/256, so their evidence depends on the unit
    of each objective. As in `Certificate`, it is the root of the mean of the arms' variances.
    """
    if problem.covariance is None:
        return np.ones(problem.n_objectives), np.ones((problem.n_arms, problem.n_objectives))
    if name == JOINT:
        variance = joint_variances(problem.covariance)
    else:
        variance = np.diagonal(problem.covariance, axis1=1, axis2=2)
    unit = np.sqrt(variance.mean(axis=0))
    return unit, variance / unit / unit


def proven_parameters(check_every, name, delta, problem, unknown=False):
    """Parameters of the rule ``name`` for the noise of a problem, or for unknown variances."""
    kinds = problem.noise_kinds or (UNKNOWN if unknown else KNOWN,) * problem.n_objectives
    is_unknown = are_of_kind(kinds, UNKNOWN)
    log_risk = -np.log(delta)
    grid = variance_grid(log_risk, max(1, is_unknown.sum()))
    needed = log_risk - np.log1p(-VARIANCE_SHARE) if is_unknown.any() else log_risk
    return ProvenParameters(
        check_every,
        make_rule(name, needed, problem.n_arms),
        is_unknown,
        are_of_kind(kinds, DETERMINISTIC),
        grid,
        *units_of_noise(name, problem),
        noise_of(problem),
    )


def allocate_proven_stopping(problem):
    """Allocate the arrays of the rule."""
    shape = (problem.n_arms, problem.n_objectives)
    return ProvenStoppingState(
        oracle_of(problem),
        allocate_work(*shape),
        np.zeros(shape),
        np.zeros(shape),
        np.zeros(2, np.int64),
    )


@part
def is_time_to_look(check_every, times, samples):
    """Whether the number of samples passed a multiple of the spacing since the previous call.

    The result depends only on the numbers of samples, so runs at several risks can share them.
    """
    if samples != times[0]:
        times[1] = times[0]
        times[0] = samples
    spacing = max(check_every, samples // LOOKS // check_every * check_every)
    return times[0] // spacing > times[1] // spacing


@kernel
def write_data(parameters, evidence, record):
    """Write the information and the means, in units of the noise, for the rule."""
    unknown, deterministic = parameters.unknown, parameters.deterministic
    write_scaled_means(
        parameters.grid, unknown, record.observed, record.means, record.scatter, evidence.means
    )
    for k in range(record.means.shape[0]):
        for c in range(record.means.shape[1]):
            evidence.information[k, c] = record.observed[k, c] / parameters.variance[k, c]
            if deterministic[c]:
                evidence.information[k, c] = np.inf
            if not unknown[c]:
                evidence.means[k, c] = record.means[k, c] / parameters.unit[c]


@part
def _keep_front(size, work, oracle):
    """Mark the front that the proof is about, and keep it for the rule that samples next."""
    oracle.found[0]["size"] = size
    work.optimal[:] = False
    for f in range(size):
        oracle.front[f] = work.front[f]
        work.optimal[work.front[f]] = True


@kernel
def is_proven(parameters, evidence, record):
    """Whether the Pareto set of the empirical means is proven to be the answer.

    Tested when the samples have grown by half a per cent, and by ``check_every``.
    """
    samples = record.time[0]
    if not is_time_to_look(parameters.check_every, evidence.times, samples):
        return False
    if record.observed.min() == 0:
        return False
    work, oracle = evidence.work, evidence.oracle
    size = write_front(record.means, work.front)
    _keep_front(size, work, oracle)
    write_data(parameters, evidence, record)
    needed = parameters.rule.log_needed
    found = log_evidence(parameters.rule, evidence.information, evidence.means, size, needed, work)
    return found >= needed


@kernel
def is_proven_among(parameters, evidence, record, remaining):
    """Whether the Pareto set of the remaining arms is proven, whichever arms remain and why.

    Tested when `is_proven` would be.

    Parameters
    ----------
    parameters : ProvenParameters
    evidence : ProvenStoppingState
        Modified in place.
    record : Record
    remaining : ndarray of bool, shape (K,)
    """
    if not is_time_to_look(parameters.check_every, evidence.times, record.time[0]):
        return False
    for k in range(remaining.shape[0]):
        if remaining[k] and record.observed[k].min() == 0:
            return False
    work, oracle = evidence.work, evidence.oracle
    size = write_front_among(record.means, remaining, work.front)
    _keep_front(size, work, oracle)
    write_data(parameters, evidence, record)
    rule, needed = parameters.rule, parameters.rule.log_needed
    found = log_subset_evidence(
        rule, evidence.information, evidence.means, remaining, size, needed, work
    )
    return found >= needed
