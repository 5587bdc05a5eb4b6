"""Frank-Wolfe steps on the lower bound (Wang, Tzeng & Proutiere 2021), for the Pareto set."""

import dataclasses
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.stopping import (
    STOPPING,
    Evidence,
    EvidenceParameters,
    recommend_front,
    stopping_named,
)
from pareto_core.algorithms.tracking import furthest_behind, in_first_round
from pareto_core.checks.arguments import check_choice, check_count, check_probability
from pareto_core.checks.words import StoppingName
from pareto_core.compiling.kernels import kernel
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.parts import Stopping
from pareto_core.loop.record import Record, empty_record
from pareto_core.transport.oracle import label_answer
from pareto_core.transport.walk import near_moves

MOST_GRADIENTS = 64  # of alternatives that are nearly the cheapest
ROUNDING = 1.0001  # factor by which the search is wider than the slack, for rounding errors


class FrankWolfeParameters(NamedTuple):
    """Hyper-parameters as the compiled functions read them."""

    evidence: EvidenceParameters  # or ProvenParameters


class FrankWolfeState(NamedTuple):
    """State of one run."""

    record: Record
    weights: np.ndarray  # (K,) the iterate
    targets: np.ndarray  # (K,) samples that each arm should have by now
    gradients: np.ndarray  # (MOST_GRADIENTS, K) of the nearly cheapest alternatives
    alternative: np.ndarray  # (K, d) the one looked at
    evidence: Evidence  # or ProvenStoppingState


@kernel
def _vertex(state, limit, count):
    """Arm with the largest gain against the alternative with the smallest largest gain.

    Only the first ``count`` alternatives that cost at most ``limit`` are considered.
    """
    weights, gradients = state.weights, state.gradients
    chosen, least = 0, np.inf
    for row in range(count):
        cost = 0.0
        for k in range(weights.shape[0]):
            cost += weights[k] * gradients[row, k]
        best = gradients[row].argmax()
        if cost <= limit and gradients[row, best] - cost < least:
            chosen, least = best, gradients[row, best] - cost
    return chosen


@kernel
def _track(state, samples):
    """Track the sum of the weights, mixed with a small uniform part."""
    n_arms = state.weights.shape[0]
    extra = 0.5 / np.sqrt(samples + n_arms * n_arms)
    for k in range(n_arms):
        state.targets[k] += (state.weights[k] + extra) / (1.0 + n_arms * extra)
    return furthest_behind(state.targets, state.record.counts)


@kernel
def _select(parameters, state):
    """Each arm once; then a Frank-Wolfe step, and tracking."""
    samples, n_arms = state.record.time[0], state.weights.shape[0]
    if in_first_round(state.record):
        return samples, 1
    slack = samples**-0.9 / n_arms
    oracle, means = state.evidence.oracle, state.record.means
    label_answer(means, None, None, oracle)
    value, count = near_moves(
        means,
        state.weights,
        None,
        None,
        ROUNDING * slack,
        oracle,
        state.alternative,
        state.gradients,
    )
    arm = _vertex(state, value + slack, count)
    for k in range(n_arms):
        state.weights[k] *= samples / (samples + 1.0)
    state.weights[arm] += 1.0 / (samples + 1.0)
    return _track(state, samples), 1


@dataclasses.dataclass(frozen=True)
class FrankWolfe(Algorithm):
    r"""Maximise the lower bound by Frank-Wolfe steps (Wang, Tzeng & Proutiere 2021, NeurIPS).

    At sample t, the weights move by 1/(t+1) towards one arm. Every alternative whose cost is less
    than :math:`t^{-9/10}/K` above that of the cheapest proposes the arm that increases its cost
    most, and the proposal with the smallest increase is used; the paper solves a linear program
    instead. The weights are tracked with :math:`1/(2\sqrt{t+K^2})` of every arm mixed in, as in the
    public scripts of FraPPE (Das, Shukla & Basu 2025, arXiv:2508.16487, at commit fa8ca1a). The
    transportation cost here is exact; these scripts do not test whether a dominated arm may be
    optimal, so the cost that they compute can be too large. Its steps take the rewards of all arms
    to have the same variance, so it refuses others, whatever it stops by.
    """

    delta: float = 0.1
    check_every: int = 1
    threshold: StoppingName = "stylised"

    select = staticmethod(_select)
    recommend = staticmethod(recommend_front)

    def __post_init__(self):
        check_probability(self.delta, "delta")
        check_count(self.check_every, "check_every")
        check_choice(self.threshold, "threshold", STOPPING)

    @property
    def stopping(self) -> Stopping:
        return stopping_named(self.threshold, self.delta, self.check_every)

    @property
    def stop(self) -> Callable:
        return self.stopping.kernel

    def parameters(self, problem: Problem) -> FrankWolfeParameters:
        return FrankWolfeParameters(self.stopping.parameters(problem))

    def start(self, problem: Problem, rng: np.random.Generator) -> FrankWolfeState:
        n_arms = problem.n_arms
        return FrankWolfeState(
            empty_record(problem),
            np.full(n_arms, 1 / n_arms),
            np.ones(n_arms),
            np.empty((MOST_GRADIENTS, n_arms)),
            np.empty((n_arms, problem.n_objectives)),
            self.stopping.allocate(problem),
        )
