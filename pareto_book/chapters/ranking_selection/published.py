"""The published allocations of MOSCORE beside the optimum, and the times to compute them."""

from typing import NamedTuple

import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.figures.timing import shortest_time
from pareto_core.instances.datasets import read_table

__all__ = ["METHODS", "Problem", "allocation_times", "losses", "problems", "shares_of"]

METHODS = ("phantom", "score", "iscore")


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
        ``exact`` and ``phantom`` (rates at the published shares), ``published``, ``brute force``
        (NaN if not published), ``own`` (exact rate at our shares), ``own phantom``.
    """
    rows = []
    for problem in every:
        means, covariance = problem.instance.means, problem.instance.covariance
        optimum = 1 / pc.characteristic_time(means, covariance=covariance).time
        for method in METHODS:
            theirs, ours = problem.shares[method], shares_of(problem, method)
            rows.append(
                {
                    "d": problem.n_objectives,
                    "K": problem.n_arms,
                    "problem": problem.number,
                    "method": method,
                    "optimum": optimum,
                    "exact": pc.transport_cost(means, theirs, covariance=covariance).value,
                    "phantom": pc.phantom_rate(means, theirs, covariance=covariance),
                    "published": problem.rates[method],
                    "brute force": problem.brute_force if method == "phantom" else np.nan,
                    "own": pc.transport_cost(means, ours, covariance=covariance).value,
                    "own phantom": pc.phantom_rate(means, ours, covariance=covariance),
                }
            )
    return pd.DataFrame(rows)


def allocation_times(every: list[Problem]) -> pd.DataFrame:
    """Times to compute the shares, ours in milliseconds and the published ones as recorded.

    Parameters
    ----------
    every : list of Problem

    Returns
    -------
    pandas.DataFrame
        One row per number of objectives and of arms; medians over the problems. Column
        ``optimum`` is the time of `characteristic_time`.
    """
    rows = []
    for problem in every:
        means, covariance = problem.instance.means, problem.instance.covariance
        seconds = {
            method: shortest_time(shares_of, problem, method, repeats=3)[0] for method in METHODS
        }
        optimum, _ = shortest_time(pc.characteristic_time, means, covariance=covariance, repeats=3)
        rows.append(
            {
                "d": problem.n_objectives,
                "K": problem.n_arms,
                "optimum, ms": 1e3 * optimum,
                **{f"{method}, ms": 1e3 * value for method, value in seconds.items()},
                **{f"{method}, published": problem.times[method] for method in METHODS},
            }
        )
    return pd.DataFrame(rows).groupby(["d", "K"]).median().reset_index()
