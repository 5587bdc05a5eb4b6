"""What each arm is under limits, which reasons there are to reject it, and how arms are drawn."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

import pareto_core as pc
from pareto_book.figures import plots
from pareto_core.geometry.partition import constrained_pareto_set

__all__ = ["ROLE_COLOURS", "Reasons", "draw_arm", "draw_arms", "reasons_of"]

ROLE_COLOURS = {"optimal": plots.BLUE, "dominated": plots.BLACK, "infeasible": plots.RED}


class Reasons(NamedTuple):
    """The reasons for the verdict on each arm, as lengths: the larger, the cheaper to verify.

    Attributes
    ----------
    optimal, feasible : ndarray of bool, shape (K,)
        What is true of each arm.
    distance : ndarray, shape (K,)
        Distance to the border of the feasible region.
    lead : ndarray, shape (K,)
        By how much an optimal arm is better in every objective; negative if none dominates the
        arm. For an optimal arm, the change after which one of the two optimal arms dominates the
        other, with its sign reversed.
    """

    optimal: np.ndarray
    feasible: np.ndarray
    distance: np.ndarray
    lead: np.ndarray

    @property
    def dominated(self) -> np.ndarray:
        """Whether an optimal arm dominates each arm, feasible or not."""
        return self.lead > 0


def reasons_of(means: ArrayLike, region: pc.Polyhedron) -> Reasons:
    """Compute what is true of each arm, and by how much."""
    means = np.asarray(means, dtype=float)
    front = constrained_pareto_set(means, region)
    ahead = (means[front] - means[:, None]).min(axis=2)  # by which each of the front leads
    ahead[front, np.arange(front.size)] = -np.inf
    lead = ahead.max(axis=1, initial=-np.inf)
    behind = ahead[front].max(axis=0, initial=-np.inf)
    lead[front] = np.maximum(lead[front], behind)
    optimal = np.isin(np.arange(len(means)), front)
    return Reasons(optimal, region.contains(means), region.boundary_distance(means), lead)


def draw_arm(axes: Axes, point: ArrayLike, optimal: bool, feasible: bool, dominated: bool) -> None:
    """Draw an arm: infeasible ones are squares, dominated ones are hollow."""
    role = "optimal" if optimal else "dominated" if feasible else "infeasible"
    colour = ROLE_COLOURS[role]
    axes.plot(
        *point,
        "o" if feasible else "s",
        markeredgecolor=colour,
        markerfacecolor="none" if dominated else colour,
        markersize=7,
        markeredgewidth=1.4,
        zorder=3,
    )


def draw_arms(
    axes: Axes,
    means: ArrayLike,
    region: pc.Polyhedron,
    names: Sequence[str] | None = None,
    shifts: Mapping[int, tuple[float, float]] | None = None,
) -> None:
    """Draw all arms by what they are, in their first two objectives."""
    found = reasons_of(means, region)
    for k, point in enumerate(np.asarray(means)[:, :2]):
        draw_arm(axes, point, found.optimal[k], found.feasible[k], found.dominated[k])
        if names is not None and names[k]:
            shift = (shifts or {}).get(k, (7, 4))
            axes.annotate(names[k], point, shift, textcoords="offset points", fontsize=9)
