"""Tables of the arena with fixed budgets."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from pareto_book.chapters.arena.budgets import Budgets, quickest
from pareto_book.figures.tables import show_table
from pareto_book.kept_runs.budgets.entrants import ORACLE
from pareto_book.kept_runs.budgets.needed import (
    LEVELS,
    error_rates,
    is_measurable,
    needed_budget,
    needed_ratio,
    wrong_answers,
)
from pareto_book.studies.answer_quality import hypervolume_lost, misclassified

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "entrants_table",
    "errors_table",
    "instances_table",
    "leaders_table",
    "needed_table",
    "quality_table",
]


def _percent(level):
    return f"{100 * level:g} %"


def needed_table(budgets: Budgets) -> "HTML":
    """Make a table of the budgets at which each entrant reaches the error rates."""
    rows = []
    for instance in budgets.contests:
        answers = budgets.on(instance)
        for k, (name, kept) in enumerate(answers.items()):
            row = {"instance": instance if k == 0 else "", "entrant": name}
            for level in LEVELS:
                measurable = is_measurable(kept, level)
                row[_percent(level)] = str(needed_budget(kept, level)) if measurable else ""
                row[f"ratio at {_percent(level)}"] = (
                    _ratio(kept, answers[ORACLE], level) if measurable else ""
                )
            rows.append(row)
    return show_table(
        pd.DataFrame(rows),
        "Budget over T* at which the error rate falls to 10 %, 1 % and 0.1 %, interpolated, and "
        f"its ratio to that of {ORACLE}, with 95 % bootstrap intervals of paired runs. Empty where "
        "there are too few runs to measure it, or where a budget is not on the ladder.",
    )


def _ratio(kept, reference, level):
    found = None if kept is reference else needed_ratio(kept, reference, level)
    if found is None:
        return ""
    low, high = (f"{end:.2f}" if np.isfinite(end) else "∞" for end in found.interval)
    return f"{found.value:.2f} [{low}, {high}]"


def quality_table(budgets: Budgets, multiple: float) -> "HTML":
    """Make a table of the error rate and of secondary measures at one multiple of T*.

    Parameters
    ----------
    budgets : Budgets
        The kept answers.
    multiple : float
        Budget over the characteristic time, on the ladder of each instance.

    Returns
    -------
    IPython.display.HTML
    """
    rows = []
    for instance, contest in budgets.contests.items():
        budget = contest.budgets[contest.multiples.index(multiple)]
        for k, (name, kept) in enumerate(budgets.on(instance).items()):
            if budget not in kept.budgets:
                continue
            level = kept.budgets.index(budget)
            arms, volume = _quality(kept, level, contest.instance.means)
            rows.append(
                {
                    "instance": instance if k == 0 else "",
                    "entrant": name,
                    "wrong, %": error_rates(kept)[level].times(100),
                    "arms misclassified": arms,
                    "hypervolume lost, %": 100 * volume,
                }
            )
    return show_table(
        pd.DataFrame(rows),
        f"Error rate with its exact 95 % interval, and means over all runs, at a budget of "
        f"{multiple:g} T*.",
        **{"wrong, %": ".1f", "arms misclassified": ".3f", "hypervolume lost, %": ".3f"},
    )


def _quality(kept, level, means):
    """Mean number of misclassified arms, and mean share of hypervolume lost."""
    used, times = np.unique(kept.which[level], return_counts=True)
    answers = kept.answers[used]
    found = misclassified(means, answers), hypervolume_lost(means, answers)
    return [float(np.average(each, weights=times)) for each in found]


def instances_table(budgets: Budgets) -> "HTML":
    """Make a table of the instances with a fixed budget."""
    rows = [
        {
            "instance": name,
            "arms": contest.instance.n_arms,
            "objectives": contest.instance.n_objectives,
            "noise": "correlated" if contest.instance.is_correlated else "independent",
            "T*": contest.time,
            "runs": contest.runs,
        }
        for name, contest in budgets.contests.items()
    ]
    return show_table(
        pd.DataFrame(rows),
        "The instances with a fixed budget, with T* for the covariance of the noise and without "
        "features, and the number of runs of each entrant at each budget.",
        **{"T*": ",.0f", "runs": ",d"},
    )


def entrants_table(budgets: Budgets) -> "HTML":
    """Make a table of how each entrant spends its budget, and what is proven."""
    entrants = {
        name: each
        for contest in budgets.contests.values()
        for name, each in contest.entrants.items()
    }
    rows = [
        {
            "entrant": name,
            "spends the budget": each.kind,
            "proven about its error rate": each.proven,
            "needs to know the budget": "no" if each.continues else "yes",
        }
        for name, each in entrants.items()
    ]
    return show_table(pd.DataFrame(rows), "The entrants with a fixed budget.")


def errors_table(budgets: Budgets) -> "HTML":
    """Make a table of the numbers of errors at all budgets."""
    rows = []
    for instance, contest in budgets.contests.items():
        ladder = ", ".join(f"{multiple:g}" for multiple in contest.multiples)
        for k, (name, kept) in enumerate(budgets.on(instance).items()):
            errors = wrong_answers(kept).sum(axis=1)
            missing = len(contest.budgets) - len(errors)
            rows.append(
                {
                    "instance": instance if k == 0 else "",
                    "budgets over T*": ladder if k == 0 else "",
                    "runs": f"{contest.runs:,d}" if k == 0 else "",
                    "entrant": name,
                    "errors": ", ".join(["–"] * missing + [f"{each:,d}" for each in errors]),
                }
            )
    return show_table(
        pd.DataFrame(rows),
        "Number of wrong answers at each budget of the ladder; a dash where a budget is too small "
        "for the entrant.",
    )


def leaders_table(budgets: Budgets) -> "HTML":
    """Make a table of the entrants that reach each error rate with the smallest budget."""
    rows = [
        {"instance": instance}
        | {_percent(level): _leaders(budgets, instance, level) for level in LEVELS}
        for instance in budgets.contests
    ]
    return show_table(
        pd.DataFrame(rows),
        "The entrant with the smallest budget for an error rate of 10 %, 1 % and 0.1 %, its budget "
        "over T* with a 95 % interval, and the entrants that paired runs cannot tell from it. The "
        "oracle is out of competition. Empty where there are too few runs.",
    )


def _leaders(budgets, instance, level):
    """The quickest entrant with its budget, and those whose ratio to it may be 1."""
    name = quickest(budgets, instance, level)
    if name is None:
        return ""
    answers = budgets.on(instance)
    text = f"{name}: {needed_budget(answers[name], level)}"
    ratios = {
        rival: needed_ratio(kept, answers[name], level)
        for rival, kept in answers.items()
        if rival not in (name, ORACLE)
    }
    close = [rival for rival, ratio in ratios.items() if ratio and ratio.interval[0] <= 1]
    return f"{text}; or {', '.join(close)}" if close else text
