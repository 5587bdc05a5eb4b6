"""The picture of a plan: how many arms are certain at which cost, and the budget."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from pareto_lab.planning.plan import Plan

__all__ = ["plot_plan"]

BLUE, ORANGE = "#0072B2", "#E69F00"  # of Okabe & Ito's palette
SIZE = (6.4, 4.0)  # inches
MOST_TICKS = 10  # numbers of arms along the axis


def plot_plan(plan: Plan, ax: Axes | None = None) -> Axes:
    """Draw a plan; see `Plan.plot`.

    Parameters
    ----------
    plan : Plan
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default in a new figure.

    Returns
    -------
    matplotlib.axes.Axes
    """
    if ax is None:
        _, ax = plt.subplots(figsize=SIZE, layout="constrained")
    n_arms, table = plan.design.n_arms, plan.table
    low, median, high = (
        table[f"cost_{part}"].to_numpy(dtype=float) for part in ("low", "median", "high")
    )
    numbers = np.arange(1, n_arms + 1)
    ends = np.isfinite(low[:-1])
    if ends.any():  # beyond the last experiment the band is open to the right
        right = np.where(np.isfinite(high[:-1]), high[:-1], _last(plan))
        ax.fill_betweenx(
            numbers[ends], low[:-1][ends], right[ends], color=BLUE, alpha=0.2, lw=0, label="10-90 %"
        )
    reached = np.isfinite(median[:-1])
    ax.plot(median[:-1][reached], numbers[reached], "o-", color=BLUE, ms=3, label="median")
    _draw_end(ax, n_arms + 1, low[-1], median[-1], min(high[-1], _last(plan)))
    if plan.budget is not None:
        ax.axvline(plan.budget, color="black", ls="--", lw=1, label=f"budget {plan.budget:g}")
    ticks = numbers[:: -(-n_arms // MOST_TICKS)]
    ax.set_yticks([*ticks, n_arms + 1], [*map(str, ticks), "stops"])
    ax.set(xscale="log", ylim=(0, n_arms + 2), ylabel="certain arms")
    ax.set_xlabel("samples" if plan.design.costs is None else "cost of the samples")
    ax.legend(loc="lower right", fontsize=8)
    return ax


def _last(plan):
    """Largest finite cost."""
    found = plan.costs[np.isfinite(plan.costs)]
    return found.max() if found.size else 1.0


def _draw_end(ax, height, low, median, high):
    """The point at which the algorithm stops, with its interval."""
    if np.isfinite(low):
        ax.plot([low, high], [height, height], color=ORANGE, lw=2)
    if np.isfinite(median):
        ax.plot(median, height, "s", color=ORANGE, ms=6, label="the algorithm stops")
