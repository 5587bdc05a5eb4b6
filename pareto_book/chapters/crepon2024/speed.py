"""The speed-up with two objectives (Table 1): a sweep against the enumeration of cells."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import pareto_core as pc
from pareto_book.chapters.crepon2024.work import random_weights
from pareto_book.claims.published import read_published
from pareto_book.figures import plots
from pareto_book.figures.tables import show_table
from pareto_book.figures.timing import seconds_side_by_side
from pareto_book.records.measurements import Measurement, mean_of, ratio_of
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
    "times_table",
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

    def rows(self) -> dict[str, dict[str, Any]]:
        """Arguments of `Scorecard.record`, by claim."""
        name = "public calls, with their checks"
        calls, found = self.calls(), {}
        for p, ratio in self.kernels().items():
            found[f"table1_ratio{p}"] = ratio._asdict() | {"others": {name: calls[p]}}
            if p in (2, 32, 512):
                for program, mean in zip(("sweep", "cells"), self.seconds[p].mean(0), strict=False):
                    row = {"value": mean, "runs": self.instances[p]}
                    found[f"table1_{program}{p}"] = row
        growth = self.growth()._asdict() | {"others": {name: self.growth(3, 2)}}
        return found | {"table1_growth": growth, "call_share": self.share_of_calls(2)._asdict()}

    def numbers(self) -> dict[str, Measurement | float]:
        """What the text says: published times in microseconds, ours in nanoseconds."""
        units, over = self.units(512), self.over_published()
        scale = {"theirs": 1e6, "ours": 1e9}
        return {
            "over_least": over.min(),
            "over_most": over.max(),
            **{
                f"{whose}_{what}": factor * units[f"{whose}_{what}"]
                for whose, factor in scale.items()
                for what in ("node", "step")
            },
            "call_microseconds": 1e6 * units["call"],
            "published_growth": published_exponent(),
            "call_two": self.calls()[2],
            "kernel_two": self.kernels()[2],
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
    """Time sweep and enumeration in turn on the same random staircases."""
    programs = (sweep_costs, cell_costs, _public("sweep"), _public("cells"))
    sizes = {p: max(5, min(100, 1280 // p)) for p in arms}
    rng = np.random.default_rng(seed)
    seconds = {
        p: seconds_side_by_side(programs, [_staircases(rng, p, size) for _ in range(batches)])
        / size
        for p, size in sizes.items()
    }
    return SpeedUp(seconds, {p: size * batches for p, size in sizes.items()})


def speed_up_table(speed: SpeedUp) -> "HTML":
    """Make a table of the ratios of both times, published and measured."""
    frame = pd.DataFrame(
        {
            "p": list(speed.seconds),
            "published": published_times().loc[list(speed.seconds), "ratio"].to_numpy(),
            "kernels": list(speed.kernels().values()),
            "public calls": list(speed.calls().values()),
            "instances": list(speed.instances.values()),
        }
    )
    caption = (
        "Time by enumeration over time by the sweep, with 95 % intervals, by the number p of "
        "optimal arms."
    )
    return show_table(frame, caption, **dict.fromkeys(frame.columns[1:4], ".3g"))


def times_table(speed: SpeedUp) -> "HTML":
    """Make a table of the times behind the ratios."""
    theirs = published_times().loc[list(speed.seconds)]
    frame = pd.DataFrame(
        {
            "p": list(speed.seconds),
            "sweep, published": 1e6 * theirs["t2"].to_numpy(),
            "sweep, kernel": [1e6 * each[:, 0].mean() for each in speed.seconds.values()],
            "cells, published": 1e6 * theirs["tn"].to_numpy(),
            "cells, kernel": [1e6 * each[:, 1].mean() for each in speed.seconds.values()],
        }
    )
    formats = dict.fromkeys(("sweep, published", "cells, published"), ",.0f")
    formats |= dict.fromkeys(("sweep, kernel", "cells, kernel"), ",.1f")
    caption = "Mean microseconds of one transportation cost, by the number p of optimal arms."
    return show_table(frame, caption, **formats)


def draw_speed_up(speed: SpeedUp) -> Figure:
    """Draw the speed-up against the number of optimal arms, published and measured."""
    kernels, calls = list(speed.kernels().values()), list(speed.calls().values())
    values = np.array([[each.value for each in found] for found in (kernels, calls)])
    plots.require((values[:, -1] > 4 * values[:, 0]).all(), "rising curves")
    p = np.array(list(speed.seconds))
    theirs = published_times().loc[p, "ratio"].to_numpy()
    figure, axes = plots.new_figure(height=3.4)
    axes.plot(p, (p + 1) * (p + 2) / (4 * p), ":", color=plots.BLACK, lw=1.2)
    axes.plot(p, theirs, "^--", color="grey", ms=6)
    plots.curve(axes, p, kernels, plots.BLUE)
    plots.curve(axes, p, calls, plots.ORANGE)
    axes.axhline(1, color="grey", lw=0.8)
    nodes = (p[-1] + 1) * (p[-1] + 2) / (4 * p[-1])
    plots.label_line(axes, p[-1], nodes, "nodes over steps", plots.BLACK, dx=8)
    plots.label_line(axes, p[3], values[0, 3], "kernels", plots.BLUE, dx=-50, dy=8)
    plots.label_line(axes, p[-1], theirs[-1], "published", "grey", dx=8)
    plots.label_line(axes, p[4], values[1, 4], "public calls", plots.ORANGE, dx=6, dy=-10)
    axes.set(xscale="log", yscale="log", xlim=(1.7, 1600), xticks=p, xticklabels=p)
    axes.set(xlabel="optimal arms p", ylabel="enumeration over sweep")
    axes.minorticks_off()
    return figure
