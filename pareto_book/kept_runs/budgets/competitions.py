"""The arena with a fixed budget: its entrants, and its instances, each with a ladder of budgets."""

import functools
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from pareto_book.kept_runs.competitions import COMPETITIONS
from pareto_core import algorithms
from pareto_core.bounds.complexity import characteristic_time
from pareto_core.checks.arguments import check_choice
from pareto_core.instances.instance import Instance
from pareto_core.instances.registry import load_instance
from pareto_core.loop.algorithm import Algorithm
from pareto_core.simulation.preparation import check_playable

__all__ = ["ENTRANTS", "LADDERS", "BudgetEntrant", "Contest", "Ladder", "find_contest", "playable"]

RELATIVE_GAP = 1e-7
MANY = 10_000  # runs


class BudgetEntrant(NamedTuple):
    """An algorithm with a fixed budget.

    Attributes
    ----------
    make : callable
        Returns the algorithm for a budget.
    continues : bool
        Whether its run with a budget begins with its run with any smaller budget, so that one
        simulated run has the answers at all budgets.
    """

    make: Callable[[int], Algorithm]
    continues: bool = False


ENTRANTS = {
    "uniform": BudgetEntrant(lambda budget: algorithms.UniformSampling(budget=budget)),
    "EGE-SR": BudgetEntrant(lambda budget: algorithms.EGE(budget=budget, schedule="reject")),
    "EGE-SH": BudgetEntrant(lambda budget: algorithms.EGE(budget=budget)),
    "TopTwoIDS": BudgetEntrant(lambda budget: algorithms.TopTwoIDS(budget=budget), continues=True),
}


class Ladder(NamedTuple):
    """An instance of the arena with a fixed budget.

    Attributes
    ----------
    make : callable
        Returns the instance.
    multiples : tuple of float
        Budgets over the characteristic time, ascending.
    runs : int
        Number of runs of each entrant at each budget.
    """

    make: Callable[[], Instance]
    multiples: tuple[float, ...]
    runs: int = MANY


class Contest(NamedTuple):
    """An instance that has been made, with its budgets.

    Attributes
    ----------
    name : str
        Name of the instance.
    instance : Instance
        The instance.
    time : float
        Characteristic time of the instance.
    multiples : tuple of float
        Budgets over the characteristic time, ascending.
    budgets : tuple of int
        Budgets, ascending.
    runs : int
        Number of runs of each entrant at each budget.
    """

    name: str
    instance: Instance
    time: float
    multiples: tuple[float, ...]
    budgets: tuple[int, ...]
    runs: int


def _moscore(number):
    """One of the problems of MOSCORE with 20 arms, three objectives and correlated noise."""
    return functools.partial(load_instance, f"moscore(3, 20, problem={number})")


def _of_arena(name):
    return COMPETITIONS["Pareto set"].instances[name]


LADDERS = {
    "five arms": Ladder(_of_arena("five arms"), (0.25, 0.5, 1, 2, 4, 6, 8)),
    "one above all": Ladder(_of_arena("one above all"), (0.5, 1, 2, 3, 4, 6, 8, 12, 16)),
    "staircase": Ladder(_of_arena("staircase"), (0.25, 0.5, 1, 2, 4, 8, 12)),
    "COV-BOOST": Ladder(_of_arena("COV-BOOST"), (0.25, 0.5, 1, 2, 4, 6, 8)),
    "MOSCORE 1": Ladder(_moscore(1), (0.5, 1, 2, 4, 6, 8)),
    "MOSCORE 3": Ladder(_moscore(3), (0.5, 1, 2, 4, 6, 8)),
}


@functools.cache
def find_contest(instance_name: str) -> Contest:
    """Make an instance of the arena with a fixed budget, and compute its budgets."""
    ladder = LADDERS[check_choice(instance_name, "instance", LADDERS)]
    instance = ladder.make()
    white = instance.standardised()
    covariance = white.covariance if white.is_correlated else None
    time = characteristic_time(white.means, RELATIVE_GAP, covariance=covariance).time
    budgets = tuple(int(np.ceil(multiple * time)) for multiple in ladder.multiples)
    return Contest(instance_name, instance, time, ladder.multiples, budgets, ladder.runs)


def playable(contest: Contest, name: str) -> list[Algorithm]:
    """Make an entrant for each budget that it can work with."""
    found = [ENTRANTS[name].make(budget) for budget in contest.budgets]
    first = next(k for k, each in enumerate(found) if _can_play(each, contest.instance))
    return found[first:]


def _can_play(algorithm, instance):
    try:
        check_playable(algorithm, instance)
    except ValueError:
        return False
    return True
