"""Figure: samples over the lower bound as the risk falls."""

import numpy as np

from pareto_book.chapters.arena.colours import colour_of
from pareto_book.chapters.arena.kept import Arena
from pareto_book.figures import label_columns, plots
from pareto_book.kept_runs.competitions import RISKS

__all__ = ["draw_risks", "mean_over_the_bound"]

NAMES = {
    False: ("TopTwoIDS", "Track-and-Stop", "Frank-Wolfe", "APE", "uniform"),
    True: (
        "TopTwoIDS, proven",
        "Track-and-Stop, proven",
        "Frank-Wolfe, proven",
        "APE, certified",
        "uniform, proven",
    ),
}


def mean_over_the_bound(arena: Arena, name: str) -> np.ndarray:
    """Geometric mean over the instances of an entrant's samples over the bound, at each risk."""
    frame = arena.pareto_frame
    part = frame[frame["algorithm"] == name]
    logs = np.log(part["over_the_bound"]).groupby(part["delta"]).mean()
    return np.exp(logs[list(RISKS)].to_numpy())


def draw_risks(arena: Arena) -> None:
    """Draw two panels, without a proof and with one, with a line for each algorithm."""
    figure, panels = plots.new_figure(1, 2, height=3.2, sharex=True, sharey=True)
    for axes, proven in zip(panels, NAMES, strict=True):
        for name in NAMES[proven]:
            means = mean_over_the_bound(arena, name)
            plots.require((np.diff(means) < 0).all(), "lines that fall")
            axes.plot(RISKS, means, "o-", ms=3, color=colour_of(name))
        axes.axhline(1, color="grey", ls=":")
        axes.set(xscale="log", yscale="log", xlabel=r"risk $\delta$")
        axes.set_title("risk proven" if proven else "risk not proven")
        axes.set_yticks([1, 2, 5, 10], ["1", "2", "5", "10"])
        axes.set_xticks(RISKS, ["0.1", "", "$10^{-4}$", "$10^{-6}$"])
        axes.minorticks_off()
    panels[0].set_xlim(RISKS[0] * 1.5, RISKS[-1] / 1.5)
    for axes, proven in zip(panels, NAMES, strict=True):
        ends = {name: (RISKS[-1], mean_over_the_bound(arena, name)[-1]) for name in NAMES[proven]}
        label_columns.label_column(axes, ends, {name: colour_of(name) for name in ends})
    panels[0].set_ylabel("samples over the bound")
    plots.save(figure, "arena", "risks")
