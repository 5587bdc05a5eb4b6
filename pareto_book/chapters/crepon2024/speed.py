"""The speed-up with two objectives (Table 1): a sweep against the enumeration of cells."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import pareto_core as pc
from pareto_book.chapters.crepon2024.lemmas import random_weights
from pareto_book.figures import plots
from pareto_book.figures.tables import show_table
from pareto_book.figures.timing import seconds_side_by_side
from pareto_book.records.measurements import Measurement, mean_of, ratio_of
from pareto_book.records.published import read_published
from pareto_book.studies.cost_batches import cell_costs, sweep_costs
from pareto_core.instances import generators

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "SpeedUp",
    "draw_speed_up",
    "measure_speed_up",
    "published_exponent",
    "published_times",
    "speed_up_table",
]

LARGE = 32  # optimal arms from which growth is measured


class SpeedUp(NamedTuple):
    """Seconds of four programs on the same random instances.

    Attributes
    ----------
    seconds : dict of int to ndarray, shape (batches, 4)
        By the number of optimal arms, mean seconds of one cost in each batch: kernel of the sweep,
        kernel of the enumeration, and calls of both from Python.
    instances : dict of int to int
        Instances of each size.
    """

    seconds: dict[int, np.ndarray]
    instances: dict[int, int]

    def kernels(self) -> dict[int, Measurement]:
        """Time by enumeration over time by the sweep, compiled in a loop over instances."""
        return self._ratios(1, 0)

    def calls(self) -> dict[int, Measurement]:
        """The same for calls from Python, which check their inputs."""
        return self._ratios(3, 2)

    def _ratios(self, dividend, divisor):
        return {
            p: ratio_of(each[:, dividend], each[:, divisor], paired=True)._replace(
                runs=self.instances[p]
            )
            for p, each in self.seconds.items()
        }

    def growth(self, dividend: int = 1, divisor: int = 0) -> Measurement:
        """Growth exponent in p of the ratio of two programs' times, for many arms."""
        large = [p for p in self.seconds if p >= LARGE]
        ratios = [self.seconds[p][:, dividend] / self.seconds[p][:, divisor] for p in large]
        return mean_of(np.polyfit(np.log(large), np.log(ratios), 1)[0])

    def share_of_calls(self, p: int) -> Measurement:
        """The ratio by calls from Python over that by kernels."""
        sweep, cells, sweep_call, cells_call = self.seconds[p].T
        return mean_of(cells_call / sweep_call * sweep / cells)

    def units(self, p: int) -> dict[str, float]:
        """Seconds for a node and for a step, published and ours; and of the input of a call."""
        nodes, steps = math.comb(p + 2, 2), 2 * p
        theirs, ours = published_times().loc[p], self.seconds[p].mean(axis=0)
        least = self.seconds[min(self.seconds)]
        return {
            "theirs_node": theirs["tn"] / nodes,
            "ours_node": ours[1] / nodes,
            "theirs_step": theirs["t2"] / steps,
            "ours_step": ours[0] / steps,
            "call": (least[:, 2] - least[:, 0]).mean(),
        }

    def over_published(self) -> np.ndarray:
        """Our ratios by kernels over the published ones."""
        return np.array([each.value for each in self.kernels().values()]) / np.array(
            [published_times().loc[p, "ratio"] for p in self.seconds]
        )


def published_times() -> pd.DataFrame:
    """The paper's Table 1 by p: ``ratio``, and seconds of the sweep and of the enumeration."""
    return read_published("crepon2024_table1").astype(float).set_index("p")


def published_exponent() -> float:
    """Growth exponent in p of the published ratio, for many arms."""
    late = published_times().loc[LARGE:]
    return float(np.polyfit(np.log(late.index), np.log(late["ratio"]), 1)[0])


def _public(method):
    """Costs by calls from Python."""

    def costs_by_calls(means, weights, costs):
        for n in range(len(costs)):
            costs[n] = pc.transport_cost(means[n], weights[n], method).value

    return costs_by_calls


def _staircases(rng, p, size):
    """Random instances with random weights, and room for their costs."""
    means = [generators.staircase_front(p, rng).means for _ in range(size)]
    weights = [random_weights(rng, p + 1) for _ in range(size)]
    return np.array(means), np.array(weights), np.empty(size)


def measure_speed_up(arms: Sequence[int], batches: int, seed: int) -> SpeedUp:
    """Time sweep and enumeration in turn on the same random staircases.

    Parameters
    ----------
    arms : sequence of int
        Numbers of optimal arms.
    batches : int
        Batches of 5 to 100 instances, fewer for many arms.
    seed : int
        Seed of the instances.

    Returns
    -------
    SpeedUp
    """
    programs = (sweep_costs, cell_costs, _public("sweep"), _public("cells"))
    sizes = {p: max(5, min(100, 1280 // p)) for p in arms}
    rng = np.random.default_rng(seed)
    seconds = {
        p: seconds_side_by_side(programs, [_staircases(rng, p, size) for _ in range(batches)])
        / size
        for p, size in sizes.items()
    }
    return SpeedUp(seconds, {p: size * batches for p, size in sizes.items()})


def speed_up_table(speed: SpeedUp, caption: str) -> "HTML":
    """Make a table of ratios and times, published and measured.

    Parameters
    ----------
    speed : SpeedUp
        From `measure_speed_up`.
    caption : str
        Plain text.

    Returns
    -------
    IPython.display.HTML
    """
    theirs = published_times().loc[list(speed.seconds)]
    frame = pd.DataFrame(
        {
            "p": list(speed.seconds),
            "instances": list(speed.instances.values()),
            "ratio, published": theirs["ratio"].to_numpy(),
            "ratio, kernels": list(speed.kernels().values()),
            "ratio, public calls": list(speed.calls().values()),
            "sweep, published": 1e6 * theirs["t2"].to_numpy(),
            "sweep, kernel": [1e6 * each[:, 0].mean() for each in speed.seconds.values()],
            "cells, published": 1e6 * theirs["tn"].to_numpy(),
            "cells, kernel": [1e6 * each[:, 1].mean() for each in speed.seconds.values()],
        }
    )
    formats = dict.fromkeys(frame.columns[2:5], ".3g")
    formats |= dict.fromkeys(("sweep, published", "cells, published"), ",.0f")
    formats |= dict.fromkeys(("sweep, kernel", "cells, kernel"), ",.1f")
    return show_table(frame, caption, **formats)


def draw_speed_up(speed: SpeedUp) -> Figure:
    """Draw the speed-up against the number of optimal arms, published and measured.

    Parameters
    ----------
    speed : SpeedUp
        From `measure_speed_up`.

    Returns
    -------
    matplotlib.figure.Figure
    """
    kernels, calls = list(speed.kernels().values()), list(speed.calls().values())
    values = np.array([[each.value for each in found] for found in (kernels, calls)])
    plots.require((np.diff(values[:, 2:]) > 0).all(), "rising curves")
    plots.require((values[0] > 1).all(), "above 1 everywhere")
    plots.require(values[1, 0] < values[0, 0], "starts below it")
    p = np.array(list(speed.seconds))
    theirs = published_times().loc[p, "ratio"].to_numpy()
    figure, axes = plots.new_figure(height=3.4)
    axes.plot(p, (p + 1) * (p + 2) / (4 * p), ":", color=plots.BLACK, lw=1.2)
    axes.plot(p, theirs, "^--", color="grey", ms=6)
    plots.curve(axes, p, kernels, plots.BLUE)
    plots.curve(axes, p, calls, plots.ORANGE)
    axes.axhline(1, color="grey", lw=0.8)
    for height, text, colour in (
        ((p[-1] + 1) * (p[-1] + 2) / (4 * p[-1]), "nodes over steps", plots.BLACK),
        (theirs[-1], "published", "grey"),
        (values[0, -1], "kernels", plots.BLUE),
        (values[1, -1], "public calls", plots.ORANGE),
    ):
        plots.label_line(axes, p[-1], height, text, colour, dx=8)
    axes.set(xscale="log", yscale="log", xlim=(1.7, 1900), xticks=p, xticklabels=p)
    axes.set(xlabel="optimal arms p", ylabel="enumeration over sweep")
    axes.minorticks_off()
    return figure
