"""Widest box per cost, for bounded rewards: the sampling rule of the R package paretoinfer."""

import dataclasses
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.settings import as_costs, check_settings, costs_for
from pareto_core.checks.words import Boundary
from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel, part
from pareto_core.confidence.bounded_means import (
    BOUNDARIES,
    BoundedMeans,
    add_reward,
    bounded_means,
    estimate,
)
from pareto_core.geometry.dominance import write_front
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.parts import Noise, bounded_rewards, bounds_of_each, check_bounds
from pareto_core.loop.record import Record, empty_record

__all__ = ["WidestBox"]

UNCERTAIN, OPTIMAL, DOMINATED = 0, 1, 2


class WidestBoxParameters(NamedTuple):
    """Hyper-parameters as the compiled functions read them."""

    boundary: int  # index in BOUNDARIES
    log_level: float  # ln(2 K d / delta)
    largest: np.ndarray  # (d,) upper bounds of rewards
    ranges: np.ndarray  # (d,) upper bounds minus lower bounds
    slack: np.ndarray  # (d,) epsilon divided by the ranges
    costs: np.ndarray  # (K,) of a sample of each arm
    initial: int
    batch: int
    sample_blockers: bool


class WidestBoxState(NamedTuple):
    """State of one run.

    A loss is the distance of a reward to its upper bound, divided by the range: it is in [0, 1].
    """

    record: Record
    losses: BoundedMeans  # of arm k in objective c at the index k d + c
    lower: np.ndarray  # (K, d) lower corners of the boxes, in losses
    upper: np.ndarray  # (K, d) upper corners
    status: np.ndarray  # (K,) UNCERTAIN, OPTIMAL or DOMINATED
    arm: np.ndarray  # (1,) the arm of this batch
    left: np.ndarray  # (1,) samples until the next decision
    sums: np.ndarray  # (d,) sums of the rewards of ``arm`` before the latest


@part
def _dominates(state, slack, better, worse):
    """Whether the box of ``better`` weakly dominates that of ``worse`` plus the slack."""
    for c in range(slack.shape[0]):
        if state.upper[better, c] > state.lower[worse, c] + slack[c]:
            return False
    return True


@part
def _is_ahead(state, slack, arm, rival):
    """Whether the arm certainly exceeds its rival by the slack in some objective."""
    for c in range(slack.shape[0]):
        if state.lower[rival, c] > state.upper[arm, c] + slack[c]:
            return True
    return False


@kernel
def _is_certainly_dominated(state, slack, arm):
    """Whether an arm certainly dominates ``arm``; if both dominate each other, the first stays."""
    for k in range(state.status.shape[0]):
        if k != arm and _dominates(state, slack, k, arm):
            if k < arm or not _dominates(state, slack, arm, k):
                return True
    return False


@part
def _blocks(state, slack, rival, arm):
    """Whether a rival that is not dominated prevents the arm from being certified optimal."""
    if rival == arm or state.status[rival] == DOMINATED:
        return False
    return not _is_ahead(state, slack, arm, rival)


@kernel
def _classify(state, slack):
    """Recompute the status of every arm; return whether no arm is uncertain."""
    status, done = state.status, True
    for k in range(status.shape[0]):
        status[k] = DOMINATED if _is_certainly_dominated(state, slack, k) else UNCERTAIN
    for k in range(status.shape[0]):
        if status[k] == DOMINATED:
            continue
        status[k] = OPTIMAL
        for j in range(status.shape[0]):
            if _blocks(state, slack, j, k):
                status[k], done = UNCERTAIN, False
                break
    return done


@kernel
def _is_wanted(parameters, state, arm):
    """Whether the arm is uncertain or, with ``sample_blockers``, blocks an uncertain arm."""
    if state.status[arm] == UNCERTAIN:
        return True
    if parameters.sample_blockers:
        for k in range(state.status.shape[0]):
            if state.status[k] == UNCERTAIN and _blocks(state, parameters.slack, arm, k):
                return True
    return False


@kernel
def _widest(parameters, state):
    """The wanted arm with the widest box per cost; on ties, the rarest of them, then the first."""
    counts, widest, largest = state.record.counts, -1, -np.inf
    for k in range(counts.shape[0]):
        if not _is_wanted(parameters, state, k):
            continue
        width = 0.0
        for c in range(state.lower.shape[1]):
            width = max(width, state.upper[k, c] - state.lower[k, c])
        score = width / parameters.costs[k]
        if score > largest or (score == largest and counts[k] < counts[widest]):
            widest, largest = k, score
    return widest


@kernel
def _begin_batch(parameters, state):
    """Choose the arm of the next batch: an arm without samples, or else the widest box."""
    for k in range(state.status.shape[0]):
        if state.record.counts[k] == 0:
            state.arm[0], state.left[0] = k, parameters.initial
            return
    state.arm[0], state.left[0] = _widest(parameters, state), parameters.batch


@part
def _select(parameters, state):
    """One sample at a time, because the boxes depend on every single reward."""
    if state.left[0] == 0:
        _begin_batch(parameters, state)
    arm = state.arm[0]
    copy_vector(state.sums, state.record.sums[arm])
    return arm, 1


@kernel
def _learn(parameters, state):
    """Narrow the box of the arm of this batch by its latest reward."""
    arm, n_objectives = state.arm[0], state.sums.shape[0]
    for c in range(n_objectives):
        reward = state.record.sums[arm, c] - state.sums[c]
        loss = (parameters.largest[c] - reward) / parameters.ranges[c]
        loss = min(max(loss, 0.0), 1.0)  # a difference of sums has a rounding error
        index = arm * n_objectives + c
        add_reward(parameters.boundary, parameters.log_level, state.losses, index, loss)
        state.lower[arm, c] = state.losses.lower[index]
        state.upper[arm, c] = state.losses.upper[index]


@part
def _stop(parameters, state):
    _learn(parameters, state)
    state.left[0] -= 1
    return state.left[0] == 0 and _classify(state, parameters.slack)


@part
def _recommend(parameters, state, answer):
    """Mark the optimal arms, and those with optimal estimates that are not certified dominated."""
    n_arms, n_objectives = state.lower.shape
    goodness = np.empty((n_arms, n_objectives))
    for k in range(n_arms):
        for c in range(n_objectives):
            index = k * n_objectives + c
            goodness[k, c] = -estimate(parameters.boundary, state.losses, index)
            if state.status[k] == DOMINATED:
                goodness[k, c] = -2.0  # below any other
    front = np.empty(n_arms, np.int64)
    for k in range(n_arms):
        answer[k] = state.status[k] == OPTIMAL
    for f in range(write_front(goodness, front)):
        if state.status[front[f]] != DOMINATED:
            answer[front[f]] = True


@dataclasses.dataclass(frozen=True)
class WidestBox(Algorithm):
    r"""Sample the uncertain arm whose confidence box is widest per cost.

    Rewards are bounded; nothing else about their noise is known. A confidence sequence for each
    arm and objective, at the risk :math:`\delta/(Kd)` and intersected over time, gives boxes
    :math:`[l_k,u_k]` that contain all means at all times with probability at least
    :math:`1-\delta`. After every batch,

    * arm k is *certified dominated* if some arm j has :math:`l_j\ge u_k-\varepsilon` in all
      objectives, and either the converse is false or j comes before k;
    * any other arm k is *certified optimal* if every other arm j that is not certified dominated
      has :math:`u_j<l_k-\varepsilon` in some objective;
    * the remaining arms are *uncertain*.

    The next batch samples the uncertain arm with the largest
    :math:`\max_c(u_k^c-l_k^c)/\text{range}_c/\text{cost}_k`; on ties, the arm with the fewest
    samples, then the first. The run stops when no arm is uncertain, and answers the arms that are
    certified optimal. If it is cut off, it answers, without a certificate, the arms whose point
    estimates are Pareto optimal among the arms that are not certified dominated (the R package
    paretoinfer 0.1.0 of Leite, Ospina & Ferraz, 2026).

    Certified arms are not sampled again. An arm may therefore stay uncertain for ever, because of
    the box of an optimal arm that is no longer narrowed; `sample_blockers` prevents this. With a
    positive slack and at least three objectives, all arms may be certified dominated, each by the
    next one in a cycle: every certificate is correct, and the answer is empty.

    Parameters
    ----------
    delta : float, default 0.1
        Risk: the probability that some box does not contain its mean at some time.
    epsilon : float, default 0.0
        Slack in every objective, in the unit of the rewards. With 0, no run with ties ends.
    boundary : {"betting", "empirical_bernstein", "hoeffding"}, default "betting"
        Type of the confidence sequences; see `pareto_core.confidence.bounded_means`.
    bounds : tuple of float, or sequence of them, default (0.0, 1.0)
        Smallest and largest reward, one pair for all objectives or one pair for each. For a loss
        between 0 and 1, use (-1, 0) and the negative loss as the reward.
    initial : int, default 2
        Samples of each arm before the first decision.
    batch : int, default 1
        Samples between two decisions.
    costs : sequence of float, optional
        Cost of a sample of each arm; 1 by default.
    sample_blockers : bool, default False
        Whether arms that are certified optimal are also sampled while their box prevents the
        certification of an uncertain arm. Not in paretoinfer.

    See Also
    --------
    pareto_core.confidence.bounded_means : the confidence sequences.
    pareto_core.algorithms.pareto.racing.Racing : Gaussian or subgaussian rewards.

    References
    ----------
    Leite, Ospina & Ferraz 2026, paretoinfer, https://github.com/castlaboratory/paretoinfer.

    Examples
    --------
    >>> import pareto_core as pc
    >>> algorithm = pc.WidestBox(delta=0.1, bounds=(-1.0, 0.0))
    >>> algorithm.noise.variance_bound, algorithm.with_delta(0.01).delta
    (0.25, 0.01)
    """

    delta: float = 0.1
    epsilon: float = 0.0
    boundary: Boundary = "betting"
    bounds: Sequence = (0.0, 1.0)
    initial: int = 2
    batch: int = 1
    costs: Sequence[float] | None = None
    sample_blockers: bool = False

    select = staticmethod(_select)
    stop = staticmethod(_stop)
    recommend = staticmethod(_recommend)

    def __post_init__(self):
        check_settings(self, WidestBox)
        object.__setattr__(self, "bounds", check_bounds(self.bounds))
        object.__setattr__(self, "costs", as_costs(self.costs))

    @property
    def noise(self) -> Noise:
        """Nothing is assumed but the bounds of the rewards; see `Algorithm`."""
        return bounded_rewards(self.bounds)

    def parameters(self, problem: Problem) -> WidestBoxParameters:
        """See `Algorithm.parameters`."""
        n_arms, n_objectives = problem.n_arms, problem.n_objectives
        low, high = bounds_of_each(self.bounds, n_objectives)
        return WidestBoxParameters(
            BOUNDARIES.index(self.boundary),
            float(np.log(2 * n_arms * n_objectives / self.delta)),
            high,
            high - low,
            self.epsilon / (high - low),
            costs_for(self.costs, problem),
            self.initial,
            self.batch,
            self.sample_blockers,
        )

    def start(self, problem: Problem, rng: np.random.Generator) -> WidestBoxState:
        """See `Algorithm.start`."""
        shape = (problem.n_arms, problem.n_objectives)
        return WidestBoxState(
            empty_record(problem),
            bounded_means(shape[0] * shape[1], BOUNDARIES.index(self.boundary)),
            np.zeros(shape),
            np.ones(shape),
            np.full(shape[0], UNCERTAIN),
            np.zeros(1, np.int64),
            np.zeros(1, np.int64),
            np.zeros(shape[1]),
        )
