"""The arena: tables of the kept runs, rankings by group, and fixed budgets."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.figures import plots
from pareto_book.figures.tables import show_table
from pareto_book.kept_runs import fixed_budget
from pareto_book.kept_runs.cases import KeptCase, mean_interval, mean_ratio
from pareto_book.kept_runs.competitions import COMPETITIONS, RISKS, find_instance
from pareto_book.kept_runs.fixed_budget import needed_budget
from pareto_book.kept_runs.rankings import (
    INSTANCE_GROUPS,
    PARETO_QUESTIONS,
    PARETO_SET,
    Ranking,
    by_case,
    competitors,
    is_proven,
    rank,
    rank_all,
    runs_for,
)
from pareto_book.kept_runs.reading import read_all
from pareto_book.records.measurements import Measurement
from pareto_core.simulation.statistics import rate_interval
from pareto_lab.comparison.lower_bounds import fewest_samples, time_of

PRICE, PARTS = "price of a proof", "parts of TopTwoIDS"  # questions of other tables
GROUPS = {  # instances that are compared together, and the question that they belong to
    **{f"{PARETO_SET}, {name}": (PARETO_SET, each) for name, each in INSTANCE_GROUPS.items()},
    **{
        question: (question, tuple(COMPETITIONS[question].instances))
        for question in COMPETITIONS
        if question not in (*PARETO_QUESTIONS, PRICE, PARTS)
    },
}
MANY = ("many arms", "many arms, held out")  # of `INSTANCE_GROUPS`
RATIOS = {"times the best": ".2f", "at worst": ".2f"}  # formats of columns
WORDS = {False: "not proven", True: "proven"}
FAMILIES = {  # colours by the beginning of the name
    "TopTwoIDS": plots.RED,
    "Track-and-Stop": plots.BLUE,
    "Frank-Wolfe": plots.SKY,
    "PSIPS": plots.PURPLE,
    "APE": plots.ORANGE,
    "Racing": plots.BROWN,
    "uniform": plots.GREEN,
}
EXACT_WEIGHTS = "Track-and-Stop, exact weights"
SAME_STOP = (
    *("Track-and-Stop", "Track-and-Stop, by evidence", EXACT_WEIGHTS, "Track-and-Stop, unforced"),
    *("TopTwoIDS, square root", "TopTwoIDS, unforced", "Frank-Wolfe", "uniform"),
)
DUELS = {  # with many arms: an algorithm, and those it is compared with
    "TopTwoIDS": (*SAME_STOP, "APE", "oracle"),
    "TopTwoIDS, proven": ("APE, certified",),
    "Track-and-Stop, by evidence": ("Track-and-Stop",),
}
CHANGED_PARTS = {
    "unforced": ("TopTwoIDS", "no forced exploration"),
    "square root": ("TopTwoIDS", "the usual floor, the square root of time"),
    "every tenth": ("TopTwoIDS", "a new alternative at every tenth sample only"),
    "by evidence": ("TopTwoIDS", "Track-and-Stop, by evidence: weights learnt by Hedge"),
    "Track-and-Stop": ("TopTwoIDS", "Track-and-Stop: these, and its own exploration"),
    "exact weights": ("TopTwoIDS", f"{EXACT_WEIGHTS}, with that exploration"),
    "proven, not aimed": (
        "TopTwoIDS, proven",
        "with a proof, but aimed at the transportation cost",
    ),
}
LEVELS = (0.1, 0.01, 0.001)  # error rates with a fixed budget


class Arena(NamedTuple):
    """Cases by question, instances and their characteristic times, and entrants to compare."""

    kept: dict[str, list[KeptCase]]
    instances: dict[str, pc.Instance]
    times: dict[str, float]
    competing: dict[tuple[str, bool], list[str]]  # by group, and whether their risk is proven

    @property
    def pareto_cases(self) -> list[KeptCase]:
        """Cases for the Pareto set in all groups of instances."""
        return runs_for(self.kept, PARETO_SET)

    @property
    def cases(self) -> dict[tuple[str, str, float], KeptCase]:
        """Cases by instance, entrant and level."""
        found = [each for part in self.kept.values() for each in part]
        return {(each.instance, each.name, each.level): each for each in found}

    def frame(self, cases: Sequence[KeptCase]) -> pd.DataFrame:
        """Tabulate cases, with their samples over the lower bound and over those of the best."""
        frame = pd.DataFrame(cases)
        bounds = [fewest_samples(self.times[each.instance], each.level) for each in cases]
        ends = np.array([mean_interval(each) for each in cases])
        frame["over_the_bound"] = frame["mean"] / bounds
        frame["low"], frame["high"] = (ends / np.array(bounds)[:, None]).T
        frame["over_the_best"] = frame["mean"] / frame.groupby(["instance", "level"])[
            "mean"
        ].transform("min")
        return frame

    def group(self, group: str, proven: bool) -> list[KeptCase]:
        """Cases of the entrants of a group to compare whose risk is proven, or is not."""
        question, instances = GROUPS[group]
        names = self.competing[group, proven]
        cases = runs_for(self.kept, question)
        return [each for each in cases if each.name in names and each.instance in instances]

    def ratio(
        self, instance: str, first: str, second: str, delta: float = 0.1, there: str = ""
    ) -> Measurement:
        """Mean samples of one entrant over those of another, maybe in another competition."""
        pair = self.cases[instance, first, delta], self.cases[there or instance, second, delta]
        return mean_ratio(*pair)


def load_arena() -> Arena:
    """Read the kept runs."""
    kept = read_all()
    instances, times = {}, {}
    for question in (each for each in COMPETITIONS if each != PRICE):
        for name in COMPETITIONS[question].instances:
            _, entrants, instances[name] = find_instance(name)
            first = next(iter(entrants.values())).algorithm
            times[name] = time_of(instances[name], first.question)
    competing = {}
    for group, (question, chosen) in GROUPS.items():
        runs = runs_for(kept, question)
        present = {each.name for each in runs if each.instance in chosen}
        for proven in (False, True):
            names = competitors(runs, question, proven)
            competing[group, proven] = [name for name in names if name in present]
    return Arena(kept, instances, times, competing)


def colour_of(name: str) -> str:
    """Colour of an entrant: that of its algorithm, or black."""
    return FAMILIES.get(name.partition(",")[0], plots.BLACK)


# Rankings


def ranking(arena: Arena, name: str, group: str, same_stop: bool = False) -> Ranking:
    """Rank an entrant for the Pareto set among all with as strong a promise, or the same stop."""
    names = arena.competing[f"{PARETO_SET}, {group}", is_proven(PARETO_SET, name)]
    rivals = SAME_STOP if same_stop else [each for each in names if each != name]
    return rank(arena.pareto_cases, name, rivals, INSTANCE_GROUPS[group])


def leaders_table(arena: Arena):
    """Make a table of the leaders of other questions than the Pareto set without correlation."""
    rows = []
    for (group, proven), names in arena.competing.items():
        if len(names) > 1 and GROUPS[group][0] != PARETO_SET:
            best = rank_all(arena.group(group, proven), names)[0]
            rows.append(
                {
                    "question": group,
                    "its risk is": WORDS[proven],
                    "leader": best.name,
                    **_standing(best),
                }
            )
    caption = (
        "The leader of each group: of those within 2 % of the smallest mean ratio, the one with "
        "the best worst case. Columns as in the table above."
    )
    return show_table(pd.DataFrame(rows), caption, **RATIOS)


def _standing(line):
    """Columns about one entrant among others."""
    return {
        "cases": line.cases,
        "certainly first": line.ahead,
        "undecided": line.undecided,
        "certainly behind": line.behind,
        "times the best": line.mean,
        "at worst": line.worst,
    }


def same_stop_table(arena: Arena):
    """Make a table of TopTwoIDS among the entrants with its threshold, by group of instances."""
    rows = []
    for group in INSTANCE_GROUPS:
        found = ranking(arena, "TopTwoIDS", group, same_stop=True)
        rows.append({"instances": group, **_standing(found), "worst case": found.worst_case})
    caption = (
        "TopTwoIDS among all entrants that stop by the same threshold: Track-and-Stop and its "
        "variants, those of TopTwoIDS, Frank-Wolfe and uniform sampling, as far as they play."
    )
    return show_table(pd.DataFrame(rows), caption, **RATIOS)


class Duel(NamedTuple):
    """Samples of one entrant over those of another, in a group of instances at all risks."""

    ratios: dict[tuple[str, float], Measurement]  # by instance and risk

    @property
    def mean(self) -> float:
        """Geometric mean."""
        return float(np.exp(np.mean([np.log(each.value) for each in self.ratios.values()])))

    @property
    def worst(self) -> tuple[str, float]:
        """Instance and risk of the largest ratio."""
        return max(self.ratios, key=lambda case: self.ratios[case].value)

    def certainly(self, low: float, high: float) -> int:
        """Number of ratios whose interval is strictly within these limits."""
        ends = [each.interval for each in self.ratios.values()]
        return sum(low < left and right < high for left, right in ends)


def duel(arena: Arena, first: str, second: str, group: str) -> Duel:
    """Compare two entrants in a group of instances, in the cases that both play."""
    chosen = [each for each in arena.pareto_cases if each.instance in INSTANCE_GROUPS[group]]
    return Duel(
        {
            case: mean_ratio(found[first], found[second])
            for case, found in by_case(chosen).items()
            if first in found and second in found
        }
    )


def duels_table(arena: Arena):
    """Make a table of entrants beside others, on the instances with many arms."""
    rows = []
    for first, others in DUELS.items():
        for second in others:
            for group in MANY:
                found = duel(arena, first, second, group)
                if not found.ratios:
                    continue
                instance, delta = found.worst
                sure = found.certainly(0, 1), found.certainly(1, np.inf)
                rows.append(
                    {
                        "algorithm": first,
                        "over": second,
                        "instances": group,
                        "cases": len(found.ratios),
                        "certainly fewer": sure[0],
                        "undecided": len(found.ratios) - sum(sure),
                        "certainly more": sure[1],
                        "mean ratio": found.mean,
                        "largest ratio": found.ratios[found.worst],
                        "largest in": f"{instance}, δ = {delta:g}",
                    }
                )
    caption = (
        "Samples of the first algorithm over those of the second: cases at four risks in which it "
        "certainly (95 %, one rival) needs fewer, or more; geometric mean; and largest ratio, with "
        "its interval, paired where one of the two is Track-and-Stop. A run that was cut off "
        "counts with the samples that it took."
    )
    return show_table(pd.DataFrame(rows), caption, **{"mean ratio": ".2f", "largest ratio": ".2f"})


def standings_table(arena: Arena, group: str):
    """Make a table of all entrants on a group of instances, without and with a proof."""
    rows = []
    for proven in (False, True):
        names, cases = arena.competing[group, proven], arena.group(group, proven)
        for k, line in enumerate(rank_all(cases, names)):
            part = [each for each in cases if each.name == line.name]
            entrant = COMPETITIONS[part[0].question].entrants[line.name]
            times = [each.microseconds for each in part if each.microseconds > 0]
            rows.append(
                {
                    "risk": WORDS[proven] if k == 0 else "",
                    "entrant": line.name,
                    **_standing(line),
                    "with cut-offs": line.unfinished,
                    "wrong at δ = 0.1": _errors_at(part, 0.1),
                    "µs a sample": f"{min(times):.2g} to {max(times):.2g}",
                    "assumes": entrant.assumes,
                    "its risk rests on": entrant.promise,
                }
            )
    table = pd.DataFrame(rows)
    caption = (
        f"{group}: columns as in the first table, all risks together; wrong answers among the "
        "runs that ended, with the exact 95 % interval of their rate in per cent."
    )
    if table["assumes"].nunique() == 1:
        caption += f" All assume {table.pop('assumes')[0]}."
    if not table["with cut-offs"].any():
        del table["with cut-offs"]
        caption += " No run was cut off."
    return show_table(table, caption, **RATIOS)


def _errors_at(cases, delta):
    """Wrong answers among the runs that ended, and the interval of their rate in per cent."""
    there = [each for each in cases if each.level == delta]
    wrong, runs = (sum(getattr(each, name) for each in there) for name in ("errors", "ended"))
    if runs == 0:
        return ""
    low, high = rate_interval(wrong, runs)
    return f"{wrong} of {runs:,} [{100 * low:.2f}, {100 * high:.2f}]"


def quickest_table(arena: Arena):
    """Make a table of the instances, with the entrant that has the fewest samples on each."""
    rows = []
    for group, (_, instances) in GROUPS.items():
        for name in instances:
            instance, time = arena.instances[name], arena.times[name]
            row = {
                "instance": name,
                "K, d": f"{instance.n_arms}, {instance.n_objectives}",
                "T*": time if np.isfinite(time) else "",
            }
            for proven in (False, True):
                cases = [each for each in arena.group(group, proven) if each.instance == name]
                for delta in (RISKS[0], RISKS[-1]):
                    here = [each for each in cases if each.level == delta]
                    row[f"{'proven, ' if proven else ''}δ = {delta:g}"] = _quickest(here)
            rows.append(row)
    caption = (
        "The instances: arms and objectives, the T* of the question (of the one with reasons, "
        "where limits are set; empty where noise is uniform, or objectives are correlated), and "
        "the entrant with the fewest samples, its mean samples, and (+) the number of others that "
        "cannot be told from it at 95 %."
    )
    return show_table(pd.DataFrame(rows), caption, **{"T*": ",.0f"})


def _quickest(cases):
    """Name and samples of the quickest, and how many may be as quick."""
    if not cases:
        return ""
    best = min(cases, key=lambda each: each.mean)
    others = [each for each in cases if each is not best]
    close = sum(mean_ratio(each, best).interval[0] <= 1 for each in others)
    return f"{best.name}: {best.mean:,.0f}{f' (+{close})' if close else ''}"


def parts_table(arena: Arena):
    """Make a table of what TopTwoIDS needs with one of its parts changed or left out."""
    rows = [
        {
            "instead": what,
            "instance": instance,
            **{f"δ = {delta:g}": _without(arena, part, whole, instance, delta) for delta in RISKS},
        }
        for part, (whole, what) in CHANGED_PARTS.items()
        for instance in ("staircase", "random", "COV-BOOST")
    ]
    caption = "Samples with a part changed over those of the whole rule, with 95 % intervals."
    formats = {f"δ = {delta:g}": ".2f" for delta in RISKS}
    return show_table(pd.DataFrame(rows), caption, **formats)


def _without(arena, part, whole, instance, delta):
    """Samples without a part over those with it."""
    again = f"{instance}, again"
    where = again if (again, part, delta) in arena.cases else instance
    return arena.ratio(where, part, whole, delta, instance)


# Fixed budgets


def budget_cases(arena: Arena) -> dict[str, dict[str, list[KeptCase]]]:
    """Cases with a fixed budget by instance and entrant, the budgets ascending."""
    found = {}
    for each in arena.kept[fixed_budget.QUESTION]:
        found.setdefault(each.instance, {}).setdefault(each.name, []).append(each)
    return found


def budget_winners(
    found: dict[str, dict[str, list[KeptCase]]],
) -> dict[tuple[str, float], tuple[str, bool]]:
    """Entrant with the smallest budget for each instance and error rate, and if it is certain."""
    winners = {}
    for instance, entrants in found.items():
        for level in LEVELS:
            needed = {name: needed_budget(each, level) for name, each in entrants.items()}
            best = min(needed, key=lambda name: needed[name].value)
            rivals = [each for name, each in needed.items() if name != best]
            ahead = all(needed[best].interval[1] < each.interval[0] for each in rivals)
            if np.isfinite(needed[best].value):
                winners[instance, level] = best, ahead
    return winners


def needed_table(found: dict[str, dict[str, list[KeptCase]]]):
    """Make a table of the budgets at which each entrant reaches the error rates."""
    rows = []
    for instance, entrants in found.items():
        for name, cases in entrants.items():
            row = {"instance": instance, "entrant": name}
            for level in LEVELS:
                needed = needed_budget(cases, level)
                beyond = f"> {cases[-1].level / fixed_budget.find_contest(instance).time:.2g}"
                row[f"{100 * level:g} %"] = (
                    format(needed, ".2g") if np.isfinite(needed.value) else beyond
                )
            rows.append(row)
    caption = (
        "Budget over T* at which the error rate falls to 10 %, 1 % and 0.1 %, interpolated, with "
        "intervals from the exact 95 % intervals of the rates."
    )
    return show_table(pd.DataFrame(rows), caption)
