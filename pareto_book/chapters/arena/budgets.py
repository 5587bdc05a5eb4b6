"""The kept answers with fixed budgets, and comparisons about which the chapter has sentences."""

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from pareto_book.kept_runs.budgets.competitions import Contest, find_contest
from pareto_book.kept_runs.budgets.entrants import ORACLE
from pareto_book.kept_runs.budgets.files import KeptAnswers
from pareto_book.kept_runs.budgets.making import read_all_answers
from pareto_book.kept_runs.budgets.needed import (
    LEVELS,
    is_measurable,
    needed_budget,
    needed_ratio,
    wrong_answers,
)
from pareto_book.records.measurements import Measurement, rate_of, ratio_of
from pareto_book.studies.answer_quality import hypervolume_lost

__all__ = [
    "Budgets",
    "beyond_ladder",
    "count_answers",
    "error_at",
    "level_with_best",
    "load_budgets",
    "lost_ratio",
    "measured_cases",
    "quickest",
    "ratio_at",
    "widest_spread",
    "wins_of",
]


class Budgets(NamedTuple):
    """The kept answers with fixed budgets.

    Attributes
    ----------
    kept : dict of (str, str) to KeptAnswers
        By instance and entrant.
    contests : dict of str to Contest
        By instance.
    """

    kept: dict[tuple[str, str], KeptAnswers]
    contests: dict[str, Contest]

    @property
    def answers(self) -> dict[str, list[KeptAnswers]]:
        """Answers of all entrants by instance."""
        return {name: list(self.on(name).values()) for name in self.contests}

    def on(self, instance: str) -> dict[str, KeptAnswers]:
        """Answers on an instance by entrant."""
        return {name: each for (where, name), each in self.kept.items() if where == instance}


def load_budgets() -> Budgets:
    """Read the kept answers with fixed budgets."""
    found = read_all_answers()
    kept = {(name, each.name): each for name, answers in found.items() for each in answers}
    return Budgets(kept, {name: find_contest(name) for name in found})


def count_answers(budgets: Budgets) -> int:
    """Number of kept answers: one per run and budget."""
    return sum(each.which.size for each in budgets.kept.values())


def _wrong_at(budgets, instance, name, multiple):
    """Whether the answer at a multiple of the characteristic time is wrong, in each run."""
    kept, contest = budgets.kept[instance, name], budgets.contests[instance]
    budget = contest.budgets[contest.multiples.index(multiple)]
    return wrong_answers(kept)[kept.budgets.index(budget)]


def error_at(budgets: Budgets, instance: str, name: str, multiple: float) -> Measurement:
    """Error rate of an entrant at a multiple of the characteristic time, with its exact interval.

    Parameters
    ----------
    budgets : Budgets
        The kept answers.
    instance, name : str
        Names of the instance and of the entrant.
    multiple : float
        One of the multiples of the instance's ladder.

    Returns
    -------
    Measurement
    """
    return rate_of(_wrong_at(budgets, instance, name, multiple))


def lost_ratio(
    budgets: Budgets, instance: str, first: str, second: str, multiple: float
) -> Measurement:
    """Ratio of the mean hypervolume that two entrants lose at the same budget, of paired runs.

    Parameters
    ----------
    budgets : Budgets
        The kept answers.
    instance, first, second : str
        Names of the instance and of both entrants.
    multiple : float
        One of the multiples of the instance's ladder.

    Returns
    -------
    Measurement
    """
    contest = budgets.contests[instance]
    budget = contest.budgets[contest.multiples.index(multiple)]
    lost = []
    for name in (first, second):
        kept = budgets.kept[instance, name]
        used, which = np.unique(kept.which[kept.budgets.index(budget)], return_inverse=True)
        lost.append(hypervolume_lost(contest.instance.means, kept.answers[used])[which])
    return ratio_of(*lost, paired=True)


def ratio_at(budgets: Budgets, instance: str, first: str, second: str, level: float) -> Measurement:
    """Ratio of the budgets at which two entrants reach an error rate; see `needed_ratio`.

    Raises
    ------
    ValueError
        If one of them does not reach it within the ladder, or not all resamples do.
    """
    found = needed_ratio(budgets.kept[instance, first], budgets.kept[instance, second], level)
    if found is None or not np.isfinite(found.interval).all():
        raise ValueError(
            f"level = {level} on {instance}; expected one that {first} and {second} reach "
            "within the ladder of budgets"
        )
    return found


def quickest(budgets: Budgets, instance: str, level: float) -> str | None:
    """Name of the entrant that reaches an error rate with the smallest budget.

    The oracle is out of competition.

    Returns
    -------
    str or None
        None if there are too few runs to tell, or if the budget of some entrant is below the
        ladder.
    """
    rivals = {name: each for name, each in budgets.on(instance).items() if name != ORACLE}
    if not all(is_measurable(each, level) for each in rivals.values()):
        return None
    found = {name: needed_budget(each, level).measured.value for name, each in rivals.items()}
    best = min(found, key=found.get)
    return best if 0 < found[best] < np.inf else None


def measured_cases(budgets: Budgets) -> list[tuple[str, float]]:
    """Cases with a quickest entrant: an instance without features, and an error rate."""
    return [
        (where, level)
        for where, contest in budgets.contests.items()
        if contest.instance.features is None
        for level in LEVELS
        if quickest(budgets, where, level) is not None
    ]


def wins_of(budgets: Budgets, names: Collection[str]) -> int:
    """Number of measured cases in which one of some entrants is the quickest."""
    return sum(quickest(budgets, *case) in names for case in measured_cases(budgets))


def level_with_best(budgets: Budgets, name: str) -> tuple[int, int]:
    """Count the cases in which paired runs cannot tell an entrant from the quickest.

    Parameters
    ----------
    budgets : Budgets
        The kept answers.
    name : str
        Name of an entrant.

    Returns
    -------
    tuple of int
        Number of measured cases in which it is the quickest, or the interval of its ratio to the
        quickest contains 1; and of all measured cases on instances on which it runs.
    """
    cases = [case for case in measured_cases(budgets) if (case[0], name) in budgets.kept]
    count = 0
    for where, level in cases:
        best = quickest(budgets, where, level)
        ratio = needed_ratio(budgets.kept[where, name], budgets.kept[where, best], level)
        count += best == name or (ratio is not None and ratio.interval[0] <= 1)
    return count, len(cases)


def widest_spread(budgets: Budgets, names: Collection[str]) -> Measurement:
    """Largest budget of some entrants over the smallest one, in the worst measured case.

    Parameters
    ----------
    budgets : Budgets
        The kept answers.
    names : collection of str
        Names of entrants on all instances without features.

    Returns
    -------
    Measurement
        The ratio with its interval from paired runs. Cases of `beyond_ladder` are left out.
    """
    found = []
    for where, level in measured_cases(budgets):
        kept = [budgets.kept[where, name] for name in names]
        needed = [needed_budget(each, level).measured.value for each in kept]
        most, least = kept[int(np.argmax(needed))], kept[int(np.argmin(needed))]
        found.append(needed_ratio(most, least, level))
    return max((each for each in found if each is not None), key=lambda each: each.value)


def beyond_ladder(budgets: Budgets, names: Collection[str]) -> str:
    """Name the measured cases in which the largest budget is not enough for some entrants.

    Parameters
    ----------
    budgets : Budgets
        The kept answers.
    names : collection of str
        Names of entrants on all instances without features.

    Returns
    -------
    str
        Entrants, instance and error rate of each such case, or "no case".
    """
    found = []
    for where, level in measured_cases(budgets):
        kept = [budgets.kept[where, name] for name in names]
        slow = [each.name for each in kept if needed_budget(each, level).measured.value == np.inf]
        if slow:
            found.append(f"{' and '.join(slow)} on {where} at {100 * level:g} %")
    return "; ".join(found) or "no case"
