"""How far the samples of Racing are from the bounds of Theorems 4 and 17."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import Measurement, mean_of, ratio_of
from pareto_book.studies import racing_bounds

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "CONSTANT",
    "between_bounds",
    "bounds_table",
    "growth_when_halved",
    "share_of_one_objective",
]

CONSTANT = 4320  # of Theorem 4


def between_bounds(
    instances: Mapping[str, pc.Instance], runs: Mapping[tuple[str, str], pc.Runs], delta: float
) -> pd.DataFrame:
    """Compare mean samples with the bounds on each instance.

    Parameters
    ----------
    instances : dict of str to Instance
        Instances with unit variance.
    runs : dict of tuple of str to Runs
        By the name of the instance and ``"proven"`` or ``"practical"``.
    delta : float
        Risk.

    Returns
    -------
    pandas.DataFrame
        The last column is the constant with which Theorem 4 would bound the mean samples.
    """
    rows = []
    for name, instance in instances.items():
        proven = mean_of(runs[name, "proven"].samples)
        above = racing_bounds.racing_upper_bound(instance.means, delta)
        rows.append(
            {
                "instance": name,
                "Theorem 17, constant 1": racing_bounds.racing_lower_bound(instance.means, delta),
                "practical": runs[name, "practical"].samples.mean(),
                "proven": proven.value,
                "Theorem 4": above,
                "constant that suffices": proven.times(CONSTANT / above),
            }
        )
    return pd.DataFrame(rows)


def bounds_table(looseness: pd.DataFrame, caption: str) -> "HTML":
    """Make a table of the result of `between_bounds`."""
    formats = dict.fromkeys(looseness.columns[1:5], ",.0f")
    return show_table(looseness, caption, **formats, **{"constant that suffices": ".1f"})


def growth_when_halved(
    algorithm: pc.Algorithm, instance: pc.Instance, runs: int, seed: int, n_jobs: int | None = None
) -> Measurement:
    """Measure how samples grow when all gaps are halved, relative to the bound of Theorem 4.

    Parameters
    ----------
    algorithm : Algorithm
        The algorithm, with a risk of 0.1.
    instance : Instance
        Means that are multiplied by a half and by a quarter; the variance is one.
    runs, seed, n_jobs
        See `pareto_core.simulate`. The second instance has the next seed.

    Returns
    -------
    Measurement
        Ratio of the mean samples over the ratio of the bounds: 1 if both grow alike.
    """
    halves = [pc.Instance(share * instance.means) for share in (0.5, 0.25)]
    before, after = (
        pc.simulate(algorithm, each, runs, seed + k, n_jobs).samples
        for k, each in enumerate(halves)
    )
    upper = [racing_bounds.racing_upper_bound(each.means, 0.1) for each in halves]
    return ratio_of(after, before).times(upper[0] / upper[1])


def share_of_one_objective(seed: int, count: int = 500) -> np.ndarray:
    """Sum of 1/Δ² over that of the usual gaps of one objective, on random instances."""
    shares = []
    for k in range(count):
        arms = np.random.default_rng((seed, k)).normal(size=(2 + k % 6, 1))
        first, second = np.sort(arms[:, 0])[::-1][:2]
        usual = np.maximum(first - arms[:, 0], first - second)
        shares.append((1 / pc.gaps(arms, "auer") ** 2).sum() / (1 / usual**2).sum())
    return np.array(shares)
