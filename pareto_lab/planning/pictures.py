"""The picture of a plan: how many arms are certain at which cost, and the budget."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullFormatter

__all__ = ["plot_plan"]

BLUE, ORANGE = "#0072B2", "#E69F00"  # of Okabe & Ito's palette
SIZE = (6.4, 4.0)  # inches
MOST_TICKS = 10  # numbers of arms along the axis


def plot_plan(
    table: pd.DataFrame, costs: np.ndarray, budget: float | None, label: str, ax: Axes | None
) -> Axes:
    """Draw a plan; see `Plan.plot`."""
    if ax is None:
        _, ax = plt.subplots(figsize=SIZE, layout="constrained")
    n_arms, last = costs.shape[1] - 1, _last(costs)
    low, median, high = (
        table[f"cost_{part}"].to_numpy(dtype=float) for part in ("low", "median", "high")
    )
    numbers = np.arange(1, n_arms + 1)
    ends = np.isfinite(low[:-1])
    if ends.any():  # beyond the last experiment the band is open to the right
        right = np.where(np.isfinite(high[:-1]), high[:-1], last)
        ax.fill_betweenx(
            numbers[ends], low[:-1][ends], right[ends], color=BLUE, alpha=0.2, lw=0, label="10-90 %"
        )
    reached = np.isfinite(median[:-1])
    ax.plot(median[:-1][reached], numbers[reached], "o-", color=BLUE, ms=3, label="median")
    _draw_end(ax, n_arms + 1, low[-1], median[-1], min(high[-1], last))
    if budget is not None:
        ax.axvline(budget, color="black", ls="--", lw=1, label=f"budget {budget:g}")
    ticks = numbers[:: -(-n_arms // MOST_TICKS)]
    ax.set_yticks([*ticks, n_arms + 1], [*map(str, ticks), "stops"])
    ax.set(xscale="log", ylim=(0, n_arms + 2), ylabel="certain arms")
    ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.xaxis.set_major_formatter("{x:g}")
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.set_xlabel(label)
    ax.legend(loc="upper left", fontsize=8)
    return ax


def _last(costs):
    """Largest finite cost."""
    found = costs[np.isfinite(costs)]
    return found.max() if found.size else 1.0


def _draw_end(ax, height, low, median, high):
    """The point at which the algorithm stops, with its interval."""
    if np.isfinite(low):
        ax.plot([low, high], [height, height], color=ORANGE, lw=2)
    if np.isfinite(median):
        ax.plot(median, height, "s", color=ORANGE, ms=6, label="the algorithm stops")
