"""Empirical gap elimination with a fixed budget (Kone, Kaufmann & Richert 2024).

An arm leaves the race when its empirical gap is large: it is accepted if it is empirically
optimal at that time, and rejected otherwise. `GEGE` eliminates in the same way.
"""

import dataclasses
from typing import Literal, NamedTuple

import numpy as np

from pareto_core.algorithms.settings import check_settings
from pareto_core.compiling.copies import copy_matrix, copy_vector
from pareto_core.compiling.kernels import kernel, part
from pareto_core.geometry.dominance import write_gaps
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.parts import ANY
from pareto_core.loop.record import Record, empty_record

__all__ = ["EGE"]

HALVING, REJECT = "halving", "reject"
ROUNDING = 1e-12  # bound on the relative error of a quotient


class Elimination(NamedTuple):
    """State of a race."""

    estimates: np.ndarray  # (K, d) of the means of the active arms
    gaps: np.ndarray  # (K,) empirical gaps of the active arms
    optimal: np.ndarray  # (K,) active arms that no active arm empirically dominates
    active: np.ndarray  # (K,) arms that are neither accepted nor rejected
    accepted: np.ndarray  # (K,)
    plan: np.ndarray  # (K,) samples of each arm in this round
    turn: np.ndarray  # (1,) arm being sampled; K between rounds
    round: np.ndarray  # (1,) number of the round, from 1
    sums_before: np.ndarray  # (K, d) of the rewards before this round
    counts_before: np.ndarray  # (K,) samples before this round


def fresh_elimination(problem):
    """Allocate a race before its first round."""
    n_arms, n_objectives = problem.n_arms, problem.n_objectives
    return Elimination(
        np.zeros((n_arms, n_objectives)),
        np.zeros(n_arms),
        np.zeros(n_arms, np.bool_),
        np.ones(n_arms, np.bool_),
        np.zeros(n_arms, np.bool_),
        np.zeros(n_arms, np.int64),
        np.full(1, n_arms),
        np.zeros(1, np.int64),
        np.zeros((n_arms, n_objectives)),
        np.zeros(n_arms, np.int64),
    )


@kernel
def begin_round(race, record):
    """Begin the round planned in ``race.plan``."""
    copy_matrix(race.sums_before, record.sums)
    copy_vector(race.counts_before, record.counts)
    race.turn[0] = -1
    next_turn(race)


@kernel
def next_turn(race):
    """Move to the next arm of the plan; return whether the round is over."""
    n_arms = race.plan.shape[0]
    arm = race.turn[0] + 1
    while arm < n_arms and race.plan[arm] == 0:
        arm += 1
    race.turn[0] = arm
    return arm == n_arms


@part
def left_of_turn(race, record):
    """Number of planned samples that the current arm has not had yet."""
    arm = race.turn[0]
    return race.plan[arm] - (record.counts[arm] - race.counts_before[arm])


@kernel
def find_empirical_gaps(race):
    """Compute the empirical gaps of the active arms (Kone et al. 2025, linear, Eq. 5)."""
    arms = np.flatnonzero(race.active)
    means = race.estimates[arms]
    gap = np.empty(arms.shape[0])
    front = write_gaps(means, 1.0, gap)
    race.optimal[:] = False
    for i in front:
        race.optimal[arms[i]] = True
    for i in range(arms.shape[0]):
        race.gaps[arms[i]] = gap[i]


@part
def dismiss(race, arm):
    """Remove an arm from the race; accept it if it is empirically optimal."""
    race.active[arm] = False
    race.accepted[arm] = race.optimal[arm]


@kernel
def dismiss_largest(race, keep):
    """Dismiss all but the ``keep`` arms with the smallest gaps; on ties, keep optimal arms."""
    optimal = np.flatnonzero(race.active & race.optimal)
    others = np.flatnonzero(race.active & ~race.optimal)
    arms = np.concatenate((optimal, others))
    ascending = np.argsort(race.gaps[arms], kind="mergesort")
    for i in ascending[keep:]:
        dismiss(race, arms[i])


@kernel
def recommend_accepted(parameters, state, answer):
    """Mark the accepted arms and the arms that are still active."""
    for k in range(answer.shape[0]):
        answer[k] = state.race.accepted[k] or state.race.active[k]


class EGEParameters(NamedTuple):
    """Hyper-parameters as the compiled functions read them."""

    lengths: np.ndarray  # (rounds,) samples of each active arm in each round
    keep: np.ndarray  # (rounds,) number of arms that are active after each round
    accumulate: bool


class EGEState(NamedTuple):
    """State of one run."""

    record: Record
    race: Elimination


@part
def _select(parameters, state):
    race = state.race
    if race.turn[0] == race.plan.shape[0]:
        race.plan[:] = 0
        race.plan[race.active] = parameters.lengths[race.round[0]]
        race.round[0] += 1
        begin_round(race, state.record)
    return race.turn[0], left_of_turn(race, state.record)


@kernel
def _estimate(parameters, state):
    """Average the samples of the whole run, or of this round."""
    race, record = state.race, state.record
    for k in np.flatnonzero(race.active):
        if parameters.accumulate:
            copy_vector(race.estimates[k], record.means[k])
        else:
            pulls = record.counts[k] - race.counts_before[k]
            average = (record.sums[k] - race.sums_before[k]) / pulls
            copy_vector(race.estimates[k], average)


@kernel
def _finish_round(parameters, state):
    """Dismiss the arms with the largest gaps."""
    _estimate(parameters, state)
    find_empirical_gaps(state.race)
    dismiss_largest(state.race, parameters.keep[state.race.round[0] - 1])


@part
def _stop(parameters, state):
    """Dismiss arms at the end of a round, and after rounds without samples."""
    race = state.race
    if left_of_turn(race, state.record) > 0 or not next_turn(race):
        return False
    _finish_round(parameters, state)
    rounds = parameters.keep.shape[0]
    while race.round[0] < rounds and parameters.lengths[race.round[0]] == 0:
        race.round[0] += 1
        _finish_round(parameters, state)
    return race.round[0] == rounds


@dataclasses.dataclass(frozen=True)
class EGE(Algorithm):
    r"""Sample the active arms evenly, dismiss those with the largest empirical gaps, repeat.

    A dismissed arm is accepted if it is empirically optimal at that time, and rejected otherwise.
    If gaps are equal, empirically dominated arms are dismissed first. The features of the arms are
    not used, and the answer does not depend on the unit of the rewards.

    Parameters
    ----------
    budget : int
        Samples T: at least :math:`K\lceil\log_2K\rceil` for ``"halving"``, K + 1 for
        ``"reject"``. Samples that the schedule loses by rounding are not used.
    schedule : {"halving", "reject"}, default "halving"
        ``"halving"`` (EGE-SH) has :math:`R=\lceil\log_2K\rceil` rounds; each takes
        :math:`\lfloor T/(nR)\rfloor` samples of each of its n active arms and keeps
        :math:`\lceil n/2\rceil`. ``"reject"`` (EGE-SR) dismisses one arm per round, and by
        the end of round r each active arm has

        .. math::
            n_r=\left\lceil\frac{T-K}{\overline{\log}K\,(K+1-r)}\right\rceil,\qquad
            \overline{\log}K=\frac12+\sum_{i=2}^K\frac1i

        samples (after Audibert & Bubeck 2010).
    accumulate : bool, default True
        Whether ``"halving"`` averages over all samples of an arm, as the authors' C++
        program does, or over those of the round, as in the analysis.

    Notes
    -----
    Guaranteed is a bound: for sub-Gaussian noise, the error probability of both schedules falls
    exponentially with T, in ``"halving"`` with the averages of the rounds (Kone, Kaufmann & Richert
    2024). The exponent depends on the gaps, and is supported by a lower bound for the worst
    instances. Nothing is stated about the best exponent for each instance.

    See Also
    --------
    pareto_core.algorithms.linear.gege.GEGE : the same elimination with features.

    References
    ----------
    Kone, Kaufmann & Richert 2024, Bandit Pareto set identification: the fixed budget setting,
    arXiv:2311.03992.

    Examples
    --------
    >>> import pareto_core as pc
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> pc.simulate(pc.EGE(budget=300), instance, runs=1, progress=False).answers
    array([[ True,  True, False]])
    """

    budget: int
    schedule: Literal["halving", "reject"] = HALVING
    accumulate: bool = True

    noise = ANY
    select = staticmethod(_select)
    stop = staticmethod(_stop)
    recommend = staticmethod(recommend_accepted)

    def __post_init__(self):
        check_settings(self, EGE)
        if self.schedule == REJECT and not self.accumulate:
            raise ValueError(
                "accumulate = False; expected True, or False with the schedule 'halving'"
            )

    def parameters(self, problem: Problem) -> EGEParameters:
        """See `Algorithm.parameters`."""
        n_arms = problem.n_arms
        halving = self.schedule == HALVING
        least = n_arms * int(np.ceil(np.log2(n_arms))) if halving else n_arms + 1
        if self.budget < least:
            raise ValueError(
                f"budget = {self.budget}; expected at least {least}, so that the first "
                f"round of {self.schedule!r} samples all {n_arms} arms"
            )
        schedule = _halving if halving else _reject
        return EGEParameters(*schedule(self.budget, n_arms), self.accumulate)

    def start(self, problem: Problem, rng: np.random.Generator) -> EGEState:
        """See `Algorithm.start`."""
        return EGEState(empty_record(problem), fresh_elimination(problem))


def _halving(budget, n_arms):
    """Samples of an arm in each round of EGE-SH, and the number of arms it keeps."""
    sizes = [n_arms]
    while sizes[-1] > 1:
        sizes.append(-(-sizes[-1] // 2))
    rounds = len(sizes) - 1
    lengths = [budget // (size * rounds) for size in sizes[:-1]]
    return np.array(lengths, np.int64), np.array(sizes[1:], np.int64)


def _reject(budget, n_arms):
    """Samples of an arm in each round of EGE-SR, and the number of arms it keeps."""
    left = np.arange(n_arms, 1, -1)  # active arms in each round
    log_bar = 0.5 + (1 / left).sum()
    exact = (budget - n_arms) / (log_bar * left)
    total = np.ceil(exact * (1 - ROUNDING)).astype(np.int64)  # rounding may exceed an integer
    return np.diff(total, prepend=0), left - 1
