"""Bonuses of APE: how many comparisons a union covers, and what they cost."""

import dataclasses
from collections.abc import Mapping

from matplotlib.figure import Figure

import pareto_core as pc
from pareto_book.figures import plots
from pareto_book.records.measurements import mean_of, samples_ratio
from pareto_book.records.recording import Row
from pareto_core.confidence.bonuses import bonus_constant

__all__ = ["PROVEN", "PartialUnion", "draw_costs", "measure_costs"]

PROVEN = ("APE, mixture as proven",)  # error rate at most the risk


@dataclasses.dataclass(frozen=True)
class PartialUnion(pc.APE):
    """APE with a mixture bonus whose union is over `comparisons` only."""

    bonus: str = "mixture"
    comparisons: int = 1

    def parameters(self, problem: pc.Problem) -> tuple:
        """See `Algorithm.parameters`."""
        constant = bonus_constant("mixture", self.delta, 2, self.comparisons)
        return super().parameters(problem)._replace(bonus_constant=constant)


def measure_costs(runs: Mapping[str, pc.Runs]) -> dict[str, Row]:
    """Measure what the comparison of APE, Track-and-Stop and Racing claims."""
    readings = {
        name.removeprefix("APE, "): mean_of(each.samples)
        for name, each in runs.items()
        if name.startswith("APE, ")
    }
    individual, pairwise, mixture = (
        samples_ratio(runs, f"APE, {name}", "Track-and-Stop")
        for name in ("individual bonus", "pairwise bonus", "mixture as proven")
    )
    others = {"pairwise bonus": pairwise, "mixture bonus as proven": mixture}
    proof, racing = (
        samples_ratio(runs, name, "APE, individual bonus")
        for name in ("APE, mixture as proven", "Racing, practical")
    )
    return {
        "ape_39000": Row(*readings.pop("mixture as proven"), others=readings),
        "ape_factor": Row(*individual, others=others),
        "ape_over_track_and_stop": Row(*individual),
        "ape_proof": Row(*proof),
        "racing_over_ape": Row(*racing),
    }


def draw_costs(runs: Mapping[str, pc.Runs], reported: Mapping[str, float]) -> Figure:
    """Draw the mean samples of algorithms, and the numbers that papers report."""
    figure, axes = plots.new_figure(height=3.6)
    for row, (name, each) in enumerate(runs.items()):
        mean = mean_of(each.samples)
        axes.plot(mean.interval, [row, row], color=plots.BLUE, lw=2)
        fill = plots.BLUE if name in PROVEN else "none"
        axes.scatter(mean.value, row, s=46, color=fill, edgecolor=plots.BLUE, lw=1.5, zorder=3)
        words = f"{mean.value:,.0f}" + (", proven" if name in PROVEN else "")
        low, high = mean.interval
        crossed = any(high < value < 1.2 * high for value in reported.values())
        x, dx = (low, -42) if crossed else (high, 7)  # not across a dashed line
        plots.label_line(axes, x, row, words, plots.BLACK, dx=dx)
    for words, value in reported.items():
        axes.axvline(value, color=plots.RED, lw=0.9, ls="--")
        plots.label_line(axes, value, -0.8, f"{value:,.0f} {words}", plots.RED)
    mean = {name: each.samples.mean() for name, each in runs.items()}
    plots.require(max(mean, key=mean.get) in PROVEN, "as proven APE needs the most")
    ticks = [15000, 20000, 30000, 40000, 50000]
    axes.set(xscale="log", xlabel="samples", xlim=(14000, 75000), ylim=(len(runs) - 0.5, -1.3))
    axes.set_yticks(range(len(runs)), list(runs))
    axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    axes.minorticks_off()
    return figure
