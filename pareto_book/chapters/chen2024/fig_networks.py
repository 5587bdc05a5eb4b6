"""Figures of the sorting networks: readings beside Table 2, and arms that tracking starves."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pareto_book.chapters.chen2024.networks import (
    AREA_ITSELF,
    MAXIMISED,
    PROTOCOL,
    QUIET,
    TABLE_NATS,
    ReadingRuns,
    printed_samples,
)
from pareto_book.chapters.chen2024.tracking import Starvation
from pareto_book.figures import plots

__all__ = ["draw_readings", "draw_starvation"]

NEARER = {  # label, colour, and shift of the label in points
    QUIET: ("area negated, noise variance 0.1", plots.BLUE, 0),
    MAXIMISED: ("area not negated", plots.SKY, -11),
    AREA_ITSELF: ("area itself, negated", plots.GREEN, 0),
}


def draw_readings(runs: ReadingRuns) -> Figure:
    """Draw MO-BAI's samples on several readings, those printed, and the lower bound."""
    figure, axes = plots.new_figure(height=3.4)
    nats = TABLE_NATS[2:]
    printed = np.array([printed_samples(2, "MO-BAI", n) for n in nats])
    bound = runs.complexity[PROTOCOL] * (nats - np.log(4))
    plots.require((bound > printed).all(), "above all published dots")
    axes.fill_between(nats, 200, bound, color="grey", alpha=0.15, lw=0)
    axes.plot(nats, bound, "--", color="grey", lw=1)
    plots.label_line(axes, nats[-1], bound[-1], "lower bound, cited protocol", "grey")
    for reading, (label, colour, dy) in NEARER.items():
        means = runs.times[reading][:, 2:].mean(axis=0)
        axes.plot(nats, means, "o-", ms=3, color=colour, lw=1.2)
        plots.label_line(axes, nats[-1], means[-1], label, colour, dy=dy)
    axes.plot(nats, printed, "D", color=plots.ORANGE, ms=6, zorder=4)
    plots.label_line(axes, nats[-1], printed[-1], "Table 2 of the paper", plots.ORANGE, dy=11)
    axes.set(xlabel="log(1/δ)", ylabel="samples of MO-BAI", xlim=(0, 150))
    axes.set(yscale="log", ylim=(200, 1e5))
    axes.set_xticks([0, *nats])
    plots.plain_thousands(axes.yaxis)
    return figure


def draw_starvation(found: Starvation) -> Figure:
    """Draw weights that drift, and the samples of each arm with both kinds of tracking."""
    figure, axes = plt.subplot_mosaic(
        [["drift", "drift"], ["D-Tracking", "C-Tracking"]],
        figsize=(plots.WIDTH, 4.8),
        height_ratios=(1, 1.7),
    )
    _draw_drift(axes["drift"], found.moments, found.weights)
    plots.require(found.starved.any(), "far below the line in one panel")
    close = found.pulls["C-Tracking"] > found.due / 2
    plots.require(close[found.needy].all(), "close to it in the other")
    titles = {
        "D-Tracking": "D-Tracking: the newest weights",
        "C-Tracking": "C-Tracking: the sum of all weights",
    }
    for name, title in titles.items():
        _draw_dues(axes[name], found, found.pulls[name])
        axes[name].set_title(title, fontsize=10)
    axes["D-Tracking"].set(ylabel="samples of the arm")
    axes["C-Tracking"].sharey(axes["D-Tracking"])
    return figure


def _draw_drift(axes: Axes, moments, weights):
    for line, colour, name, up in zip(
        weights.T, (plots.GREEN, plots.ORANGE), ("arm 144", "arm 145"), (1, -1), strict=True
    ):
        axes.plot(moments, 100 * line, color=colour, lw=1)
        plots.label_line(axes, moments[-1], 100 * line[-1], name, colour, dy=5 * up)
    axes.set(xlabel="samples", ylabel="weight, %", xlim=(None, 1.12 * moments[-1]))


def _draw_dues(axes: Axes, found, pulls):
    """Samples of each arm against those due to it; starving arms are crosses."""
    shown = found.due > 0.5
    starving = shown & found.starved & (pulls <= found.forced + 1)
    rest = shown & ~starving
    axes.plot(found.due[rest], pulls[rest], "o", ms=4, mfc="none", color=plots.BLUE)
    axes.plot(found.due[starving], pulls[starving], "X", ms=7, color=plots.RED)
    if starving.any():
        last = found.due[starving].max(), found.forced
        plots.label_line(axes, *last, "starved", plots.RED, dx=-14, dy=12)
    ends = np.array([1.0, found.due.max()])
    axes.plot(ends, ends, "--", color="grey", lw=0.8)
    axes.text(25, 60, "as due", color="grey", ha="right", fontsize=9)
    axes.axhline(found.forced, ls=":", color="grey")
    axes.text(ends[1], 0.8 * found.forced, "forced exploration", color="grey", ha="right", va="top")
    axes.set(xscale="log", yscale="log", xlabel="samples due to the arm", ylim=(1, None))
