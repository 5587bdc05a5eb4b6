"""Figure: performance profiles of the entrants for the Pareto set."""

import matplotlib.lines
import numpy as np

from pareto_book.chapters.arena.colours import FAMILIES, colour_of
from pareto_book.chapters.arena.kept import Arena
from pareto_book.figures import plots
from pareto_book.kept_runs.rankings import PARETO_SET
from pareto_book.kept_runs.results import performance_profile

__all__ = ["draw_profiles", "profiles"]

MOST = 4.0  # times the samples of the best
VARIANTS = ("every tenth", "unforced", "with an oracle")  # which only the tables show
SECOND = ("APE, mixture",)  # a second entrant of an algorithm in the same panel: dashed


def profiles(arena: Arena, proven: bool, factors: np.ndarray) -> dict[str, np.ndarray]:
    """Compute the profiles of one group, over all instances and risks."""
    frame = arena.pareto_frame
    names = arena.competing[PARETO_SET, proven]
    found = performance_profile(frame[frame["algorithm"].isin(names)], factors)
    return {name: curve for name, curve in found.items() if not name.endswith(VARIANTS)}


def draw_profiles(arena: Arena) -> None:
    """Draw two panels, without a proof and with one."""
    factors = np.geomspace(1, MOST, 200)
    figure, panels = plots.new_figure(1, 2, height=3.6, sharey=True)
    for axes, proven in zip(panels, (False, True), strict=True):
        curves = profiles(arena, proven, factors)
        for name, values in curves.items():
            if values.max() > 0.15:
                style = "--" if name in SECOND else "-"
                axes.plot(factors, values, style, color=colour_of(name))
        at_edge = {name: values[0] for name, values in curves.items()}
        plots.require(
            max(at_edge, key=at_edge.get) == ("APE, certified" if proven else "TopTwoIDS"),
            "TopTwoIDS is highest without a proof, and the certified APE with one",
        )
        plots.require(
            all((np.diff(values) >= 0).all() for values in curves.values()),
            "curves that rise with the factor",
        )
        axes.set(xscale="log", xlabel="samples over those of the best")
        axes.set_title("risk proven" if proven else "risk not proven")
        axes.set_xticks([1, 1.5, 2, 3, 4], ["1", "1.5", "2", "3", "4"])
        axes.minorticks_off()
    panels[0].set_ylabel("share of all cases")
    handles = [
        matplotlib.lines.Line2D([], [], color=colour, label=name)
        for name, colour in FAMILIES.items()
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=7, fontsize=8, columnspacing=1)
    plots.save(figure, "arena", "profiles")
