"""Times of a cost and of T* as the number of systems grows; numbers of phantoms."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import matplotlib.lines
import matplotlib.ticker
import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.figures import plots
from pareto_book.figures.tables import show_table
from pareto_book.figures.timing import shortest_time

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = ["count_phantoms", "draw_scale", "show_times", "systems", "time_scale"]

RADIUS = 6.0  # of the ball, in standard deviations, as in the problems of MOSCORE
CORRELATION = 0.4  # of two objectives, where the noise is known
GAP = 1e-3  # certified, of T*
COMPILING = 150  # systems of an instance whose times are not kept
COLOURS = {2: plots.PURPLE, 3: plots.BLUE, 4: plots.ORANGE, 5: plots.GREEN}


def systems(n_arms: int, n_objectives: int, n_front: int | None, seed: int = 0) -> pc.Instance:
    """Systems in a ball, as in the problems of MOSCORE, with larger means better.

    Parameters
    ----------
    n_arms, n_objectives : int
        Numbers K and d.
    n_front : int or None
        Number of optimal systems, uniform on the part of the sphere above its centre in all
        objectives. The others are uniform among the points of the ball that these dominate. If
        None, all systems are uniform in the ball, and the number of optimal ones follows.
    seed : int, default 0
        Seed of the means.

    Returns
    -------
    Instance
        With noise of unit variance; systems are in random order.

    References
    ----------
    HunterResearch/MOSCORE_Python, functions create_fixed_pareto_random_problem and
    create_variable_pareto_random_problem, without a smallest distance between systems.

    Examples
    --------
    >>> instance = systems(50, 3, 4)
    >>> instance.means.shape, len(instance.pareto_set)
    ((50, 3), 4)
    """
    rng = np.random.default_rng([seed, n_arms, n_objectives, n_front or 0])
    means = _on_sphere(n_front or 0, n_objectives, rng)
    means = front = np.abs(means)
    while len(means) < n_arms:
        points = _on_sphere(n_arms, n_objectives, rng)
        points *= rng.random((n_arms, 1)) ** (1 / n_objectives)
        if n_front is not None:
            points = points[(front > points[:, None]).all(axis=2).any(axis=1)]
        means = np.vstack([means, points])[:n_arms]
    return pc.Instance(RADIUS * rng.permutation(means))


def _on_sphere(n_points, n_objectives, rng):
    """Uniform points on the unit sphere."""
    directions = rng.standard_normal((n_points, n_objectives))
    return directions / np.linalg.norm(directions, axis=1, keepdims=True)


def time_scale(
    ladders: Mapping[tuple[int, int | None], Sequence[int]], seeds: Sequence[int] = (0,)
) -> pd.DataFrame:
    """Measure times on systems in a ball.

    Times of instances of the same size differ by factors, because some are much harder.

    Parameters
    ----------
    ladders : dict of (int, int or None) to sequence of int
        Numbers of systems, by the numbers of objectives and of optimal systems, see `systems`.
    seeds : sequence of int, default (0,)
        Seeds of the systems: one instance of each size for each seed.

    Returns
    -------
    pandas.DataFrame
        One row for each size, with the columns ``d``, ``family`` ("10 optimal" or "random front")
        and ``K``; of the others the median over the instances. They are ``p`` and processor times
        of one thread:

        * ``cost``, ``cost with noise``: milliseconds of a transportation cost and its gradient at
          equal shares, with unit variance and with correlated noise;
        * ``cost at best shares``: the same at the shares of T*, where most alternatives tie;
        * ``T*``: seconds to a certified gap of 1e-3, and its ``iterations``.
    """
    _time_systems(COMPILING, 3, 10, 0)
    rows = [
        _time_systems(n_arms, d, n_front, seed)
        for (d, n_front), ladder in ladders.items()
        for n_arms in ladder
        for seed in seeds
    ]
    frame = pd.DataFrame(rows)
    return frame.groupby(["d", "family", "K"], as_index=False).median()


def _time_systems(n_arms, d, n_front, seed):
    """One row of `time_scale`."""
    instance = systems(n_arms, d, n_front, seed)
    means, equal = instance.means, np.full(n_arms, 1 / n_arms)
    covariance = np.where(np.eye(d) > 0, 1.0, CORRELATION)
    seconds, best = shortest_time(pc.characteristic_time, means, GAP, repeats=1)
    return {
        "d": d,
        "family": "random front" if n_front is None else f"{n_front} optimal",
        "K": n_arms,
        "p": len(instance.pareto_set),
        "cost": _milliseconds(means, equal),
        "cost with noise": _milliseconds(means, equal, covariance=covariance),
        "cost at best shares": _milliseconds(means, best.weights),
        "T*": seconds,
        "iterations": best.iterations,
    }


def _milliseconds(means, weights, **noise):
    """Time of a cost and its gradient, the shortest of five."""
    return 1e3 * shortest_time(pc.transport_cost, means, weights, **noise)[0]


def show_times(frame: pd.DataFrame) -> "HTML":
    """Show a table of what `time_scale` measured."""
    formats = {"K": ",", "p": ".0f", "cost, ms": ".3f", "T*, s": ".2f"}
    names = {"cost": "cost, ms", "T*": "T*, s"}
    table = frame[["d", "family", "K", "p", *names]].rename(columns=names)
    return show_table(table, "Times of a cost with its gradient, and of T*.", **formats)


def count_phantoms(fronts: Mapping[int, Iterable[int]], seed: int = 0) -> pd.DataFrame:
    """Count the phantoms and the non-empty cells of fronts on a sphere.

    Parameters
    ----------
    fronts : dict of int to iterable of int
        Numbers of optimal systems, by the number of objectives.
    seed : int, default 0
        Seed of the fronts.

    Returns
    -------
    pandas.DataFrame
        Columns ``d``, ``p``, ``phantoms``, of `phantoms`, and ``cells``, of `count_cells`. The
        phantom program has a constraint for each phantom and dominated system.
    """
    rows = []
    for d, sizes in fronts.items():
        for p in sizes:
            front = systems(p, d, p, seed).means
            rows.append(
                {
                    "d": d,
                    "p": p,
                    "phantoms": len(pc.phantoms(front)),
                    "cells": pc.count_cells(front),
                }
            )
    return pd.DataFrame(rows)


def draw_scale(scale: pd.DataFrame, counts: pd.DataFrame) -> pd.DataFrame:
    """Draw times against the number of systems, and numbers of phantoms against the front.

    Parameters
    ----------
    scale : pandas.DataFrame
        Result of `time_scale`.
    counts : pandas.DataFrame
        Result of `count_phantoms`.

    Returns
    -------
    pandas.DataFrame
        Exponents fitted on the logarithms, of each column in K (in p for ``phantoms`` and
        ``cells``), by number of objectives and family.
    """
    figure, panels = plots.new_figure(1, 3, height=3.3)
    _draw_times(panels[0], scale, {"cost": "-", "cost at best shares": "--"}, "ms per cost")
    _draw_times(panels[1], scale, {"T*": "-"}, "seconds to T*")
    _draw_counts(panels[2], counts)
    handles = [
        matplotlib.lines.Line2D([], [], color=COLOURS[d], label=f"d = {d}")
        for d in sorted({*scale["d"], *counts["d"]})
    ]
    handles += [
        matplotlib.lines.Line2D([], [], color=plots.BLACK, ls="", label=family, **style)
        for family, style in _markers(scale).items()
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=4, fontsize=9)
    plots.save(figure, "ranking_selection", "scale")
    return _exponents(scale, counts)


def _markers(scale):
    """Marker of each family: hollow dots for a random front, filled ones for the others."""
    shapes, markers = iter("os^Dv"), {}
    for family in sorted(scale["family"].unique()):
        if family == "random front":
            markers[family] = {"marker": "o", "ms": 4, "mfc": "white"}
        else:
            markers[family] = {"marker": next(shapes), "ms": 4}
    return markers


def _draw_times(axes, scale, styles, label):
    """One panel of times, a line for each column, number of objectives and family."""
    markers = _markers(scale)
    for (d, family), part in scale.groupby(["d", "family"]):
        for column, style in styles.items():
            look = {"color": COLOURS[d], "ls": style, "lw": 1.2} | markers[family]
            axes.plot(part["K"], part[column], **look)
    _use_logarithms(axes, "systems K", label)
    sizes = sorted(set(scale["K"]))
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])


def _draw_counts(axes, counts):
    """Numbers of phantoms and of cells against the number of optimal systems."""
    for d, part in counts.groupby("d"):
        axes.plot(part["p"], part["phantoms"], "o-", color=COLOURS[d], ms=4)
        axes.plot(part["p"], part["cells"], "x:", color=COLOURS[d], ms=4)
    _use_logarithms(axes, "optimal systems p", "phantoms, cells (dotted)")


def _use_logarithms(axes, x_label, y_label):
    axes.set(xscale="log", yscale="log", xlabel=x_label, ylabel=y_label)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(matplotlib.ticker.LogLocator(subs=(1, 2, 5)))
        axis.set_major_formatter(matplotlib.ticker.FormatStrFormatter("%g"))
        axis.set_minor_formatter(matplotlib.ticker.NullFormatter())


def _exponents(scale, counts):
    """Slopes of the logarithms of all columns."""
    timed = ["cost", "cost at best shares", "T*"]
    rows = []
    for (d, family), part in scale.groupby(["d", "family"]):
        row = {name: _slope(part["K"], part[name]) for name in timed}
        rows.append({"d": d, "family": family} | row)
    for d, part in counts.groupby("d"):
        row = {name: _slope(part["p"], part[name]) for name in ("phantoms", "cells")}
        rows.append({"d": d, "family": "front alone"} | row)
    return pd.DataFrame(rows)


def _slope(sizes, numbers):
    return np.polyfit(np.log(sizes), np.log(numbers), 1)[0]
