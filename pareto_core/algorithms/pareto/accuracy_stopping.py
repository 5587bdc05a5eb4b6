"""A proven stopping rule for answers up to an accuracy, which surely stops."""

from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.pareto.proven_stopping import (
    ProvenParameters,
    ProvenStoppingState,
    allocate_proven_stopping,
    is_time_to_look,
    write_data,
)
from pareto_core.compiling.kernels import kernel, part
from pareto_core.confidence.accuracy_evidence import (
    LEFT_OUT,
    log_accurate_evidence,
    write_raised,
    write_unbeaten,
)
from pareto_core.confidence.latest_end import samples_needed
from pareto_core.confidence.proven_rules import Work, allocate_work
from pareto_core.confidence.unknown_variance import scale_of

NEVER = 2**62  # samples


class AccuracyParameters(NamedTuple):
    """The rule without an accuracy, the accuracy, and when the rule surely stops."""

    proof: ProvenParameters
    epsilon: np.ndarray  # (d,) in the unit of the rewards that the algorithm sees
    needed: np.ndarray  # (K,) samples of each arm with which the rule surely stops, or `NEVER`


class AccuracyState(NamedTuple):
    """Arrays of the rule during one run."""

    proof: ProvenStoppingState
    work: Work  # for 2 K arms
    size: np.ndarray  # (1,) number of arms of the answer, the first of work.front
    information: np.ndarray  # (2 K, d) see `accuracy_evidence.write_raised`
    means: np.ndarray  # (2 K, d)
    epsilon: np.ndarray  # (d,) in the unit of these means


def accuracy_parameters(proof, epsilon, problem):
    """Parameters of the rule.

    Parameters
    ----------
    proof : ProvenParameters
        Of the rule without an accuracy.
    epsilon : ndarray, shape (d,)
        In the unit of the rewards as the caller states them.
    problem : Problem

    Returns
    -------
    AccuracyParameters
    """
    epsilon = epsilon if problem.unit is None else epsilon / problem.unit
    needed = None
    if not (proof.unknown | proof.deterministic).any():
        needed = samples_needed(proof.rule, proof.variance, epsilon / proof.unit)
    if needed is None:
        needed = np.full(problem.n_arms, NEVER)
    return AccuracyParameters(proof, epsilon, needed)


def allocate_accuracy(problem):
    """Allocate the arrays of the rule."""
    rows, n_objectives = 2 * problem.n_arms, problem.n_objectives
    return AccuracyState(
        allocate_proven_stopping(problem),
        allocate_work(rows, n_objectives),
        np.zeros(1, np.int64),
        np.zeros((rows, n_objectives)),
        np.zeros((rows, n_objectives)),
        np.zeros(n_objectives),
    )


@kernel
def rarest_unfinished(needed, record, may_sample):
    """The rarest arm with fewer values of an objective than the rule surely needs; -1 if none.

    Parameters
    ----------
    needed : ndarray of int, shape (K,)
    record : Record
    may_sample : ndarray of bool, shape (K,)
        Other arms are not considered.
    """
    rarest = np.int64(-1)
    for k in range(record.counts.shape[0]):
        if may_sample[k] and record.observed[k].min() < needed[k]:
            if rarest < 0 or record.counts[k] < record.counts[rarest]:
                rarest = np.int64(k)
    return rarest


@part
def _is_surely_enough(needed, record):
    """Whether every arm has the values with which the rule stops, whatever the averages are."""
    for k in range(record.counts.shape[0]):
        if record.observed[k].min() < needed[k]:
            return False
    return True


@kernel
def _write_raised_data(parameters, state, record):
    """Write the information and the means of all arms, and of all arms raised by epsilon."""
    write_data(parameters.proof, state.proof, record)
    n_arms, n_objectives = record.means.shape
    for c in range(n_objectives):
        scale = 1.0 / parameters.proof.unit[c]
        if parameters.proof.unknown[c]:
            counts, total = record.observed[:, c], record.scatter[:, c].sum()
            scale = scale_of(parameters.proof.grid, counts, total)
        state.epsilon[c] = parameters.epsilon[c] * scale
        for k in range(n_arms):
            state.information[k, c] = state.proof.information[k, c]
            state.means[k, c] = state.proof.means[k, c]
    write_raised(state.epsilon, state.information, state.means)


@kernel
def is_accurate(parameters, state, record):
    """Whether the empirical answer is proven to be right up to epsilon.

    Tested as `is_proven` is, and as soon as every arm has the samples that are surely enough.
    """
    samples = record.time[0]
    is_due = is_time_to_look(parameters.proof.check_every, state.proof.times, samples)
    if not is_due and not _is_surely_enough(parameters.needed, record):
        return False
    if record.observed.min() == 0:
        return False
    rule, work = parameters.proof.rule, state.work
    margin = LEFT_OUT * parameters.epsilon
    size = write_unbeaten(record.means, margin, work.front, work.optimal)
    state.size[0] = size
    _write_raised_data(parameters, state, record)
    needed = rule.log_needed
    found = log_accurate_evidence(rule, state.information, state.means, size, needed, work)
    return found >= needed


@kernel
def recommend_unbeaten(parameters, state, answer):
    """Mark the arms that no arm beats empirically by a share of epsilon."""
    work = state.evidence.work
    margin = LEFT_OUT * parameters.evidence.epsilon
    write_unbeaten(state.record.means, margin, work.front, answer)
