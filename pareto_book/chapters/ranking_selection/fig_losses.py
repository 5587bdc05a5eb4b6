"""What the published allocations lose against the optimal shares, problem by problem."""

import matplotlib.ticker
import numpy as np
import pandas as pd

from pareto_book.chapters.ranking_selection.published import NAMES
from pareto_book.figures import plots

__all__ = ["draw_losses", "loss_of"]

COLOURS = {"phantom": plots.BLUE, "SCORE": plots.ORANGE, "iSCORE": plots.PURPLE}
LEAST = 1e-4  # losses are accurate to this


def loss_of(frame: pd.DataFrame, column: str = "exact") -> pd.Series:
    """Share of the best rate that allocations lose, at least the accuracy of the optimum.

    Parameters
    ----------
    frame : pandas.DataFrame
        As `published.losses` returns it.
    column : {"exact", "own"}
        Rate at the published shares, or at ours.

    Returns
    -------
    pandas.Series
    """
    return np.maximum(1 - frame[column] / frame["optimum"], LEAST)


def draw_losses(frame: pd.DataFrame) -> None:
    """Draw the losses of the published allocations, a column for each size of the problems."""
    import seaborn as sns  # takes a second, and only this needs it

    shown = frame.assign(
        method=[NAMES[method] for method in frame["method"]],
        loss=loss_of(frame),
        size=[f"{d} objectives\n{k} systems" for d, k in frame[["d", "K"]].values],
    )
    figure, axes = plots.new_figure(height=3.4)
    axes.set(yscale="log", ylim=(LEAST / 1.5, 1.3))  # before the points, which it places
    sns.swarmplot(
        shown, x="size", y="loss", hue="method", palette=COLOURS, dodge=True, size=4.5, ax=axes
    )
    axes.set(xlabel="", ylabel="loss of the rate")
    axes.yaxis.set_major_formatter(matplotlib.ticker.FuncFormatter(lambda y, _: f"{100 * y:g} %"))
    axes.legend(title="", loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)
    medians = shown.groupby(["size", "method"])["loss"].median().unstack()
    plots.require((medians["phantom"] < medians["SCORE"]).all(), "phantom loses least")
    plots.require((medians["SCORE"] < medians["iSCORE"]).all(), "iSCORE most")
    plots.save(figure, "ranking_selection", "losses")
