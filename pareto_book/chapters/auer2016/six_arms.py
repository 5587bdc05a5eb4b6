"""Gaps and a race on six arms: how exactly each arm has to be known, and which arm has to stay."""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MultipleLocator

import pareto_core as pc
from pareto_book.chapters.auer2016.rounds import RacingRound
from pareto_book.figures import plots

__all__ = ["RacingWait", "draw_gaps", "draw_race", "longest_wait"]

OBJECTIVES = {"xlabel": "objective 1", "ylabel": "objective 2", "aspect": "equal"}


class RacingWait(NamedTuple):
    """An arm that is certainly optimal and stays in the race.

    Attributes
    ----------
    arm : int
        The arm.
    first, last : int
        First and last round of the wait, counted from 1.
    needed_for : list of int
        Arms that are open in the last round and that it may still dominate.
    """

    arm: int
    first: int
    last: int
    needed_for: list


def longest_wait(rounds: Sequence[RacingRound]) -> RacingWait:
    """Find the arm that is certainly optimal for most rounds before it leaves the race."""
    waiting = np.array([each.sure & each.staying for each in rounds])
    arm = int(waiting.sum(axis=0).argmax())
    if not waiting[:, arm].any():
        raise ValueError("no arm waits in this race; expected one, at another seed")
    last = int(np.flatnonzero(waiting[:, arm])[-1])
    changes = np.flatnonzero(~waiting[:last, arm])
    first = int(changes[-1]) + 1 if changes.size else 0
    now = rounds[last]
    open_arms = np.flatnonzero(now.staying & ~now.sure)
    width = np.hypot(now.radius[open_arms], now.radius[arm])
    may_be_below = (now.means[open_arms] - now.means[arm] <= width).all(axis=1)
    return RacingWait(arm, first + 1, last + 1, open_arms[may_be_below].tolist())


def draw_gaps(instance: pc.Instance) -> Figure:
    """Draw arms with arrows as long as their gaps, by the definition of Auer et al."""
    figure, axes = plots.new_figure(height=3.8)
    means, front = instance.means, instance.pareto_set
    plots.scatter_arms(axes, means, front, labels=False)
    _name_arms(axes, instance.labels, means)
    gaps = pc.gaps(means, "auer")
    for k, (mean, gap) in enumerate(zip(means, gaps, strict=True)):
        if k not in front:
            _draw_arrow(axes, mean, mean + gap, plots.RED)
    for k in front:
        lead, start, end = _shortest_lead(means, front, k)
        if lead <= gaps[k] + 1e-12:
            _draw_arrow(axes, start, end, plots.GREEN)
    axes.set(xlim=(0, 3), ylim=(0, 3), **OBJECTIVES)
    return figure


def _shortest_lead(means, front, arm):
    """Smallest M between an arm and other optimal ones; both ends of the arrow that shows it."""
    others = [other for other in front if other != arm]
    pairs = [pair for other in others for pair in ((arm, other), (other, arm))]
    lead, ahead, behind = min(((means[a] - means[b]).max(), a, b) for a, b in pairs)
    end = means[behind].copy()
    c = (means[ahead] - means[behind]).argmax()
    end[c] = means[ahead, c]
    return lead, means[behind], end


def draw_race(rounds: Sequence[RacingRound], labels: Sequence[str], wait: RacingWait) -> Figure:
    """Draw the boxes of all arms in the last round of a wait, and what happens to each arm."""
    figure, (left, right) = plots.new_figure(1, 2, height=3.4, width_ratios=(1, 1.25))
    _draw_boxes(left, rounds, labels, wait)
    _draw_fates(right, rounds, labels)
    right.axvline(wait.last, color=plots.RED, ls="--", lw=1)
    staying = [sum(each.staying[k] for each in rounds) for k in range(len(labels))]
    for other in wait.needed_for:
        plots.require(
            abs(staying[wait.arm] - staying[other]) <= 1, "leaves the race with the arm below it"
        )
    return figure


def _draw_boxes(axes, rounds, labels, wait):
    """Draw what is known in the last round of a wait; arms that have left are faint."""
    now = rounds[wait.last - 1]
    plots.scatter_arms(axes, now.means, np.flatnonzero(now.sure | now.accepted), labels=False)
    _name_arms(axes, labels, now.means)
    for k, (mean, radius) in enumerate(zip(now.means, now.radius, strict=True)):
        colour = plots.BLUE if now.sure[k] or now.accepted[k] else plots.BLACK
        style = {"fill": False, "edgecolor": colour, "alpha": 1.0 if now.staying[k] else 0.3}
        axes.add_patch(Rectangle(mean - radius, *(2 * radius), lw=1, **style))
    for other in wait.needed_for:
        _draw_arrow(axes, now.means[wait.arm], now.means[other], plots.RED)
    axes.margins(0.08)
    axes.set(title=f"round {wait.last}", **OBJECTIVES)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MultipleLocator(1))


def _draw_fates(axes, rounds, labels):
    """Draw for each arm when it is open, when it waits, and when and how it leaves."""
    for row, _ in enumerate(labels):
        waits = [each.sure[row] and each.staying[row] for each in rounds]
        end = max(n for n, each in enumerate(rounds, start=1) if each.active[row])
        start = 0
        for waiting, run in itertools.groupby(waits[:end]):
            stop = start + len(list(run))
            colour, width = (plots.ORANGE, 5) if waiting else ("silver", 3)
            axes.plot([start, stop], [row, row], color=colour, lw=width, solid_capstyle="butt")
            start = stop
        optimal = rounds[-1].accepted[row]
        fill, edge = (plots.BLUE, plots.BLUE) if optimal else ("none", plots.BLACK)
        axes.scatter(end, row, s=46, color=fill, edgecolor=edge, zorder=3)
        words = "accepted" if optimal else "eliminated"
        plots.label_line(axes, len(rounds), row, words, plots.BLACK, dx=10)
    axes.set_yticks(range(len(labels)), labels)
    axes.invert_yaxis()
    axes.set(xlabel="round (samples of the arm)", xlim=(0, 1.35 * len(rounds)))


def _name_arms(axes: Axes, labels, means):
    """Write the names beside the arms."""
    for label, mean in zip(labels, means, strict=True):
        axes.annotate(label, mean, (-13, 3), textcoords="offset points", fontsize=10)


def _draw_arrow(axes: Axes, start, end, colour):
    """Draw an arrow."""
    arrow = {"arrowstyle": "->", "color": colour, "shrinkA": 0, "shrinkB": 0, "lw": 1.5}
    axes.annotate("", end, start, arrowprops=arrow)
