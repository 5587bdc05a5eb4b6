"""The stopping times on COV-BOOST: histograms, settings, and the ratio to the bound."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import pareto_core as pc
from pareto_book.claims.published import published_number, read_published
from pareto_book.figures import plots
from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import mean_of, rate_of, ratio_of
from pareto_core.simulation.statistics import homogeneity_test

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "EDGES",
    "by_risk_table",
    "draw_by_risk",
    "draw_stopping_times",
    "ratios_by_risk",
    "rows_by_risk",
    "rows_of_figure3",
    "rows_of_settings",
    "settings_table",
]

EDGES = np.linspace(0, 60609.25, 51)  # of the bins of the paper's Figure 3
PUBLISHED_RUNS = 2000


def published_counts() -> np.ndarray:
    """Runs in each bin of the paper's Figure 3."""
    return read_published("crepon2024_fig3").astype(int)["count"].to_numpy()


def draw_stopping_times(runs: Mapping[str, tuple[pc.Runs, float]], delta: float) -> Figure:
    """Draw histograms of our stopping times, each with the published one over it."""
    theirs = published_number("crepon2024", "fig3_mean")
    figure, panels = plots.new_figure(len(runs), 1, height=2.3, sharex=True)
    for axes, (name, (found, best)) in zip(panels, runs.items(), strict=True):
        counts = published_counts()
        plots.histogram_with_published(axes, found.samples, EDGES, counts, "published")
        axes.axvline(found.samples.mean(), color=plots.BLUE, lw=1.6)
        axes.axvline(theirs, color=plots.BLACK, alpha=0.5, lw=1.6)
        axes.axvline(np.log(1 / delta) * best, color=plots.BLACK, ls="--", lw=1.2)
        axes.set(title=f"means {name}", yticks=[], ylabel="density")
        axes.legend()
    plots.plain_thousands(panels[-1].xaxis)
    panels[-1].set(xlabel="samples until it stops", xlim=(0, 60610))
    return figure


def rows_of_figure3(full: pc.Runs, printed: pc.Runs, best: float) -> dict[str, Any]:
    """Measure what the paper states about Figure 3."""
    mean, bound = mean_of(full.samples), np.log(1 / full.algorithm.delta) * best
    found: dict[str, Any] = {"fig3_mean_full": mean}
    events = {f"fig3_bins{n}": (0, EDGES[n]) for n in (10, 20, 30)}
    for claim, (low, high) in (events | {"fig3_tail": (EDGES[-1], np.inf)}).items():
        ours, theirs = (
            rate_of((low < runs.samples) & (runs.samples < high)) for runs in (full, printed)
        )
        found[claim] = ours._asdict() | {"others": {"means as printed": theirs}}
    found["fig3_errors"] = rate_of(~full.correct)
    found["fig3_ratio"] = mean.times(1 / bound)
    found["printed_mean"] = mean_of(printed.samples)
    return found


def settings_table(results: Mapping[str, pc.Runs]) -> "HTML":
    """Make a table of what each choice of the reproduction changes."""
    counts = published_counts()
    beyond = np.append(counts, PUBLISHED_RUNS - counts.sum())
    rows = [
        {
            "choice": name,
            "runs": len(found.samples),
            "mean": mean_of(found.samples),
            "median": np.median(found.samples),
            "deviation": found.samples.std(ddof=1),
            "test": homogeneity_test(found.samples, EDGES, beyond),
        }
        for name, found in results.items()
    ]
    caption = (
        "What each choice changes; means with 95 % intervals. Deviation: of single runs. Test: "
        "probability of a chi-square distance from the published histogram that is at least as "
        "large; with few runs it is rarely small."
    )
    formats = dict.fromkeys(("mean", "median", "deviation"), ",.0f")
    return show_table(pd.DataFrame(rows), caption, **formats, test=".2g")


def rows_of_settings(results: Mapping[str, pc.Runs]) -> dict[str, Any]:
    """Measure what the choices change that the text leaves open."""
    readings = {
        "means in full precision": "full precision, as above",
        "the two entries corrected": "as printed, two entries corrected",
    } | {
        choice: f"as printed, {choice}"
        for choice in (
            "gradient at every sample",
            "cumulative tracking",
            "cumulative tracking, gradient at every sample",
        )
    }
    others = {name: mean_of(results[row].samples) for name, row in readings.items()}
    base = results["full precision, as above"].samples
    throttle, cumulative, proven = (
        ratio_of(results[f"full precision, {name}"].samples, base)
        for name in ("gradient at every sample", "cumulative tracking", "proven threshold")
    )
    low, high = throttle.interval
    return {
        "fig3_mean": mean_of(results["means as printed"].samples)._asdict() | {"others": others},
        "throttle": throttle,
        "gradient_saving": throttle._replace(
            value=1 - throttle.value, interval=(1 - high, 1 - low)
        ),
        "cumulative_factor": cumulative,
        "proven_factor": proven,
    }


def ratios_by_risk(by_risk: Sequence[pc.Runs], best: float) -> pd.DataFrame:
    """Compare mean stopping times with the lower bound and with the threshold."""
    rows: list[dict[str, Any]] = []
    for found in by_risk:
        delta, mean = found.algorithm.delta, mean_of(found.samples)
        rows.append(
            {
                "δ": delta,
                "mean samples": mean.value,
                "over the bound": mean.times(1 / (np.log(1 / delta) * best)),
                "over the threshold": mean.value / (_threshold(mean.value, delta) * best),
            }
        )
    return pd.DataFrame(rows)


def _threshold(samples, delta):
    return np.log(np.log(1 + samples) / delta)


def rows_by_risk(by_risk: Sequence[pc.Runs], full: pc.Runs, best: float) -> dict[str, Any]:
    """Measure how the ratio to the bound falls with the risk."""
    first, last = by_risk[0], by_risk[-1]
    delta, least = first.algorithm.delta, last.algorithm.delta
    optimal = mean_of(last.samples).times(1 / (np.log(1 / least) * best))
    falls = ratio_of(last.samples, first.samples)
    return {
        "delta_ratio": falls.times(np.log(1 / delta) / np.log(1 / least)),
        "optimal": optimal,
        "ratio_small": optimal,
        "threshold_tenth": _threshold(full.samples.mean(), delta) / np.log(1 / delta),
    }


def by_risk_table(table: pd.DataFrame, runs: int) -> "HTML":
    """Make a table of `ratios_by_risk`, whose caption states the number of runs."""
    caption = (
        f"Mean stopping time as the risk falls, on the data in full precision, {runs} runs each, "
        "with 95 % intervals: also over the bound ln(1/δ) T*, and over the threshold times T*."
    )
    formats = {"δ": ".0e", "mean samples": ",.0f"} | dict.fromkeys(table.columns[2:], ".2f")
    return show_table(table, caption, **formats)


def draw_by_risk(table: pd.DataFrame) -> Figure:
    """Draw the ratio to the bound, and to the threshold, as the risk falls."""
    to_bound = np.array([ratio.value for ratio in table["over the bound"]])
    to_threshold = table["over the threshold"].to_numpy()
    plots.require((np.diff([to_bound, to_threshold]) < 0).all(), "falling curves")
    plots.require((to_threshold < to_bound).all(), "below the other")
    figure, axes = plots.new_figure(height=2.8)
    decades = np.log10(1 / table["δ"])
    plots.curve(axes, decades, list(table["over the bound"]), plots.BLUE)
    axes.plot(decades, to_threshold, "s-", color=plots.ORANGE)
    plots.label_line(axes, 2.2, 3.2, r"over $\ln(1/\delta)\,T^\star$", plots.BLUE)
    plots.label_line(axes, 1.15, 1.35, r"over $\beta(t,\delta)\,T^\star$", plots.ORANGE)
    axes.axhline(1, color=plots.BLACK, ls="--", lw=1)
    axes.set(xscale="log", xticks=decades, xlabel=r"risk $\delta$", ylabel="ratio", ylim=(0, None))
    axes.set_xticklabels([f"$10^{{-{n:.0f}}}$" for n in decades])
    axes.minorticks_off()
    return figure
