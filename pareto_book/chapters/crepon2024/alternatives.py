"""Arms and the alternative into which they move."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

import pareto_core as pc
from pareto_book.figures import plots

__all__ = ["draw_alternative", "draw_moves"]


def draw_moves(axes: Axes, means: np.ndarray, alternative: np.ndarray, stars: bool = False) -> None:
    """Draw a red arrow from each arm to where the alternative has it, if it moves."""
    for start, end in zip(means, alternative, strict=True):
        if (start != end).any():
            axes.annotate("", end, start, arrowprops={"arrowstyle": "->", "color": plots.RED})
            if stars:
                axes.scatter(*end, marker="*", s=90, color=plots.RED, zorder=4)


def draw_alternative(
    means: ArrayLike,
    weights: ArrayLike,
    freed: int | None = None,
    limits: tuple[float, float] = (7.0, 6.2),
) -> Figure:
    """Draw arms in two objectives and the cheapest alternative to them."""
    means = np.array(means, dtype=float)
    alternative = pc.transport_cost(means, weights).alternative
    figure, axes = plots.new_figure(height=3.6)
    plots.scatter_arms(axes, means, pc.pareto_set(means))
    if freed is not None:
        left, low = alternative[freed]
        axes.fill_between([left, limits[0]], low, limits[1], color=plots.SKY, alpha=0.15, lw=0)
    draw_moves(axes, means, alternative, stars=freed is not None)
    axes.set(xlabel="objective 1", ylabel="objective 2")
    axes.set(xlim=(0, limits[0]), ylim=(0, limits[1]))
    return figure
