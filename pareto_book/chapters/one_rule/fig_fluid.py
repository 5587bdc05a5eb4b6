"""Relative distance to the optimum with known means, against the number of samples."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure

import pareto_core as pc
from pareto_book.chapters.one_rule.cases import Case
from pareto_book.chapters.one_rule.fluid import fluid_path, held_targets, relative_distance
from pareto_book.figures import plots

__all__ = ["RULE", "Approach", "approach", "draw_fluid"]

RULE = "shares of evidence"
COLOURS = {RULE: plots.BLUE}
OTHERS = (plots.ORANGE, plots.GREEN, plots.RED, plots.PURPLE)
SMALLEST = 1e-6  # relative distance that the certified optimum resolves


class Approach(NamedTuple):
    """How rules approach the optimum of one question.

    Attributes
    ----------
    case : Case
        The question.
    times : ndarray of int, shape (n,)
        Numbers of samples.
    distances : dict of str to ndarray, shape (n,)
        Relative distance 1 - C(w)/C*, by rule.
    """

    case: Case
    times: np.ndarray
    distances: dict[str, np.ndarray]


def approach(case: Case, rivals: Mapping[str, pc.Algorithm], times: Sequence[int]) -> Approach:
    """Follow the rule, and the kernels of other algorithms, with known means."""
    times, optimum = np.asarray(times), case.optimum()
    path = fluid_path(case, int(times[-1]))
    behind = 1 - optimum.time * path.costs / path.times
    distances = {RULE: behind[times - path.times[0]]}
    for name, algorithm in rivals.items():
        proportions = held_targets(algorithm, case.instance, times)
        distances[name] = relative_distance(case, proportions, optimum.time)
    return Approach(case, times, distances)


def draw_fluid(found: Sequence[Approach]) -> Figure:
    """Draw a panel for each question, with a labelled line for each rule."""
    figure, panels = plots.new_figure(1, len(found), height=3.4, sharey=True)
    for axes, each in zip(panels, found, strict=True):
        ends = {name: values[-1] for name, values in each.distances.items()}
        plots.require(min(ends, key=ends.get) == RULE, "lowest at the right end")
        _draw_panel(axes, each)
    panels[0].set_ylabel("$1-C(w_t)/C^\\star$")
    return figure


def _draw_panel(axes, each):
    """Draw one question; the lines are named in their colours, in an empty corner."""
    others = [name for name in each.distances if name != RULE]
    colours = COLOURS | dict(zip(others, OTHERS, strict=False))
    for name, values in each.distances.items():
        shown = np.maximum(values, SMALLEST)
        axes.plot(each.times, shown, color=colours[name], lw=2.2 if name == RULE else 1.4)
    for row, name in enumerate([RULE, *others[::-1]]):
        corner = {"transform": axes.transAxes, "fontsize": 9, "color": colours[name]}
        axes.text(0.05, 0.05 + 0.08 * row, name, **corner)
    axes.set(xscale="log", yscale="log", xlabel="samples $t$", ylim=(1e-4, 1.2))
    axes.set_title(each.case.name, fontsize=10)
