"""The book at a glance: how many claims have which verdict."""

import numpy as np
import pandas as pd

from pareto_core.publishing import plots
from pareto_core.publishing.criteria import DIFFERS, NOT_JUDGED, OPEN, REPRODUCED, VERDICTS

__all__ = ["verdict_bars", "verdict_totals"]


def verdict_totals(rows):
    """Number of rows with each verdict, by paper and in all, as a data frame."""
    counts = rows.groupby(["paper", "verdict"], sort=False).size().unstack(fill_value=0)
    counts = counts.reindex(columns=VERDICTS, fill_value=0).reset_index()
    counts.columns.name = None
    counts.insert(1, "rows", counts[list(VERDICTS)].sum(axis=1))
    total = counts.drop(columns="paper").sum()
    return pd.concat([counts, pd.DataFrame([{"paper": "all papers", **total}])], ignore_index=True)


def verdict_bars(totals, papers):
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
