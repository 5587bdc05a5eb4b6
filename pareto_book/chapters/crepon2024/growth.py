"""Run times of the transportation cost as fronts grow (Figure 4 of the paper)."""

import math
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import pareto_core as pc
from pareto_book.chapters.crepon2024.work import random_weights
from pareto_book.claims.published import read_published
from pareto_book.figures import plots
from pareto_book.figures.tables import show_table
from pareto_core.geometry.cells import count_nodes
from pareto_core.instances import generators

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = ["draw_growth", "growth_exponents", "growth_table", "measure_growth", "rows_of_growth"]

MOST_OBJECTIVES, MOST_ARMS = 5, 64  # that the enumeration of cells can take


def published_growth() -> pd.DataFrame:
    """Seconds that the paper's Figure 4 shows, by p and d."""
    return read_published("crepon2024_fig4").astype(float)


def measure_growth(
    objectives: Sequence[int], arms: Sequence[int], instances: int, seed: int
) -> pd.DataFrame:
    """Measure the mean time of one transportation cost on random fronts."""
    rng = np.random.default_rng(seed)
    for method in ("cells", "branch_and_bound"):  # compile
        pc.transport_cost([[0.0, 0.0], [1.0, 1.0]], [1.0, 1.0], method)
    rows = []
    for d in objectives:
        for p in arms:
            fronts = [generators.spherical_front(p, d, rng) for _ in range(instances)]
            row = {"d": d, "p": p, "branch and bound": _mean(rng, fronts, "branch_and_bound")}
            if d <= MOST_OBJECTIVES and p <= MOST_ARMS:
                number = instances // 5 if p == MOST_ARMS else instances
                row["cells"] = _mean(rng, fronts[:number], "cells")
            rows.append(row)
    return pd.DataFrame(rows)


def _mean(rng, fronts, method):
    """Mean time of one transportation cost with random weights."""
    seconds = []
    for front in fronts:
        weights = random_weights(rng, front.n_arms)
        start = time.thread_time()
        pc.transport_cost(front.means, weights, method)
        seconds.append(time.thread_time() - start)
    return np.mean(seconds)


def growth_exponents(growth: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Fit exponents in p: of the nodes that the enumeration visits, and of both times."""
    rng = np.random.default_rng(seed)
    sizes = np.array([4, 8, 16, 32])
    rows = []
    for d in range(2, MOST_OBJECTIVES + 1):
        points = np.array(generators.spherical_front(32, d, rng).means[:-1])
        nodes = np.log(count_nodes(points).cumsum()[sizes])
        ours = growth[growth["d"] == d].set_index("p")["cells"]
        theirs = published_growth().set_index("p")[f"d{d}"]
        rows.append(
            {
                "d": d,
                "nodes": (nodes[3] - nodes[1]) / np.log(4),
                "seconds, published": np.log(theirs[32] / theirs[8]) / np.log(4),
                "seconds, here": np.log(ours[32] / ours[8]) / np.log(4),
                "squared correlation": np.corrcoef(np.log(sizes), nodes)[0, 1] ** 2,
            }
        )
    return pd.DataFrame(rows)


def rows_of_growth(exponents: pd.DataFrame) -> dict[str, float]:
    """Measure whether nodes grow like a power of p, with an exponent in proportion to d."""
    share = exponents["nodes"] / exponents["d"]
    return {
        "fig4_linear": exponents["squared correlation"].min(),
        "fig4_proportional": share.max() / share.min(),
    }


def growth_table(exponents: pd.DataFrame) -> "HTML":
    """Make a table of the exponents."""
    caption = (
        "Growth exponents in p, from p = 8 to 32, and the squared correlation of log(nodes) and "
        "log(p), p = 4 to 32."
    )
    formats = dict.fromkeys(exponents.columns[1:4], ".2f") | {"squared correlation": ".4f"}
    return show_table(exponents, caption, **formats)


def draw_growth(growth: pd.DataFrame) -> Figure:
    """Draw the published times, those of our enumeration, and those of branch and bound."""
    theirs = published_growth()
    theirs = theirs[theirs["p"] >= 4]
    groups = growth.groupby("d")
    figure, panels = plots.new_figure(1, len(groups), height=2.9, sharey=True, sharex=True)
    for axes, (d, group) in zip(panels, groups, strict=True):
        p = group["p"].to_numpy()
        if d <= MOST_OBJECTIVES:
            axes.plot(theirs["p"], theirs[f"d{d}"], "^-", color="grey", ms=4)
            axes.plot(p, group["cells"], "o-", color=plots.BLUE, ms=4)
            steps = np.array([math.comb(int(n) + d, d) for n in p[:5]])
            slope = group["cells"].iloc[4] * steps / steps[-1]
            axes.plot(p[:5], slope, ":", color=plots.BLACK)
        axes.plot(p, group["branch and bound"], "s-", color=plots.ORANGE, ms=4)
        axes.set(xscale="log", yscale="log", title=f"d = {d}", xlabel="p")
    plots.label_line(panels[0], 4, 200 * theirs["d2"].iloc[0], "published", "grey", dx=0)
    middle = groups.get_group(4)["cells"].iloc[0]
    plots.label_line(panels[2], 4, 60 * middle, "cells", plots.BLUE, dx=0)
    last = groups.get_group(max(groups.groups))["branch and bound"]
    text = "branch\nand bound"
    plots.label_line(panels[-1], 4, 40 * last.iloc[0], text, plots.ORANGE, dx=0)
    panels[0].set_ylabel("seconds")
    return figure
