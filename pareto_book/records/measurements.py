"""Measurements from runs: a value, its interval, and the number of runs."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.simulation.statistics import mean_interval, rate_interval, ratio_interval

LEAST_RUNS = 20  # of a random quantity that has a verdict, or that a sentence states


class Measurement(NamedTuple):
    """A value with the ends of its 95 % interval and its number of runs.

    Its format, as in ``f"{measurement:.2f}"``, is the value followed by the interval, without a
    line break. The runs of a ratio are the smaller of its two numbers.
    """

    value: float
    interval: tuple[float, float]
    runs: int

    def times(self, factor: float) -> "Measurement":
        """Convert to a different unit: multiply value and interval by a positive number."""
        low, high = self.interval
        return Measurement(factor * self.value, (factor * low, factor * high), self.runs)

    def within(self, low: float, high: float) -> bool:
        """Whether the whole interval lies between two ends, and at least 20 runs are behind it."""
        return low <= self.interval[0] and self.interval[1] <= high and self.runs >= LEAST_RUNS

    def __format__(self, specification):
        value, low, high = (format(end, specification) for end in (self.value, *self.interval))
        return f"{value}\u00a0[{low},\u00a0{high}]"


def mean_of(values: ArrayLike) -> Measurement:
    """Measure a mean, with its bootstrap interval."""
    return Measurement(float(np.mean(values)), mean_interval(values), len(values))


def rate_of(events: ArrayLike) -> Measurement:
    """Measure the rate of an event, with its exact interval."""
    events = np.asarray(events)
    interval = rate_interval(events.sum(), events.size)
    return Measurement(float(events.mean()), interval, events.size)


def ratio_of(numerator: ArrayLike, denominator: ArrayLike, paired: bool = False) -> Measurement:
    """Measure the ratio of two means of runs, with its bootstrap interval."""
    value = float(np.mean(numerator) / np.mean(denominator))
    runs = min(len(numerator), len(denominator))
    return Measurement(value, ratio_interval(numerator, denominator, paired=paired), runs)


def median_ratio_of(numerator: ArrayLike, denominator: ArrayLike) -> Measurement:
    """Measure the ratio of two medians of paired runs, with its bootstrap interval."""
    both = np.column_stack([numerator, denominator])
    picks = np.random.default_rng(0).integers(len(both), size=(4000, len(both)))
    upper, lower = np.median(both[picks], axis=1).T
    interval = tuple(np.quantile(upper / lower, (0.025, 0.975)))
    upper, lower = np.median(both, axis=0)
    return Measurement(float(upper / lower), interval, len(both))


def samples_ratio(results: Mapping[str, Any], numerator: str, denominator: str) -> Measurement:
    """Measure the ratio of the mean samples of two algorithms, from independent runs."""
    return ratio_of(results[numerator].samples, results[denominator].samples)


def risk_of(estimate: Any, fewest: float = 30) -> Measurement:
    """Convert an estimated error probability, if enough errors were observed."""
    if estimate.effective_errors < fewest:
        return Measurement(np.nan, (np.nan, np.nan), estimate.runs)
    return Measurement(estimate.probability, (estimate.low, estimate.high), estimate.runs)
