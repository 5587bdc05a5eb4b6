"""Two objectives: the height of a freed arm (Figure 6)."""

import numpy as np
from matplotlib.figure import Figure

import pareto_core as pc
from pareto_book.figures import plots
from pareto_book.studies.profile import diagonal_profile

__all__ = ["draw_profile"]


def draw_profile(means: np.ndarray, weights: np.ndarray, s: np.ndarray) -> Figure:
    """Draw the tents of the optimal arms, the best height of the last arm, and its cost."""
    tents, height, cost = diagonal_profile(means, weights, len(means) - 1, s)
    swept = pc.transport_cost(means, weights, method="sweep")
    freed = swept.alternative[-1]
    plots.require(np.isclose(cost.min(), swept.value, rtol=1e-4), "at its minimum")
    figure, (top, bottom) = plots.new_figure(2, 1, height=2.2, sharex=True)
    top.plot(s, tents.T, color=plots.RED, ls="--", lw=0.9)
    top.plot(s, height, color=plots.BLUE, lw=2)
    plots.label_line(top, s[-1], height[-1], r"$t^\star(s)$", plots.BLUE, dx=-12, dy=12)
    top.set(ylabel="height t", ylim=(0.5, 4))
    bottom.plot(s, cost, color=plots.BLUE)
    where = (freed[0] - freed[1]) / np.sqrt(2)
    bottom.plot(where, swept.value, "x", color=plots.BLACK, ms=9, mew=2)
    bottom.set(xlabel="s, across the diagonal", ylabel="cost")
    return figure
