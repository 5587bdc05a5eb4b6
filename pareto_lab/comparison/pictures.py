"""The pictures of a comparison: samples over the lower bound, and how they fall with the risk."""

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import FormatStrFormatter, NullFormatter

__all__ = ["draw_ratios", "draw_risks", "plot_ratios"]

WIDTH, HEIGHT_OF_A_ROW = 7.0, 0.5  # inches
LEAST = 1.5  # rows that the title and the ticks of a panel take
BOUND_AXIS = r"samples over $T^\star\,\mathrm{kl}(\delta,1-\delta)$"


def plot_ratios(
    panels: Mapping[str, pd.DataFrame], colours: Mapping[str, Any] | None = None
) -> np.ndarray:
    """One panel below the other, on a common axis.

    Parameters
    ----------
    panels : dict of str to pandas.DataFrame
        Lines of `Comparison.frame`, one for each instance and algorithm, by title. The axis has
        ratios to the lower bound, or samples if one of them has no bound.
    colours : dict of str to colour, optional
        Of algorithms, by name; of others those of Matplotlib's cycle.

    Returns
    -------
    ndarray of matplotlib.axes.Axes
        One for each panel.
    """
    rows = [part["instance"].nunique() + LEAST for part in panels.values()]
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
        draw_ratios(axes, part, "over_the_bound" if bounded else "samples", colours)
        axes.set_title(title.replace("_", " "))
    grid[-1, 0].set_xlabel(BOUND_AXIS if bounded else "samples")
    return grid[:, 0]


def draw_ratios(
    axes: Axes,
    lines: pd.DataFrame,
    column: str = "over_the_bound",
    colours: Mapping[str, Any] | None = None,
) -> None:
    """A row for each instance, in it a dot for each algorithm.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where to draw.
    lines : pandas.DataFrame
        Lines of `Comparison.frame`, one for each instance and algorithm.
    column : {"over_the_bound", "samples"}, default "over_the_bound"
        What to draw.
    colours : dict of str to colour, optional
        See `plot_ratios`.
    """
    places, names = (list(lines[key].unique()) for key in ("instance", "algorithm"))
    colours = _cycle_of(names) | (colours or {})
    step = min(0.1, 0.8 / len(names))
    for line in lines.to_dict("records"):
        y = places.index(line["instance"])
        y += step * (names.index(line["algorithm"]) - (len(names) - 1) / 2)
        unit, colour = line["samples"] / line[column], colours[line["algorithm"]]
        ends = np.array([line["samples_low"], line["samples_high"]]) / unit
        axes.plot(ends, [y, y], color=colour, lw=1.2)
        axes.plot(line[column], y, "x" if line["unfinished"] else "o", color=colour, ms=5)
    if column == "over_the_bound":
        axes.axvline(1, color="grey", ls=":")
    axes.set(xscale="log", yticks=range(len(places)), yticklabels=places)
    axes.set_ylim(len(places) - 0.5, -0.5)
    handles = [Line2D([], [], marker="o", ls="", color=colours[name], label=name) for name in names]
    axes.legend(handles=handles, loc="center left", bbox_to_anchor=(1, 0.5), fontsize=8)


def draw_risks(
    axes: Axes, lines: pd.DataFrame, colours: Mapping[str, Any] | None = None
) -> dict[str, Line2D]:
    """A line for each algorithm: mean samples over the lower bound as the risk falls.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where to draw.
    lines : pandas.DataFrame
        Lines of `Comparison.frame` on one instance, at several risks.
    colours : dict of str to colour, optional
        See `plot_ratios`.

    Returns
    -------
    dict of str to matplotlib.lines.Line2D
        For a legend, by algorithm.
    """
    colours = _cycle_of(lines["algorithm"].unique()) | (colours or {})
    for name, part in lines.groupby("algorithm", sort=False):
        unit = part["samples"] / part["over_the_bound"]
        axes.plot(part["delta"], part["over_the_bound"], "o-", ms=3, color=colours[name])
        low, high = part["samples_low"] / unit, part["samples_high"] / unit
        axes.fill_between(part["delta"], low, high, color=colours[name], alpha=0.15, lw=0)
    axes.axhline(1, color="grey", ls=":")
    axes.set(xscale="log", yscale="log", title=lines["instance"].iloc[0])
    axes.yaxis.set_major_formatter(FormatStrFormatter("%g"))
    axes.yaxis.set_minor_formatter(NullFormatter())
    return {
        name: Line2D([], [], color=colours[name], label=name)
        for name in lines["algorithm"].unique()
    }


def _cycle_of(names):
    """Colours of Matplotlib's cycle, by name."""
    return {name: f"C{k}" for k, name in enumerate(names)}
