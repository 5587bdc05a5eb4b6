"""The published allocations of MOSCORE beside the optimum, and the times to compute them."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.figures.tables import show_table
from pareto_book.figures.timing import shortest_time
from pareto_core.instances.datasets import read_table

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = ["METHODS", "NAMES", "Problem", "losses", "problems", "shares_of", "show_times"]

METHODS = ("phantom", "score", "iscore")
NAMES = {"phantom": "phantom", "score": "SCORE", "iscore": "iSCORE"}  # in text and figures


class Problem(NamedTuple):
    """One problem of MOSCORE.

    Attributes
    ----------
    n_objectives, n_arms, number : int
        Which one.
    instance : Instance
        With the correlated noise of the problem.
    shares : dict of str to ndarray, shape (K,)
        Published shares, by method.
    rates, times : dict of str to float
        Published rates with phantoms and times of the allocation (their unit is not stated).
    brute_force : float
        Published rate of the shares of the method phantom by brute force; NaN if not published.
    """

    n_objectives: int
    n_arms: int
    number: int
    instance: pc.Instance
    shares: dict
    rates: dict
    times: dict
    brute_force: float


def problems() -> list[Problem]:
    """Read the published problems, in the order of the table.

    Returns
    -------
    list of Problem, length 50
    """
    systems, rates = read_table("moscore_systems"), read_table("moscore_rates")
    found = []
    for row in rates:
        d, n_arms, number = (int(value) for value in row[:3])
        chosen = systems[(systems[:, :3] == row[:3]).all(axis=1)]
        found.append(
            Problem(
                d,
                n_arms,
                number,
                pc.load_instance(f"moscore({d}, {n_arms}, problem={number})"),
                dict(zip(METHODS, chosen[:, 8:11].T, strict=True)),
                dict(zip(METHODS, row[4:7], strict=True)),
                dict(zip(METHODS, row[8:11], strict=True)),
                row[7],
            )
        )
    return found


def shares_of(problem: Problem, method: str) -> np.ndarray:
    """Shares that our implementation of a method computes.

    Parameters
    ----------
    problem : Problem
    method : {"phantom", "score", "iscore"}

    Returns
    -------
    ndarray, shape (K,)
    """
    noise = {"covariance": problem.instance.covariance}
    if method == "phantom":
        return pc.phantom_allocation(problem.instance.means, **noise)
    return pc.score_allocation(problem.instance.means, independent=method == "iscore", **noise)


def losses(every: list[Problem]) -> pd.DataFrame:
    """Rates at the published shares and at ours, beside the best rate.

    Parameters
    ----------
    every : list of Problem

    Returns
    -------
    pandas.DataFrame
        One row per problem and method: ``d``, ``K``, ``problem``, ``method``, ``optimum`` (1 / T*),
        ``phantom at optimum`` (rate with phantoms at the shares of T*), ``exact`` and ``phantom``
        (rates at the published shares), ``published``, ``brute force`` (NaN if not published),
        ``own`` (exact rate at our shares), ``own phantom``.
    """
    rows = []
    for problem in every:
        means, covariance = problem.instance.means, problem.instance.covariance
        best = pc.characteristic_time(means, covariance=covariance)
        at_best = pc.phantom_rate(means, best.weights, covariance=covariance)
        for method in METHODS:
            theirs, ours = problem.shares[method], shares_of(problem, method)
            rows.append(
                {
                    "d": problem.n_objectives,
                    "K": problem.n_arms,
                    "problem": problem.number,
                    "method": method,
                    "optimum": 1 / best.time,
                    "phantom at optimum": at_best,
                    "exact": pc.transport_cost(means, theirs, covariance=covariance).value,
                    "phantom": pc.phantom_rate(means, theirs, covariance=covariance),
                    "published": problem.rates[method],
                    "brute force": problem.brute_force if method == "phantom" else np.nan,
                    "own": pc.transport_cost(means, ours, covariance=covariance).value,
                    "own phantom": pc.phantom_rate(means, ours, covariance=covariance),
                }
            )
    return pd.DataFrame(rows)


def show_times(every: list[Problem]) -> "HTML":
    """Show times to compute the shares: medians over the problems of the same size."""
    frame = pd.DataFrame([_times(problem) for problem in every])
    times = frame.groupby(["d", "K"]).median().reset_index()
    ours = dict.fromkeys([column for column in times if column.endswith("ms")], ".1f")
    theirs = dict.fromkeys([column for column in times if column.endswith("published")], ".2g")
    return show_table(
        times,
        "Median time to compute an allocation: ours in milliseconds, on this machine, and the "
        "published ones, whose unit is not stated.",
        **ours,
        **theirs,
    )


def _times(problem):
    """Times of one problem: of the exact optimum, and of the three methods."""
    means, covariance = problem.instance.means, problem.instance.covariance
    optimum, _ = shortest_time(pc.characteristic_time, means, covariance=covariance, repeats=3)
    row = {"d": problem.n_objectives, "K": problem.n_arms, "optimum, ms": 1e3 * optimum}
    for method in METHODS:
        seconds, _ = shortest_time(shares_of, problem, method, repeats=3)
        row[f"{NAMES[method]}, ms"] = 1e3 * seconds
    return row | {f"{NAMES[method]}, published": problem.times[method] for method in METHODS}
