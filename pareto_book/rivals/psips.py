"""PSIPS: posterior sampling for the Pareto set (Kone, Jourdan & Kaufmann 2025)."""

import dataclasses
from typing import Literal, NamedTuple

import numpy as np

from pareto_book.rivals.posterior import (
    PRIORS,
    Posterior,
    PosteriorParameters,
    allocate_posterior,
    draw_arm,
    draw_noise,
    inflation,
    is_alternative,
    least_draws,
    mark_posterior_front,
    posterior_parameters,
    update_posterior,
)
from pareto_core.algorithms.ada_hedge import AdaHedge, ada_hedge, gain
from pareto_core.algorithms.tracking import furthest_behind, in_first_round
from pareto_core.checks.arguments import check_choice, check_positive, check_probability
from pareto_core.checks.words import Prior
from pareto_core.compiling.copies import copy_matrix
from pareto_core.compiling.kernels import kernel
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.record import Record, empty_record

SAMPLINGS = ("tracking", "random")

LARGEST_ETA = 4.0


class PSIPSParameters(NamedTuple):
    """Hyper-parameters as the compiled functions read them."""

    posterior: PosteriorParameters
    scale: float  # of the noise of an alternative: 1 / sqrt(eta)
    tracking: bool


class PSIPSState(NamedTuple):
    """State of one run."""

    record: Record
    posterior: Posterior
    learner: AdaHedge
    challenger: np.ndarray  # (K, d) the last draw
    gains: np.ndarray  # (K,)
    targets: np.ndarray  # (K,) samples that each arm should have by now


@kernel
def _challenge(parameters, state):
    """Draw until an alternative is found, or until the run may end; return whether it may end.

    Every draw is used twice: scaled to about the width of the posterior, it may be the challenger;
    scaled to a larger width, it may rule out the end of the run. When the end is ruled out, only
    the challenger is searched for.
    """
    posterior, round_ = state.posterior, state.record.time[0] + 1
    size = update_posterior(parameters.posterior, posterior, state.record)
    least = least_draws(parameters.posterior, round_)
    wide = np.sqrt(inflation(parameters.posterior, round_))
    draws, agreed, found = 0, True, False
    while not found:
        draws += 1
        draw_noise(posterior)
        agreed = agreed and not is_alternative(posterior, size, wide)
        found = is_alternative(posterior, size, parameters.scale)
        if agreed and draws >= least:
            break
    copy_matrix(state.challenger, posterior.point)
    return agreed and draws >= least


@kernel
def _learn(state):
    """Update the learner: an arm gains the evidence of one sample against the challenger."""
    estimates = state.posterior.estimates
    for k in range(estimates.shape[0]):
        state.gains[k] = 0.0
        for c in range(estimates.shape[1]):
            state.gains[k] += (estimates[k, c] - state.challenger[k, c]) ** 2
    gain(state.learner, state.gains)


@kernel
def _track(state, uniform):
    """Track the sum of the weights, mixed with the uniform weights."""
    weights, n_arms = state.learner.weights, state.targets.shape[0]
    for k in range(n_arms):
        state.targets[k] += (1.0 - uniform) * weights[k] + uniform / n_arms
    return furthest_behind(state.targets, state.record.counts)


@kernel
def _select(parameters, state):
    """With a flat prior, each arm once; then by the learner's weights."""
    samples = state.record.time[0]
    if parameters.posterior.prior_samples == 0 and in_first_round(state.record):
        return samples, 1
    if samples == 0:
        _challenge(parameters, state)
    uniform = 1.0 / (samples + 1)
    if parameters.tracking:
        arm = _track(state, uniform)
    else:
        arm = draw_arm(state.posterior, state.learner.weights, uniform)
    _learn(state)
    return arm, 1


@kernel
def _stop(parameters, state):
    if parameters.posterior.prior_samples == 0 and in_first_round(state.record):
        return False
    return _challenge(parameters, state)


@kernel
def _recommend(parameters, state, answer):
    mark_posterior_front(parameters.posterior, state.posterior, state.record, answer)


@dataclasses.dataclass(frozen=True)
class PSIPS(Algorithm):
    r"""Use draws from the posterior both as alternatives and for the stopping rule.

    Each round draws means :math:`\lambda` from the posterior until their Pareto set differs
    from that of the estimates. Against this challenger, arm k gains
    :math:`\|\hat\mu_k-\lambda_k\|^2`. AdaHedge turns these gains into weights, of which a fraction
    1/t is uniform in round t. The run ends in a round whose first
    :math:`M=\ln(t/\delta)/\ln\frac1{1-\delta}` draws all have the Pareto set of the estimates, if
    their variance is :math:`c=1+\ln(\max(\ln t,1))/\ln\frac1\delta` times that of the posterior
    (Kone, Jourdan & Kaufmann 2025, posterior sampling, arXiv:2411.04939, and its program at commit
    0b78a2f, whose other version has the prior "ridge", an eta of 0.5 and random sampling). If means
    are far above the origin, the first arm sampled then appears to dominate all others, and the
    error rate exceeds delta. The noise of a challenger is that of the posterior divided by
    :math:`\sqrt\eta`. If a wider draw rules out the end of the run, the round continues until an
    alternative is found, however many draws that takes.
    """

    delta: float = 0.1
    prior: Prior = "flat"
    eta: float = 1.0
    sampling: Literal["tracking", "random"] = "tracking"

    select = staticmethod(_select)
    stop = staticmethod(_stop)
    recommend = staticmethod(_recommend)

    def __post_init__(self):
        check_probability(self.delta, "delta")
        check_choice(self.prior, "prior", PRIORS)
        if check_positive(self.eta, "eta") > LARGEST_ETA:
            raise ValueError(
                f"eta = {self.eta}; expected at most {LARGEST_ETA:g}, because with less noise "
                "hardly any draw is a challenger"
            )
        check_choice(self.sampling, "sampling", SAMPLINGS)

    def parameters(self, problem: Problem) -> PSIPSParameters:
        return PSIPSParameters(
            posterior_parameters(self.prior, self.delta),
            float(1.0 / np.sqrt(self.eta)),
            self.sampling == "tracking",
        )

    def start(self, problem: Problem, rng: np.random.Generator) -> PSIPSState:
        return PSIPSState(
            empty_record(problem),
            allocate_posterior(problem, rng),
            ada_hedge(problem.n_arms),
            np.zeros((problem.n_arms, problem.n_objectives)),
            np.zeros(problem.n_arms),
            np.ones(problem.n_arms),
        )
