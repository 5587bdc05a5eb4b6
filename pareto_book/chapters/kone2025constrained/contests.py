"""Runs of e-cAPE and its rivals, with the same widths and radii, and what is measured from them.

Runs are kept under the name of the instance, the constant of the radius and the risk, and then by
the name of the algorithm.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import Measurement, mean_of, rate_of, ratio_of
from pareto_core.questions import OPTIMAL
from pareto_core.simulation.results import Runs

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "RIVALS",
    "Contests",
    "at_constants",
    "contest",
    "contest_table",
    "error_readings",
    "errors_of",
    "only_optimal",
    "optimal_errors",
    "ratio_readings",
    "reading",
    "variance_bound",
]

RIVALS = {
    "e-cAPE": pc.ECAPE,
    "two stages": pc.TwoStage,
    "racing": pc.RacingCP,
    "uniform": pc.ConstrainedUniformSampling,
}
Contests = Mapping[tuple[str, float, float], Mapping[str, Runs]]


def variance_bound(instance: pc.Instance) -> float | None:
    """Bound on the variance of Bernoulli rewards; None for other rewards, which are whitened."""
    return pc.BERNOULLI_VARIANCE_BOUND if instance.noise == "bernoulli" else None


def contest(
    instance: pc.Instance,
    runs: int | Mapping[str, int],
    seed: int,
    constant: float = 8.0,
    delta: float = 0.1,
    names: Iterable[str] = tuple(RIVALS),
    n_jobs: int = 1,
) -> dict[str, Runs]:
    """Simulate algorithms with the same widths and radii."""
    results = {}
    for name in names:
        count = runs[name] if isinstance(runs, Mapping) else runs
        algorithm = RIVALS[name](delta, constant, variance_bound=variance_bound(instance))
        results[name] = pc.simulate(algorithm, instance, count, seed, n_jobs)
    return results


def at_constants(
    instances: Mapping[str, pc.Instance],
    runs: int | Mapping[str, int],
    seeds: Iterable[int],
    constants: Iterable[float],
    delta: float = 0.1,
    names: Iterable[str] = tuple(RIVALS),
    n_jobs: int = 1,
) -> dict[tuple[str, float, float], dict[str, Runs]]:
    """Simulate algorithms on several instances, with each constant of the radius."""
    return {
        (title, constant, delta): contest(instance, runs, each, constant, delta, names, n_jobs)
        for (title, instance), each in zip(instances.items(), seeds, strict=True)
        for constant in constants
    }


def reading(constant: float, risk: float | None = None) -> str:
    """Name of a choice of the constant, and of the risk, in the rows."""
    return f"c_U = {constant:g}" + ("" if risk is None else f", δ = {risk:g}")


def ratio_readings(
    results: Contests, numerator: tuple[str, str], denominator: tuple[str, str]
) -> dict[str, Measurement]:
    """Measure a ratio of samples in each reading in which both algorithms ran."""
    found = {}
    for constant, risk in dict.fromkeys(key[1:] for key in results):
        pair = [
            results.get((instance, constant, risk), {}).get(name)
            for instance, name in (numerator, denominator)
        ]
        if None not in pair:
            found[reading(constant, risk)] = ratio_of(*(runs.samples for runs in pair))
    return found


def errors_of(*results: Runs) -> Measurement:
    """Error rate in the runs of several algorithms together."""
    return rate_of(~np.concatenate([runs.correct for runs in results]))


def error_readings(
    results: Contests, instances: Iterable[str], names: Iterable[str], delta: float
) -> dict[str, Measurement]:
    """Error rate of several algorithms together on several instances, for each constant."""
    instances, names = list(instances), list(names)
    constants = dict.fromkeys(c for title, c, risk in results if title in instances)
    return {
        reading(c, delta): errors_of(
            *(results[title, c, delta][name] for title in instances for name in names)
        )
        for c in constants
    }


def only_optimal(runs: Runs) -> np.ndarray:
    """Whether the optimal arms alone are right, run by run."""
    truth = np.isin(np.arange(runs.instance.n_arms), runs.instance.constrained_pareto_set)
    return runs.stopped & ((runs.answers == OPTIMAL) == truth).all(axis=1)


def optimal_errors(runs: Runs) -> Measurement:
    """Error rate about the optimal arms alone."""
    return rate_of(~only_optimal(runs))


def contest_table(results: Contests, caption: str) -> "HTML":
    """Make a table of the samples and of both kinds of errors."""
    rows = [
        {
            "instance": title,
            "c_U": constant,
            "δ": risk,
            "algorithm": name,
            "runs": len(runs.samples),
            "mean samples": mean_of(runs.samples),
            "deviation": runs.samples.std(),
            "errors": int((~runs.correct).sum()),
            "wrong optimal arms": int((~only_optimal(runs)).sum()),
        }
        for (title, constant, risk), algorithms in results.items()
        for name, runs in algorithms.items()
    ]
    formats = {"c_U": "g", "δ": "g", "runs": ",d", "mean samples": ",.0f", "deviation": ",.0f"}
    return show_table(pd.DataFrame(rows), caption, **formats)
