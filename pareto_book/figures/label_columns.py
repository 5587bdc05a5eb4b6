"""Labels in a column beside a figure, moved apart so that none hides another."""

from collections.abc import Mapping

import numpy as np
import scipy
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

POINTS_PER_INCH = 72


def move_apart(heights: ArrayLike, gap: float) -> np.ndarray:
    """Move heights as little as possible, so that any two of them are a gap apart."""
    heights = np.asarray(heights, float)
    order = np.argsort(heights, kind="stable")
    steps = gap * np.arange(heights.size)
    apart = np.empty_like(heights)
    apart[order] = scipy.optimize.isotonic_regression(heights[order] - steps).x + steps
    return apart


def label_column(
    axes: Axes,
    points: Mapping[str, tuple[float, float]],
    colours: Mapping[str, str],
    fontsize: float = 8,
) -> None:
    """Write the labels of points in a column on the right, each with a thin line to its point."""
    to_fraction = axes.transData + axes.transAxes.inverted()
    heights = to_fraction.transform(list(points.values()))[:, 1]
    inches = axes.get_position().height * axes.figure.get_figheight()
    gap = 1.35 * fontsize / (POINTS_PER_INCH * inches)
    for (name, point), height in zip(points.items(), move_apart(heights, gap), strict=True):
        axes.annotate(
            name,
            point,
            xytext=(1.04, height),
            textcoords="axes fraction",
            color=colours[name],
            fontsize=fontsize,
            va="center",
            arrowprops={"arrowstyle": "-", "color": colours[name], "lw": 0.5, "alpha": 0.6},
        )
