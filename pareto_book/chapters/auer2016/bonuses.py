"""Bonuses of APE: how many comparisons a union covers, tables of their cost and of their errors."""

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from scipy import stats

import pareto_core as pc
from pareto_book.figures import plots
from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import (
    Measurement,
    mean_of,
    rate_of,
    samples_ratio,
    say,
)
from pareto_book.records.recording import Row
from pareto_book.records.scorecard import Scorecard
from pareto_core.confidence.bonuses import bonus_constant

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "PROVEN",
    "PartialUnion",
    "against_stored",
    "costs_table",
    "draw_costs",
    "measure_costs",
    "pairs_of_arms",
    "record_risks",
]

PROVEN = ("APE, mixture as proven",)  # error rate at most the risk


@dataclasses.dataclass(frozen=True)
class PartialUnion(pc.APE):
    """APE with a mixture bonus whose union is over `comparisons` only."""

    bonus: str = "mixture"
    comparisons: int = 1

    def parameters(self, problem: pc.Problem) -> tuple:
        """See `Algorithm.parameters`."""
        constant = bonus_constant("mixture", self.delta, 2, self.comparisons)
        return super().parameters(problem)._replace(bonus_constant=constant)


def pairs_of_arms(number: int) -> pc.Instance:
    """Make pairs of arms far from the other pairs; in each, one arm is ahead by 0.5.

    Examples
    --------
    >>> pairs_of_arms(2).pareto_set
    array([0, 1])
    """
    ahead = 10.0 * np.arange(number)[:, None] * [1, -1]
    behind = ahead - [0.5, 3.0]
    return pc.Instance(np.concatenate([ahead, behind]), name=f"{number} pairs")


def measure_costs(runs: Mapping[str, pc.Runs]) -> dict[str, Row]:
    """Measure what the comparison of APE, Track-and-Stop and Racing claims.

    Parameters
    ----------
    runs : dict of str to Runs
        Runs of ``"Track-and-Stop"``, ``"Racing, practical"`` and versions of APE, whose names
        begin with ``"APE, "``.

    Returns
    -------
    dict of str to Row
        By the id of the claim, or by the name of another measurement.
    """
    readings = {
        name.removeprefix("APE, "): mean_of(each.samples)
        for name, each in runs.items()
        if name.startswith("APE, ")
    }
    individual, pairwise, mixture = (
        samples_ratio(runs, f"APE, {name}", "Track-and-Stop")
        for name in ("individual bonus", "pairwise bonus", "mixture as proven")
    )
    others = {"pairwise bonus": pairwise, "mixture bonus as proven": mixture}
    proof, racing = (
        samples_ratio(runs, name, "APE, individual bonus")
        for name in ("APE, mixture as proven", "Racing, practical")
    )
    return {
        "ape_39000": Row(*readings.pop("mixture as proven"), others=readings),
        "ape_factor": Row(*individual, others=others),
        "ape_over_track_and_stop": Row(*individual),
        "ape_proof": Row(*proof),
        "racing_over_ape": Row(*racing),
    }


def against_stored(runs: Mapping[str, pc.Runs], averages: Mapping[str, pc.Runs]) -> dict[str, Row]:
    """Measure what a program's stored figures show: means and quartiles of samples.

    Parameters
    ----------
    runs : dict of str to Runs
        Runs by the beginning of the claims' ids.
    averages : dict of str to Runs
        Some of them again, with averages in place of shrunken means.

    Returns
    -------
    dict of str to Row
        By the id of the claim.
    """
    found = {}
    for name, each in runs.items():
        other = _described(averages[name].samples) if name in averages else {}
        for what, measurement in _described(each.samples).items():
            others = {"averages": other[what]} if other else {}
            found[f"psips_{name}_{what}"] = Row(*measurement, others=others)
    return found


def record_risks(card: Scorecard, runs: Mapping[str, pc.Runs]) -> None:
    """Record error rates, and make them available to the text in per cent.

    Parameters
    ----------
    card : Scorecard
        Where to record.
    runs : dict of str to Runs
        By the name of the row. A run that was cut off counts as an error.
    """
    for name, each in runs.items():
        errors = rate_of(~each.correct)
        card.record(name, *errors)
        say(name, errors.times(100))


def _described(values):
    """Mean and quartiles of samples, each with an interval."""
    quartiles = {"q1": 0.25, "median": 0.5, "q3": 0.75}
    return {"mean": mean_of(values)} | {
        name: _quantile_of(values, share) for name, share in quartiles.items()
    }


def _quantile_of(values, share):
    """A quantile, with the order statistics around it for an interval."""
    count = len(values)
    ranks = stats.binom.ppf([0.025, 0.975], count, share) / count
    return Measurement(np.quantile(values, share), tuple(np.quantile(values, ranks)), count)


def draw_costs(runs: Mapping[str, pc.Runs], reported: Mapping[str, float]) -> Figure:
    """Draw the mean samples of algorithms, and the numbers that papers report.

    Parameters
    ----------
    runs : dict of str to Runs
        By the name of the algorithm. Those of `PROVEN` are filled points.
    reported : dict of str to float
        Samples that the literature reports, by what it says of them.

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure, axes = plots.new_figure(height=3.6)
    for row, (name, each) in enumerate(runs.items()):
        mean = mean_of(each.samples)
        axes.plot(mean.interval, [row, row], color=plots.BLUE, lw=2)
        fill = plots.BLUE if name in PROVEN else "none"
        axes.scatter(mean.value, row, s=46, color=fill, edgecolor=plots.BLUE, lw=1.5, zorder=3)
        words = f"{mean.value:,.0f}" + (", proven" if name in PROVEN else "")
        low, high = mean.interval
        crossed = any(high < value < 1.2 * high for value in reported.values())
        x, dx = (low, -42) if crossed else (high, 7)  # not across a dashed line
        plots.label_line(axes, x, row, words, plots.BLACK, dx=dx)
    for words, value in reported.items():
        axes.axvline(value, color=plots.RED, lw=0.9, ls="--")
        plots.label_line(axes, value, -0.8, f"{value:,.0f} {words}", plots.RED)
    mean = {name: each.samples.mean() for name, each in runs.items()}
    plots.require(max(mean, key=mean.get) in PROVEN, "as proven APE needs the most")
    ticks = [15000, 20000, 30000, 40000, 50000]
    axes.set(xscale="log", xlabel="samples", xlim=(14000, 75000), ylim=(len(runs) - 0.5, -1.3))
    axes.set_yticks(range(len(runs)), list(runs))
    axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    axes.minorticks_off()
    return figure


def costs_table(runs: Mapping[str, pc.Runs], caption: str) -> "HTML":
    """Make a table of the samples and the errors of algorithms."""
    rows = []
    for name, result in runs.items():
        summary = result.summary()
        rows.append(
            {
                "algorithm": name,
                "risk is proven": "yes" if name in PROVEN else "no",
                "runs": len(result.samples),
                "mean": mean_of(result.samples),
                "deviation": summary["deviation"],
                "errors": int(summary["errors"]),
            }
        )
    return show_table(pd.DataFrame(rows), caption, mean=",.0f", deviation=",.0f")
