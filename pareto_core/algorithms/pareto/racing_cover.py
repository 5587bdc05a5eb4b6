"""A sparse cover of the Pareto front (Auer, Chiang, Ortner & Drugan 2016, Section 7)."""

import dataclasses
from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.pareto.racing import (
    Racing,
    RacingParameters,
    select_racing,
    stop_racing,
    update_radius,
)
from pareto_core.algorithms.race import Race, mark_remaining
from pareto_core.algorithms.settings import check_settings
from pareto_core.checks.arguments import check_positive
from pareto_core.compiling.kernels import kernel, part
from pareto_core.geometry.covers import sparse_cover
from pareto_core.instances.instance import Problem
from pareto_core.loop.record import Record
from pareto_core.questions import OPTIMAL

__all__ = ["RacingCover"]


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
def compare_all(parameters, state):
    """Steps 1 and 2 of Algorithm 2 for all pairs of arms in the queue."""
    for i in state.queue[: state.n_queue[0]]:
        _compare(parameters, state, i)
    _remove_settled(state)


@kernel
def fill_queue(state):
    """Put the arms that the race has accepted into the queue."""
    state.covering[0] = True
    for i in range(state.queue.shape[0]):
        if state.race.labels[i] == OPTIMAL:
            state.queue[state.n_queue[0]] = i
            state.n_queue[0] += 1


@kernel
def start_covering(parameters, state):
    """Put the accepted arms into the queue, and compare them."""
    fill_queue(state)
    compare_all(parameters, state)


@part
def _select(parameters, state):
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
def _stop(parameters, state):
    """Whether the race is over, and no pair of accepted arms is undecided."""
    if state.covering[0]:
        update_radius(parameters.racing, state.record, state.sampled[0], state.radius)
        _compare(parameters, state, state.sampled[0])
        _remove_settled(state)
    elif stop_racing(parameters.racing, state):
        start_covering(parameters, state)
    return state.covering[0] and state.n_queue[0] == 0


@part
def _recommend(parameters, state, answer):
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
    pareto_core.algorithms.pareto.racing.Racing : the race alone.

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

    select = staticmethod(_select)
    stop = staticmethod(_stop)
    recommend = staticmethod(_recommend)

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
