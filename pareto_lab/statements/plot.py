"""A plot of the status of an experiment: averages, boxes, and what is certain about each arm."""

import io
import itertools
import re
import warnings
from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from pareto_core.checks.arguments import shown
from pareto_lab.experiment.design import SIGNS, ExperimentDesign
from pareto_lab.experiment.names import drawn, is_named
from pareto_lab.statements import arm_statements
from pareto_lab.statements.status import Status

INK, GREY = "#222222", "#888888"
BLUE, ORANGE, PURPLE, GREEN = "#0072B2", "#E69F00", "#CC79A7", "#009E73"  # of Okabe & Ito's palette
LOOKS = {  # colour, marker and size of each statement; later ones are drawn above earlier ones
    arm_statements.RETIRED: (GREY, "x", 22),
    arm_statements.DOMINATED: (ORANGE, "v", 22),
    arm_statements.NOT_BEST: (ORANGE, "v", 22),
    arm_statements.INFEASIBLE: (PURPLE, "X", 26),
    arm_statements.OPEN: (INK, "s", 20),
    arm_statements.NEAR: (GREEN, "D", 26),
    arm_statements.OPTIMAL: (BLUE, "o", 40),
    arm_statements.BEST: (BLUE, "o", 40),
}
MOST_DETAILED = 40  # arms with boxes and names
LONGEST_LABEL = 16  # characters
MOST_PAIRED = 4  # objectives that are drawn pair by pair
MOST_COLUMNS = 3  # of panels
PANEL = 3.6  # inches
LETTER, LINE = 0.08, 0.14  # inches: width of a letter and height of a line of a label
CORNERS = np.array([[1, 1], [-1, 1], [1, -1], [-1, -1]])  # positions of a label, best first
RASTER = 200  # points along an axis, from which the boundary of the region is drawn
NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))
STYLE = {"svg.fonttype": "none", "svg.hashsalt": "pareto_core"} | dict.fromkeys(
    ("axes.edgecolor", "axes.labelcolor", "text.color", "xtick.color", "ytick.color"), INK
)


def plot_status(
    design: ExperimentDesign, status: Status, ax: Axes | Sequence[Axes] | np.ndarray | None = None
) -> np.ndarray:
    """Draw what is certain about each arm."""
    panels = _panels(design.n_objectives)
    if ax is None:
        ax = new_axes(plt.figure(**figure_options(design.n_objectives)), design.n_objectives)
    axes = _checked(ax, len(panels))
    for each, objectives in zip(axes, panels, strict=True):
        draw = _draw_pair if len(objectives) == 2 else _draw_intervals
        draw(each, design, status, objectives)
    _add_legend(axes[0], status)
    return axes


def status_svg(design, status):
    """Return the plot as an SVG element whose ink has the colour of the surrounding text."""
    with plt.style.context("default"), plt.rc_context(STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")  # a reader may have fonts that we lack
        figure = Figure(**figure_options(design.n_objectives))
        plot_status(design, status, new_axes(figure, design.n_objectives))
        text = io.StringIO()
        figure.savefig(text, format="svg", transparent=True, metadata=NO_METADATA)
    svg = text.getvalue()
    svg = svg[svg.index("<svg") :].strip()
    return re.sub(rf"\b(fill|stroke): {INK}", r"\1: currentColor", svg)


def figure_options(n_objectives):
    """Size and layout of a figure for a number of objectives."""
    rows, columns = _grid(n_objectives)
    return {"figsize": (max(columns, 2) * PANEL, rows * PANEL + 0.8), "layout": "constrained"}


def new_axes(figure, n_objectives):
    """Add axes for each panel to an empty figure."""
    axes, number = figure.subplots(*_grid(n_objectives), squeeze=False), len(_panels(n_objectives))
    for each in axes.flat[number:]:
        each.remove()
    return axes.flat[:number]


def _panels(n_objectives):
    """Objectives of each panel: all pairs, or each by itself."""
    number = 2 if 2 <= n_objectives <= MOST_PAIRED else 1
    return [*itertools.combinations(range(n_objectives), number)]


def _grid(n_objectives):
    """Rows and columns of panels."""
    number = len(_panels(n_objectives))
    columns = min(number, MOST_COLUMNS)
    return -(-number // columns), columns


def _checked(ax, number):
    axes = np.ravel(np.asarray(ax, dtype=object))
    if axes.size != number or not all(isinstance(each, Axes) for each in axes):
        raise ValueError(f"ax = {shown(ax)}; expected {number} axes of Matplotlib")
    return axes


def _label(name):
    """A shortened name."""
    text = str(name)
    return drawn(text if len(text) <= LONGEST_LABEL else f"{text[: LONGEST_LABEL - 1]}…")


def _title(design, c):
    """An objective with its unit and direction."""
    unit = f" [{_label(design.units[c])}]" if design.units[c] else ""
    name = design.objectives[c] if is_named(design.objectives) else f"objective {c}"
    good = "more" if design.directions[c] == "max" else "less"
    return f"{_label(name)}{unit}, {good} is better"


def _are_drawn(status):
    """Which arms have an average in every objective."""
    return ~np.isnan(status.means).any(axis=1)


def _groups(status):
    """Sampled arms of each statement, with their looks, in the order of drawing."""
    sampled, crowd = _are_drawn(status), len(status.arms) > MOST_DETAILED
    for statement, (colour, marker, size) in LOOKS.items():
        arms = np.flatnonzero(sampled & (status.statements == statement))
        if arms.size:
            yield arms, (colour, marker, size / 4 if crowd else size)


def _answer_first(status):
    """Sampled arms, with those of the certain or empirical answer first."""
    answer = {*status.optimal, *status.near_optimal, *status.front}
    later = np.array([arm not in answer for arm in status.arms])
    arms = np.argsort(later, kind="stable")
    if len(arms) > MOST_DETAILED:
        arms = arms[: (~later).sum()]
    return arms[_are_drawn(status)[arms]]


def _boxed(status, arms):
    """The arms among these whose boxes are drawn."""
    return np.intersect1d(arms, _answer_first(status)[:MOST_DETAILED])


def _ends(status, c):
    """Limits of an axis, which contains all averages and as much of the boxes as leaves room."""
    known = status.means[_are_drawn(status), c]
    low, high = (known.min(), known.max()) if known.size else (0.0, 1.0)
    boxes = status.boxes[_are_drawn(status), c]
    widest = np.max(np.diff(boxes)[np.isfinite(np.diff(boxes))], initial=0.0) / 2
    span = high - low
    room = min(widest, 0.6 * span) if span > 0 else widest
    room = max(room, 0.05 * span) or 1.0
    return low - 1.1 * room, high + 1.1 * room


def _draw_pair(axes, design, status, pair):
    """Two objectives: points and boxes; without other objectives, region and staircase, too."""
    first, second = pair
    limits = _ends(status, first), _ends(status, second)
    axes.set(xlim=limits[0], ylim=limits[1])
    axes.set(xlabel=_title(design, first), ylabel=_title(design, second))
    for depth, (arms, (colour, marker, size)) in enumerate(_groups(status), start=2):
        _add_boxes(axes, status.boxes[_boxed(status, arms)][:, pair], limits, colour)
        points = status.means[arms][:, pair].T
        axes.scatter(*points, s=size, c=colour, marker=marker, lw=0, zorder=depth + 2)
    if design.n_objectives == 2:
        if design.polyhedron is not None:
            _shade_outside(axes, design.polyhedron, limits)
        if status.candidates is None:
            _add_staircase(axes, design, status, limits)
    _name_points(axes, status, pair)


def _add_boxes(axes, boxes, limits, colour):
    """Draw boxes, clipped near the limits."""
    low, high = np.array(limits).T
    ends = np.clip(boxes, 2 * low[:, None] - high[:, None], 2 * high[:, None] - low[:, None])
    frames = [Rectangle(each[:, 0], *np.diff(each)[:, 0]) for each in ends]
    looks = {"facecolor": "none", "edgecolor": colour, "alpha": 0.45, "linewidth": 0.8}
    axes.add_collection(PatchCollection(frames, **looks), autolim=False)


def _shade_outside(axes, polyhedron, limits):
    """Shade the infeasible region."""
    x, y = (np.linspace(*each, RASTER) for each in limits)
    points = np.stack(np.meshgrid(x, y), axis=-1)
    excess = (points @ polyhedron.normals.T - polyhedron.offsets).max(axis=-1, initial=-np.inf)
    if (excess > 0).any():
        axes.contourf(x, y, excess, levels=[0, np.inf], colors=[PURPLE], alpha=0.15, zorder=0)


def _add_staircase(axes, design, status, limits):
    """Draw the boundary of the region that the empirical front dominates."""
    front = [list(status.arms).index(arm) for arm in status.front]
    if not front:
        return
    signs = np.array([SIGNS[each] for each in design.directions])
    points = np.unique(status.means[front] * signs, axis=0)
    worst = (np.array(limits) * signs[:, None]).min(axis=1)
    x = np.concatenate([[worst[0]], np.repeat(points[:, 0], 2)])
    y = np.concatenate([np.repeat(points[:, 1], 2), [worst[1]]])
    axes.plot(x * signs[0], y * signs[1], color=INK, lw=1, ls="--", zorder=1.5)


def _name_points(axes, status, pair):
    """Write names beside points where there is room, beginning with the answer so far."""
    limits = np.array([axes.get_xlim(), axes.get_ylim()])
    size = np.array([PANEL, PANEL]) * (2 if status.means.shape[1] == 2 else 1, 1)
    taken = []
    for k in _answer_first(status):
        text, point = _label(status.arms[k]), status.means[k, list(pair)]
        position = (point - limits[:, 0]) / np.ptp(limits, axis=1) * size
        for corner in CORNERS:
            opposite = position + corner * np.array([LETTER * len(text), LINE])
            frame = np.sort([position, opposite], axis=0)
            if not any(((frame[0] < each[1]) & (each[0] < frame[1])).all() for each in taken):
                taken.append(frame)
                _write_beside(axes, text, point, corner)
                break


def _write_beside(axes, text, point, corner):
    """Write a name to one side of a point."""
    axes.annotate(
        text,
        point,
        xytext=corner * np.array([4, 3]),
        textcoords="offset points",
        ha="left" if corner[0] > 0 else "right",
        va="baseline" if corner[1] > 0 else "top",
        color=INK,
        fontsize=8,
        zorder=9,
    )


def _draw_intervals(axes, design, status, objectives):
    """One objective: an interval for each arm, side by side."""
    (c,) = objectives
    axes.set(ylim=_ends(status, c), ylabel=_title(design, c), xlabel="arm")
    for arms, (colour, marker, size) in _groups(status):
        axes.vlines(arms, *status.boxes[arms, c].T, color=colour, lw=1, alpha=0.5)
        axes.scatter(arms, status.means[arms, c], s=size, c=colour, marker=marker, lw=0, zorder=3)
    named = np.sort(_answer_first(status)[:MOST_DETAILED])
    rotation = 90 if len(named) > 6 else 0
    axes.set_xticks(named, [_label(status.arms[k]) for k in named], rotation=rotation, fontsize=8)
    axes.set_xlim(-0.7, len(status.arms) - 0.3)


def _add_legend(axes, status):
    """Explain colours and marks with their numbers of arms, and why there are no boxes."""
    entries = [
        Line2D([], [], color=colour, marker=marker, ls="", label=_entry(status, arms))
        for arms, (colour, marker, _) in _groups(status)
    ]
    left_out = int((~_are_drawn(status)).sum())
    if left_out:
        what = "a value of each objective" if status.missing.any() else "a reward"
        entries.insert(0, Line2D([], [], ls="", label=f"without {what} ({left_out})"))
    has_samples = bool(status.samples.any())
    if status.least_samples is not None or (has_samples and np.isinf(status.boxes).all()):
        text = "no intervals yet:\nthe standard deviation is unknown"
        entries.insert(0, Line2D([], [], ls="", label=text))
    where = {"loc": "outside upper center", "ncols": 3, "frameon": False, "fontsize": 9}
    axes.figure.legend(handles=entries[::-1], **where)


def _entry(status, arms):
    return f"{status.statements[arms[0]]} ({arms.size})"
