"""PAL with a linear model and least squares, the baseline of Kone et al. (2025)."""

import dataclasses
from typing import Any, NamedTuple

import numpy as np

from pareto_core.checks.arguments import (
    check_magnitude,
    check_non_negative,
    check_positive,
    check_probability,
)
from pareto_core.compiling.kernels import kernel, part
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.parts import ANY
from pareto_core.loop.record import Record, empty_record
from pareto_core.regression.design import check_features, least_squares_means

RIDGE = 1e-6  # on the diagonal of the information matrix


class LinearPALParameters(NamedTuple):
    """Hyper-parameters as the compiled functions read them."""

    features: np.ndarray  # (K, h)
    epsilon: float
    bonus_scale: float
    log_constant: float  # of the bonus: log(K d pi² / (6 delta))


class LinearPALState(NamedTuple):
    """State of one run."""

    record: Record
    inverse: np.ndarray  # (h, h) of the information matrix
    moments: np.ndarray  # (h, d) sum of x y' over the samples up to the last round
    counted: np.ndarray  # (K, d) sums of the rewards included in ``moments``
    means: np.ndarray  # (K, d) least-squares estimates
    bonus: np.ndarray  # (K,) radius of each estimate
    active: np.ndarray  # (K,) arms that are undecided, or needed to decide a different arm
    accepted: np.ndarray  # (K,) arms accepted as optimal
    sure: np.ndarray  # (K,) active arms that are certainly optimal, up to epsilon
    leaving: np.ndarray  # (K,) active arms that leave in this round
    round: np.ndarray  # (1,) number of the round, from 1
    turn: np.ndarray  # (1,) the arm to sample next


@kernel
def _add_information(inverse, x):
    """Update the inverse of V to that of V + x x' in place (Sherman & Morrison 1950)."""
    direction = np.zeros(x.shape[0])
    total = 1.0
    for f in range(x.shape[0]):
        for g in range(x.shape[0]):
            direction[f] += inverse[f, g] * x[g]
        total += x[f] * direction[f]
    for f in range(x.shape[0]):
        for g in range(f + 1):
            inverse[f, g] -= direction[f] * direction[g] / total
            inverse[g, f] = inverse[f, g]


@kernel
def _add_samples(features, state, arms):
    """Add the last round's samples, one of each active arm."""
    for k in arms:
        x = features[k]
        _add_information(state.inverse, x)
        for c in range(state.counted.shape[1]):
            reward = state.record.sums[k, c] - state.counted[k, c]
            state.counted[k, c] = state.record.sums[k, c]
            for f in range(x.shape[0]):
                state.moments[f, c] += x[f] * reward


@kernel
def _update_estimates(parameters, state, arms):
    """Least-squares means and bonuses of the active arms after a round."""
    features, inverse, means = parameters.features, state.inverse, state.means
    _add_samples(features, state, arms)
    log_term = parameters.log_constant + 2.0 * np.log(state.round[0])
    for k in arms:
        means[k] = 0.0
        leverage = 0.0
        for f in range(features.shape[1]):
            weight = 0.0
            for g in range(features.shape[1]):
                weight += inverse[f, g] * features[k, g]
            leverage += features[k, f] * weight
            for c in range(means.shape[1]):
                means[k, c] += weight * state.moments[f, c]
        state.bonus[k] = np.sqrt(parameters.bonus_scale * log_term * max(leverage, 0.0))


@part
def _lead(means, i, j):
    """m(i, j): the smallest lead of arm j over arm i in an objective."""
    least = np.inf
    for c in range(means.shape[1]):
        least = min(least, means[j, c] - means[i, c])
    return least


@kernel
def _is_dominated(state, arms, i):
    """Whether some active arm certainly exceeds arm i in all objectives."""
    for j in arms:
        if _lead(state.means, i, j) > state.bonus[i] + state.bonus[j]:
            return True
    return False


@kernel
def _is_sure(state, arms, epsilon, i):
    """Whether certainly no active arm dominates arm i by more than epsilon."""
    for j in arms:
        width = state.bonus[i] + state.bonus[j]
        if j != i and epsilon - _lead(state.means, i, j) <= width:
            return False
    return True


@kernel
def _is_needed(state, arms, epsilon, j):
    """Whether arm j may still dominate an active undecided arm."""
    for i in arms:
        width = state.bonus[i] + state.bonus[j]
        if not state.sure[i] and epsilon - _lead(state.means, i, j) <= width:
            return True
    return False


@kernel
def _finish_round(parameters, state):
    """Discard arms, then accept arms."""
    arms = np.flatnonzero(state.active)
    _update_estimates(parameters, state, arms)
    for i in arms:
        state.leaving[i] = _is_dominated(state, arms, i)
    for i in arms:
        state.active[i] = not state.leaving[i]
    arms = np.flatnonzero(state.active)
    for i in arms:
        state.sure[i] = _is_sure(state, arms, parameters.epsilon, i)
    for j in arms:
        state.leaving[j] = state.sure[j] and not _is_needed(state, arms, parameters.epsilon, j)
    for j in arms:
        if state.leaving[j]:
            state.active[j] = False
            state.accepted[j] = True
    state.round[0] += 1


@part
def _next_active(active, start):
    """First active arm from ``start`` on, or the number of arms."""
    for k in range(start, active.shape[0]):
        if active[k]:
            return k
    return active.shape[0]


@kernel
def _select(parameters, state):
    return state.turn[0], 1


@kernel
def _stop(parameters, state):
    """Move to the next active arm; at the end of a round, discard and accept arms."""
    n_arms = state.active.shape[0]
    state.turn[0] = _next_active(state.active, state.turn[0] + 1)
    if state.turn[0] == n_arms:
        _finish_round(parameters, state)
        state.turn[0] = _next_active(state.active, 0)
    return state.turn[0] == n_arms


@kernel
def _recommend(parameters, state, answer):
    for k in range(answer.shape[0]):
        answer[k] = state.accepted[k] or state.active[k]


@dataclasses.dataclass(frozen=True)
class LinearPAL(Algorithm):
    r"""Racing on the least-squares means of a linear model.

    This is the algorithm called PAL in the program of Kone, Kaufmann & Richert (2025, linear,
    arXiv:2507.04255). Every active arm is sampled once per round. After round t, with
    :math:`V=\sum_kn_kx_kx_k^\top+10^{-6}I` and the sum :math:`S` of the samples'
    :math:`xy^\top`, an arm's mean is estimated by :math:`\hat\mu_i=S^\top V^{-1}x_i`, with

    .. math::
        \beta_i=\sqrt{b_t\,x_i^\top V^{-1}x_i},\qquad
        b_t=\text{bonus_scale}\cdot\ln\frac{Kd\pi^2t^2}{6\delta}.

    In the notation of `gaps`, with estimates instead of means, arm i is discarded if
    :math:`m(i,j)>\beta_i+\beta_j` for some active arm j, and certain if
    :math:`M(i,j)+\epsilon>\beta_i+\beta_j` for all other active arms j. A certain arm j is
    accepted unless :math:`M(i,j)+\epsilon\le\beta_i+\beta_j` for some active arm i that is not
    certain. The run stops when no arm is active.

    The bonus does not depend on the noise, and instances are not whitened. With Gaussian
    noise of variance :math:`\sigma^2` and a ``bonus_scale`` of :math:`2\sigma^2`, all
    estimates in all rounds would stay within their bonus with probability at least
    :math:`1-\delta` if the arms of each round were fixed in advance; the program uses 1/5, which is
    smaller than any proven value.
    """

    delta: float = 0.1
    epsilon: float = 0.0
    bonus_scale: float = 0.2

    reads = frozenset({"features"})
    noise = ANY  # the bonus does not depend on it
    select = staticmethod(_select)
    stop = staticmethod(_stop)
    recommend = staticmethod(_recommend)

    def __post_init__(self):
        check_probability(self.delta, "delta")
        check_non_negative(self.epsilon, "epsilon")
        check_positive(self.bonus_scale, "bonus_scale")

    def parameters(self, problem: Problem) -> LinearPALParameters:
        if problem.features is None:
            raise ValueError("features = None; expected a feature vector of each arm for LinearPAL")
        size = problem.n_arms * problem.n_objectives
        return LinearPALParameters(
            check_magnitude(check_features(problem.features), "features"),
            float(self.epsilon),
            float(self.bonus_scale),
            float(np.log(size * np.pi**2 / (6 * self.delta))),
        )

    def start(self, problem: Problem, rng: np.random.Generator) -> LinearPALState:
        n_arms, n_features = self.parameters(problem).features.shape
        return LinearPALState(
            empty_record(problem),
            np.eye(n_features) / RIDGE,
            np.zeros((n_features, problem.n_objectives)),
            np.zeros((n_arms, problem.n_objectives)),
            np.zeros((n_arms, problem.n_objectives)),
            np.full(n_arms, np.inf),
            np.ones(n_arms, np.bool_),
            np.zeros(n_arms, np.bool_),
            np.zeros(n_arms, np.bool_),
            np.zeros(n_arms, np.bool_),
            np.ones(1, np.int64),
            np.zeros(1, np.int64),
        )

    def estimates(self, problem: Problem, state: Any) -> np.ndarray | None:
        """Least-squares estimates; None until the arms sampled span the features."""
        return least_squares_means(problem.features, state.record.counts, state.record.sums)
