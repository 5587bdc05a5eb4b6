"""Figure: entrants as arms with two objectives, few samples and little time for each."""

from typing import NamedTuple

import numpy as np

import pareto_core as pc
from pareto_book.chapters.arena.kept import Arena
from pareto_book.figures import label_columns, plots
from pareto_book.kept_runs.rankings import PARETO_SET, is_proven
from pareto_book.kept_runs.results import broken_promises, ratios_to_best

__all__ = ["Cost", "draw_costs", "entrant_costs", "optimal_entrants"]

TIMED_ON = "COV-BOOST"
ROOM = 1.4  # factor between the extreme points and the limits of an axis


class Cost(NamedTuple):
    """Samples over those of the best, microseconds of a sample, and whether the risk is proven."""

    samples: float
    microseconds: float
    proven: bool


def entrant_costs(arena: Arena) -> dict[str, Cost]:
    """Costs at risk 0.1 of the entrants for the Pareto set that do not exceed their risk."""
    frame = arena.frames[PARETO_SET]
    kept_promise = ~frame["algorithm"].isin(broken_promises(arena.pareto_runs))
    at_tenth = frame[np.isclose(frame["delta"], 0.1) & kept_promise]
    ratios = ratios_to_best(at_tenth)
    return {
        name: Cost(
            float(np.exp(np.log(ratios[part.index]).mean())),
            float(part.loc[part["instance"] == TIMED_ON, "microseconds"].iloc[0]),
            is_proven(PARETO_SET, name),
        )
        for name, part in at_tenth.groupby("algorithm", sort=False)
    }


def optimal_entrants(costs: dict[str, Cost]) -> set[str]:
    """Entrants that no other with an equally strong guarantee beats in both objectives."""
    names = list(costs)
    objectives = [
        (-np.log1p(each.samples), -np.log1p(each.microseconds), float(each.proven))
        for each in costs.values()
    ]
    return {names[k] for k in pc.pareto_set(np.array(objectives))}


def draw_costs(costs: dict[str, Cost]) -> None:
    """Draw a panel for each promise, with the labels in a column beside it."""
    optimal = optimal_entrants(costs)
    figure, panels = plots.new_figure(2, 1, height=2.6, sharex=True, sharey=True)
    samples, microseconds, _ = zip(*costs.values(), strict=True)
    panels[0].set(xscale="log", xlim=(min(samples) / ROOM, max(samples) * ROOM))
    panels[0].set(yscale="log", ylim=(min(microseconds) / ROOM, max(microseconds) * ROOM))
    for axes, proven in zip(panels, (False, True), strict=True):
        group = {name: each for name, each in costs.items() if each.proven == proven}
        for name, each in group.items():
            colour = plots.BLUE if name in optimal else plots.BLACK
            fill = colour if name in optimal else "none"
            axes.plot(each.samples, each.microseconds, "o", ms=6, color=colour, mfc=fill)
        axes.set_ylabel("µs a sample")
        axes.set_title("risk proven" if proven else "risk not proven")
        colours = {name: plots.BLUE if name in optimal else plots.BLACK for name in group}
        points = {name: (each.samples, each.microseconds) for name, each in group.items()}
        label_columns.label_column(axes, points, colours)
    ticks = [1, 2, 5, 10, 20, 50]
    panels[1].set_xticks(ticks, [str(tick) for tick in ticks])
    panels[1].set_xlabel("samples over those of the best")
    plots.save(figure, "arena", "front")
