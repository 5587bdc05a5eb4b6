"""Instances with more and more arms and the same smallest gaps, and random sets of arms."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.figures.tables import show_table
from pareto_book.studies import linear_bounds
from pareto_core.instances.generators import linear_family

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "compare_random_sets",
    "families_table",
    "first_arms",
    "random_sets",
    "random_sets_table",
    "with_combinations",
]


def first_arms() -> dict[str, np.ndarray]:
    """Draw the first eight arms of each family, shape (8, 2)."""
    generator = np.random.default_rng(0)
    steps = np.cumsum(generator.uniform(0.1, 0.2, 4))
    front = np.column_stack([steps - steps.mean(), steps.mean() - steps]) - 0.1
    close = np.vstack([front, front - generator.uniform(0.05, 0.12, 4)[:, None]])
    return {"close": close, "far": -np.random.default_rng(7).random((8, 2))}


def with_combinations(means: np.ndarray, size: int, variance: float) -> pc.Instance:
    """Add combinations of the arms up to a size, none of them harder to classify."""
    return linear_family(means, int(size), np.random.default_rng(0), [variance, variance])


def families_table(families: Mapping[str, Sequence[pc.Instance]], dimension: int) -> "HTML":
    """Make a table of the smallest and the largest instance of each family."""
    rows = []
    for name, instances in families.items():
        for instance in (instances[0], instances[-1]):
            linear = linear_bounds.gap_complexity(instance.means, dimension)
            ascending = np.append(np.sort(pc.gaps(instance.means)), np.nan)
            rows.append(
                {
                    "family": name,
                    "K": instance.n_arms,
                    "optimal": len(instance.pareto_set),
                    "H1,lin": linear.h1,
                    "H2,lin": linear.h2,
                    "H1": linear_bounds.gap_complexity(instance.means).h1,
                    "next gap / h-th gap": ascending[dimension] / ascending[dimension - 1],
                }
            )
    formats = dict.fromkeys(("H1,lin", "H2,lin", "H1"), ",.0f") | {"next gap / h-th gap": ".2f"}
    return show_table(pd.DataFrame(rows), "The two families, at both ends.", **formats)


def random_sets(number: int, smallest_gap: float, seed: int) -> list[np.ndarray]:
    """Draw sets of eight arms in the unit square, without those that have a smaller gap."""
    draws, found = np.random.default_rng(seed), []
    while len(found) < number:
        candidate = -draws.random((8, 2))
        if pc.gaps(candidate).min() >= smallest_gap:
            found.append(candidate)
    return found


def compare_random_sets(
    sets: Sequence[np.ndarray],
    ape: pc.APE,
    gege: pc.GEGE,
    variance: float,
    runs: int,
    seed: int,
    n_jobs: int | None,
) -> pd.DataFrame:
    """Compare APE, two runs each, and GEGE on random sets of arms and their combinations."""
    common = {"seed": seed, "n_jobs": n_jobs, "progress": False}
    rows = []
    for number, means in enumerate(sets):
        few, many = (with_combinations(means, size, variance) for size in (8, 128))
        ape_few, ape_many = (
            pc.simulate(ape, each, runs=2, **common).samples.mean() for each in (few, many)
        )
        result = pc.simulate(gege, many, runs=runs, max_samples=10**7, **common)
        rows.append(
            {
                "instance": number,
                "APE: K = 128 / K = 8": ape_many / ape_few,
                "APE / GEGE at K = 128": ape_many / result.samples.mean(),
                "errors of GEGE": (~result.correct).mean(),
            }
        )
    return pd.DataFrame(rows)


def random_sets_table(rows: pd.DataFrame, runs: int) -> "HTML":
    """Make a table of the results of `compare_random_sets`, with ``runs`` runs of GEGE."""
    ratios = ("APE: K = 128 / K = 8", "APE / GEGE at K = 128")
    return show_table(
        rows,
        "Random instances: growth of APE's samples, samples of APE over those of GEGE "
        f"(2 runs of APE each), and error rate of GEGE in {runs:,} runs.",
        **dict.fromkeys(ratios, ".2f"),
        **{"errors of GEGE": ".3f"},
    )
