"""Top-two sampling for the best arm of every objective if each is measured by itself.

The record has one row for each arm and objective, see `unfolding`; the kernels fold it.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.best_arms.best_arm_evidence import (
    PROVEN,
    best_arm_evidence_parameters,
    leads_are_proven,
)
from pareto_core.algorithms.pareto.proven_stopping import units_of_noise
from pareto_core.algorithms.top_two.best_arms import CONFUSION
from pareto_core.algorithms.top_two.rule import Rule, searching, selection, stopping
from pareto_core.algorithms.top_two.separate import fold_values
from pareto_core.compiling.kernels import kernel
from pareto_core.confidence.proven_rules import PAIRS
from pareto_core.confidence.proven_rules import Rule as ProvenRule
from pareto_core.transport.separate_best_arms import (
    cheapest_separate_confusion,
    write_separate_confusion,
)


class SeparateBestArmParameters(NamedTuple):
    """What the kernels read."""

    check_every: int
    rule: ProvenRule
    unit: np.ndarray  # (d,) a typical standard deviation of each objective
    variance: np.ndarray  # (K, d) of the noise, in these units


class SeparateBestArmOracle(NamedTuple):
    """Arrays of the kernels."""

    found: np.ndarray  # (1,) CONFUSION: the cheapest alternative
    means: np.ndarray  # (K, d) in units of the noise
    information: np.ndarray  # (K, d) samples over the variance of the noise in units
    gradient: np.ndarray  # (K, d)
    alternative: np.ndarray  # (K, d)


@kernel
def _find(parameters, state):
    """Cost of the cheapest confusion of two arms in an objective."""
    oracle = state.oracle
    fold_values(parameters.oracle, oracle, state.weights, state.record.means)
    found = oracle.found[0]
    cost, objective, best, challenger = cheapest_separate_confusion(
        oracle.means, oracle.information
    )
    found["objective"], found["best"], found["challenger"] = objective, best, challenger
    return cost


@kernel
def _write(parameters, state):
    """Write the evidence of a measurement of each arm and objective against the alternative."""
    oracle, variance = state.oracle, parameters.oracle.variance
    found = oracle.found[0]
    confusion = found["objective"], found["best"], found["challenger"]
    write_separate_confusion(
        oracle.means, oracle.information, confusion, oracle.gradient, oracle.alternative
    )
    n_arms, n_objectives = oracle.means.shape
    for k in range(n_arms):
        for c in range(n_objectives):
            state.shares[k * n_objectives + c] = oracle.gradient[k, c] / variance[k, c]


_search = searching(_find)


@kernel
def _stop_when_proven(parameters, state):
    """Test whether the answer is proven (appendix, Theorem 6 with own counts).

    The evidence is at most the cost of the cheapest confusion, which is faster to compute.
    """
    record, oracle, proof = state.record, state.oracle, parameters.oracle
    if record.time[0] % proof.check_every != 0 or record.counts.min() == 0:
        return False
    if _search(parameters, state) < proof.rule.log_needed:
        return False
    fold_values(proof, oracle, record.counts, record.means)
    return leads_are_proven(proof.rule, oracle.information, oracle.means)


@kernel
def _recommend(parameters, state, answer):
    """Write the empirically best arm of each objective."""
    oracle = state.oracle
    fold_values(parameters.oracle, oracle, state.record.counts, state.record.means)
    for c in range(answer.shape[0]):
        answer[c] = oracle.means[:, c].argmax()


def _parameters(check_every, delta, problem):
    rule = best_arm_evidence_parameters(PROVEN, delta, problem).rule
    return SeparateBestArmParameters(check_every, rule, *units_of_noise(PAIRS, problem))


def _allocate(problem):
    shape = (problem.n_arms, problem.n_objectives)
    found = np.zeros(1, CONFUSION)
    return SeparateBestArmOracle(found, *(np.zeros(shape) for _ in range(4)))


_select = selection(_search, _write)
STYLISED = Rule(_select, stopping(_search), _recommend, _parameters, _allocate)
WITH_PROOF = Rule(_select, _stop_when_proven, _recommend, _parameters, _allocate)
