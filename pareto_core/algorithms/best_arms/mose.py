"""MO-SE: successive elimination, one objective after the other (Chen et al. 2024)."""

import dataclasses
from typing import Literal, NamedTuple

import numpy as np

from pareto_core.algorithms.race import Race, active_arms, fresh_race, next_arm, remove_leaving
from pareto_core.algorithms.settings import check_settings
from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel, part
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.record import Record, empty_record
from pareto_core.questions import BEST_ARMS, DOMINATED

__all__ = ["MOSE"]


class MOSEParameters(NamedTuple):
    """Hyper-parameters as the compiled functions read them."""

    of_all_arms: bool  # the radius depends on the number of samples of all arms
    log_constant: float  # ln(4 M K / delta)


class MOSEState(NamedTuple):
    """State of one run."""

    record: Record
    race: Race  # of the arms that may be the best in this objective
    objective: np.ndarray  # (1,) the current objective; M at the end
    best: np.ndarray  # (M,) best arm of each finished objective


@kernel
def _radius(parameters, record, arm):
    """Confidence radius of an arm's mean."""
    samples = record.time[0] if parameters.of_all_arms else record.counts[arm]
    return np.sqrt(2.0 * (parameters.log_constant + 2.0 * np.log(samples)) / samples)


@kernel
def _finish_round(parameters, state):
    """Eliminate the arms whose interval is below the leader's; end the objective if one is left."""
    record, race, m = state.record, state.race, state.objective[0]
    active = active_arms(race)
    leader = active[0]
    for i in active:
        if record.means[i, m] > record.means[leader, m]:
            leader = i
    top, radius = record.means[leader, m], _radius(parameters, record, leader)
    for i in active:
        race.leaving[i] = top - record.means[i, m] > radius + _radius(parameters, record, i)
    remove_leaving(race, DOMINATED)
    if race.n_active[0] == 1:
        state.best[m] = race.active[0]
        state.objective[0] += 1
        race.n_active[0] = race.active.shape[0]
        copy_vector(race.active, np.arange(race.active.shape[0]))


@part
def _select(parameters, state):
    """The active arms in order."""
    return next_arm(state.race), 1


@part
def _stop(parameters, state):
    """Eliminate arms at the end of a round; stop after the last objective."""
    if state.race.turn[0] == state.race.n_active[0]:
        _finish_round(parameters, state)
    return state.objective[0] == state.best.shape[0]


@part
def _recommend(parameters, state, answer):
    """Write the best arms; in unfinished objectives, the empirically best arms."""
    for m in range(answer.shape[0]):
        if m < state.objective[0]:
            answer[m] = state.best[m]
        else:
            answer[m] = state.record.means[:, m].argmax()


@dataclasses.dataclass(frozen=True)
class MOSE(Algorithm):
    r"""Successive elimination for each objective in turn.

    For every objective, all arms become active again and keep their samples. Each round samples
    every active arm once, and eliminates the arms whose mean is more than
    :math:`\alpha_i+\alpha_j` below that of the leading arm j, where
    :math:`\alpha=\sqrt{2\ln(4MKt^2/\delta)/t}` (Chen et al. 2024, Algorithm 4). Rewards must
    have unit variance, so `simulate` whitens an instance first. The answer contains one arm per
    objective; if a run is cut off, these are the empirically best arms of the unfinished
    objectives.

    Parameters
    ----------
    delta : float, default 0.1
        Risk: the largest acceptable probability of a wrong answer.
    count : {"arm", "total"}, default "arm"
        Meaning of t: the number of samples of the arm, as in successive elimination (Even-Dar
        et al. 2006), or of all arms together, as printed. With ``"total"``, the confidence
        intervals are not valid.

    See Also
    --------
    pareto_core.algorithms.best_arms.mobai.MOBAI : adaptive sampling for all objectives at once.

    References
    ----------
    Chen, Karthik, Chee & Tan 2024, Optimal multi-objective best arm identification with fixed
    confidence, arXiv:2501.13607: Algorithm 4.
    Even-Dar, Mannor & Mansour 2006, https://www.jmlr.org/papers/v7/evendar06a.html.

    Examples
    --------
    >>> import pareto_core as pc
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> pc.simulate(pc.MOSE(delta=0.1), instance, runs=1, progress=False).answers
    array([[0, 1]])
    """

    delta: float = 0.1
    count: Literal["arm", "total"] = "arm"

    question = BEST_ARMS
    select = staticmethod(_select)
    stop = staticmethod(_stop)
    recommend = staticmethod(_recommend)

    def __post_init__(self):
        check_settings(self, MOSE)

    def parameters(self, problem: Problem) -> MOSEParameters:
        """See `Algorithm.parameters`."""
        n_means = problem.n_arms * problem.n_objectives
        return MOSEParameters(self.count == "total", float(np.log(4 * n_means / self.delta)))

    def start(self, problem: Problem, rng: np.random.Generator) -> MOSEState:
        """See `Algorithm.start`."""
        return MOSEState(
            empty_record(problem),
            fresh_race(problem.n_arms),
            np.zeros(1, np.int64),
            np.zeros(problem.n_objectives, np.int64),
        )
