"""PaVeBa: eliminate and accept arms by balls around their means (Karagözlü et al. 2024)."""

import dataclasses
from typing import NamedTuple

import numpy as np

from pareto_core.checks.arguments import check_non_negative, check_positive, check_probability
from pareto_core.compiling.kernels import kernel
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.record import Record, empty_record

UNDECIDED, ACCEPTED, DISCARDED = 0, 1, 2


class PaVeBaParameters(NamedTuple):
    """Hyper-parameters as the compiled functions read them."""

    epsilon: float
    variance: float  # of the noise, divided by the square of the contraction
    log_constant: float  # ln(pi^2 (d + 1) K / (6 delta))


class PaVeBaState(NamedTuple):
    """State of one run."""

    record: Record
    radius: np.ndarray  # (K,) of the ball around each mean
    verdict: np.ndarray  # (K,) UNDECIDED, ACCEPTED or DISCARDED
    active: np.ndarray  # (K,) arms of this round, undecided or useful, in the first entries
    n_active: np.ndarray  # (1,) number of these arms
    turn: np.ndarray  # (1,) index in ``active`` of the next arm of this round


@kernel
def ball_radius(parameters, samples):
    """Radius of the ball around the mean of ``samples`` rewards."""
    log_term = parameters.log_constant + 2.0 * np.log(samples)
    return np.sqrt(8.0 * parameters.variance * log_term / samples)


@kernel
def _is_surely_below(means, radius, i, j):
    """Whether arm i's ball is certainly below arm j's ball in every objective."""
    for c in range(means.shape[1]):
        if means[j, c] - means[i, c] < radius[i] + radius[j]:
            return False
    return True


@kernel
def _may_be_below(parameters, means, radius, i, j):
    """Whether arm j may still exceed arm i by epsilon in every objective."""
    squares = 0.0
    for c in range(means.shape[1]):
        short = max(parameters.epsilon - (means[j, c] - means[i, c]), 0.0)
        squares += short * short
    return np.sqrt(squares) <= radius[i] + radius[j]


@kernel
def _discard(state, arms):
    """Discard the undecided arms that are certainly below an arm of the round; return the rest."""
    means, radius, verdict = state.record.means, state.radius, state.verdict
    for i in arms:
        for j in arms:
            if verdict[i] == UNDECIDED and _is_surely_below(means, radius, i, j):
                verdict[i] = DISCARDED
    kept = 0
    for i in arms:
        if verdict[i] != DISCARDED:
            state.active[kept] = i
            kept += 1
    return state.active[:kept]


@kernel
def _accept(parameters, state, arms):
    """Accept the undecided arms that none of ``arms`` may exceed."""
    means, radius, verdict = state.record.means, state.radius, state.verdict
    for i in arms:
        open_ = verdict[i] != UNDECIDED
        for j in arms:
            open_ = open_ or (j != i and _may_be_below(parameters, means, radius, i, j))
        if not open_:
            verdict[i] = ACCEPTED


@kernel
def _is_active(parameters, state, j):
    """Whether an arm is undecided, or may exceed an undecided arm."""
    verdict = state.verdict
    if verdict[j] != ACCEPTED:
        return verdict[j] == UNDECIDED
    for i in range(verdict.shape[0]):
        if verdict[i] == UNDECIDED and _may_be_below(
            parameters, state.record.means, state.radius, i, j
        ):
            return True
    return False


@kernel
def _finish_round(parameters, state):
    """Decide arms, and select the arms of the next round."""
    arms = state.active[: state.n_active[0]]
    for i in arms:
        state.radius[i] = ball_radius(parameters, state.record.counts[i])
    _accept(parameters, state, _discard(state, arms))
    size = 0
    for j in range(state.verdict.shape[0]):
        if _is_active(parameters, state, j):
            state.active[size] = j
            size += 1
    state.n_active[0], state.turn[0] = size, 0


@kernel
def _select(parameters, state):
    """The active arms in order."""
    arm = state.active[state.turn[0]]
    state.turn[0] += 1
    return arm, 1


@kernel
def _stop(parameters, state):
    """Decide arms at the end of a round; stop when no arm is undecided."""
    if state.turn[0] == state.n_active[0]:
        _finish_round(parameters, state)
    return state.n_active[0] == 0


@kernel
def _recommend(parameters, state, answer):
    """Mark the accepted arms, and the undecided arms if the run was cut off."""
    for i in range(answer.shape[0]):
        answer[i] = state.verdict[i] != DISCARDED


@dataclasses.dataclass(frozen=True)
class PaVeBa(Algorithm):
    r"""Eliminate and accept arms in rounds, by confidence balls around their means.

    Each round samples every arm that is undecided, or accepted but useful, once. Then

    1. an undecided arm i is discarded if
       :math:`\hat\mu_j^c-\hat\mu_i^c\ge r_i+r_j` in every objective c for an arm j of the round;
    2. an undecided arm i is accepted if
       :math:`\|(\epsilon-(\hat\mu_j-\hat\mu_i))_+\|_2>r_i+r_j` for all remaining arms j;
    3. an accepted arm j stays useful while this inequality fails for some undecided arm i.

    The radius after N samples of an arm is

    .. math::
        r=\sqrt{\frac{8\sigma^2}{N}\ln\frac{\pi^2(d+1)KN^2}{6\delta}},

    divided by the contraction (Karagözlü, Yıldırım, Ararat & Tekin 2024,
    https://proceedings.mlr.press/v238/karagozlu24a.html, for the cone of the componentwise order;
    the radius is that of their program at commit e2bdb0a, where step 2 is a convex program). The
    answer contains every optimal arm, and no arm that a different arm exceeds by more than epsilon
    in every objective. Above a contraction of 1 the theorem does not apply: the authors'
    experiments use 16, with epsilon of 0.1 or 0.01 and a noise variance of 0.01, and the library
    VOPy 32. With 206 arms, two objectives and δ = 0.05, the first ball of an arm then contains its
    mean with probability 0.14 or 0.04.
    """

    delta: float = 0.1
    epsilon: float = 0.0
    variance_bound: float | None = None
    contraction: float = 1.0

    select = staticmethod(_select)
    stop = staticmethod(_stop)
    recommend = staticmethod(_recommend)

    def __post_init__(self):
        check_probability(self.delta, "delta")
        check_non_negative(self.epsilon, "epsilon")
        if self.variance_bound is not None:
            check_positive(self.variance_bound, "variance_bound")
        check_positive(self.contraction, "contraction")

    def parameters(self, problem: Problem) -> PaVeBaParameters:
        variance = 1.0 if self.variance_bound is None else self.variance_bound
        cases = np.pi**2 * (problem.n_objectives + 1) * problem.n_arms / 6
        return PaVeBaParameters(
            float(self.epsilon),
            float(variance / self.contraction**2),
            float(np.log(cases) - np.log(self.delta)),
        )

    def start(self, problem: Problem, rng: np.random.Generator) -> PaVeBaState:
        return PaVeBaState(
            empty_record(problem),
            np.full(problem.n_arms, np.inf),
            np.full(problem.n_arms, UNDECIDED),
            np.arange(problem.n_arms),
            np.array([problem.n_arms]),
            np.zeros(1, np.int64),
        )
