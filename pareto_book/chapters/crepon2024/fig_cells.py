"""Figures of assignments and their cells (Figures 2 and 5 of the paper)."""

import itertools
from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike
from scipy.ndimage import distance_transform_edt

import pareto_core as pc
from pareto_book.figures import plots

__all__ = ["draw_regions", "draw_tree"]

ACROSS = np.array([[1, -1, 0], [1, 1, -2]]) / np.sqrt([[2], [6]])  # the plane across the diagonal
REACH = 2.6  # of the plane that is drawn, in each direction


def draw_tree(points: ArrayLike) -> Figure:
    """Draw the tree of assignments of two arms in two objectives; empty cells are crossed out."""
    cells = [tuple(each) for each in pc.iterate_cells(points)]
    figure, axes = plots.new_figure(height=2.6)
    for depth, spread in ((1, 1.0), (2, 0.5)):
        valid = {cell[:depth] for cell in cells}
        for assignment in itertools.product(range(2), repeat=depth):
            side = 2 * assignment[-1] - 1
            x = sum((2 * c - 1) * s for c, s in zip(assignment, (1.0, 0.5), strict=False))
            parent, is_open = x - side * spread, assignment in valid
            colour, line = (plots.BLUE, "-") if is_open else (plots.RED, ":")
            marker = "o" if is_open else "x"
            axes.plot([parent, x], [1 - depth, -depth], color=colour, ls=line)
            axes.scatter(x, -depth, color=colour, marker=marker, s=60, zorder=3)
            axes.annotate(
                f"arm {depth - 1} in {assignment[-1] + 1}",
                ((parent + x) / 2, 0.5 - depth),
                xytext=(10 * side, 0),
                textcoords="offset points",
                ha="left" if assignment[-1] else "right",
                fontsize=9,
            )
    axes.scatter(0, 0, color=plots.BLUE, s=60, zorder=3)
    axes.set(xlim=(-2.2, 2.2))
    axes.axis("off")
    return figure


def _cells_of_plane(arms, size):
    """Index of the cell of each point of a grid of the plane, and the assignments."""
    ends = np.linspace(-REACH, REACH, size)
    u, v = np.meshgrid(ends, ends)
    freed = u[..., None] * ACROSS[0] + v[..., None] * ACROSS[1]
    steps = np.stack([(arm - freed).argmin(-1) for arm in arms], axis=-1)
    found, cell = np.unique(steps.reshape(-1, len(arms)), axis=0, return_inverse=True)
    return u, v, cell.reshape(u.shape), found


def draw_regions(arms: np.ndarray, assignments: Sequence[int] = (1, 2, 3)) -> Figure:
    """Draw the cells of the first arms in three objectives, across the diagonal."""
    counts = [pc.count_cells(arms[:p]) for p in assignments]
    plots.require(counts == [3, 6, 10][: len(counts)], "three, six and ten cells")
    figure, panels = plots.new_figure(1, len(assignments), height=2.5, sharex=True, sharey=True)
    for p, n_cells, axes in zip(assignments, counts, panels, strict=True):
        u, v, cell, found = _cells_of_plane(arms[:p], 400)
        plots.require(len(found) == n_cells, "as many cells as are counted")
        for k, arm in enumerate(arms[:p]):
            is_new = k == p - 1
            colour = plots.RED if is_new else plots.BLACK
            _draw_rays(axes, arm, colour, 1.8 if is_new else 0.9)
        for index, assignment in enumerate(found):
            depth = distance_transform_edt(np.pad(cell == index, 1))[1:-1, 1:-1]
            deepest = np.unravel_index(depth.argmax(), depth.shape)
            where = u[deepest], v[deepest]
            text = "".join(str(c + 1) for c in assignment)
            axes.annotate(text, where, ha="center", va="center", fontsize=8, color=plots.BLUE)
        plural = "s" * (p > 1)
        axes.set(title=f"{p} arm{plural}: {n_cells} cells", xticks=[], yticks=[], aspect="equal")
        axes.set(xlim=(-REACH, REACH), ylim=(-REACH, REACH))
    return figure


def _draw_rays(axes, arm, colour, width):
    """The dot of an arm, and the three rays on which two of its objectives tie."""
    start = ACROSS @ arm
    for c in range(3):
        # Towards lower values of two objectives alike, the arm exceeds a point there equally.
        end = start + 4 * REACH * (ACROSS @ np.eye(3)[c]) * -1
        axes.plot(*np.transpose([start, end]), color=colour, lw=width)
    axes.scatter(*start, color=colour, s=25, zorder=3)
