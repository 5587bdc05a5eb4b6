"""The instances of the arena with a fixed budget, each with its ladder of budgets."""

import functools
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from pareto_book.kept_runs.budgets import entrants
from pareto_book.kept_runs.budgets.entrants import BudgetEntrant, optimum_of
from pareto_book.kept_runs.competitions import COMPETITIONS
from pareto_core.checks.arguments import check_choice
from pareto_core.instances.instance import Instance
from pareto_core.instances.registry import load_instance
from pareto_core.loop.algorithm import Algorithm
from pareto_core.simulation.preparation import check_playable

__all__ = ["LADDERS", "Contest", "Ladder", "find_contest", "playable"]

MANY = 10_000  # runs where they are short


class Ladder(NamedTuple):
    """An instance of the arena with a fixed budget.

    Attributes
    ----------
    make : callable
        Returns the instance.
    entrants : dict of str to BudgetEntrant
        By name.
    multiples : tuple of float
        Budgets over the characteristic time, ascending.
    runs : int
        Number of runs of each entrant at each budget.
    """

    make: Callable[[], Instance]
    entrants: dict[str, BudgetEntrant]
    multiples: tuple[float, ...]
    runs: int = MANY


class Contest(NamedTuple):
    """An instance that has been made, with what is run on it.

    Attributes
    ----------
    name : str
        Name of the instance.
    instance : Instance
        The instance.
    entrants : dict of str to BudgetEntrant
        By name.
    time : float
        Characteristic time of the instance, without its features.
    multiples : tuple of float
        Budgets over the characteristic time, ascending.
    budgets : tuple of int
        Budgets, ascending.
    runs : int
        Number of runs of each entrant at each budget.
    """

    name: str
    instance: Instance
    entrants: dict[str, BudgetEntrant]
    time: float
    multiples: tuple[float, ...]
    budgets: tuple[int, ...]
    runs: int


def _moscore(number):
    """One of the problems of MOSCORE with 20 arms, three objectives and correlated noise."""
    return functools.partial(load_instance, f"moscore(3, 20, problem={number})")


def _of_arena(name, question="Pareto set"):
    return COMPETITIONS[question].instances[name]


LADDERS = {
    "five arms": Ladder(
        _of_arena("five arms"), entrants.TWO_OBJECTIVES, (0.25, 0.5, 1, 2, 4, 6, 8)
    ),
    "one above all": Ladder(
        _of_arena("one above all"), entrants.TWO_OBJECTIVES, (0.5, 1, 2, 3, 4, 6, 8, 12, 16)
    ),
    "staircase": Ladder(
        _of_arena("staircase"), entrants.TWO_OBJECTIVES, (0.25, 0.5, 1, 2, 4, 8, 12)
    ),
    "COV-BOOST": Ladder(_of_arena("COV-BOOST"), entrants.PLAIN, (0.25, 0.5, 1, 2, 4, 6, 8)),
    "MOSCORE 1": Ladder(_moscore(1), entrants.CORRELATED, (0.5, 1, 2, 4, 6, 8)),
    "MOSCORE 3": Ladder(_moscore(3), entrants.CORRELATED, (0.5, 1, 2, 4, 6, 8)),
    "NoC": Ladder(
        _of_arena("NoC", "Pareto set, with features"),
        entrants.WITH_FEATURES,
        (0.25, 0.5, 1, 2, 4, 8),
        runs=500,
    ),
}


@functools.cache
def find_contest(instance_name: str) -> Contest:
    """Make an instance of the arena with a fixed budget, and compute its budgets.

    Parameters
    ----------
    instance_name : str
        Name of the instance.

    Returns
    -------
    Contest

    Raises
    ------
    ValueError
        If there is no ladder for an instance of this name.
    """
    ladder = LADDERS[check_choice(instance_name, "instance", LADDERS)]
    instance = ladder.make()
    time = optimum_of(instance).time
    budgets = tuple(int(np.ceil(multiple * time)) for multiple in ladder.multiples)
    return Contest(
        instance_name, instance, ladder.entrants, time, ladder.multiples, budgets, ladder.runs
    )


def playable(contest: Contest, name: str) -> list[Algorithm]:
    """Make an entrant for each budget that it can work with.

    Parameters
    ----------
    contest : Contest
        An instance with its entrants.
    name : str
        Name of an entrant.

    Returns
    -------
    list of Algorithm
        In ascending order of the budgets; those that are too small for it are missing.
    """
    found = [contest.entrants[name].make(contest.instance, budget) for budget in contest.budgets]
    first = next(k for k, each in enumerate(found) if _can_play(each, contest.instance))
    return found[first:]


def _can_play(algorithm, instance):
    try:
        check_playable(algorithm, instance)
    except ValueError:
        return False
    return True
