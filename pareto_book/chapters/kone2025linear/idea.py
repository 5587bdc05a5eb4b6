"""The smallest ellipse around all arms, and what its design does to the variances."""

import numpy as np
from matplotlib.figure import Figure

from pareto_book.figures import plots
from pareto_core.regression import design

__all__ = ["draw_design"]


def draw_design(features: np.ndarray) -> Figure:
    """Draw the G-optimal design of arms with two features."""
    figure, (left, right) = plots.new_figure(1, 2, height=3.0)
    optimal = design.g_optimal_design(features).weights
    information = features.T @ (features * optimal[:, None])
    angle = np.linspace(0, 2 * np.pi, 200)
    circle = np.column_stack([np.cos(angle), np.sin(angle)]) * np.sqrt(2)
    left.plot(*(circle @ np.linalg.cholesky(information).T).T, color=plots.SKY)
    left.scatter(*features.T, s=12, color="grey")
    sampled = optimal > 0
    left.scatter(*features[sampled].T, s=400 * optimal[sampled], color=plots.BLUE)
    left.plot(0, 0, "+", color=plots.BLACK)
    left.set(xlabel="feature 1", ylabel="feature 2", aspect="equal")
    even = np.full(len(features), 1 / len(features))
    for weights, colour, name, arm, below in (
        (optimal, plots.BLUE, "optimal design", 3, -29),
        (even, plots.BLACK, "equal shares", 1, 4),
    ):
        variances = np.sort(design.prediction_variances(features, weights))[::-1]
        right.plot(variances, ".-", color=colour)
        plots.label_line(right, arm, variances[arm], name, colour, dy=below)
    right.axhline(2, ls=":", color="grey")
    right.set(xlabel="arms, worst first", ylabel="variance × samples", ylim=(0, None))
    return figure
