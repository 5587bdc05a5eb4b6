"""The kept answers with fixed budgets: what the chapter states about them, and their table."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from pareto_book.figures.tables import show_table
from pareto_book.kept_runs.budgets.competitions import Contest, find_contest
from pareto_book.kept_runs.budgets.files import KeptAnswers
from pareto_book.kept_runs.budgets.making import read_all_answers
from pareto_book.kept_runs.budgets.needed import (
    LEVELS,
    is_measurable,
    needed_budget,
    needed_ratio,
    wrong_answers,
)
from pareto_book.records.measurements import Measurement, rate_of

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "ERRORS",
    "RATIOS",
    "Budgets",
    "budget_facts",
    "count_answers",
    "error_at",
    "load_budgets",
    "measured_cases",
    "needed_table",
    "quickest",
    "ratio_at",
    "wins_of",
]

RATIOS = {  # instance, two entrants, and an error rate
    "budget_uniform_moscore": ("MOSCORE 1", "uniform", "TopTwoIDS", 0.1),
    "budget_halving_above": ("one above all", "EGE-SH", "EGE-SR", 0.01),
    "budget_halving_staircase": ("staircase", "EGE-SR", "EGE-SH", 0.01),
}
ERRORS = {  # instance, entrant, and budget over the characteristic time
    "budget_covid_uniform": ("COV-BOOST", "uniform", 6),
    "budget_covid_top_two": ("COV-BOOST", "TopTwoIDS", 6),
}


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
    """Error rate of an entrant at a multiple of the characteristic time, with its interval."""
    return rate_of(_wrong_at(budgets, instance, name, multiple))


def ratio_at(budgets: Budgets, instance: str, first: str, second: str, level: float) -> Measurement:
    """Ratio of the budgets at which two entrants reach an error rate; see `needed_ratio`."""
    found = needed_ratio(budgets.kept[instance, first], budgets.kept[instance, second], level)
    if found is None or not np.isfinite(found.interval).all():
        raise ValueError(
            f"level = {level} on {instance}; expected one that {first} and {second} reach "
            "within the ladder of budgets"
        )
    return found


def quickest(budgets: Budgets, instance: str, level: float) -> str | None:
    """Name of the entrant that reaches an error rate with the smallest budget."""
    rivals = budgets.on(instance)
    if not all(is_measurable(each, level) for each in rivals.values()):
        return None
    found = {name: needed_budget(each, level).measured.value for name, each in rivals.items()}
    best = min(found, key=found.get)
    return best if 0 < found[best] < np.inf else None


def measured_cases(budgets: Budgets) -> list[tuple[str, float]]:
    """Cases with a quickest entrant: an instance, and an error rate."""
    return [
        (where, level)
        for where in budgets.contests
        for level in LEVELS
        if quickest(budgets, where, level) is not None
    ]


def wins_of(budgets: Budgets, name: str) -> int:
    """Number of measured cases in which an entrant is the quickest."""
    return sum(quickest(budgets, *case) == name for case in measured_cases(budgets))


def budget_facts(budgets: Budgets) -> dict[str, Measurement]:
    """Measure the chapter's ratios of budgets, and its error rates in percent."""
    ratios = {name: ratio_at(budgets, *pair) for name, pair in RATIOS.items()}
    return ratios | {name: error_at(budgets, *case).times(100) for name, case in ERRORS.items()}


def needed_table(budgets: Budgets) -> "HTML":
    """Make a table of the budgets at which each entrant reaches the error rates."""
    rows = []
    for instance, contest in budgets.contests.items():
        for k, (name, kept) in enumerate(budgets.on(instance).items()):
            first = k == 0
            row = {
                "instance": instance if first else "",
                "T*": f"{contest.time:,.0f}" if first else "",
                "entrant": name,
            }
            for level in LEVELS:
                known = is_measurable(kept, level)
                row[f"{100 * level:g} %"] = str(needed_budget(kept, level)) if known else ""
            rows.append(row)
    return show_table(
        pd.DataFrame(rows),
        "Budget over T* at which the error rate falls to 10 %, 1 % and 0.1 %, interpolated, with "
        "95 % bootstrap intervals. Empty where there are too few runs to measure it.",
    )
