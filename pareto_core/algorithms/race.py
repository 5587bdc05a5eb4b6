"""Races in rounds: Racing and its cover, R-CP, and MO-SE.

A round samples all active arms in order, and arms leave at its end. Racing and R-CP differ in their
widths: in when an arm certainly dominates a different arm, and when it may, see `end_round`.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import kernel, part
from pareto_core.questions import DOMINATED, OPTIMAL

ACTIVE = -1  # instead of a label


class Race(NamedTuple):
    """The arms in a race, and those that have left it."""

    active: np.ndarray  # (K,) the active arms, in the first entries
    n_active: np.ndarray  # (1,) number of active arms
    turn: np.ndarray  # (1,) index in ``active`` of the next arm of this round
    labels: np.ndarray  # (K,) final label of each arm that has left the race, or ACTIVE
    sure: np.ndarray  # (K,) active arms that are certainly optimal
    leaving: np.ndarray  # (K,) active arms that leave in this round


def fresh_race(n_arms):
    """Allocate a race before its first round."""
    return Race(
        np.arange(n_arms),
        np.array([n_arms]),
        np.zeros(1, np.int64),
        np.full(n_arms, ACTIVE),
        *np.zeros((2, n_arms), np.bool_),
    )


@part
def next_arm(race):
    """The next active arm of this round."""
    arm = race.active[race.turn[0]]
    race.turn[0] += 1
    return arm


@part
def active_arms(race):
    """The active arms in order."""
    return race.active[: race.n_active[0]]


@kernel
def remove_leaving(race, label):
    """Label the leaving arms; the others begin a round in the same order."""
    kept = 0
    for i in active_arms(race):
        if race.leaving[i]:
            race.labels[i] = label
        else:
            race.active[kept] = i
            kept += 1
    race.n_active[0], race.turn[0] = kept, 0


def update(parameters, state):
    """Stands for a step that updates widths, and marks as ``sure`` who may be optimal."""


def surely_below(parameters, state, i, j):
    """Stands for the test whether arm j certainly dominates arm i."""


def may_exceed(parameters, state, i, j):
    """Stands for the test whether a different arm j may dominate arm i."""


def end_round(parameters, state):
    """Eliminate and accept arms: steps 2 to 5 of Algorithm 1 of Auer et al. (2016)."""
    race = state.race
    update(parameters, state)
    for i in active_arms(race):
        race.leaving[i] = False
        for j in active_arms(race):
            if surely_below(parameters, state, i, j):
                race.leaving[i] = True
                break
    remove_leaving(race, DOMINATED)
    for i in active_arms(race):
        for j in active_arms(race):
            if not race.sure[i] or may_exceed(parameters, state, i, j):
                race.sure[i] = False
                break
    for j in active_arms(race):
        race.leaving[j] = race.sure[j]
        for i in active_arms(race):
            if race.leaving[j] and not race.sure[i] and may_exceed(parameters, state, i, j):
                race.leaving[j] = False  # it may still dominate an undecided arm
                break
    remove_leaving(race, OPTIMAL)


@kernel
def mark_remaining(race, answer):
    """Mark the accepted arms, and the active arms if the race was cut off."""
    for k in range(answer.shape[0]):
        answer[k] = race.labels[k] != DOMINATED
