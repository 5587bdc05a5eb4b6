"""Racing: eliminate and accept arms in rounds (Auer, Chiang, Ortner & Drugan 2016)."""

import dataclasses
from typing import Literal, NamedTuple

import numpy as np

from pareto_core.checks.arguments import (
    check_choice,
    check_count,
    check_non_negative,
    check_positive,
    check_probability,
)
from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel, part
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.record import Record, empty_record

__all__ = ["Racing"]

EMPIRICAL, HOEFFDING, ITERATED = 0, 1, 2
RADII = {"empirical": EMPIRICAL, "hoeffding": HOEFFDING, "iterated_logarithm": ITERATED}
PAIRS = ("root_sum_square", "sum")


class RacingParameters(NamedTuple):
    """Hyper-parameters as the compiled functions read them."""

    epsilon: float
    round_length: int
    radius: int
    summed: bool  # the width of a pair is the sum of its radii
    variance_bound: float
    log_constant: float  # term of the radii that depends on delta


class RacingState(NamedTuple):
    """State of one run."""

    record: Record
    radius: np.ndarray  # (K, d) of the confidence intervals of the means
    active: np.ndarray  # (K,) the active arms, in the first entries
    n_active: np.ndarray  # (1,) number of active arms
    turn: np.ndarray  # (1,) index in ``active`` of the next arm of this round
    accepted: np.ndarray  # (K,) arms that have left the race as optimal
    sure: np.ndarray  # (K,) active arms that are certainly optimal, up to epsilon
    leaving: np.ndarray  # (K,) active arms that leave in this round


@part
def exceeds(gap, first, second, summed):
    """Whether a gap between two estimates exceeds the width of the pair."""
    if summed or gap <= max(first, second) or gap > first + second:
        return gap > first + second
    return gap * gap > first * first + second * second


@kernel
def update_radius(parameters, record, arm, radius):
    """Update the confidence radius of one arm in each objective; ``radius`` changes in place."""
    n = record.counts[arm]
    log_term = parameters.log_constant + np.log(n)
    excess = parameters.variance_bound
    if parameters.radius == EMPIRICAL:
        excess *= np.sqrt(4.0 * log_term / n)
    elif parameters.radius == HOEFFDING:
        log_term += np.log(n)
    else:
        log_term = parameters.log_constant + np.log(1.0 + np.log(n))
    for c in range(radius.shape[1]):
        variance = excess
        if parameters.radius == EMPIRICAL and n > 1:
            variance += record.scatter[arm, c] / (n - 1)
        radius[arm, c] = np.sqrt(2.0 * variance * log_term / n)


@kernel
def _is_dominated(means, radius, summed, arms, i):
    """Whether some arm certainly exceeds arm i in all objectives."""
    for j in arms:
        for c in range(means.shape[1]):
            if not exceeds(means[j, c] - means[i, c], radius[i, c], radius[j, c], summed):
                break
        else:
            return True
    return False


@part
def _is_undominated_by(means, radius, summed, epsilon, i, j):
    """Whether arm i plus epsilon certainly exceeds arm j in some objective."""
    for c in range(means.shape[1]):
        gap = means[i, c] + epsilon - means[j, c]
        if exceeds(gap, radius[i, c], radius[j, c], summed):
            return True
    return False


@kernel
def _is_almost_optimal(means, radius, summed, epsilon, arms, i):
    """Whether certainly no arm dominates arm i by more than epsilon."""
    for j in arms:
        if j != i and not _is_undominated_by(means, radius, summed, epsilon, i, j):
            return False
    return True


@kernel
def _is_needed(means, radius, summed, epsilon, arms, sure, j):
    """Whether arm j may still dominate an undecided arm."""
    for i in arms:
        if not sure[i] and not _is_undominated_by(means, radius, summed, epsilon, i, j):
            return True
    return False


@kernel
def _remove_leaving(state):
    """Remove the leaving arms from the active arms; return the others in the same order."""
    kept = 0
    for a in range(state.n_active[0]):
        if not state.leaving[state.active[a]]:
            state.active[kept] = state.active[a]
            kept += 1
    state.n_active[0] = kept
    return state.active[:kept]


@kernel
def finish_round(parameters, state):
    """Eliminate and accept arms: steps 2 to 5 of Algorithm 1."""
    means, radius, summed = state.record.means, state.radius, parameters.summed
    epsilon = parameters.epsilon
    active = state.active[: state.n_active[0]]
    for i in active:
        update_radius(parameters, state.record, i, radius)
    for i in active:
        state.leaving[i] = _is_dominated(means, radius, summed, active, i)
    active = _remove_leaving(state)
    for i in active:
        state.sure[i] = _is_almost_optimal(means, radius, summed, epsilon, active, i)
    for j in active:
        if state.sure[j] and not _is_needed(means, radius, summed, epsilon, active, state.sure, j):
            state.leaving[j] = True
            state.accepted[j] = True
    _remove_leaving(state)
    state.turn[0] = 0


@part
def select_racing(parameters, state):
    """The active arms in order, ``round_length`` samples each."""
    arm = state.active[state.turn[0]]
    state.turn[0] += 1
    return arm, parameters.round_length


@part
def stop_racing(parameters, state):
    """Eliminate and accept arms at the end of a round; stop when no arm is active."""
    if state.turn[0] == state.n_active[0]:
        finish_round(parameters, state)
    return state.n_active[0] == 0


@kernel
def mark_remaining(state, answer):
    """Mark the accepted arms, and the active arms if the race was cut off."""
    copy_vector(answer, state.accepted)
    for a in range(state.n_active[0]):
        answer[state.active[a]] = True


@part
def _recommend(parameters, state, answer):
    mark_remaining(state, answer)


def _log_constant(radius, delta, n_means):
    """Term of a radius that depends on delta and on the number K d of means."""
    log_risk = -np.log(delta)
    if radius == "iterated_logarithm":
        return float(log_risk + 1.5 * max(np.log(log_risk), 0))
    factor = 1 if radius == "empirical" else 4
    return float(np.log(factor * n_means) + log_risk)


@dataclasses.dataclass(frozen=True)
class Racing(Algorithm):
    r"""Eliminate and accept arms in rounds, until no arm is active.

    Each round samples every active arm. Arms that are certainly dominated are eliminated. Arms
    that are certainly optimal, up to epsilon, are accepted, unless they may still dominate an
    undecided arm (Auer et al. 2016, Algorithm 1).

    The answer contains every Pareto optimal arm, and no arm that is dominated by more than
    epsilon (Success Condition 1). If a run is cut off, it answers the accepted and the active
    arms.

    Parameters
    ----------
    delta : float, default 0.1
        Risk: the largest acceptable probability of a wrong answer.
    epsilon : float, default 0.0
        Accuracy :math:`\epsilon_0`, in the unit of the means. With 0, the answer is the
        Pareto set, and no run with ties ends.
    radius : {"empirical", "hoeffding", "iterated_logarithm"}, default "empirical"
        ``"empirical"``: Section 8 of the paper,
        :math:`\beta^c=\sqrt{2\tilde V^c\log(Kdn/\delta)/n}` with
        :math:`\tilde V^c=\hat V^c+\bar V\sqrt{4\log(Kdn/\delta)/n}`, the unbiased
        empirical variance and its margin. ``"hoeffding"``: Equation (3),
        :math:`\beta=\sqrt{2\bar V\log(4Kdn^2/\delta)/n}`, for which the paper proves
        that the error rate is at most ``delta``. ``"iterated_logarithm"``:
        :math:`\beta=\sqrt{\bar V(2x+3\max(\ln x,0)+2\ln(1+\ln n))/n}` with
        :math:`x=\ln(1/\delta)`, as in the program of Kone, Jourdan & Kaufmann (2025),
        without proof.
    pairs : {"root_sum_square", "sum"}, default "root_sum_square"
        Radius of a difference: :math:`\sqrt{\beta_i^2+\beta_j^2}` (Section 8) or
        :math:`\beta_i+\beta_j` (Algorithm 1).
    variance_bound : float, optional
        Bound :math:`\bar V` on the variance of the noise in each objective
        (:math:`\sigma^2` for rewards that are :math:`\sigma`-subgaussian). By default
        `simulate` whitens the instance, and the bound is 1.
    round_length : int, default 1
        Samples of each active arm in a round.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    See Also
    --------
    pareto_core.algorithms.pareto.racing_cover.RacingCover : a sparse answer.
    pareto_core.algorithms.pareto.ape.APE : adaptive sampling.

    References
    ----------
    Auer, Chiang, Ortner & Drugan 2016, Pareto front identification from stochastic bandit
    feedback, https://proceedings.mlr.press/v51/auer16.html.

    Examples
    --------
    >>> import pareto_core as pc
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> pc.simulate(
    ...     pc.Racing(delta=0.1, radius="hoeffding"), instance, runs=1, progress=False
    ... ).answers
    array([[ True,  True, False]])
    """

    delta: float = 0.1
    epsilon: float = 0.0
    radius: Literal["empirical", "hoeffding", "iterated_logarithm"] = "empirical"
    pairs: Literal["root_sum_square", "sum"] = "root_sum_square"
    variance_bound: float | None = None
    round_length: int = 1

    select = staticmethod(select_racing)
    stop = staticmethod(stop_racing)
    recommend = staticmethod(_recommend)

    def __post_init__(self):
        check_probability(self.delta, "delta")
        check_non_negative(self.epsilon, "epsilon")
        check_choice(self.radius, "radius", RADII)
        check_choice(self.pairs, "pairs", PAIRS)
        if self.variance_bound is not None:
            check_positive(self.variance_bound, "variance_bound")
        check_count(self.round_length, "round_length")

    def parameters(self, problem: Problem) -> RacingParameters:
        """See `Algorithm.parameters`."""
        return RacingParameters(
            float(self.epsilon),
            self.round_length,
            RADII[self.radius],
            self.pairs == "sum",
            1.0 if self.variance_bound is None else float(self.variance_bound),
            _log_constant(self.radius, self.delta, problem.n_arms * problem.n_objectives),
        )

    def start(self, problem: Problem, rng: np.random.Generator) -> RacingState:
        """See `Algorithm.start`."""
        return RacingState(
            empty_record(problem),
            np.full((problem.n_arms, problem.n_objectives), np.inf),
            np.arange(problem.n_arms),
            np.array([problem.n_arms]),
            np.zeros(1, np.int64),
            np.zeros(problem.n_arms, np.bool_),
            np.zeros(problem.n_arms, np.bool_),
            np.zeros(problem.n_arms, np.bool_),
        )
