"""Figures of arms and feasible regions."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from numpy.typing import ArrayLike

import pareto_core as pc
from pareto_book.chapters.kone2025constrained.roles import (
    ROLE_COLOURS,
    draw_arm,
    draw_arms,
)
from pareto_book.figures import plots

__all__ = ["draw_discs", "draw_trials", "draw_triangle"]


def draw_triangle(means: ArrayLike, limits: tuple[float, float, float]) -> Figure:
    """Draw arms and a triangle: two least values, and a largest sum of both objectives."""
    first, second, total = limits
    region = pc.Polyhedron([[-1, 0], [0, -1], [1, 1]], [-first, -second, total])
    corners = [first, total - second, first], [second, second, total - first]
    figure, axes = plots.new_figure(height=3.2)
    axes.fill(*corners, color=plots.SKY, alpha=0.3, lw=0)
    draw_arms(axes, means, region, [f"{k}" for k in range(len(means))])
    axes.set(xlim=(0, 120), ylim=(0, 100), aspect="equal")
    axes.set(xlabel="objective 1", ylabel="objective 2")
    return figure


def draw_discs(
    means: np.ndarray, state: pd.DataFrame, region: pc.Polyhedron, deviation: float
) -> Figure:
    """Draw empirical means, and around each the region in which the mean certainly is."""
    radii = region.boundary_distance(means) - deviation * state["margin"]
    figure, axes = plots.new_figure(height=3.2)
    left, low = -region.rows()[1]
    axes.fill_between([left, 1.25], low, 1.1, color=plots.SKY, alpha=0.15, lw=0)
    for mean, radius, row in zip(means, radii, state.itertuples(), strict=True):
        colour = ROLE_COLOURS[row.called]
        axes.add_patch(Circle(mean, radius, fc=colour, alpha=0.12, lw=0))
        optimal, dominated = row.called == "optimal", row.called == "dominated"
        draw_arm(axes, mean, optimal, row.called != "infeasible", dominated)
        words = f"{row.arm}: {row.called}" + ("" if row.sure else "?")
        axes.annotate(words, mean, (8, 5), textcoords="offset points", fontsize=9)
    axes.text(1.23, low + 0.02, "feasible", ha="right", color=plots.BLUE)
    axes.set(xlim=(-0.05, 1.25), ylim=(-0.12, 1.1), aspect="equal")
    axes.set(xlabel="efficacy", ylabel="safety")
    return figure


def draw_trials(doses: pc.Instance, vaccines: pc.Instance) -> Figure:
    """Draw the doses of the first trial and the vaccines of the second with their limits."""
    figure, (left, right) = plots.new_figure(1, 2, height=3.4)
    left.fill_between([0.35, 0.65], 0.45, 0.6, color=plots.SKY, alpha=0.15, lw=0)
    right.fill_between([8.25, 10.8], 4.5, 8.2, color=plots.SKY, alpha=0.15, lw=0)
    draw_arms(left, doses.means, doses.polyhedron, doses.labels)
    front = vaccines.constrained_pareto_set
    names = [f"{k}" if k in front else "" for k in range(vaccines.n_arms)]
    shifts = dict(zip(front, ((4, -13), (-16, 3)), strict=True))
    draw_arms(right, vaccines.means, vaccines.polyhedron, names, shifts)
    for axes, instance in ((left, doses), (right, vaccines)):
        axes.set(xlabel=instance.objectives[0], ylabel=instance.objectives[1])
    left.set(xlim=(0.31, 0.62), ylim=(0.36, 0.57))
    return figure
