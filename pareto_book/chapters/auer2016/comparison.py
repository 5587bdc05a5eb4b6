"""Figures 2 to 5 of the paper: Racing against PAL over all accuracies."""

from collections.abc import Mapping

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pareto_book.chapters.auer2016.accuracies import Grid, worst_of_ten
from pareto_book.figures import plots

__all__ = ["draw_comparison"]

INTERVAL = ("se", 1.96)
PANELS = {
    r"distance $\Delta_A$ (Figure 2)": (lambda found: found.distance, INTERVAL),
    r"worst $\Delta_A$ of ten (Figure 3)": (lambda found: worst_of_ten(found.distance), None),
    "finds all optimal (Figure 4)": (lambda found: found.finds_all, ("ci", 95)),
    "samples (Figure 5)": (lambda found: found.samples, INTERVAL),
}
STYLES = {  # one colour for each algorithm; readings of PAL differ in the line
    "Racing": (plots.BLUE, "-"),
    "PAL, theory": (plots.ORANGE, "-"),
    "PAL, configuration": (plots.ORANGE, "--"),
    "PAL, main script": (plots.ORANGE, ":"),
}


def draw_comparison(entries: Mapping[str, Grid], seed: int) -> Figure:
    """Draw the quantities of the four figures of the paper over the accuracy."""
    figure, panels = plots.new_figure(2, 2, height=2.5, sharex=True)
    for axes, (title, (values, shown)) in zip(panels.flat, PANELS.items(), strict=True):
        for name, found in entries.items():
            _draw_line(axes, found, values, name, shown, seed)
        axes.set(xlabel="", ylabel="", xscale="log")
        axes.set_title(title, fontsize=11)
    epsilons = entries["Racing"].epsilons
    for axes in panels[0]:
        axes.fill_between(epsilons, epsilons, epsilons[-1], color="grey", alpha=0.15, lw=0)
        axes.annotate("misses the accuracy", (0.03, 0.9), xycoords="axes fraction", fontsize=9)
    for axes in panels[1]:
        ticks = [0.025, 0.1, 0.3, 1]
        axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        axes.minorticks_off()
        axes.set(xlabel=r"accuracy $\epsilon_0$")
    _scale_samples(panels[1, 1])
    handles, names = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper center", ncols=len(entries))
    mean = {key: found.samples.mean(axis=1) for key, found in entries.items()}
    plots.require(
        all((mean["Racing"] >= other).all() for other in mean.values()),
        "Racing takes the most samples",
    )
    return figure


def _draw_line(axes: Axes, found, values, name, shown, seed):
    """Draw one quantity of one algorithm."""
    colour, line = STYLES[name]
    sns.lineplot(
        pd.DataFrame(values(found).T, columns=found.epsilons).melt(),
        x="variable",
        y="value",
        errorbar=shown,
        n_boot=100,
        seed=seed,
        color=colour,
        linestyle=line,
        label=name,
        zorder=3 if name == "Racing" else 2,
        legend=False,
        err_kws={"alpha": 0.12},
        ax=axes,
    )


def _scale_samples(axes: Axes):
    """Give the samples a logarithmic axis with plain numbers."""
    axes.set(yscale="log")
    ticks = [20, 50, 100, 200, 500]
    axes.set_yticks(ticks, [f"{tick}" for tick in ticks])
    axes.minorticks_off()
