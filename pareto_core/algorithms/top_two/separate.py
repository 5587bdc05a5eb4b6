"""Top-two sampling for the Pareto set if each objective of an arm is measured by itself.

The record has one row for each arm and objective, see `unfolding`; the kernels fold it.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.pareto.proven_stopping import PROVEN, is_time_to_look, units_of_noise
from pareto_core.algorithms.top_two.rule import Rule, searching, selection, stopping
from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel
from pareto_core.confidence.proven_rules import (
    JOINT,
    PAIRS,
    Work,
    allocate_work,
    log_evidence,
    make_rule,
)
from pareto_core.confidence.proven_rules import Rule as ProvenRule
from pareto_core.geometry.dominance import write_front
from pareto_core.transport.noise_response import NoiseResponse, allocate_noise_response
from pareto_core.transport.separate_oracle import (
    cheapest_separate_alternative,
    find_separate_front,
    free_arm_separately,
    meet_separately,
    write_separate_gradient,
)

NAME = next(name for name, rule in PROVEN.items() if rule == JOINT)  # selects the proven rule


class SeparateParameters(NamedTuple):
    """What the kernels read."""

    check_every: int
    rule: ProvenRule
    unit: np.ndarray  # (d,) a typical standard deviation of each objective
    variance: np.ndarray  # (K, d) of the noise, in these units


class SeparateOracle(NamedTuple):
    """Arrays of the kernels."""

    response: NoiseResponse
    work: Work
    times: np.ndarray  # (2,) numbers of samples at this call and at the previous one
    means: np.ndarray  # (K, d) in units of the noise
    information: np.ndarray  # (K, d) samples over the variance of the noise in units
    gradient: np.ndarray  # (K, d)


@kernel
def fold_values(parameters, oracle, counts, means):
    """Write the information and the means of each arm and objective, in units of the noise."""
    n_arms, n_objectives = oracle.means.shape
    for k in range(n_arms):
        for c in range(n_objectives):
            row = k * n_objectives + c
            oracle.means[k, c] = means[row, 0] / parameters.unit[c]
            oracle.information[k, c] = counts[row] / parameters.variance[k, c]


@kernel
def _find(parameters, state):
    """Cost of the cheapest alternative."""
    oracle = state.oracle
    fold_values(parameters.oracle, oracle, state.weights, state.record.means)
    means, information = oracle.means, oracle.information
    return cheapest_separate_alternative(means, information, np.inf, oracle.response)


@kernel
def _find_for_proof(parameters, state):
    """As `_find`, among the alternatives that the proof lacked evidence against."""
    oracle = state.oracle
    response, arm, rival = oracle.response, oracle.work.weakest[0], oracle.work.weakest[1]
    fold_values(parameters.oracle, oracle, state.weights, state.record.means)
    means, information = oracle.means, oracle.information
    find_separate_front(means, response)
    if arm < 0 or response.optimal[arm] != (rival >= 0):
        return cheapest_separate_alternative(means, information, np.inf, response)
    if rival < 0:
        return free_arm_separately(means, information, arm, np.inf, response)
    return meet_separately(means, information, arm, rival, np.inf, response)


@kernel
def _write(parameters, state):
    """Write the evidence of a measurement of each arm and objective against the alternative."""
    oracle, variance = state.oracle, parameters.oracle.variance
    write_separate_gradient(oracle.means, oracle.information, oracle.response, oracle.gradient)
    n_arms, n_objectives = oracle.means.shape
    for k in range(n_arms):
        for c in range(n_objectives):
            state.shares[k * n_objectives + c] = oracle.gradient[k, c] / variance[k, c]


@kernel
def _stop_when_proven(parameters, state):
    """As `proven_stopping.is_proven`, with own counts of each arm and objective."""
    record, oracle, proof = state.record, state.oracle, parameters.oracle
    if not is_time_to_look(proof.check_every, oracle.times, record.time[0]):
        return False
    if record.counts.min() == 0:
        return False
    fold_values(proof, oracle, record.counts, record.means)
    size = find_separate_front(oracle.means, oracle.response)
    work, needed = oracle.work, proof.rule.log_needed
    copy_vector(work.front, oracle.response.front)
    copy_vector(work.optimal, oracle.response.optimal)
    found = log_evidence(proof.rule, oracle.information, oracle.means, size, needed, work)
    return found >= needed


@kernel
def _recommend(parameters, state, answer):
    """Mark the Pareto set of the empirical means, and keep the alternative found last."""
    oracle, front = state.oracle, state.oracle.work.front
    fold_values(parameters.oracle, oracle, state.record.counts, state.record.means)
    answer[:] = False
    for f in range(write_front(oracle.means, front)):
        answer[front[f]] = True


def _parameters(check_every, delta, problem):
    rule = make_rule(JOINT, -np.log(delta), problem.n_arms)
    return SeparateParameters(check_every, rule, *units_of_noise(PAIRS, problem))


def _allocate(problem):
    shape = (problem.n_arms, problem.n_objectives)
    return SeparateOracle(
        allocate_noise_response(*shape),
        allocate_work(*shape),
        np.zeros(2, np.int64),
        np.zeros(shape),
        np.zeros(shape),
        np.zeros(shape),
    )


_search = searching(_find)
STYLISED = Rule(selection(_search, _write), stopping(_search), _recommend, _parameters, _allocate)
WITH_PROOF = Rule(
    selection(searching(_find_for_proof), _write),
    _stop_when_proven,
    _recommend,
    _parameters,
    _allocate,
)
