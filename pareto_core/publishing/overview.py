"""The book at a glance: how many claims have which verdict, and what it found."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from pareto_core.publishing import plots
from pareto_core.publishing.criteria import DIFFERS, NOT_JUDGED, OPEN, REPRODUCED, VERDICTS

__all__ = ["ratio_plot", "verdict_bars", "verdict_totals"]


def verdict_totals(rows: pd.DataFrame) -> pd.DataFrame:
    """Number of rows with each verdict, by paper and in all, as a data frame."""
    counts = rows.groupby(["paper", "verdict"], sort=False).size().unstack(fill_value=0)
    counts = counts.reindex(columns=VERDICTS, fill_value=0).reset_index()
    counts.columns.name = None
    counts.insert(1, "rows", counts[list(VERDICTS)].sum(axis=1))
    total = counts.drop(columns="paper").sum()
    return pd.concat([counts, pd.DataFrame([{"paper": "all papers", **total}])], ignore_index=True)


def verdict_bars(totals: pd.DataFrame, papers: Mapping[str, str]) -> Figure:
    """Draw the verdicts on each paper as a bar.

    Parameters
    ----------
    totals : pandas.DataFrame
        As `verdict_totals` makes it.
    papers : dict of str to str
        What to call each paper, by its key, from top to bottom.

    Returns
    -------
    matplotlib.figure.Figure
    """
    shades = {
        REPRODUCED: plots.GREEN,
        DIFFERS: plots.ORANGE,
        OPEN: "#b8b8b8",
        NOT_JUDGED: "#e4e4e4",
    }
    counts = totals.set_index("paper").loc[list(papers)]
    figure, axes = plots.new_figure(height=0.9 + 0.35 * len(papers))
    left = np.zeros(len(papers))
    for verdict, colour in shades.items():
        width = counts[verdict].to_numpy()
        bars = axes.barh(list(papers.values()), width, left=left, color=colour, label=verdict)
        axes.bar_label(bars, [str(n) if n else "" for n in width], label_type="center", fontsize=9)
        left += width
    axes.invert_yaxis()
    axes.set_xlabel("rows")
    axes.legend(loc="lower center", bbox_to_anchor=(0.4, 1.0), ncols=len(shades))
    return figure


def ratio_plot(*groups: tuple) -> Figure:
    """Draw ratios with their intervals, one below the other on a logarithmic axis.

    Parameters
    ----------
    *groups : dict of str to pandas.Series
        Findings with an interval by their names, as `pareto_core.publishing.summary.findings_of`
        has them; each group gets a colour.

    Returns
    -------
    matplotlib.figure.Figure
    """
    names = [name for group in groups for name in group]
    figure, axes = plots.new_figure(height=0.8 + 0.24 * len(names))
    axes.axvline(1, color="grey", lw=1)
    places = iter(range(len(names)))
    for colour, group in zip(plots.COLOURS, groups, strict=False):
        for row in group.values():
            place = next(places)
            axes.plot([row["low"], row["high"]], [place, place], color=colour, lw=3)
            axes.plot(row["measured"], place, "o", color=colour, ms=5)
    axes.set(xscale="log", xlabel="ratio of mean samples", yticks=range(len(names)))
    axes.set_yticklabels(names)
    axes.set_xticks([0.2, 0.5, 1, 2, 5, 10], ["0.2", "0.5", "1", "2", "5", "10"])
    axes.minorticks_off()
    axes.invert_yaxis()
    return figure
