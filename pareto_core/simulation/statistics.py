"""Confidence intervals of what runs have in common."""

import numpy as np
import scipy  # imports its parts on first use; scipy.stats takes half a second
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_probability

__all__ = ["mean_interval", "rate_interval", "ratio_interval"]

RESAMPLES = 2000  # of the bootstrap
MOST_DRAWN = 10**6  # values that it holds in memory


def mean_interval(values: ArrayLike, confidence: float = 0.95) -> tuple[float, float]:
    """Percentile-bootstrap interval of a mean: (low, high); NaN for a single value."""
    values = np.asarray(values, dtype=float)
    if values.size < 2:
        return np.nan, np.nan
    return _bootstrap((values,), np.mean, confidence)


def ratio_interval(
    numerator: ArrayLike, denominator: ArrayLike, confidence: float = 0.95, paired: bool = False
) -> tuple[float, float]:
    """Percentile-bootstrap interval of a ratio of means: (low, high); NaN for a single value.

    If ``paired``, entry r of both belongs to the same run, and pairs are resampled.
    """
    values = [np.asarray(each, dtype=float) for each in (numerator, denominator)]
    if min(each.size for each in values) < 2:
        return np.nan, np.nan
    return _bootstrap(values, _ratio_of_means, confidence, paired)


def _ratio_of_means(numerator, denominator, axis=-1):
    return numerator.mean(axis=axis) / denominator.mean(axis=axis)


def _bootstrap(samples, statistic, confidence, paired=False):
    interval = scipy.stats.bootstrap(
        samples,
        statistic,
        n_resamples=RESAMPLES,
        batch=min(100, max(1, MOST_DRAWN // max(each.size for each in samples))),
        paired=paired,
        confidence_level=confidence,
        method="percentile",
        vectorized=True,
        rng=np.random.default_rng(0),
    ).confidence_interval
    return float(interval.low), float(interval.high)


def rate_interval(events: int, runs: int, confidence: float = 0.95) -> tuple[float, float]:
    """Exact interval of a rate (Clopper-Pearson): (low, high)."""
    if not 0 <= events <= runs:
        raise ValueError(f"events = {events!r}; expected a number from 0 to runs, {runs!r}")
    check_probability(confidence, "confidence")
    tail = (1 - confidence) / 2
    low = scipy.special.betaincinv(events, runs - events + 1, tail) if events > 0 else 0.0
    high = scipy.special.betaincinv(events + 1, runs - events, 1 - tail) if events < runs else 1.0
    return float(low), float(high)
