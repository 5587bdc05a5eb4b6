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
from pareto_core.checks.arguments import check_choice, check_probability, check_weights, shown
from pareto_core.checks.words import Prior
from pareto_core.compiling.kernels import kernel
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.record import Record, empty_record

__all__ = ["OraclePosterior"]


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
    r"""Sample arms at random with fixed weights, and stop by the rule of posterior sampling.

    This isolates the stopping rule of `PSIPS` from its learner. With the optimal weights of the
    lower bound, it is the ORACLE of Kone, Jourdan & Kaufmann (2025, posterior sampling); with equal
    weights, it is their baseline "RR". Rewards must have unit variance, so `simulate` whitens an
    instance first.

    Parameters
    ----------
    weights : sequence of float, shape (K,)
        Frequency of each arm, up to a common factor; for example
        ``tuple(pc.characteristic_time(instance.means_standardised).weights)``.
    delta : float, default 0.1
        Risk: the largest acceptable probability of a wrong answer.
    prior : {"flat", "ridge"}, default "flat"
        See `PSIPS`.

    Raises
    ------
    ValueError
        If a parameter is out of range; when a run begins, if the number of weights is not the
        number of arms.

    See Also
    --------
    pareto_book.rivals.psips.PSIPS : learns the weights.

    References
    ----------
    Kone, Jourdan & Kaufmann 2025, Pareto set identification with posterior sampling,
    arXiv:2411.04939.

    Examples
    --------
    >>> import pareto_core as pc
    >>> from pareto_book.rivals import OraclePosterior
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> pc.simulate(
    ...     OraclePosterior(weights=(1.0, 1.0, 1.0)), instance, runs=1, progress=False
    ... ).answers
    array([[ True,  True, False]])
    """

    weights: Sequence[float]
    delta: float = 0.1
    prior: Prior = "flat"

    select = staticmethod(_select)
    stop = staticmethod(_stop)
    recommend = staticmethod(_recommend)

    def __post_init__(self):
        given = self.weights
        if isinstance(given, np.ndarray) and given.ndim == 1:
            given = given.tolist()
        if not isinstance(given, tuple | list) or len(given) < 2:
            raise ValueError(
                f"weights = {shown(self.weights)}; expected a tuple of numbers, one per arm"
            )
        object.__setattr__(self, "weights", tuple(check_weights(given, len(given)).tolist()))
        check_probability(self.delta, "delta")
        check_choice(self.prior, "prior", PRIORS)

    def parameters(self, problem: Problem) -> OraclePosteriorParameters:
        """See `Algorithm.parameters`."""
        weights = check_weights(self.weights, problem.n_arms)
        return OraclePosteriorParameters(
            posterior_parameters(self.prior, self.delta), weights / weights.sum()
        )

    def start(self, problem: Problem, rng: np.random.Generator) -> OraclePosteriorState:
        """See `Algorithm.start`."""
        return OraclePosteriorState(empty_record(problem), allocate_posterior(problem, rng))
