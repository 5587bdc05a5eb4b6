"""Results of TopTwoIDS, the book's own sampling rule, and of the certified APE."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from pareto_book.chapters.arena.kept import Arena
from pareto_book.figures.tables import show_table
from pareto_book.kept_runs.competitions import RISKS
from pareto_book.kept_runs.rankings import (
    INSTANCE_GROUPS,
    PARETO_SET,
    SAME_STOPPING_RULE,
    Ranking,
    rank,
)
from pareto_book.kept_runs.results import paired_log_ratio
from pareto_book.records.measurements import Measurement

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "RANKED",
    "elsewhere",
    "groups_table",
    "own_rankings",
    "parts_table",
    "same_stop_table",
    "worst_of",
]

EVERYWHERE = tuple(name for group in INSTANCE_GROUPS.values() for name in group)
SAME_STOP, UNPROVEN, PROVEN = "the same stop", "all without a proof", "all with a proof"
COMPARISONS = (
    ("TopTwoIDS", SAME_STOP),
    ("TopTwoIDS", UNPROVEN),
    ("TopTwoIDS, proven", PROVEN),
    ("APE, certified", PROVEN),
)
RANKED = {  # name under which a ranking is recorded: entrant, rivals, instances
    "all": ("TopTwoIDS", UNPROVEN, "all"),
    "equal": ("TopTwoIDS", SAME_STOP, "all"),
    "proven": ("TopTwoIDS, proven", PROVEN, "all"),
    "certified": ("APE, certified", PROVEN, "all"),
    "designed": ("TopTwoIDS", UNPROVEN, "designed on"),
    "later": ("TopTwoIDS", UNPROVEN, "entered later"),
    "later_equal": ("TopTwoIDS", SAME_STOP, "entered later"),
    "designed_equal": ("TopTwoIDS", SAME_STOP, "designed on"),
    "held_out_equal": ("TopTwoIDS", SAME_STOP, "held out"),
    "held_out": ("TopTwoIDS", UNPROVEN, "held out"),
    "held_out_certified": ("APE, certified", PROVEN, "held out"),
}
ELSEWHERE = {  # name under which a question is recorded: the question
    "best_arms": "best arm of every objective",
    "constrained": "constrained Pareto set",
    "correlated": "Pareto set, correlated objectives",
}
PARTS = {
    "unforced": ("TopTwoIDS", "no forced exploration"),
    "every tenth": ("TopTwoIDS", "a new alternative at every tenth sample only"),
    "Track-and-Stop": ("TopTwoIDS", "weights learnt by Hedge in place of shares"),
    "proven, not aimed": (
        "TopTwoIDS, proven",
        "aimed at the transportation cost, not at the proof",
    ),
}
PARTS_ON = ("staircase", "random", "COV-BOOST")


def own_rankings(arena: Arena) -> dict[tuple[str, str, str], Ranking]:
    """Rank the two algorithms, by their rivals and by group of instances."""
    groups = {**INSTANCE_GROUPS, "all": EVERYWHERE}
    return {
        (name, among, part): rank(arena.pareto_runs, name, _rivals(arena, name, among), instances)
        for name, among in COMPARISONS
        for part, instances in groups.items()
    }


def _rivals(arena, name, among):
    """Names of those that an entrant is compared with."""
    if among == SAME_STOP:
        return SAME_STOPPING_RULE[name]
    return [each for each in arena.competing[PARETO_SET, among == PROVEN] if each != name]


def elsewhere(arena: Arena) -> dict[str, Ranking]:
    """Rank TopTwoIDS among all entrants without a proof, on the questions of `ELSEWHERE`."""
    found = {}
    for key, question in ELSEWHERE.items():
        rivals = [each for each in arena.competing[question, False] if each != "TopTwoIDS"]
        instances = dict.fromkeys(each.instance for each in arena.kept[question])
        found[key] = rank(arena.kept[question], "TopTwoIDS", rivals, list(instances))
    return found


def worst_of(*rankings: Ranking) -> Measurement:
    """Worst ratio of several rankings, with its interval."""
    worst = max(rankings, key=lambda each: each.worst)
    return Measurement(worst.worst, (worst.low, worst.high), worst.runs)


def groups_table(rankings: dict[tuple[str, str, str], Ranking]) -> "HTML":
    """Make a table of the rankings by group of instances."""
    rows = [
        {
            "algorithm": name if part == "designed on" else "",
            "among": among if part == "designed on" else "",
            "instances": part,
            "fewest samples in": f"{found.quickest} of {found.cases}",
            "certainly first in": found.ahead,
            "certainly behind in": found.behind,
            "times the best": found.mean,
            "at worst": found.worst_ratio,
            "worst case": found.worst_case,
        }
        for (name, among, part), found in rankings.items()
    ]
    return show_table(
        pd.DataFrame(rows),
        "Rankings by group of instances. The same stop: the stylised threshold around "
        "Track-and-Stop with and without forced exploration, Frank-Wolfe and uniform sampling.",
        **{"times the best": ".2f"},
    )


def same_stop_table(arena: Arena) -> "HTML":
    """Make a table of TopTwoIDS against the best with the same stop, on each instance."""
    by_risk = {
        delta: [each for each in arena.pareto_runs if each.delta == delta] for delta in RISKS
    }
    rows = [
        {
            "stop": name.partition(", ")[2] or "stylised",
            "instance": instance,
            **{
                f"δ = {delta:g}": rank(runs, name, rivals, [instance]).worst_ratio
                for delta, runs in by_risk.items()
            },
        }
        for name, rivals in SAME_STOPPING_RULE.items()
        for instance in EVERYWHERE
    ]
    return show_table(
        pd.DataFrame(rows),
        "Samples of TopTwoIDS over those of the best other entrant with the same stopping rule, "
        "paired runs, with 95 % intervals.",
    )


def parts_table(arena: Arena) -> "HTML":
    """Make a table of what TopTwoIDS needs without one of its parts."""
    by_case = arena.by_case
    rows = [
        {
            "without": what,
            "instance": instance,
            **{
                f"δ = {delta:g}": _without(by_case, part, whole, instance, delta) for delta in RISKS
            },
        }
        for part, (whole, what) in PARTS.items()
        for instance in PARTS_ON
    ]
    return show_table(
        pd.DataFrame(rows),
        "Samples with a part left out over those of the whole rule, paired runs, with 95 % "
        "intervals.",
    )


def _without(by_case, part, whole, instance, delta):
    """Samples without a part over those with it."""
    again = by_case.get((f"{instance}, again", part, delta))
    found = paired_log_ratio(
        again or by_case[instance, part, delta], by_case[instance, whole, delta]
    )
    return "{:.2f} [{:.2f}, {:.2f}]".format(*np.exp(found))
