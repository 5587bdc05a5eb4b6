"""Phantoms in the plane: where they are exact, and where they overlook an arm."""

from typing import NamedTuple

import numpy as np
import scipy.optimize

import pareto_core as pc
from pareto_book.figures import plots

__all__ = ["Escape", "draw_phantoms", "escapes", "exclusion_cost"]

FRONT = np.array([[1.0, 3.0], [1.9, 2.0], [3.0, 1.0]])
FREED = np.array([0.6, 0.5])
EQUAL = np.full(4, 0.25)  # shares of the three optimal arms and the dominated one
UNEVEN = np.array([0.35, 0.02, 0.35, 0.28])
MIDDLE = 2  # the corner between the second and the third arm


class Escape(NamedTuple):
    """The dominated arm becomes optimal in one corner of the staircase.

    Attributes
    ----------
    phantom : ndarray, shape (2,)
        The corner; minus infinity in an objective without a limit.
    cost, phantom_cost : float
        Evidence per sample against the cheapest such means; the same if only the two arms that
        define the corner may stand in the way.
    point, phantom_point : ndarray, shape (2,)
        Where the freed arm ends in both cases.
    """

    phantom: np.ndarray
    cost: float
    phantom_cost: float
    point: np.ndarray
    phantom_point: np.ndarray


def escapes(front: np.ndarray, freed: np.ndarray, weights: np.ndarray) -> list[Escape]:
    """Find the cheapest way to free a dominated arm in each corner of a staircase.

    Parameters
    ----------
    front : ndarray, shape (p, 2)
        Optimal arms in increasing order of the first objective.
    freed : ndarray, shape (2,)
        An arm that all of them dominate.
    weights : ndarray, shape (p + 1,)
        Shares of the samples, of the freed arm last.

    Returns
    -------
    list of Escape, length p + 1
        In corner i the arm overtakes the first i arms in the first objective, and the others in the
        second.
    """
    found = []
    for i in range(len(front) + 1):
        exact = [
            _meet(front[:i, 0], weights[:i], freed[0], weights[-1]),
            _meet(front[i:, 1], weights[i:-1], freed[1], weights[-1]),
        ]
        corner = [
            _meet(front[:i, 0][-1:], weights[:i][-1:], freed[0], weights[-1]),
            _meet(front[i:, 1][:1], weights[i:-1][:1], freed[1], weights[-1]),
        ]
        phantom = [
            front[i - 1, 0] if i else -np.inf,
            front[i, 1] if i < len(front) else -np.inf,
        ]
        found.append(
            Escape(
                np.array(phantom),
                sum(cost for _, cost in exact),
                sum(cost for _, cost in corner),
                np.array([value for value, _ in exact]),
                np.array([value for value, _ in corner]),
            )
        )
    return found


def _meet(rivals, rival_weights, value, weight):
    """Value at which an arm meets rivals above it in one objective, and half the squared moves."""
    if not len(rivals):
        return value, 0.0

    def cost(met):
        drops = np.maximum(rivals - met, 0.0)
        return (weight * (met - value) ** 2 + rival_weights @ drops**2) / 2

    found = scipy.optimize.minimize_scalar(
        cost, bounds=(value, rivals.max()), method="bounded", options={"xatol": 1e-10}
    )
    return found.x, found.fun


def exclusion_cost() -> float:
    """Cost of the closest wrong answer at the uneven shares: an arm of the front falls.

    Returns
    -------
    float
    """
    return pc.transport_cost(np.vstack([FRONT, FREED]), UNEVEN).value


def draw_phantoms() -> tuple[Escape, Escape]:
    """Draw the corners for equal shares, and one corner for uneven shares.

    Returns
    -------
    tuple of Escape
        The corner between the second and the third arm, at equal and at uneven shares.
    """
    figure, (left, right) = plots.new_figure(1, 2, height=3.4)
    equal, uneven = escapes(FRONT, FREED, EQUAL), escapes(FRONT, FREED, UNEVEN)
    _draw_corners(left, equal)
    _draw_overlooked(right, uneven[MIDDLE])
    plots.save(figure, "ranking_selection", "phantoms")
    return equal[MIDDLE], uneven[MIDDLE]


def _draw_corners(axes, found):
    """Draw the staircase, and an arrow to each corner with the cost of leaving there."""
    end = 3.9
    x = np.concatenate([[0.0], np.repeat(FRONT[:, 0], 2)])
    y = np.append(np.repeat(FRONT[:, 1], 2), 0.0)
    axes.fill_between(x, 0, y, color="0.5", alpha=0.15, lw=0)
    corners = np.column_stack([FRONT[:-1, 0], FRONT[1:, 1]])
    axes.plot(*corners.T, "s", mfc="none", color=plots.BLACK, ms=7)
    axes.plot(*FRONT.T, "o", color=plots.BLUE, ms=7)
    for arm, name in zip(FRONT, "ABC", strict=True):
        _note(axes, name, arm, (6, 5))
    for each in found:
        corner = np.where(np.isfinite(each.phantom), each.phantom, FREED)
        _arrow(axes, corner, plots.BLUE)
        _note(axes, f"{each.cost:.2f}", corner, (-22, 8) if corner[1] == FRONT[0, 1] else (6, 6))
    _draw_freed(axes)
    axes.set(title="equal shares: four ways out", xlim=(0, end), ylim=(0, end))
    axes.set(xlabel="first objective", ylabel="second objective")
    cheapest = min(found, key=lambda each: each.cost)
    plots.require(cheapest is found[MIDDLE], "the third arrow is the cheapest")
    plots.require(np.isclose(cheapest.cost, cheapest.phantom_cost), "which a phantom finds")


def _draw_overlooked(axes, found):
    """Draw where a phantom would take the freed arm, and where it has to go."""
    for value, name in zip(FRONT[:2, 0], "AB", strict=True):
        axes.axvline(value, color=plots.BLACK, lw=0.8, ls=":")
        _note(axes, f" {name}", (value, 1.14), (0, 0))
    axes.axhline(FRONT[2, 1], color=plots.BLACK, lw=0.8, ls=":")
    _note(axes, "C", (2.05, FRONT[2, 1]), (0, 5))
    for point, cost, name, colour, offset in (
        (found.phantom_point, found.phantom_cost, "phantom", plots.RED, (-8, 13)),
        (found.point, found.cost, "exact", plots.BLUE, (9, -2)),
    ):
        _arrow(axes, point, colour)
        axes.plot(*point, "x" if colour == plots.RED else "o", color=colour, ms=7, mew=2)
        _note(axes, f"{name} {cost:.3f}", point, offset, colour)
    _draw_freed(axes)
    axes.set(title="B is rare: A is in the way", xlim=(0.4, 2.2), ylim=(0.4, 1.2))
    axes.set_xlabel("first objective")
    plots.require(found.phantom_cost < found.cost, "the cross is cheaper than the dot")
    plots.require(found.phantom_point[0] < found.point[0] < FRONT[0, 0], "left of the line of A")


def _draw_freed(axes):
    axes.plot(*FREED, "o", mfc="none", color=plots.BLACK, ms=7)
    _note(axes, "D", FREED, (-12, -10))


def _note(axes, text, point, offset, colour=plots.BLACK):
    """Write beside a point; the offset is in points of the page."""
    options = {"textcoords": "offset points", "fontsize": 9, "color": colour}
    axes.annotate(text, point, xytext=offset, **options)


def _arrow(axes, end, colour):
    style = {"arrowstyle": "->", "color": colour, "lw": 1.4, "shrinkA": 4, "shrinkB": 3}
    axes.annotate("", end, FREED, arrowprops=style)
