"""Racing in rounds, and a sparse cover of the front (Auer, Chiang, Ortner & Drugan 2016)."""

import dataclasses
from typing import Literal, NamedTuple

import numpy as np

from pareto_core.algorithms.race import (
    Race,
    active_arms,
    end_round,
    fresh_race,
    mark_remaining,
    next_arm,
)
from pareto_core.algorithms.settings import check_settings
from pareto_core.checks.arguments import check_positive
from pareto_core.compiling.kernels import kernel, part, with_kernels
from pareto_core.geometry.covers import sparse_cover
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.record import Record, empty_record
from pareto_core.questions import OPTIMAL

__all__ = ["Racing", "RacingCover"]

EMPIRICAL, HOEFFDING, ITERATED = 0, 1, 2
RADII = {"empirical": EMPIRICAL, "hoeffding": HOEFFDING, "iterated_logarithm": ITERATED}


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
    race: Race
    radius: np.ndarray  # (K, d) of the confidence intervals of the means


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


@part
def _update(parameters, state):
    for i in active_arms(state.race):
        update_radius(parameters, state.record, i, state.radius)
        state.race.sure[i] = True


@part
def _surely_below(parameters, state, i, j):
    """Whether arm j certainly exceeds arm i in all objectives."""
    means, radius, summed = state.record.means, state.radius, parameters.summed
    for c in range(means.shape[1]):
        if not exceeds(means[j, c] - means[i, c], radius[i, c], radius[j, c], summed):
            return False
    return True


@part
def _may_exceed(parameters, state, i, j):
    """Whether arm i plus epsilon does not certainly exceed arm j in any objective."""
    means, radius, summed = state.record.means, state.radius, parameters.summed
    for c in range(means.shape[1]):
        gap = means[i, c] + parameters.epsilon - means[j, c]
        if i == j or exceeds(gap, radius[i, c], radius[j, c], summed):
            return False
    return True


finish_round = with_kernels(
    end_round, update=_update, surely_below=_surely_below, may_exceed=_may_exceed
)


@part
def select_racing(parameters, state):
    """The active arms in order, ``round_length`` samples each."""
    return next_arm(state.race), parameters.round_length


@part
def stop_racing(parameters, state):
    """Eliminate and accept arms at the end of a round; stop when no arm is active."""
    if state.race.turn[0] == state.race.n_active[0]:
        finish_round(parameters, state)
    return state.race.n_active[0] == 0


@part
def _recommend(parameters, state, answer):
    mark_remaining(state.race, answer)


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

    See Also
    --------
    RacingCover : a sparse answer.
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
        check_settings(self, Racing)

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
            fresh_race(problem.n_arms),
            np.full((problem.n_arms, problem.n_objectives), np.inf),
        )


class RacingCoverParameters(NamedTuple):
    """Hyper-parameters as the compiled functions read them."""

    racing: RacingParameters
    tolerance: float


class RacingCoverState(NamedTuple):
    """State of one run."""

    record: Record
    race: Race
    radius: np.ndarray  # (K, d) of the confidence intervals of the means
    covering: np.ndarray  # (1,) whether the race is over
    queue: np.ndarray  # (K,) arms with an undecided pair, in the first entries
    n_queue: np.ndarray  # (1,) number of these arms
    sampled: np.ndarray  # (1,) the arm sampled last, after the race
    is_open: np.ndarray  # (K, K) undecided pairs: they may be close or not
    n_open: np.ndarray  # (K,) number of undecided pairs of each arm
    edges: np.ndarray  # (K, K) i -> j: arm i covers arm j, within epsilon / 2


@part
def _width(first, second, summed):
    """Radius of the difference of two means."""
    return first + second if summed else np.sqrt(first * first + second * second)


@kernel
def _is_close(means, radius, summed, limit, i, j):
    """Whether M(i, j) is certainly at most ``limit``."""
    for c in range(means.shape[1]):
        width = _width(radius[i, c], radius[j, c], summed)
        if max(means[i, c] - means[j, c], 0.0) > limit - width:
            return False
    return True


@kernel
def _is_far(means, radius, summed, limit, i, j):
    """Whether M(i, j) is certainly above ``limit``."""
    for c in range(means.shape[1]):
        width = _width(radius[i, c], radius[j, c], summed)
        if max(means[i, c] - means[j, c], 0.0) > limit + width:
            return True
    return False


@kernel
def _compare(parameters, state, i):
    """Step 1 of Algorithm 2 for the pairs of arm i: add edges, and record undecided pairs."""
    means, radius = state.record.means, state.radius
    summed = parameters.racing.summed
    near = 0.5 * parameters.racing.epsilon
    for j in state.queue[: state.n_queue[0]]:
        is_open = False
        for a, b in ((i, j), (j, i)):
            if a == b:
                continue
            if _is_close(means, radius, summed, near, a, b):
                state.edges[b, a] = True
            elif not _is_far(means, radius, summed, near - parameters.tolerance, a, b):
                is_open = True
        if is_open != state.is_open[i, j]:
            state.is_open[i, j] = state.is_open[j, i] = is_open
            state.n_open[i] += 1 if is_open else -1
            state.n_open[j] += 1 if is_open else -1


@kernel
def _remove_settled(state):
    """Step 2 of Algorithm 2: remove the arms without an undecided pair from the queue."""
    kept = np.int64(0)
    for i in state.queue[: state.n_queue[0]]:
        if state.n_open[i] > 0:
            state.queue[kept] = i
            kept += 1
    state.n_queue[0] = kept


@kernel
def start_covering(parameters, state):
    """Put the accepted arms into the queue, and compare all pairs: steps 1 and 2 of Algorithm 2."""
    state.covering[0] = True
    for i in range(state.queue.shape[0]):
        if state.race.labels[i] == OPTIMAL:
            state.queue[state.n_queue[0]] = i
            state.n_queue[0] += 1
    for i in state.queue[: state.n_queue[0]]:
        _compare(parameters, state, i)
    _remove_settled(state)


@part
def _select_to_cover(parameters, state):
    """The arm of the race; after the race, the arm with the largest radius in the queue."""
    if not state.covering[0]:
        return select_racing(parameters.racing, state)
    widest = state.queue[0]
    for i in state.queue[: state.n_queue[0]]:
        if state.radius[i].max() > state.radius[widest].max():
            widest = i
    state.sampled[0] = widest
    return widest, parameters.racing.round_length


@part
def _stop_when_covered(parameters, state):
    """Whether the race is over, and no pair of accepted arms is undecided."""
    if state.covering[0]:
        update_radius(parameters.racing, state.record, state.sampled[0], state.radius)
        _compare(parameters, state, state.sampled[0])
        _remove_settled(state)
    elif stop_racing(parameters.racing, state):
        start_covering(parameters, state)
    return state.covering[0] and state.n_queue[0] == 0


@part
def _recommend_cover(parameters, state, answer):
    """Mark a sparse cover of the accepted arms; if the race was cut off, its answer."""
    mark_remaining(state.race, answer)
    if state.covering[0]:
        sparse_cover(state.edges, answer)


@dataclasses.dataclass(frozen=True)
class RacingCover(Racing):
    r"""Racing, followed by a sparse cover of the accepted arms.

    After the race, the arms that may be close to a different arm are sampled further, the arm with
    the largest radius first, until each pair certainly has :math:`M\le\epsilon_0/2` or
    :math:`M>\epsilon_0/2-\epsilon` (Auer et al. 2016, Algorithm 2). Close pairs are the edges of a
    graph, and the answer is a sparse cover of it (Algorithm 3): every optimal arm is within epsilon
    of an arm of the answer, and no two arms of the answer are closer than :math:`\epsilon_0/2`
    minus the tolerance (Success Condition 2). `Racing` describes the other parameters.

    Parameters
    ----------
    epsilon : float, default 0.1
        Accuracy :math:`\epsilon_0`, in the unit of the means; must be positive.
    tolerance : float, default 0.025
        The paper's :math:`\epsilon`: two arms of the answer may be closer than half the accuracy
        by this amount.

    See Also
    --------
    Racing : the race alone.

    References
    ----------
    Auer, Chiang, Ortner & Drugan 2016, Pareto front identification from stochastic bandit
    feedback, https://proceedings.mlr.press/v51/auer16.html: Section 7.

    Examples
    --------
    >>> import pareto_core as pc
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> pc.simulate(
    ...     pc.RacingCover(epsilon=0.5, tolerance=0.1, variance_bound=1.0),
    ...     instance,
    ...     runs=1,
    ...     progress=False,
    ... ).answers
    array([[ True,  True, False]])
    """

    epsilon: float = 0.1
    tolerance: float = 0.025

    select = staticmethod(_select_to_cover)
    stop = staticmethod(_stop_when_covered)
    recommend = staticmethod(_recommend_cover)

    def __post_init__(self):
        check_settings(self, RacingCover)
        check_positive(self.epsilon, "epsilon")

    def parameters(self, problem: Problem) -> RacingCoverParameters:
        """See `Algorithm.parameters`."""
        return RacingCoverParameters(super().parameters(problem), float(self.tolerance))

    def start(self, problem: Problem, rng: np.random.Generator) -> RacingCoverState:
        """See `Algorithm.start`."""
        return RacingCoverState(
            *super().start(problem, rng),
            np.zeros(1, np.bool_),
            np.zeros(problem.n_arms, np.int64),
            np.zeros(1, np.int64),
            np.zeros(1, np.int64),
            np.zeros((problem.n_arms, problem.n_arms), np.bool_),
            np.zeros(problem.n_arms, np.int64),
            np.zeros((problem.n_arms, problem.n_arms), np.bool_),
        )
