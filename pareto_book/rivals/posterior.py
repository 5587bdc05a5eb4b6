"""The stopping rule of posterior sampling, and the draws that it uses.

In the posterior, the mean of arm k is Gaussian around its estimate, with variance
:math:`1/(N_k+n_0)`. A draw is an *alternative* if its Pareto set differs from that of the
estimates. A run may end when sufficiently many consecutive draws, from a slightly widened
posterior, are no alternatives (Kone, Jourdan & Kaufmann 2025, posterior sampling).
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import kernel
from pareto_core.geometry.dominance import dominates, write_front

SMALLEST_RISK = 1e-9
PRIORS = {"flat": 0, "ridge": 1}  # imaginary samples of each arm at the origin


class PosteriorParameters(NamedTuple):
    """The prior and the risk."""

    prior_samples: int
    log_risk: float  # ln(1 / delta)
    log_certainty: float  # ln(1 / (1 - delta))


class Posterior(NamedTuple):
    """The posterior, and one draw from it."""

    rng: np.random.Generator
    estimates: np.ndarray  # (K, d) centre
    deviation: np.ndarray  # (K,) standard deviation in each objective
    front: np.ndarray  # (K,) the Pareto set of the estimates, in the first entries
    optimal: np.ndarray  # (K,) whether an arm is in it
    noise: np.ndarray  # (K, d) a draw minus the centre
    point: np.ndarray  # (K, d) the centre plus a multiple of the noise


def posterior_parameters(prior, delta):
    """Parameters for the prior of this name and a risk, which needs over 1 / delta draws."""
    if delta < SMALLEST_RISK:
        raise ValueError(
            f"delta = {delta}; expected at least {SMALLEST_RISK}, because the rule of posterior "
            "sampling draws more than 1 / delta times from the posterior before it stops"
        )
    return PosteriorParameters(PRIORS[prior], float(-np.log(delta)), float(-np.log1p(-delta)))


def allocate_posterior(problem, rng):
    """Allocate a posterior before the first sample."""
    shape = (problem.n_arms, problem.n_objectives)
    return Posterior(
        rng,
        np.zeros(shape),
        np.ones(problem.n_arms),
        np.zeros(problem.n_arms, np.int64),
        np.zeros(problem.n_arms, np.bool_),
        np.zeros(shape),
        np.zeros(shape),
    )


@kernel
def least_draws(parameters, round_):
    """Number M of draws that have to agree before the run may end; a real number."""
    return (np.log(round_) + parameters.log_risk) / parameters.log_certainty


@kernel
def inflation(parameters, round_):
    """Factor c between the variance of these draws and that of the posterior."""
    return 1.0 + np.log(max(np.log(round_), 1.0)) / parameters.log_risk


@kernel
def update_posterior(parameters, posterior, record):
    """Update the posterior by the samples so far; return the size of its Pareto set."""
    for k in range(record.counts.shape[0]):
        samples = max(record.counts[k] + parameters.prior_samples, 1)
        posterior.deviation[k] = 1.0 / np.sqrt(samples)
        posterior.optimal[k] = False
        for c in range(record.sums.shape[1]):
            posterior.estimates[k, c] = record.sums[k, c] / samples
    size = write_front(posterior.estimates, posterior.front)
    for f in range(size):
        posterior.optimal[posterior.front[f]] = True
    return size


@kernel
def draw_noise(posterior):
    """Draw the deviations of the means from the estimates."""
    for k in range(posterior.noise.shape[0]):
        for c in range(posterior.noise.shape[1]):
            posterior.noise[k, c] = posterior.deviation[k] * posterior.rng.standard_normal()


@kernel
def _is_dominated(point, front, k):
    for f in front:
        if dominates(point, f, k):
            return True
    return False


@kernel
def is_alternative(posterior, size, scale):
    """Whether the estimates plus ``scale`` times the noise have a different Pareto set.

    They do if one of the first ``size`` arms of the front is dominated by a different one of these,
    or if an arm outside the front is dominated by none of them.
    """
    point, front = posterior.point, posterior.front[:size]
    for k in range(point.shape[0]):
        for c in range(point.shape[1]):
            point[k, c] = posterior.estimates[k, c] + scale * posterior.noise[k, c]
    for k in range(point.shape[0]):
        if _is_dominated(point, front, k) == posterior.optimal[k]:
            return True
    return False


@kernel
def is_certain(parameters, posterior, record):
    """Whether `least_draws` consecutive draws have the Pareto set of the estimates."""
    round_ = record.time[0] + 1
    size = update_posterior(parameters, posterior, record)
    scale = np.sqrt(inflation(parameters, round_))
    drawn, least = 0.0, least_draws(parameters, round_)
    while drawn < least:
        draw_noise(posterior)
        if is_alternative(posterior, size, scale):
            return False
        drawn += 1.0
    return True


@kernel
def draw_arm(posterior, weights, uniform):
    """Draw an arm: uniformly with probability ``uniform``, otherwise with weights of sum 1."""
    n_arms = weights.shape[0]
    left = posterior.rng.random()
    for k in range(n_arms - 1):
        left -= (1.0 - uniform) * weights[k] + uniform / n_arms
        if left < 0.0:
            return k
    return n_arms - 1


@kernel
def mark_posterior_front(parameters, posterior, record, answer):
    """Mark the Pareto set of the estimates."""
    update_posterior(parameters, posterior, record)
    for k in range(answer.shape[0]):
        answer[k] = posterior.optimal[k]
