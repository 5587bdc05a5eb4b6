"""Stopping rules for the best arm of every objective."""

from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.proven_stopping import Proven
from pareto_core.algorithms.stopping import Threshold
from pareto_core.algorithms.tracking import in_first_round
from pareto_core.checks.arguments import check_probability
from pareto_core.compiling.kernels import kernel, part
from pareto_core.confidence.proven_rules import PAIRS, Rule, make_rule
from pareto_core.confidence.statement_evidence import log_lead
from pareto_core.confidence.thresholds import THRESHOLDS, threshold
from pareto_core.transport.best_arms import confusion_cost

PROVEN = "proven"  # selects a stopping rule instead of a threshold
STOPPING = (*THRESHOLDS, PROVEN)  # names of all stopping rules


class BestArmEvidenceParameters(NamedTuple):
    """A threshold on the evidence."""

    threshold: int
    threshold_constant: float


class ProvenBestArmParameters(NamedTuple):
    """A proven rule."""

    rule: Rule


def best_arm_stopping(name, delta, check_every=1):
    """The test with the threshold ``name``, or the proven rule, which compares pairs of arms."""
    if name == PROVEN:
        return Proven(PAIRS, check_probability(delta, "delta"), check_every)
    return Threshold(name, delta, check_every)


def best_arm_evidence_parameters(stopping, problem):
    """Parameters of a test, or of the proven rule."""
    if isinstance(stopping, Proven):
        n_errors = problem.n_objectives * (problem.n_arms - 1)  # ways to name a wrong arm
        needed = -np.log(stopping.delta) + np.log(n_errors)
        return ProvenBestArmParameters(make_rule(PAIRS, needed, problem.n_arms))
    return BestArmEvidenceParameters(stopping.number, stopping.constant(problem))


@part
def stop_when_clear(parameters, state):
    """Whether Z(t), the cost of making a different arm the best in an objective, is sufficient.

    Chen et al. (2024), Equations (14) and (15). The cost is homogeneous, so its value at the
    numbers of samples is t times its value at the proportions.
    """
    test, record = parameters.evidence, state.record
    samples, n_objectives = record.time[0], record.means.shape[1]
    if in_first_round(record):
        return False
    constant = test.threshold_constant
    enough = threshold(test.threshold, samples, record.counts, n_objectives, constant)
    return confusion_cost(record.means, record.counts) >= enough


@part
def stop_when_leads_are_proven(parameters, state):
    """Whether each best arm is proven to be better than every other arm (appendix, Theorem 6).

    The evidence is at most the cost of the cheapest confusion, which is faster to compute and is
    tested first.
    """
    rule, record, means = parameters.evidence.rule, state.record, state.record.means
    if record.observed.min() == 0:
        return False
    if confusion_cost(means, record.counts) < rule.log_needed:
        return False
    information = np.empty(means.shape)
    for k in range(means.shape[0]):
        for c in range(means.shape[1]):
            information[k, c] = record.observed[k, c]
    return leads_are_proven(rule, information, means)


@kernel
def leads_are_proven(rule, information, means):
    """Whether the lead of each best arm over every other arm is proven."""
    high = np.zeros(1, np.int64)
    for c in range(means.shape[1]):
        leader = means[:, c].argmax()
        for k in range(means.shape[0]):
            if k != leader:
                evidence = log_lead(rule, information, means, leader, k, c, high)
                if evidence < rule.log_needed:
                    return False
    return True


@part
def recommend_best_arms(parameters, state, answer):
    """Write the empirically best arm of each objective."""
    for m in range(answer.shape[0]):
        answer[m] = state.record.means[:, m].argmax()
