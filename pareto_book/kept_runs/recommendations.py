"""The table of which algorithm to use for a Pareto set; all pages that recommend one show it."""

import pandas as pd

from pareto_book.kept_runs.rankings import (
    EVERYWHERE,
    PARETO_SET,
    SAME_MEAN,
    competitors,
    rank_all,
    runs_for,
)
from pareto_book.kept_runs.reading import read_all

MAX_RATIO = 1.5  # entrants are shown up to this geometric mean of samples over those of the best
CAPTION = (
    "Which algorithm for a Pareto set: {} instances with independent Gaussian noise, each at the "
    "risks that the algorithm plays (an instance at a risk is a case), among all entrants with, or "
    "without, a proof that do not demonstrably exceed their risk. Times the best: how many times "
    "as many samples an algorithm needs as the best of the group, geometric mean over the cases; "
    "those below {:g} are shown, and those within {:.0f} % of the smallest mean come first, in the "
    "order of their worst cases. Certainly, at 95 %: first, ahead of every rival; behind, of at "
    "least one (Bonferroni). At worst: the largest ratio to the best rival, with the 95 % interval "
    "of that case alone."
)


def recommendation_table() -> tuple[pd.DataFrame, str]:
    """Rank the entrants for the Pareto set by their kept runs, with and without a proof."""
    runs = runs_for(read_all(), PARETO_SET)
    lines = []
    for proven in (False, True):
        found = rank_all(runs, competitors(runs, PARETO_SET, proven))
        for k, each in enumerate(each for each in found if each.mean < MAX_RATIO):
            lines.append(
                {
                    "its risk is": ("proven" if proven else "not proven") if k == 0 else "",
                    "algorithm": each.name,
                    "fewest samples in": f"{each.quickest} of {each.cases}",
                    "certainly first in": each.ahead,
                    "certainly behind in": each.behind,
                    "times the best": f"{each.mean:.2f}",
                    "at worst": f"{each.worst:.2f}",
                    "worst case": each.worst_case,
                }
            )
    return pd.DataFrame(lines), CAPTION.format(len(EVERYWHERE), MAX_RATIO, 100 * (SAME_MEAN - 1))
