"""What the paper's text says of its Figures 2 to 5, as numbers, and the tables of them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.chapters.auer2016.accuracies import Grid, worst_of_ten
from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import Measurement, mean_of, rate_of, ratio_of
from pareto_book.records.recording import Row

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "HEADINGS",
    "accuracies_to_finish",
    "against_every_reading",
    "against_pal",
    "measure",
    "numbers_of_rectangles",
    "numbers_of_text",
    "racing_table",
    "statements_table",
]

TAKEN = "sw_llvm"  # the directions that the text suggests
NARROWER = {
    "PAL, configuration": "rectangles five times narrower",
    "PAL, main script": "rectangles three times narrower, fitted to 30 observations",
}
Contenders = Mapping[str, Mapping[str, Grid]]

HEADINGS = {
    "fig2_pal_small": "farther than Racing, ε₀ = 0.025",
    "fig2_pal_large": "nearer than Racing, ε₀ = 1",
    "fig3_pal": "late, ε₀ = 0.025",
    "fig4_pal": "misses an optimal point, ε₀ = 1",
    "fig5_samples": "samples of Racing over PAL, least",
}


def numbers_of_text(race: Grid) -> dict[str, Measurement]:
    """Measure what the text says of Racing."""
    distance, finished = race.distance, race.finished
    small, large = rate_of(~finished[0]), rate_of(~finished[-1])
    ends = small.interval[0] - large.interval[1], small.interval[1]
    positive = distance.mean(axis=1) > 0
    worst, plain = worst_of_ten(distance)[positive], distance[positive]
    accuracy = (worst.mean(axis=1) / plain.mean(axis=1)).argmax()
    runs = distance.shape[1]
    return {
        "fig2_precision": rate_of(race.late[finished]),
        "fig2_small": Measurement(small.value - large.value, ends, runs),
        "fig3_stable": ratio_of(worst[accuracy], plain[accuracy])._replace(runs=runs),
    }


def against_pal(race: Grid, pal: Grid) -> dict[str, Measurement]:
    """Measure what the text says of PAL."""

    def farther(accuracy, sign):
        theirs = pal.distance[accuracy]
        return mean_of(sign * (theirs - race.distance[accuracy, : len(theirs)]))

    least = (race.samples.mean(axis=1) / pal.samples.mean(axis=1)).argmin()
    return {
        "fig2_pal_small": farther(0, 1),
        "fig2_pal_large": farther(-1, -1),
        "fig3_pal": rate_of(pal.late[0]),
        "fig4_pal": rate_of(~pal.finds_all[-1]),
        "fig5_samples": ratio_of(race.samples[least], pal.samples[least]),
    }


def against_every_reading(contenders: Contenders) -> dict[tuple[str, str], dict]:
    """Measure what the text says of PAL, for each choice of directions and reading of PAL."""
    return {
        (name, algorithm): against_pal(entries["Racing"], grid)
        for name, entries in contenders.items()
        for algorithm, grid in entries.items()
        if algorithm != "Racing"
    }


def measure(contenders: Contenders) -> dict[str, Row]:
    """Measure what the text says of Figures 2 to 5."""
    races = [entries["Racing"] for entries in contenders.values()]
    said, reverse = map(numbers_of_text, races)
    found = {
        name: Row(*each, others={"directions reversed": reverse[name]})
        for name, each in said.items()
    }
    found["fig4_all"] = Row(*rate_of([~each.finds_all for each in races]))
    compared = against_every_reading(contenders)
    narrower = {words: compared[TAKEN, name] for name, words in NARROWER.items()}
    for claim, measurement in compared[TAKEN, "PAL, theory"].items():
        others = {words: row[claim] for words, row in narrower.items()}
        found[claim] = Row(*measurement, others=others)
    found["fig5_samples"] = Row(*min(row["fig5_samples"] for row in compared.values()))
    for name, row in zip(("pal_configuration", "pal_main_script"), narrower.values(), strict=True):
        found[name] = Row(*row["fig2_pal_large"])
    return found


def accuracies_to_finish(contenders: Contenders) -> dict[str, float]:
    """Find the smallest accuracy at which all runs of Racing finish, for both directions."""
    return {f"finish_{name}": _least_to_finish(each["Racing"]) for name, each in contenders.items()}


def _least_to_finish(race: Grid) -> float:
    """Smallest accuracy at which all runs finish."""
    return race.epsilons[race.finished.all(axis=1)][0]


def numbers_of_rectangles(
    instance: pc.Instance, contenders: Contenders
) -> dict[str, float | Measurement]:
    """Numbers of the text on PAL's rectangles."""
    first, second = np.ptp(np.concatenate(instance.observations), axis=0)
    late = rate_of(contenders[TAKEN]["PAL, main script"].late[0])
    return {"range_first": first, "range_second": second, "late_script": late.times(100)}


def racing_table(contenders: Contenders) -> "HTML":
    """Make the table of Racing for both directions of the objectives."""
    races = {name: entries["Racing"] for name, entries in contenders.items()}
    rows = [
        {
            "directions": name,
            "late, of runs that finish": race.late[race.finished].mean(),
            "late, of runs that do not": race.late[~race.finished].mean(),
            "least ε₀ at which all finish": _least_to_finish(race),
            "runs that find all optimal points": race.finds_all.mean(),
        }
        for name, race in races.items()
    ]
    n_accuracies, runs = next(iter(races.values())).distance.shape
    return show_table(
        pd.DataFrame(rows),
        f"Shares of the runs of Racing, {runs} runs for each of {n_accuracies} accuracies. "
        "Late: the distance is above the accuracy.",
        **{
            "late, of runs that finish": ".3f",
            "late, of runs that do not": ".3f",
            "runs that find all optimal points": ".3f",
        },
    )


def statements_table(contenders: Contenders) -> "HTML":
    """Make the table of what the text says of PAL."""
    statements = against_every_reading(contenders)
    rows = [
        {"directions": name, "PAL": algorithm.split(", ")[1]}
        | {words: row[claim] for claim, words in HEADINGS.items()}
        for (name, algorithm), row in statements.items()
    ]
    runs, refitted = (
        contenders[TAKEN][name].samples.shape[1] for name in ("PAL, theory", "PAL, main script")
    )
    return show_table(
        pd.DataFrame(rows),
        f"Claims about PAL, {runs} runs for each accuracy, {refitted} of the main script, "
        "with 95 % intervals. It holds where the numbers are above 0, and the last above 1.",
        **dict.fromkeys(HEADINGS.values(), ".2f"),
    )
