"""The style of all figures, and the kinds of figures that several chapters use."""

import functools
import io
from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from IPython import get_ipython
from IPython.display import SVG, display
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from numpy.typing import ArrayLike
from tqdm import tqdm

from pareto_book.paths import written_file

WIDTH = 7.0  # inches, of every figure
# The palette of Okabe & Ito, whose colours differ for all common kinds of colour vision.
BLUE, ORANGE, GREEN, RED, PURPLE, SKY, BROWN, BLACK = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#D55E00",
    "#CC79A7",
    "#56B4E9",
    "#8C6D31",
    "#222222",
)
COLOURS = (BLUE, ORANGE, GREEN, RED, PURPLE, SKY, BROWN, BLACK)


STYLE = {
    "axes.axisbelow": True,
    "axes.edgecolor": ".15",
    "axes.labelcolor": ".15",
    "axes.labelsize": 12,
    "axes.linewidth": 1.25,
    "axes.prop_cycle": mpl.cycler(color=COLOURS),
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": "medium",
    "figure.constrained_layout.use": True,
    "figure.dpi": 110,
    "font.sans-serif": ["Arial", "DejaVu Sans", "Liberation Sans", "sans-serif"],
    "font.size": 10,
    "grid.color": ".8",
    "grid.linewidth": 1,
    "legend.fontsize": 11,
    "legend.frameon": False,
    "legend.title_fontsize": 12,
    "lines.solid_capstyle": "round",
    "patch.edgecolor": "white",
    "patch.force_edgecolor": True,
    "savefig.dpi": 160,
    "svg.hashsalt": "pareto_core",
    "text.color": ".15",
} | {
    f"{axis}tick.{name}": value
    for axis in "xy"
    for name, value in {
        "color": ".15",
        "labelsize": 11,
        "major.size": 6,
        "major.width": 1.25,
        "minor.size": 4,
        "minor.width": 1,
    }.items()
}


def use_style() -> None:
    """Set Matplotlib's defaults for the book, with which the same figure gives the same file."""
    mpl.rcParams.update(STYLE)
    if hasattr(get_ipython(), "kernel"):
        tqdm.__init__ = functools.partialmethod(tqdm.__init__, disable=True)


def new_figure(rows: int = 1, columns: int = 1, height: float = 3.2, **options: Any) -> tuple:
    """Make a figure with the width of the book."""
    return plt.subplots(rows, columns, figsize=(WIDTH, rows * height), **options)


def save(figure: Figure, chapter: str, name: str) -> None:
    """Show a figure as SVG, and write ``figures/<chapter>/<name>`` as SVG and PNG."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    drawn = io.BytesIO()
    cropped = {"bbox_inches": "tight", "pad_inches": 0.04}
    figure.savefig(drawn, format="svg", metadata={"Date": None}, **cropped)
    if path := written_file("figures", chapter, f"{name}.svg"):
        path.write_bytes(drawn.getvalue())
        figure.savefig(path.with_suffix(".png"), metadata={"Software": None}, **cropped)
    plt.close(figure)
    display(SVG(drawn.getvalue()))


def scatter_arms(
    axes: Axes, means: np.ndarray, front: ArrayLike, labels: bool = True, colour: str = BLUE
) -> None:
    """Draw arms in two objectives: optimal arms as filled circles, the others as hollow ones."""
    optimal = np.isin(np.arange(len(means)), front)
    axes.scatter(*means[optimal].T, s=42, color=colour, zorder=3)
    axes.scatter(*means[~optimal].T, s=42, facecolor="none", edgecolor=BLACK, zorder=3)
    if labels:
        for k, point in enumerate(means):
            axes.annotate(f"{k}", point, xytext=(6, 5), textcoords="offset points", fontsize=9)


def curve(
    axes: Axes, x: ArrayLike, measured: Sequence[Any], colour: str, label: str | None = None
) -> None:
    """Draw measurements as a line, with their intervals as a band."""
    ends = np.transpose([each.interval for each in measured])
    axes.plot(x, [each.value for each in measured], "o-", ms=3, color=colour, label=label)
    axes.fill_between(x, *ends, color=colour, alpha=0.2, lw=0)


def label_line(axes: Axes, x: float, y: float, text: str, colour: str, **offset: Any) -> None:
    """Write a label at the end of a line, in the colour of the line."""
    axes.annotate(
        text,
        (x, y),
        xytext=(offset.get("dx", 5), offset.get("dy", 0)),
        textcoords="offset points",
        color=colour,
        va="center",
        fontsize=9,
    )


def plain_thousands(axis: Axis) -> None:
    """Separate thousands by thin spaces in the numbers of an axis."""
    axis.set_major_formatter(
        mpl.ticker.FuncFormatter(lambda value, _: f"{value:,.0f}".replace(",", "\u2009"))
    )
