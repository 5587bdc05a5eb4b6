"""The arena with a fixed budget: entrants, instances with ladders of budgets, error rates."""

import functools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pareto_book.kept_runs.cases import KeptCase
from pareto_book.kept_runs.competitions import COMPETITIONS
from pareto_book.records.measurements import Measurement
from pareto_core import algorithms
from pareto_core.bounds.complexity import characteristic_time
from pareto_core.checks.arguments import check_choice
from pareto_core.instances.instance import Instance
from pareto_core.instances.registry import load_instance
from pareto_core.loop.algorithm import Algorithm
from pareto_core.simulation.preparation import check_playable
from pareto_core.simulation.statistics import rate_interval

QUESTION = "Pareto set, fixed budget"
RUNS = 10_000  # at each budget
RELATIVE_GAP = 1e-7
ENTRANTS = {  # functions of a budget
    "uniform": lambda budget: algorithms.UniformSampling(budget=budget),
    "EGE-SR": lambda budget: algorithms.EGE(budget=budget, schedule="reject"),
    "EGE-SH": lambda budget: algorithms.EGE(budget=budget),
    "TopTwoIDS": lambda budget: algorithms.TopTwoIDS(budget=budget),
}
_ARENA = COMPETITIONS["Pareto set"].instances
_LONG = (0.25, 0.5, 1, 2, 4)
LADDERS = {  # a function that returns the instance, and budgets over its characteristic time
    "five arms": (_ARENA["five arms"], (*_LONG, 6, 8)),
    "one above all": (_ARENA["one above all"], (0.5, 1, 2, 3, 4, 6, 8, 12, 16)),
    "staircase": (_ARENA["staircase"], (*_LONG, 8, 12)),
    "COV-BOOST": (_ARENA["COV-BOOST"], (*_LONG, 6, 8)),
    **{
        f"MOSCORE {number}": (
            functools.partial(load_instance, f"moscore(3, 20, problem={number})"),
            (0.5, 1, 2, 4, 6, 8),
        )
        for number in (1, 3)
    },
}


class Contest(NamedTuple):
    """An instance that has been made, its characteristic time, and its budgets, ascending."""

    instance: Instance
    time: float
    budgets: tuple[int, ...]


@functools.cache
def find_contest(name: str) -> Contest:
    """Make an instance, and compute its budgets."""
    make, multiples = LADDERS[check_choice(name, "instance", LADDERS)]
    instance = make()
    white = instance.standardised()
    covariance = white.covariance if white.is_correlated else None
    time = characteristic_time(white.means, RELATIVE_GAP, covariance=covariance).time
    return Contest(instance, time, tuple(int(np.ceil(each * time)) for each in multiples))


def entrants_of(name: str) -> dict[tuple[str, int], Algorithm]:
    """Algorithms on an instance by name and budget, for the budgets that they can work with."""
    instance, _, budgets = find_contest(name)
    found = {(each, budget): make(budget) for each, make in ENTRANTS.items() for budget in budgets}
    return {key: each for key, each in found.items() if _can_play(each, instance)}


def _can_play(algorithm, instance):
    try:
        check_playable(algorithm, instance)
    except ValueError:
        return False
    return True


def needed_budget(cases: Sequence[KeptCase], level: float) -> Measurement:
    """Budget over T* from which an entrant errs at most at this rate.

    The logarithm of (errors + 1/2) / (runs + 1) is interpolated between budgets. The ends of the
    interval are where the ends of the exact intervals of the rates cross the level. A budget beyond
    the ladder is 0 or infinite.
    """
    budgets = np.array([each.level for each in cases]) / find_contest(cases[0].instance).time
    rates = np.array([(each.errors + 0.5) / (each.runs + 1) for each in cases])
    ends = np.array([rate_interval(each.errors, each.runs) for each in cases]).T
    value, low, high = (_crossing(budgets, each, level) for each in (rates, *ends))
    return Measurement(value, (low, high), cases[0].runs)


def _crossing(budgets, rates, level):
    """Budget after the last one above the level, by interpolation."""
    logs = np.log(np.maximum(rates, 1e-6) / level)
    above = np.flatnonzero(logs > 0)
    if above.size == 0:
        return 0.0
    last = above[-1]
    if last == len(budgets) - 1:
        return np.inf
    share = logs[last] / (logs[last] - logs[last + 1])
    return float(budgets[last] + share * (budgets[last + 1] - budgets[last]))
