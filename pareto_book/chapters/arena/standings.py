"""Tables of the arena that rank entrants of a question."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from pareto_book.chapters.arena.kept import Arena
from pareto_book.figures.tables import show_table
from pareto_book.kept_runs.competitions import COMPETITIONS
from pareto_book.kept_runs.rankings import Ranking, rank_all
from pareto_book.kept_runs.results import compare_pairs, paired_log_ratio

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = ["leaders_table", "quickest_table", "standings", "standings_table"]

WORDS = {False: "not proven", True: "proven"}


def standings(arena: Arena, question: str, proven: bool) -> list[Ranking]:
    """Rank the entrants of one group, in the order of `rank_all`."""
    names = list(COMPETITIONS[question].instances)
    return rank_all(arena.kept[question], arena.competing[question, proven], names)


def standings_table(arena: Arena, question: str) -> "HTML":
    """Make a table of both groups of a question, without and with a proof."""
    rows = [
        {
            "risk": WORDS[proven] if k == 0 else "",
            "entrant": line.name,
            "times the best": line.mean,
            "at worst": max(line.worst, 1.0),
            "on": line.instance,
            "cases": line.cases,
            "with cut-offs": line.unfinished,
            "rests on": COMPETITIONS[question].entrants[line.name].promise,
        }
        for proven in (False, True)
        for k, line in enumerate(standings(arena, question, proven))
    ]
    return show_table(
        pd.DataFrame(rows),
        f"{question}: how many times as many samples an entrant needs as the best of the group, "
        "all instances and risks together (geometric mean), and where it is furthest behind.",
        **{"times the best": ".2f", "at worst": ".2f"},
    )


def leaders_table(arena: Arena) -> "HTML":
    """Make a table of the leader of each group, against each other entrant case by case."""
    rows = []
    for question, proven in arena.competing:
        names = arena.competing[question, proven]
        group = [each for each in arena.kept[question] if each.name in names]
        verdicts = compare_pairs(group)
        if not verdicts.empty:
            leader = standings(arena, question, proven)[0]
            rows.append(
                {
                    "question": question,
                    "its risk is": WORDS[proven],
                    "leader": leader.name,
                    "times the best": leader.mean,
                    **_verdicts_about(leader.name, verdicts),
                }
            )
    return show_table(
        pd.DataFrame(rows),
        "The leader of each group, how many times as many samples it needs as the best (geometric "
        "mean; of those within 2 % of the smallest mean, the one with the best worst case), and "
        "the comparisons with each other entrant, instance by instance and risk by risk. With "
        "95 % confidence all verdicts of an instance at a risk are right (Bonferroni).",
        **{"times the best": ".2f"},
    )


def _verdicts_about(leader, verdicts):
    """Numbers of comparisons that a leader wins and loses with certainty."""
    won, lost = verdicts["first"] == leader, verdicts["second"] == leader
    certain = verdicts["certain"]
    rivals = sorted(set(verdicts["first"][lost & certain]))
    return {
        "certainly ahead": int((won & certain).sum()),
        "undecided": int(((won | lost) & ~certain).sum()),
        "certainly behind": int((lost & certain).sum()),
        "rivals ahead": "; ".join(rivals) or "none",
    }


def quickest_table(arena: Arena, questions: tuple[str, ...] = ()) -> "HTML":
    """Make a table of the entrant with the fewest samples on each instance."""
    by_case = arena.by_case
    rows = []
    for question in questions or arena.frames:
        for name in COMPETITIONS[question].instances:
            instance = arena.instances[name]
            rows.append(
                {
                    "instance": name,
                    "K, d": f"{instance.n_arms}, {instance.n_objectives}",
                    **{
                        f"{word} δ = {delta:g}": _quickest(
                            arena.group(question, proven), by_case, name, delta
                        )
                        for proven, word in ((False, ""), (True, "proven,"))
                        for delta in (0.1, 1e-6)
                    },
                }
            )
    return show_table(
        pd.DataFrame(rows),
        "The entrant with the fewest samples on each instance, its mean samples, and (+) the "
        "number of others that paired runs cannot tell from it at 95 %.",
    )


def _quickest(group, by_case, instance, delta):
    """Name and samples of the quickest of a group, and how many may be as quick."""
    here = group[(group["instance"] == instance) & np.isclose(group["delta"], delta)]
    if here.empty:
        return ""
    best = here.loc[here["samples"].idxmin()]
    own = by_case[instance, best["algorithm"], delta]
    others = [name for name in here["algorithm"] if name != best["algorithm"]]
    close = sum(paired_log_ratio(by_case[instance, name, delta], own)[1] <= 0 for name in others)
    more = f" (+{close})" if close else ""
    return f"{best['algorithm']}: {best['samples']:,.0f}{more}"
