"""Section 7: a sparse cover, and what it costs."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import pareto_core as pc
from pareto_book.figures import plots
from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import mean_of
from pareto_core.geometry import covers

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = ["draw_cover", "price_table"]


def price_table(results: Mapping[str, pc.Runs], caption: str) -> "HTML":
    """Make a table of the samples of a race and of a cover, and of the sizes of their answers."""
    rows = []
    for name, each in results.items():
        size = each.answers.sum(axis=1)
        rows.append(
            {
                "algorithm": name,
                "mean samples": mean_of(each.samples),
                "arms in the answer": f"{size.min()} to {size.max()}",
            }
        )
    return show_table(pd.DataFrame(rows), caption, **{"mean samples": ",.0f"})


def draw_cover(
    designs: pc.Instance, accepted: np.ndarray, edges: np.ndarray, reach: float
) -> Figure:
    """Draw a front with edges between close arms, and what a sparse cover keeps of it."""
    means, kept = designs.means, covers.sparse_cover(edges)
    figure, (before, after) = plots.new_figure(1, 2, height=3.4, sharex=True, sharey=True)
    for i, j in np.argwhere(edges):
        before.plot(*means[accepted[[i, j]]].T, color=plots.SKY, lw=0.4, zorder=1)
    before.scatter(*means[accepted].T, s=14, color=plots.BLACK, zorder=2)
    after.scatter(*means.T, s=3, color="silver")
    after.scatter(*means[designs.pareto_set].T, s=10, color=plots.BLACK, zorder=2)
    chosen = means[accepted[kept]]
    after.scatter(*chosen.T, s=60, color=plots.BLUE, zorder=3)
    for x, y in chosen:
        right, top = x + reach, y + reach
        corner = [[right, -4], [right, top], [-4, top]]
        after.plot(*np.transpose(corner), color=plots.BLUE, lw=0.5, alpha=0.6)
    before.set(
        title=f"accepted by the race: {len(accepted)} arms",
        xlabel="negative log area, scaled",
        ylabel="log throughput, scaled",
        xlim=(-2.5, 3.2),
        ylim=(-2.8, 2.6),
    )
    after.set(title=f"kept as a cover: {len(kept)} arms", xlabel="negative log area, scaled")
    return figure
