"""Samples with fixed confidence: more arms, the network on chip, buildings, and the risk."""

import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import pareto_core as pc
from pareto_book.chapters.kone2025linear.error_rates import COLOURS, curves_by_arms
from pareto_book.figures import plots
from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import mean_of, rate_of

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "draw_boxes",
    "draw_runs",
    "draw_samples_by_arms",
    "risk_table",
    "run_at_risks",
    "samples_table",
    "three_printed_rounds",
]

LENGTHS = {"theory": "printed", "experiment": "program"}


def draw_samples_by_arms(
    results: Mapping[tuple[str, str, int], pc.Runs], sizes: Sequence[int], names: Sequence[str]
) -> Figure:
    """Draw mean samples against the number of arms, a panel for each family (Figure 2)."""
    means = {key: mean_of(each.samples) for key, each in results.items()}
    figure, panels = curves_by_arms(means, sizes, names)
    for axes in panels:
        axes.set(yscale="log")
        axes.minorticks_off()
    panels[0].set(ylabel="samples")
    panels[-1].set(xlim=(None, 430))
    family = list(results)[-1][0]  # of the last panel
    for name in names:
        end = means[family, name, sizes[-1]].value
        plots.label_line(panels[-1], sizes[-1], end, name, COLOURS[name])
    return figure


def draw_runs(results: Mapping[str, pc.Runs], most: int = 200) -> Figure:
    """Draw the samples of single runs as dots, and their means as bars (Figure 4)."""
    jitter = np.random.default_rng(0)
    means = {name: result.samples.mean() for name, result in results.items()}
    figure, axes = plots.new_figure(height=2.6)
    for row, (name, result) in enumerate(results.items()):
        samples = result.samples[:most]
        rows = row + jitter.uniform(-0.25, 0.25, len(samples))
        axes.scatter(samples, rows, s=9, lw=0, color=COLOURS[name])
        axes.plot([means[name]] * 2, [row - 0.4, row + 0.4], color=plots.BLACK)
    axes.set(xscale="log", xlabel="samples", yticks=range(len(results)))
    axes.set_yticklabels(results)
    axes.invert_yaxis()
    names = list(results)
    plots.require(
        min(means, key=means.get) == names[0] and max(means, key=means.get) == names[-1],
        "fewest in the first row, most in the last",
    )
    return figure


def draw_boxes(results: Mapping[str, pc.Runs]) -> Figure:
    """Draw quartiles and range of the samples as horizontal boxes (Figure 7)."""
    figure, axes = plots.new_figure(height=2.4)
    axes.boxplot(
        [result.samples for result in results.values()],
        orientation="horizontal",
        whis=(0, 100),
        tick_labels=list(results),
        widths=0.5,
        medianprops={"color": plots.BLUE},
    )
    axes.set(xscale="log", xlabel="samples")
    axes.invert_yaxis()
    return figure


def samples_table(results: Mapping[str, pc.Runs], caption: str) -> "HTML":
    """Make a table of the distribution of samples, a row for each algorithm."""
    rows = [
        {
            "algorithm": name,
            "runs": result.samples.size,
            "mean": mean_of(result.samples),
            **{key: result.summary()[key] for key in ("min", "median", "max", "errors")},
        }
        for name, result in results.items()
    ]
    formats = dict.fromkeys(("mean", "min", "median", "max"), ",.0f")
    return show_table(pd.DataFrame(rows), caption, **formats, errors=".0f")


def run_at_risks(
    instances: Mapping[str, pc.Instance], levels: Sequence[float], runs: int, **common: Any
) -> dict[tuple[str, float, str], pc.Runs]:
    """Run GEGE at several risks with the rounds of the program, and half as often as printed."""
    counts = {"experiment": runs, "theory": runs // 2}
    return {
        (name, level, lengths): pc.simulate(
            pc.GEGE(delta=level, lengths=lengths, variance_bound=instance.variance[0]),
            instance,
            runs=counts[lengths],
            max_samples=10**7,
            **common,
        )
        for (name, instance), level, lengths in itertools.product(instances.items(), levels, counts)
    }


def risk_table(results: Mapping[tuple[str, float, str], pc.Runs]) -> "HTML":
    """Make a table of error rates by instance, risk and formula of the round lengths."""
    rows = [
        {
            "instance": name,
            "δ": level,
            "lengths": LENGTHS[lengths],
            "median samples": result.summary()["median"],
            "unfinished": result.summary()["unfinished"],
            "runs": result.samples.size,
            "error rate": rate_of(~result.correct),
        }
        for (name, level, lengths), result in results.items()
    ]
    formats = {"median samples": ",.0f", "unfinished": ".0f", "error rate": ".4f"}
    caption = (
        "Error rates of GEGE, with exact 95 % intervals. A run of ten million samples is cut "
        "off, and counts as an error."
    )
    return show_table(pd.DataFrame(rows), caption, runs=",", **formats)


def three_printed_rounds(n_arms: int, dimension: int, delta: float, variance: float) -> float:
    """Add up the lengths of the first three rounds as printed, with all arms active."""
    accuracy = 0.5 ** np.arange(2, 5)
    risk = 6 * delta / (np.pi * np.arange(1, 4)) ** 2
    scale = 32 * (1 + 3 * accuracy) * variance * dimension / accuracy**2
    return float((scale * np.log(n_arms / risk)).sum())
