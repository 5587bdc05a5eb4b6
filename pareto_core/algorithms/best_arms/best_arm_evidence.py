"""The stopping rule of algorithms that look for the best arm of every objective."""

from typing import NamedTuple

import numpy as np

from pareto_core.checks.arguments import check_probability
from pareto_core.compiling.kernels import kernel
from pareto_core.confidence.proven_rules import PAIRS, Rule, make_rule
from pareto_core.confidence.statement_evidence import log_lead
from pareto_core.confidence.thresholds import THRESHOLDS, threshold, threshold_constant
from pareto_core.transport.best_arms import confusion_cost

PROVEN = "proven"  # a threshold that is none
STOPPING = (*THRESHOLDS, PROVEN)  # names of all ways to decide that the evidence is enough


class BestArmEvidenceParameters(NamedTuple):
    """How much evidence is enough."""

    threshold: int
    threshold_constant: float


class ProvenBestArmParameters(NamedTuple):
    """What the evidence must rule out."""

    rule: Rule


def best_arm_evidence_parameters(name, delta, problem):
    """Parameters of a test with the threshold ``name``, or of the proven rule."""
    if name == PROVEN:
        ways = problem.n_objectives * (problem.n_arms - 1)
        needed = -np.log(check_probability(delta, "delta")) + np.log(ways)
        return ProvenBestArmParameters(make_rule(PAIRS, needed, problem.n_arms))
    n_means = problem.n_arms * problem.n_objectives
    return BestArmEvidenceParameters(
        THRESHOLDS[name].number, threshold_constant(name, delta, n_means)
    )


@kernel
def best_arms_are_clear(parameters, record):
    """Whether Z(t), the cost of making another arm the best somewhere, passes the threshold.

    Chen et al. (2024), Equations (14) and (15). The cost is homogeneous, so at the numbers of
    samples it is t times what it is at their shares.
    """
    samples = record.time[0]
    if samples < record.counts.shape[0]:
        return False
    enough = threshold(
        parameters.threshold,
        samples,
        record.counts,
        record.means.shape[1],
        parameters.threshold_constant,
    )
    return confusion_cost(record.means, record.counts) >= enough


@kernel
def best_arms_are_proven(parameters, record):
    """Whether each best arm is proven to be better than each other one (appendix, Theorem 6).

    The evidence is at most the cost of the cheapest confusion, which takes less time to find.
    """
    rule, means = parameters.rule, record.means
    if record.counts.min() == 0:
        return False
    if confusion_cost(means, record.counts) < rule.log_needed:
        return False
    information = np.empty(means.shape)
    for k in range(means.shape[0]):
        information[k, :] = record.counts[k]
    high = np.zeros(1, np.int64)
    for c in range(means.shape[1]):
        leader = means[:, c].argmax()
        for k in range(means.shape[0]):
            if k != leader:
                evidence = log_lead(rule, information, means, leader, k, c, high)
                if evidence < rule.log_needed:
                    return False
    return True


@kernel
def write_best_arms(record, answer):
    """Name the empirically best arm of each objective."""
    for m in range(answer.shape[0]):
        answer[m] = record.means[:, m].argmax()
