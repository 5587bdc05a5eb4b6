"""Random sampling with given weights, and the stopping rule of posterior sampling."""

import dataclasses
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pareto_book.rivals.posterior import (
    PRIORS,
    Posterior,
    PosteriorParameters,
    allocate_posterior,
    draw_arm,
    is_certain,
    mark_posterior_front,
    posterior_parameters,
)
from pareto_core.algorithms.tracking import in_first_round
from pareto_core.checks.arguments import check_choice, check_probability, check_weights
from pareto_core.checks.words import Prior
from pareto_core.compiling.kernels import kernel
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.record import Record, empty_record


class OraclePosteriorParameters(NamedTuple):
    """Hyper-parameters as the compiled functions read them."""

    posterior: PosteriorParameters
    weights: np.ndarray  # (K,) of sum 1


class OraclePosteriorState(NamedTuple):
    """State of one run."""

    record: Record
    posterior: Posterior


@kernel
def _select(parameters, state):
    """With a flat prior, each arm once; then arms at random with the given weights."""
    if parameters.posterior.prior_samples == 0 and in_first_round(state.record):
        return state.record.time[0], 1
    return draw_arm(state.posterior, parameters.weights, 0.0), 1


@kernel
def _stop(parameters, state):
    if parameters.posterior.prior_samples == 0 and state.record.counts.min() == 0:
        return False
    return is_certain(parameters.posterior, state.posterior, state.record)


@kernel
def _recommend(parameters, state, answer):
    mark_posterior_front(parameters.posterior, state.posterior, state.record, answer)


@dataclasses.dataclass(frozen=True)
class OraclePosterior(Algorithm):
    """Sample arms at random with fixed weights, and stop by the rule of posterior sampling.

    This isolates the stopping rule of `PSIPS` from its learner. With the optimal weights of the
    lower bound, it is the ORACLE of Kone, Jourdan & Kaufmann (2025, posterior sampling,
    arXiv:2411.04939); with equal weights, it is their baseline "RR".
    """

    weights: Sequence[float]
    delta: float = 0.1
    prior: Prior = "flat"

    select = staticmethod(_select)
    stop = staticmethod(_stop)
    recommend = staticmethod(_recommend)

    def __post_init__(self):
        weights = check_weights(self.weights, len(self.weights))
        object.__setattr__(self, "weights", tuple(weights.tolist()))
        check_probability(self.delta, "delta")
        check_choice(self.prior, "prior", PRIORS)

    def parameters(self, problem: Problem) -> OraclePosteriorParameters:
        weights = check_weights(self.weights, problem.n_arms)
        return OraclePosteriorParameters(
            posterior_parameters(self.prior, self.delta), weights / weights.sum()
        )

    def start(self, problem: Problem, rng: np.random.Generator) -> OraclePosteriorState:
        return OraclePosteriorState(empty_record(problem), allocate_posterior(problem, rng))
