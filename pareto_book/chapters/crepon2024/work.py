"""How the work to free an arm grows: cells, nodes of the enumeration and of branch and bound."""

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from pareto_book.chapters.crepon2024.cells import cell_bound
from pareto_book.figures import plots
from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import Measurement, mean_of, ratio_of
from pareto_core.geometry.cells import cell_walk
from pareto_core.instances import generators
from pareto_core.transport.branch_and_bound import free_target, search_space
from pareto_core.transport.cell_search import cheapest_addition_by_cells

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "Scaling",
    "draw_scaling",
    "exponents",
    "measure_scaling",
    "random_weights",
    "scaling_table",
]

RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class Scaling(NamedTuple):
    """Work to free one arm from random fronts.

    Attributes
    ----------
    cells : dict of int to ndarray
        By number d of objectives: cells of the first 0, 1, ..., p arms of the largest front.
    nodes, seconds : dict of (int, int) to float
        Nodes that the enumeration visits, and its seconds, by d and p.
    bounded, spent : dict of (int, int) to ndarray
        Nodes of branch and bound on each instance, and its seconds, by d and p.
    """

    cells: dict[int, np.ndarray]
    nodes: dict[tuple[int, int], int]
    seconds: dict[tuple[int, int], float]
    bounded: dict[tuple[int, int], np.ndarray]
    spent: dict[tuple[int, int], np.ndarray]

    def at(self, p: int) -> list[float]:
        """Mean nodes of branch and bound with p arms, for each number of objectives."""
        return [self.bounded[d, p].mean() for d in self.cells]

    def doubling(self, p: int) -> Measurement:
        """Nodes of branch and bound with 2p arms over those with p, over all d."""
        more, fewer = (
            np.concatenate([self.bounded[d, each] for d in self.cells]) for each in (2 * p, p)
        )
        return ratio_of(more, fewer)

    def slower(self, d: int, p: int) -> Measurement:
        """Seconds of branch and bound over those of the enumeration."""
        return mean_of(self.spent[d, p]).times(1 / self.seconds[d, p])

    def rows(self) -> dict[str, Measurement | float]:
        """What is recorded: a number or a `Measurement`, by name."""
        relative = [each / (d - 1) for d, each in exponents(self).items()]
        return {
            "cells_growth": max(relative, key=lambda each: abs(each - 1)),
            "cells_large": self.cells[5][64],
            "nodes_large": self.nodes[5, 64],
            "search_nodes": mean_of(self.bounded[5, 64]),
            "search_late": self.doubling(128),
            "search_early": self.doubling(8),
        }

    def numbers(self) -> dict[str, Measurement | float]:
        """Further numbers that the text states."""
        return {
            "nodes_millions": self.nodes[5, 64] / 1e6,
            "nodes_least": min(self.at(64)),
            "nodes_most": max(self.at(64)),
        }


def random_weights(rng: np.random.Generator, n_arms: int) -> np.ndarray:
    """Draw proportions of the arms."""
    weights = rng.random(n_arms)
    return weights / weights.sum()


def _front_to_leave(rng, p, d):
    """Means and weights of a random front and a dominated arm, which is the last."""
    means = np.array(generators.spherical_front(p, d, rng).means)
    return means, rng.random(p + 1)


def _enumerated(means, weights):
    """Seconds to free the last arm by enumeration, and the nodes at each depth."""
    p, d = len(means) - 1, means.shape[1]
    walk, point = cell_walk(p, d), np.empty(d)
    start = time.thread_time()
    cheapest_addition_by_cells(means, weights, np.arange(p), np.array([p]), np.inf, point, walk)
    return time.thread_time() - start, walk.nodes


def _searched(means, weights):
    """Seconds to free the last arm by branch and bound, and the nodes it bounds."""
    p, d = len(means) - 1, means.shape[1]
    space, point = search_space(p + 1, d), np.empty(d)
    start = time.thread_time()
    free_target(means, weights, np.arange(p), p, p, np.inf, point, space)
    return time.thread_time() - start, space.nodes[0]


def measure_scaling(
    largest: Mapping[int, int], searched: Sequence[int], instances: int, seed: int
) -> Scaling:
    """Free an arm from random fronts, by enumeration and by branch and bound."""
    rng = np.random.default_rng(seed)
    _enumerated(*_front_to_leave(rng, 2, 2)), _searched(*_front_to_leave(rng, 2, 2))  # compile
    found = Scaling({}, {}, {}, {}, {})
    for d, most in largest.items():
        for p in sorted({*searched, *(2**k for k in range(1, 12) if 2**k <= most)}):
            if p <= most:
                found.seconds[d, p], nodes = _enumerated(*_front_to_leave(rng, p, d))
                found.nodes[d, p] = nodes.sum()
                found.cells[d] = nodes
            if p in searched:
                found.spent[d, p], found.bounded[d, p] = np.transpose(
                    [_searched(*_front_to_leave(rng, p, d)) for _ in range(instances)]
                )
    return found


def exponents(scaling: Scaling) -> dict[int, float]:
    """Fit the exponent of the cells in p to the three largest sizes, for each d."""
    found = {}
    for d, counts in scaling.cells.items():
        p = (len(counts) - 1) // 2 ** np.arange(3)
        found[d] = float(np.polyfit(np.log(p), np.log(counts[p]), 1)[0])
    return found


def draw_scaling(scaling: Scaling) -> Figure:
    """Draw cells against their bound, and nodes of enumeration and of branch and bound."""
    counts = scaling.cells
    on_bound = all(counts[d][p] == cell_bound(p, d) for d in counts for p in range(len(counts[d])))
    plots.require(on_bound, "lie on the binomial curve")
    below = all(counts[d][-1] < float(d) ** (len(counts[d]) - 1) for d in counts if d > 2)
    plots.require(below, "far below all assignments")
    both = scaling.nodes.keys() & scaling.bounded.keys()
    fewer = all(scaling.bounded[size].mean() < scaling.nodes[size] for size in both)
    plots.require(fewer, "fewer nodes than the enumeration everywhere")
    figure, (left, right) = plots.new_figure(1, 2, height=4.0, sharex=True, sharey=True)
    for d, cells in counts.items():
        most = len(cells) - 1
        p = np.unique(np.geomspace(1, most, 16).astype(int))
        left.plot(p, [cell_bound(n, d) for n in p.tolist()], color=plots.BLACK, lw=1)
        left.plot(p, cells[p], "o", color=plots.BLUE, ms=3.5)
        text, dy = (f"d = {d}", 0) if d == 2 else (f"{d}", 8)
        plots.label_line(left, most, cells[most], text, plots.BLUE, dx=3, dy=dy)
        if d in (2, 6):
            n = np.linspace(1, 24, 50)
            left.plot(n, float(d) ** n, "--", color=plots.RED, lw=1.2)
        _draw_nodes(right, scaling, d)
    plots.label_line(left, 9.5, 6.0**9, r"$6^p$", plots.RED, dx=-22)
    plots.label_line(left, 23, 2.0**23, r"$2^p$", plots.RED)
    plots.label_line(right, 1.1, 6e6, "enumeration", plots.BLUE, dx=0)
    plots.label_line(right, 70, 25, "branch and bound", plots.ORANGE, dx=0)
    left.set(xscale="log", yscale="log", ylim=(1, 3e7), xlim=(1, 9000))
    left.set(title="cells", xlabel="optimal arms p", ylabel="number", xticks=[1, 10, 100, 1000])
    right.set(title="nodes visited to free an arm", xlabel="optimal arms p")
    return figure


def _draw_nodes(axes, scaling, d):
    """Nodes of both methods for one number of objectives, labelled at their ends."""
    p = np.array([each for c, each in scaling.nodes if c == d])
    axes.plot(p, [scaling.nodes[d, each] for each in p], "-", color=plots.BLUE, lw=1.3)
    plots.label_line(axes, p[-1], scaling.nodes[d, p[-1]], f"{d}", plots.BLUE, dx=3)
    q = np.array([each for c, each in scaling.bounded if c == d])
    means = [mean_of(scaling.bounded[d, each]) for each in q]
    plots.curve(axes, q, means, plots.ORANGE)


def scaling_table(scaling: Scaling) -> "HTML":
    """Make a table of the largest sizes at which both methods were run."""
    rows = []
    for d, exponent in exponents(scaling).items():
        p = max(each for c, each in scaling.nodes.keys() & scaling.bounded.keys() if c == d)
        rows.append(
            {
                "d": d,
                "p": p,
                "assignments": f"{d}{str(p).translate(RAISED)}",
                "cells": scaling.cells[d][p],
                "fitted exponent of the cells": exponent,
                "nodes, enumeration": scaling.nodes[d, p],
                "nodes, branch and bound": mean_of(scaling.bounded[d, p]),
            }
        )
    caption = (
        "The largest sizes at which both were run. Exponents: fitted to the three largest p that "
        "were enumerated; they tend to d - 1. Branch and bound: "
        f"{len(scaling.bounded[2, 2])} random instances."
    )
    formats = dict.fromkeys(("nodes, enumeration", "nodes, branch and bound"), ",.0f")
    return show_table(
        pd.DataFrame(rows), caption, cells=",", **{"fitted exponent of the cells": ".2f"}, **formats
    )
