"""Tables of the arena that describe its instances and entrants, without ranking them."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from pareto_book.chapters.arena.kept import Arena
from pareto_book.figures.tables import show_table
from pareto_book.kept_runs.competitions import COMPETITIONS, RISKS
from pareto_core.simulation.statistics import rate_interval

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = ["bounds_table", "entrants_table", "errors_table", "instances_table"]

BOUNDED = ("TopTwoIDS", "Track-and-Stop", "APE", "uniform", "TopTwoIDS, proven", "APE, certified")


def instances_table(arena: Arena) -> "HTML":
    """Make a table of all instances with their characteristic times."""
    rows = [
        {
            "question": question if k == 0 else "",
            "instance": name,
            "arms": arena.instances[name].n_arms,
            "objectives": arena.instances[name].n_objectives,
            "T*": arena.times[name] if np.isfinite(arena.times[name]) else "",
        }
        for question in arena.frames
        for k, name in enumerate(COMPETITIONS[question].instances)
    ]
    return show_table(
        pd.DataFrame(rows),
        "The instances, and the T* of the question (of the one with reasons, where limits are "
        "set); empty where noise is uniform, or objectives are correlated.",
        **{"T*": ",.0f"},
    )


def entrants_table(arena: Arena) -> "HTML":
    """Make a table of what each entrant assumes and promises, and what a sample costs."""
    rows = []
    for question, frame in arena.frames.items():
        for name, entrant in COMPETITIONS[question].entrants.items():
            part, group = frame[frame["algorithm"] == name], arena.group_of(question, name)
            first = group.loc[group.groupby(["instance", "delta"])["samples"].idxmin()]
            times = part["microseconds"]
            rows.append(
                {
                    "entrant": name,
                    "assumes": entrant.assumes,
                    "its risk rests on": entrant.promise,
                    "µs a sample": f"{times.min():.2g} to {times.max():.2g}",
                    "quickest in": f"{sum(first['algorithm'] == name)} of {len(part)}",
                }
            )
    return show_table(
        pd.DataFrame(rows),
        "Assumption, what the risk rests on, microseconds of one thread for a sample, and in how "
        "many of its cases an entrant is the quickest of those whose risk rests on as much.",
    )


def errors_table(arena: Arena) -> "HTML":
    """Make a table of the wrong answers of each entrant, over all instances."""
    rows = [
        {
            "question": question if k == 0 else "",
            "entrant": name,
            "δ = 0.1": _errors_at(part, 0.1),
            "δ = 0.01": _errors_at(part, 0.01),
        }
        for question, frame in arena.frames.items()
        for k, (name, part) in enumerate(frame.groupby("algorithm", sort=False))
    ]
    return show_table(
        pd.DataFrame(rows),
        "Wrong answers among the runs that ended, all instances together, and the exact 95 % "
        "interval of their rate.",
    )


def _errors_at(part, delta):
    """Wrong answers among the runs that ended, and the interval of their rate."""
    ended = part[np.isclose(part["delta"], delta)]
    runs = int((ended["runs"] - ended["unfinished"]).sum())
    if runs == 0:
        return ""
    wrong = int(ended["errors"].sum())
    low, high = rate_interval(wrong, runs)
    return f"{wrong} of {runs:,} [{low:.4f}, {high:.4f}]"


def bounds_table(arena: Arena) -> "HTML":
    """Make a table of samples over the lower bound, at the largest and the smallest risk."""
    frame = arena.pareto_frame
    rows = []
    for instance, here in frame.groupby("instance", sort=False):
        by_name = here.set_index(["algorithm", "delta"])["over_the_bound"]
        ends = {name: (by_name[name, RISKS[0]], by_name[name, RISKS[-1]]) for name in BOUNDED}
        rows.append(
            {"instance": instance}
            | {name: f"{first:.1f}, {last:.2f}" for name, (first, last) in ends.items()}
        )
    return show_table(
        pd.DataFrame(rows),
        f"Mean samples over the lower bound at δ = {RISKS[0]:g} and at δ = {RISKS[-1]:g}.",
    )
