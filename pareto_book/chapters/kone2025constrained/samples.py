"""Figures of how many samples algorithms need."""

from collections.abc import Mapping

import numpy as np
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import pareto_core as pc
from pareto_book.chapters.kone2025constrained.contests import Contests
from pareto_book.chapters.kone2025constrained.roles import draw_arms
from pareto_book.figures import plots
from pareto_core.simulation.results import Runs

__all__ = ["draw_duels", "draw_racing", "draw_shares", "draw_stopping_times"]


def in_lines(name: str) -> str:
    """The name of an algorithm on two lines."""
    return name.replace(", ", ",\n", 1) if "," in name else name.replace(" ", "\n")


def draw_boxes(axes: Axes, results: Mapping[str, Runs]) -> None:
    """Draw a box of the samples of each algorithm, those of e-cAPE in blue."""
    samples = {in_lines(name): runs.samples for name, runs in results.items()}
    sns.boxplot(
        samples,
        palette=[plots.BLUE if name.startswith("e-cAPE") else "grey" for name in samples],
        saturation=1,
        whis=(0, 100),
        width=0.55,
        linecolor=".15",
        boxprops={"alpha": 0.6},
        ax=axes,
    )
    axes.set(yscale="log")
    axes.tick_params("x", labelsize=8)


def draw_stopping_times(
    results: Contests, instances: tuple[str, ...], constants: tuple[float, ...], delta: float
) -> Figure:
    """Draw the samples on each instance (row) with each constant of the radius (column)."""
    shape = len(instances), len(constants)
    figure, panels = plots.new_figure(*shape, height=2.3, sharey="row", squeeze=False)
    for row, title in zip(panels, instances, strict=True):
        for axes, constant in zip(row, constants, strict=True):
            draw_boxes(axes, results[title, constant, delta])
            axes.set(title=f"{title}, $c_U={constant:g}$")
        row[0].set_ylabel("samples")
    return figure


def draw_racing(results: Contests, shown: pc.Instance, constant: float, delta: float) -> Figure:
    """Draw an instance that is hard for racing, and the samples with two numbers of arms."""
    titles = list(dict.fromkeys(title for title, *_ in results))
    ratios = (1.1, *len(titles) * [1])
    figure, (left, *panels) = plots.new_figure(1, len(ratios), height=3.0, width_ratios=ratios)
    left.axvspan(0, 0.9, color=plots.SKY, alpha=0.15, lw=0)
    draw_arms(left, shown.means, shown.polyhedron)
    left.set(xlim=(0, 1), ylim=(0, 1), xlabel="objective 1", ylabel="objective 2")
    for axes, title in zip(panels, titles, strict=True):
        draw_boxes(axes, results[title, constant, delta])
        axes.set(title=title, ylim=(1e3, 3e5))
    panels[0].set_ylabel("samples")
    return figure


def draw_duels(results: Mapping[str, Runs], shown: pc.Instance, bound: float) -> Figure:
    """Draw the five arms, the samples of each algorithm, and a lower bound."""
    figure, (left, right) = plots.new_figure(1, 2, height=3.2, width_ratios=(1, 2))
    left.fill_between([0, 1.1], 0, 1.0, color=plots.SKY, alpha=0.15, lw=0)
    draw_arms(left, shown.means, shown.polyhedron, [f"{k}" for k in range(shown.n_arms)])
    left.set(xlim=(0, 1.1), ylim=(-1, 1), xlabel="objective 1", ylabel="objective 2")
    draw_boxes(right, results)
    right.axhline(bound, ls="--", color="grey")
    ends = {"ha": "right", "va": "bottom", "color": "grey", "fontsize": 9}
    right.text(len(results) - 0.5, 1.02 * bound, "lower bound", **ends)
    right.set(ylabel="samples")
    right.set_yticks([200, 500, 1000, 2000], ["200", "500", "1 000", "2 000"])
    right.minorticks_off()
    return figure


def draw_shares(results: Mapping[str, Runs], names: tuple[str, ...]) -> Figure:
    """Draw six arms with a limit, and the mean samples of each arm by two algorithms."""
    instance = results[names[0]].instance
    limit = -instance.polyhedron.rows()[1].item()
    figure, (left, right) = plots.new_figure(1, 2, height=3.0)
    left.fill_between([0, 3], limit, 3, color=plots.SKY, alpha=0.15, lw=0)
    left.text(2.95, 2.95, "feasible", ha="right", va="top", color=plots.BLUE, fontsize=9)
    draw_arms(left, instance.means, instance.polyhedron, instance.labels)
    left.set(xlim=(0, 3), ylim=(0, 3), xlabel="objective 1", ylabel="objective 2")
    rows = np.arange(instance.n_arms)
    pulls = {name: results[name].pulls.mean(axis=0) for name in names}
    near = np.argmin(instance.polyhedron.boundary_distance(instance.means))
    plots.require(pulls[names[1]].argmax() == near, "most samples of the two stages")
    for name, colour, shift in zip(names, (plots.BLUE, "grey"), (-0.2, 0.2), strict=True):
        right.barh(rows + shift, pulls[name], 0.38, color=colour, lw=0)
    for name, colour, shift in zip(names, (plots.BLUE, "grey"), (-0.2, 0.2), strict=True):
        plots.label_line(right, pulls[name][near], near + shift, name, colour)
    right.set_yticks(rows, instance.labels)
    right.invert_yaxis()
    right.set(xlim=(0, 1.45 * pulls[names[1]].max()), xlabel="mean samples")
    right.locator_params("x", nbins=4)
    return figure
