"""The one table of which algorithm to use for a Pareto set, on every page that answers this."""

from typing import TYPE_CHECKING

import pandas as pd

from pareto_core.arena.rankings import PARETO_SET, PLACES, competitors, rank_all, runs_for
from pareto_core.arena.season import read_all
from pareto_core.publishing.tables import show_table

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = ["show_which_algorithm"]

FARTHEST = 1.5  # geometric mean of the samples over those of the best, of the entrants shown


def show_which_algorithm() -> "HTML":
    """Make the table of the entrants that need the fewest samples, without and with a proof.

    Returns
    -------
    IPython.display.HTML
        From the kept runs on all instances for the Pareto set.
    """
    runs = runs_for(read_all(), PARETO_SET)
    places = [place for part in PLACES.values() for place in part]
    lines = []
    for proven in (False, True):
        names = competitors(runs, PARETO_SET, proven)
        found = rank_all(runs, names, places)
        for k, each in enumerate(each for each in found if each.mean < FARTHEST):
            lines.append(
                {
                    "its risk is": ("proven" if proven else "not proven") if k == 0 else "",
                    "algorithm": each.name,
                    "fewest samples in": f"{each.quickest} of {each.cases}",
                    "certainly more than a rival in": each.behind,
                    "times the best": each.mean,
                    "at worst": each.at_worst,
                    "there": each.there,
                }
            )
    return show_table(
        pd.DataFrame(lines),
        f"Which algorithm for a Pareto set: {len(places)} instances with independent Gaussian "
        "noise, each at the risks that the algorithm plays (one of both is a case), among all "
        "entrants with, or without, a proof that do not demonstrably exceed their risk. Times the "
        "best: geometric mean over the cases of the mean samples over those of the best of the "
        f"group; those below {FARTHEST:g} are shown. At worst: over the best rival, paired runs, "
        "95 % interval.",
        **{"times the best": ".2f"},
    )
