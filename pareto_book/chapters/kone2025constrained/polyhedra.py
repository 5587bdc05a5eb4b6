"""Samples and run times on the three polyhedra of the paper (Tables 4 and 5)."""

import time
from collections.abc import Mapping

import numpy as np
from scipy import stats

import pareto_core as pc
from pareto_book.chapters.kone2025constrained.contests import (
    RIVALS,
    Contests,
    reading,
    variance_bound,
)
from pareto_book.records.measurements import Measurement, mean_of, samples_ratio

__all__ = ["KEYS", "milliseconds", "order_readings", "table4", "uniform_readings"]

KEYS = {"e-cAPE": "ecape", "two stages": "twostage", "uniform": "uniform"}  # in names of claims


def deviation_of(values: np.ndarray) -> Measurement:
    """Measure a standard deviation, with a bootstrap interval."""
    found = stats.bootstrap(
        (values,),
        np.std,
        n_resamples=1000,
        vectorized=True,
        method="percentile",
        rng=np.random.default_rng(0),
    ).confidence_interval
    spread = values.std()
    interval = min(found.low, spread), max(found.high, spread)
    return Measurement(spread, interval, len(values))


def table4(results: Contests, constant: float, delta: float) -> dict[str, Measurement]:
    """Measure mean and deviation of the samples, by the names of their claims."""
    found = {}
    for (name, c, risk), runs in results.items():
        if (c, risk) == (constant, delta):
            for rival, key in KEYS.items():
                claim = f"table4_{name}_{key}"
                found[claim] = mean_of(runs[rival].samples)
                found[f"{claim}_deviation"] = deviation_of(runs[rival].samples)
    return found


def order_readings(results: Contests, constant: float, delta: float) -> dict[str, Measurement]:
    """Measure the largest ratio of e-cAPE to the better of its rivals, for each constant.

    Which rival is the better one is decided with the radius constant ``constant``.
    """
    found = {}
    for name, c, _ in results:
        at_constant = results[name, constant, delta]
        rivals = ("two stages", "uniform")
        better = min(rivals, key=lambda rival: at_constant[rival].samples.mean())
        ratio = samples_ratio(results[name, c, delta], "e-cAPE", better)
        found.setdefault(reading(c, delta), []).append(ratio)
    return {key: max(ratios) for key, ratios in found.items()}


def uniform_readings(results: Contests, delta: float) -> dict[str, Measurement]:
    """Measure the smallest ratio of uniform sampling to two stages, for each constant."""
    found = {}
    for (_, c, _), runs in results.items():
        ratio = samples_ratio(runs, "uniform", "two stages")
        found.setdefault(reading(c, delta), []).append(ratio)
    return {key: min(ratios) for key, ratios in found.items()}


def milliseconds(
    instances: Mapping[str, pc.Instance], delta: float, seed: int, runs: int = 5
) -> dict[str, float]:
    """Measure mean run times in one thread, by the names of their claims."""
    found = {}
    for title, instance in instances.items():
        for rival, key in KEYS.items():
            algorithm = RIVALS[rival](delta, variance_bound=variance_bound(instance))
            pc.simulate(algorithm, instance, 1, seed, 1, progress=False)  # compile
            begin = time.thread_time()
            pc.simulate(algorithm, instance, runs, seed, 1, progress=False)
            found[f"table5_{title}_{key}"] = 1000 * (time.thread_time() - begin) / runs
    return found
