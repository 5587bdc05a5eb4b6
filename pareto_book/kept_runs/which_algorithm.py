"""The one table of which algorithm to use for a Pareto set, on every page that answers this."""

import pandas as pd

from pareto_book.kept_runs.rankings import PARETO_SET, PLACES, competitors, rank_all, runs_for
from pareto_book.kept_runs.season import read_all

__all__ = ["which_algorithm"]

FARTHEST = 1.5  # geometric mean of the samples over those of the best, of the entrants shown
CAPTION = (
    "Which algorithm for a Pareto set: {} instances with independent Gaussian noise, each at the "
    "risks that the algorithm plays (an instance at a risk is a case), among all entrants with, or "
    "without, a proof that do not demonstrably exceed their risk. Times the best: geometric mean "
    "over the cases of the mean samples over those of the best of the group; those below {:g} are "
    "shown. At worst: over the best rival, paired runs, 95 % interval."
)


def which_algorithm() -> tuple[pd.DataFrame, str]:
    """Rank the entrants for the Pareto set by their kept runs, without and with a proof.

    Returns
    -------
    frame : pandas.DataFrame
        A line for each entrant that is close to the best of its group, the closest first.
    caption : str
        What the lines are among, for the page.
    """
    runs = runs_for(read_all(), PARETO_SET)
    places = [place for part in PLACES.values() for place in part]
    lines = []
    for proven in (False, True):
        found = rank_all(runs, competitors(runs, PARETO_SET, proven), places)
        for k, each in enumerate(each for each in found if each.mean < FARTHEST):
            lines.append(
                {
                    "its risk is": ("proven" if proven else "not proven") if k == 0 else "",
                    "algorithm": each.name,
                    "fewest samples in": f"{each.quickest} of {each.cases}",
                    "certainly more than a rival in": each.behind,
                    "times the best": f"{each.mean:.2f}",
                    "at worst": each.at_worst,
                    "there": each.there,
                }
            )
    return pd.DataFrame(lines), CAPTION.format(len(places), FARTHEST)
