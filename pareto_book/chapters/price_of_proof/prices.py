"""Samples of stopping rules with a proof over those of the stylised threshold."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.figures.tables import show_table
from pareto_book.kept_runs.reading import read_instance
from pareto_book.records.measurements import Measurement, mean_of, ratio_of

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "Prices",
    "kept_prices",
    "mean_samples",
    "price_table",
    "remaining_price",
    "samples_at",
    "simulated_prices",
]

MAX_SAMPLES = 3 * 10**6
PROVEN = (
    "joint",
    "pairs",
    "TopTwoIDS, joint",
)  # columns of the table, as far as they were measured


class Prices(NamedTuple):
    """What stopping rules cost on an instance, at several risks.

    Attributes
    ----------
    ratios : dict of str to list of Measurement
        By rule and risk: samples over those of the first rule, paired runs.
    errors : dict of str to list of int
        By rule and risk: number of wrong answers.
    baseline : sequence of ndarray
        By risk: samples of each run of the first rule.
    """

    ratios: dict[str, list[Measurement]]
    errors: dict[str, list[int]]
    baseline: Sequence[np.ndarray]


def samples_at(
    algorithm: pc.Algorithm,
    instance: pc.Instance,
    deltas: Sequence[float],
    runs: int,
    seed: int = 0,
    n_jobs: int | None = None,
) -> tuple[np.ndarray, list[int]]:
    """Simulate an algorithm at several risks.

    Returns
    -------
    samples : ndarray, shape (n, runs)
        Samples of each run, by risk.
    errors : list of int
        Number of wrong answers, by risk.

    Raises
    ------
    RuntimeError
        If a run was cut off at three million samples.
    """
    settings = {"seed": seed, "n_jobs": n_jobs, "max_samples": MAX_SAMPLES}
    if algorithm.sampling_ignores_delta:
        found = pc.simulate_deltas(algorithm, instance, deltas, runs, **settings)
    else:
        found = [
            pc.simulate(algorithm.with_delta(delta), instance, runs, **settings) for delta in deltas
        ]
    for each in found:
        _check_stopped(each, instance)
    return np.array([e.samples for e in found]), [int((~e.correct).sum()) for e in found]


def _check_stopped(runs, instance):
    if not runs.stopped.all():
        raise RuntimeError(f"a run on {instance.name} was cut off at {MAX_SAMPLES:,} samples")


def simulated_prices(
    rules: Mapping[str, pc.Algorithm],
    instance: pc.Instance,
    deltas: Sequence[float],
    runs: int,
    seed: int = 0,
    n_jobs: int | None = None,
) -> Prices:
    """Measure what each rule costs over the first one, on the same seeds."""
    found = {
        name: samples_at(rule, instance, deltas, runs, seed, n_jobs) for name, rule in rules.items()
    }
    baseline = next(iter(found.values()))[0]
    ratios = {
        name: [ratio_of(*pair, paired=True) for pair in zip(samples, baseline, strict=True)]
        for name, (samples, _) in found.items()
    }
    return Prices(ratios, {name: errors for name, (_, errors) in found.items()}, baseline)


def kept_prices(case: str, entrants: Mapping[str, str], deltas: Sequence[float]) -> Prices:
    """Read what each rule costs over the first one from the runs that the arena keeps.

    Parameters
    ----------
    case : str
        Name of the instance in the arena.
    entrants : dict of str to str
        Names of the entrants of the arena by rule.
    deltas : sequence of float
        Risks.

    Returns
    -------
    Prices
    """
    runs = {(each.name, each.delta): each for each in read_instance(case)}
    found = {rule: [runs[name, delta] for delta in deltas] for rule, name in entrants.items()}
    baseline = next(iter(found.values()))
    ratios = {
        rule: [
            ratio_of(*_common_runs(*pair), paired=True) for pair in zip(each, baseline, strict=True)
        ]
        for rule, each in found.items()
    }
    errors = {rule: [int((~e.right).sum()) for e in each] for rule, each in found.items()}
    return Prices(ratios, errors, [each.samples for each in baseline])


def _common_runs(first, second):
    """Samples of the runs that both have."""
    n = min(first.samples.size, second.samples.size)
    return first.samples[:n].astype(float), second.samples[:n].astype(float)


def remaining_price(prices: Sequence[Measurement]) -> Measurement:
    """Divide the price at the last risk by that at the first, with ends from both intervals."""
    first, last = prices[0], prices[-1]
    ends = (last.interval[0] / first.interval[1], last.interval[1] / first.interval[0])
    return Measurement(last.value / first.value, ends, first.runs)


def price_table(found: Mapping[str, Prices], deltas: Sequence[float], caption: str) -> "HTML":
    """Make a table of prices, with a row for each instance and risk."""
    rows = []
    for name, (ratios, _, baseline) in found.items():
        for k, delta in enumerate(deltas):
            row = {"": name, "δ": delta, "stylised": baseline[k].mean()}
            rows.append(row | {r: ratios[r][k] if r in ratios else "" for r in PROVEN})
    formats = {"δ": "g", "stylised": ",.0f"} | dict.fromkeys(PROVEN, ".2f")
    return show_table(pd.DataFrame(rows), caption, **formats)


def mean_samples(
    algorithms: Mapping[str, pc.Algorithm],
    instance: pc.Instance,
    runs: int,
    seed: int = 0,
    n_jobs: int | None = None,
) -> dict[str, Measurement]:
    """Measure the mean samples of each algorithm.

    Raises
    ------
    RuntimeError
        If a run was cut off at three million samples.
    """
    found = {}
    for name, algorithm in algorithms.items():
        result = pc.simulate(algorithm, instance, runs, seed, n_jobs, max_samples=MAX_SAMPLES)
        _check_stopped(result, instance)
        found[name] = mean_of(result.samples)
    return found
