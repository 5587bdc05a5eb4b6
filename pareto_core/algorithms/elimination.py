"""Elimination by empirical gaps, which GEGE and EGE share.

An arm leaves the race when its empirical gap is large: it is accepted if it is empirically
optimal at that time, and rejected otherwise (Kone et al. 2024; 2025, linear).
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.copies import copy_matrix, copy_vector
from pareto_core.compiling.kernels import kernel, part
from pareto_core.geometry.dominance import write_gaps


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
