"""Dominated arms that approach the border: what two stages pay, and what e-cAPE pays (Figure 1)."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import pareto_core as pc
from pareto_book.chapters.kone2025constrained.contests import Contests, reading
from pareto_book.chapters.kone2025constrained.roles import draw_arms
from pareto_book.figures import plots
from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import Measurement, rate_of, samples_ratio
from pareto_book.studies.constrained_complexity import lowest_complexity, two_stage_complexity
from pareto_core.instances.constrained_instances import two_stage_hard
from pareto_core.questions import DOMINATED

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "called_dominated",
    "complexity_slope",
    "draw_hardening",
    "growth_frame",
    "growth_table",
    "stages_over_least",
]


def growth_frame(results: Contests, closeness: Iterable[float]) -> pd.DataFrame:
    """Summarise complexities and samples at each distance from the border."""
    rows = []
    for epsilon in closeness:
        instance = two_stage_hard(epsilon)
        least = lowest_complexity(instance.means, instance.polyhedron)[0]
        stages = two_stage_complexity(instance.means, instance.polyhedron)
        rows += [
            {
                "ε": epsilon,
                "c_U": constant,
                "C*": least,
                "two stages": stages,
                "ratio": stages / least,
                "e-cAPE, samples": runs["e-cAPE"].samples.mean(),
                "two stages, samples": runs["two stages"].samples.mean(),
                "ratio of samples": samples_ratio(runs, "two stages", "e-cAPE"),
            }
            for (title, constant, _), runs in results.items()
            if title == f"ε = {epsilon:g}"
        ]
    return pd.DataFrame(rows)


def growth_table(growth: pd.DataFrame, caption: str) -> "HTML":
    """Make a table of the result of `growth_frame`."""
    return show_table(
        growth,
        caption,
        **dict.fromkeys(("C*", "two stages", "ratio", "ratio of samples"), ",.1f"),
        **dict.fromkeys(("e-cAPE, samples", "two stages, samples"), ",.0f"),
        c_U="g",
    )


def stages_over_least(instance: pc.Instance) -> float:
    """Complexity of two stages over that of e-cAPE."""
    least = lowest_complexity(instance.means, instance.polyhedron)[0]
    return two_stage_complexity(instance.means, instance.polyhedron) / least


def complexity_slope(near: float, nearer: float) -> float:
    """Slope in the distance, on logarithmic scales, of the ratio of both complexities."""
    ratios = [stages_over_least(two_stage_hard(epsilon)) for epsilon in (near, nearer)]
    return np.log(ratios[1] / ratios[0]) / np.log(nearer / near)


def called_dominated(results: Contests, title: str, arm: int) -> dict[str, Measurement]:
    """Share of the runs of e-cAPE that call an arm dominated, in each reading."""
    return {
        reading(constant, risk): rate_of(runs["e-cAPE"].answers[:, arm] == DOMINATED)
        for (name, constant, risk), runs in results.items()
        if name == title
    }


def draw_hardening(growth: pd.DataFrame, shown: pc.Instance) -> Figure:
    """Draw the instance, and the ratios of complexities and samples as it hardens."""
    figure, (left, right) = plots.new_figure(1, 2, height=3.0)
    left.axhspan(0, 1.2, color=plots.SKY, alpha=0.15, lw=0)
    draw_arms(left, shown.means, shown.polyhedron, "012")
    left.set(xlim=(0, 1.2), ylim=(-0.3, 1.2), xlabel="objective 1", ylabel="objective 2")
    closeness = growth["ε"].unique()
    constants = growth["c_U"].unique()
    theory = growth.drop_duplicates("ε")["ratio"].to_numpy()
    plots.require((np.diff(theory) > 0).all(), "grow as the distance shrinks")
    lines = [("theory", theory, plots.BLACK, "s--")]
    for constant, colour in zip(constants, (plots.BLUE, plots.SKY), strict=True):
        measured = [each.value for each in growth[growth["c_U"] == constant]["ratio of samples"]]
        plots.require((np.diff(measured) > 0).all(), "grow as the distance shrinks")
        lines.append((f"$c_U={constant:g}$", measured, colour, "o-"))
    for name, values, colour, style in lines:
        right.plot(closeness, values, style, color=colour)
        plots.label_line(right, closeness[-1], values[-1], name, colour)
    right.plot(closeness, theory[-1] * (closeness[-1] / closeness) ** 2, ":", color="grey")
    right.set(xscale="log", yscale="log", xlabel="ε", ylabel="two stages / e-cAPE")
    right.set_xticks(closeness, [f"{e:g}" for e in closeness])
    right.minorticks_off()
    right.set_xlim(1.1 * closeness[0], 0.6 * closeness[-1])
    return figure
