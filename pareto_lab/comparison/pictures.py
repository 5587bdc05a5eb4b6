"""Figures of a comparison: samples divided by the lower bound, also as a function of the risk."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogFormatter

from pareto_lab.experiment.names import drawn

WIDTH, HEIGHT_OF_A_ROW = 7.0, 0.5  # inches
TITLE_AND_TICKS = 1.5  # height of the title and the ticks of a panel, in rows
BOUND_AXIS = r"samples over $T^\star\,\mathrm{kl}(\delta,1-\delta)$"


def plot_ratios(panels: Mapping[str, pd.DataFrame]) -> np.ndarray:
    """Draw panels below each other, on a common axis."""
    rows = [part["instance"].nunique() + TITLE_AND_TICKS for part in panels.values()]
    _, grid = plt.subplots(
        len(panels),
        figsize=(WIDTH, HEIGHT_OF_A_ROW * max(sum(rows), 4)),
        sharex=True,
        squeeze=False,
        layout="constrained",
        gridspec_kw={"height_ratios": rows},
    )
    bounded = not any(part["over_the_bound"].isna().any() for part in panels.values())
    for axes, (title, part) in zip(grid[:, 0], panels.items(), strict=True):
        _draw_ratios(axes, part, "over_the_bound" if bounded else "samples")
        axes.set_title(drawn(title.replace("_", " ")))
    grid[-1, 0].set_xlabel(BOUND_AXIS if bounded else "samples")
    return grid[:, 0]


def _draw_ratios(axes, rows, column):
    """Draw a row for each instance, with a dot for each algorithm."""
    instances, names = (list(rows[key].unique()) for key in ("instance", "algorithm"))
    colours = {name: f"C{k}" for k, name in enumerate(names)}
    step = min(0.1, 0.8 / len(names))
    for row in rows.to_dict("records"):
        y = instances.index(row["instance"])
        y += step * (names.index(row["algorithm"]) - (len(names) - 1) / 2)
        unit, colour = row["samples"] / row[column], colours[row["algorithm"]]
        ends = np.array([row["samples_low"], row["samples_high"]]) / unit
        axes.plot(ends, [y, y], color=colour, lw=1.2)
        axes.plot(row[column], y, "x" if row["unfinished"] else "o", color=colour, ms=5)
    if column == "over_the_bound":
        axes.axvline(1, color="grey", ls=":")
    axes.set(xscale="log", yticks=range(len(instances)), yticklabels=[*map(drawn, instances)])
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}" if x >= 1 else f"{x:g}"))
    axes.xaxis.set_minor_formatter(LogFormatter())
    axes.set_ylim(len(instances) - 0.5, -0.5)
    handles = [
        Line2D([], [], marker="o", ls="", color=colours[name], label=drawn(name)) for name in names
    ]
    axes.legend(handles=handles, loc="center left", bbox_to_anchor=(1, 0.5), fontsize=8)
