"""Top-two sampling for the best arm of every objective."""

from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.best_arms.best_arm_evidence import (
    PROVEN,
    best_arm_evidence_parameters,
    best_arms_are_proven,
    write_best_arms,
)
from pareto_core.algorithms.top_two.rule import Rule, searching, selection, stopping
from pareto_core.compiling.kernels import kernel
from pareto_core.transport.best_arms import cheapest_confusion, write_confusion
from pareto_core.transport.oracle import write_gradient

CONFUSION = np.dtype(
    [("objective", np.int64), ("best", np.int64), ("challenger", np.int64)], align=True
)


class BestArmParameters(NamedTuple):
    """What the kernels read: nothing; a tuple of numbers cannot be empty."""

    n_objectives: int


class BestArmOracle(NamedTuple):
    """Arrays of the kernels."""

    found: np.ndarray  # (1,) CONFUSION: the cheapest alternative


@kernel
def _find(parameters, state):
    """Cost of the cheapest confusion of two arms in an objective."""
    found = state.oracle.found[0]
    cost, objective, best, challenger = cheapest_confusion(state.record.means, state.weights)
    found["objective"], found["best"], found["challenger"] = objective, best, challenger
    return cost


@kernel
def _write(parameters, state):
    """Write the evidence of a sample of each arm against the alternative found."""
    found = state.oracle.found[0]
    write_confusion(
        state.record.means,
        state.weights,
        found["objective"],
        found["best"],
        found["challenger"],
        state.alternative,
    )
    write_gradient(state.record.means, state.alternative, state.shares)


@kernel
def _stop_when_proven(parameters, state):
    """Test whether the answer is proven, at multiples of ``check_every``."""
    if state.record.time[0] % parameters.test.check_every != 0:
        return False
    return best_arms_are_proven(parameters.oracle, state.record)


@kernel
def _recommend(parameters, state, answer):
    write_best_arms(state.record, answer)


def _no_parameters(check_every, delta, problem):
    return BestArmParameters(problem.n_objectives)


def _proven_parameters(check_every, delta, problem):
    return best_arm_evidence_parameters(PROVEN, delta, problem)


def _allocate(problem):
    return BestArmOracle(np.zeros(1, CONFUSION))


_search = searching(_find)
_select = selection(_search, _write)
STYLISED = Rule(_select, stopping(_search), _recommend, _no_parameters, _allocate)
RULES_WITH_PROOF = {
    PROVEN: Rule(_select, _stop_when_proven, _recommend, _proven_parameters, _allocate)
}
