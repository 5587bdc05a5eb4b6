"""The table of which algorithm to use for a Pareto set; all pages that recommend one show it."""

import pandas as pd

from pareto_book.kept_runs.rankings import (
    INSTANCE_GROUPS,
    PARETO_SET,
    SAME_MEAN,
    competitors,
    rank_all,
    runs_for,
)
from pareto_book.kept_runs.reading import read_all

SHOWN = 2  # entrants of each group
CAPTION = (
    "Which algorithm for a Pareto set with independent Gaussian noise: the first {} in each group "
    "of instances, among all entrants with, or without, a proof that do not demonstrably exceed "
    "their risk. An instance at a risk is a case. Certainly, at 95 %: first, ahead of every rival; "
    "behind, of at least one (Bonferroni); the other cases are undecided. Times the best: how many "
    "times as many samples an algorithm needs as the best, geometric mean over the cases; those "
    "within {:.0f} % of the smallest mean come first, in the order of their worst cases. At worst: "
    "the largest ratio to the best rival, with the 95 % interval of that case alone."
)


def recommendation_table() -> tuple[pd.DataFrame, str]:
    """Rank the entrants for the Pareto set by group of instances, with and without a proof."""
    runs = runs_for(read_all(), PARETO_SET)
    lines = []
    for proven in (False, True):
        names = competitors(runs, PARETO_SET, proven)
        for group, instances in INSTANCE_GROUPS.items():
            for k, each in enumerate(rank_all(runs, names, instances)[:SHOWN]):
                lines.append(
                    {
                        "its risk is": ("proven" if proven else "not proven") if k == 0 else "",
                        "instances": group if k == 0 else "",
                        "algorithm": each.name,
                        "cases": each.cases,
                        "certainly first": each.ahead,
                        "undecided": each.undecided,
                        "certainly behind": each.behind,
                        "times the best": f"{each.mean:.2f}",
                        "at worst": f"{each.worst:.2f}",
                    }
                )
    return pd.DataFrame(lines), CAPTION.format(SHOWN, 100 * (SAME_MEAN - 1))
