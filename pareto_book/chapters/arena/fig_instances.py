"""Figures: samples over the lower bound, a row for each instance."""

from collections.abc import Mapping

import matplotlib.lines
import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from pareto_book.figures import plots

__all__ = ["draw_instances"]

ROW = 0.23  # inches
MARGINS = 1.3  # inches for the axis and the legend


def draw_instances(
    name: str,
    rows: pd.DataFrame,
    colours: Mapping[str, str],
    others: Mapping[str, str] | None = None,
    delta: float = 0.1,
) -> None:
    """Draw a row for each instance, with a dot for each entrant."""
    rows = rows[np.isclose(rows["delta"], delta)]
    instances = list(rows["instance"].unique())
    figure, axes = plots.new_figure(height=MARGINS + ROW * len(instances))
    markers = others or {}
    for row in rows.to_dict("records"):
        if row["algorithm"] in {*colours, *markers}:
            style = {"color": colours.get(row["algorithm"], "0.5")}
            marker = markers.get(row["algorithm"], "o")
            _draw_entrant(axes, instances.index(row["instance"]), row, marker, style)
    axes.axvline(1, color="grey", ls=":")
    axes.set(xscale="log", yticks=range(len(instances)), yticklabels=instances)
    axes.set_ylim(len(instances) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0, labelsize=9)
    axes.set_axisbelow(True)
    axes.grid(axis="y", lw=0.5)
    ticks = [1, 2, 5, 10, 20, 50, 100]
    axes.set_xticks(ticks, [str(tick) for tick in ticks])
    axes.minorticks_off()
    axes.set_xlabel(r"samples over the lower bound $T^\star\,\mathrm{kl}(\delta,1-\delta)$")
    _legend(axes, colours, markers)
    plots.save(figure, "arena", name)


def _draw_entrant(axes: Axes, y, row, marker, style):
    """A dot with its interval; a cross if a run was cut off."""
    unit = row["samples"] / row["over_the_bound"]
    grey = style["color"] == "0.5"
    ends = [row["samples_low"] / unit, row["samples_high"] / unit]
    axes.plot(ends, [y, y], lw=1.2, zorder=2, **style)
    mark = "x" if row["unfinished"] else marker
    axes.plot(row["over_the_bound"], y, mark, ms=4 if grey else 6, zorder=2 if grey else 3, **style)


def _legend(axes, colours, markers):
    """Entrants above the axes."""
    handles = [
        matplotlib.lines.Line2D([], [], marker="o", ls="", color=colour, label=name)
        for name, colour in colours.items()
    ] + [
        matplotlib.lines.Line2D([], [], marker=marker, ls="", color="0.5", ms=4, label=name)
        for name, marker in markers.items()
    ]
    axes.legend(
        handles=handles,
        loc="lower center",
        bbox_to_anchor=(0.45, 1.0),
        ncols=4,
        fontsize=9,
        columnspacing=1.2,
        handletextpad=0.2,
    )
