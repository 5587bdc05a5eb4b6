"""Stopping rules for the best arm of every objective."""

from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.proven_stopping import Proven, Units, units_of_noise, write_in_units
from pareto_core.algorithms.stopping import sufficient_evidence
from pareto_core.algorithms.tracking import in_first_round
from pareto_core.compiling.kernels import kernel, part
from pareto_core.confidence.proven_rules import PAIRS, Rule, make_rule
from pareto_core.confidence.statement_evidence import log_lead
from pareto_core.transport.best_arms import confusion_cost

PROVEN = {"proven": PAIRS}  # value that selects a stopping rule, which compares pairs of arms


class LeadsProof(NamedTuple):
    """The proven rule, and the units of the data."""

    rule: Rule
    units: Units


def leads_proof(stopping, problem):
    """Parameters of a proven rule."""
    n_errors = problem.n_objectives * (problem.n_arms - 1)  # ways to name a wrong arm
    rule = make_rule(PAIRS, -np.log(stopping.delta) + np.log(n_errors), problem.n_arms)
    return LeadsProof(rule, units_of_noise(PAIRS, problem))


def best_arm_evidence(stopping, problem):
    """Parameters of the test, or of the proven rule."""
    if isinstance(stopping, Proven):
        return leads_proof(stopping, problem)
    return stopping.parameters(problem)


@part
def stop_when_clear(parameters, state):
    """Whether Z(t) suffices, t times the cost at the proportions (Chen et al. 2024, (14), (15))."""
    record = state.record
    if in_first_round(record):
        return False
    enough = sufficient_evidence(parameters.evidence.test, record)
    return confusion_cost(record.means, record.counts) >= enough


@part
def stop_when_leads_are_proven(parameters, state):
    """Whether all leads are proven (Theorem 6); the cost, a quick bound, is tested first."""
    proof, record = parameters.evidence, state.record
    if record.observed.min() == 0:
        return False
    if confusion_cost(record.means, record.counts) < proof.rule.log_needed:
        return False
    return leads_are_proven(proof, record.observed, record.means)


@kernel
def leads_are_proven(proof, observed, means):
    """Whether the lead of each best arm over every other arm is proven."""
    rule, information, scaled = proof.rule, np.empty(means.shape), np.empty(means.shape)
    write_in_units(proof.units, observed, means, information, scaled)
    high = np.zeros(1, np.int64)
    for c in range(means.shape[1]):
        leader = scaled[:, c].argmax()
        for k in range(means.shape[0]):
            if k != leader:
                evidence = log_lead(rule, information, scaled, leader, k, c, high)
                if evidence < rule.log_needed:
                    return False
    return True


@part
def recommend_best_arms(parameters, state, answer):
    """Write the empirically best arm of each objective."""
    for m in range(answer.shape[0]):
        answer[m] = state.record.means[:, m].argmax()
