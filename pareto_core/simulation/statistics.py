"""Statistics of runs: confidence intervals, and a test against a histogram."""

import numpy as np
import scipy  # imports its parts on first use; scipy.stats takes half a second
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_probability

__all__ = ["homogeneity_test", "mean_interval", "rate_interval", "ratio_interval"]

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
    """Percentile-bootstrap interval of a ratio of two means.

    Parameters
    ----------
    numerator, denominator : array_like, shape (n,) and (m,)
        Values of single runs, such as their samples.
    confidence : float, default 0.95
        Confidence level.
    paired : bool, default False
        Whether entry r of both belongs to the same run, so that pairs are resampled; otherwise
        all values are independent.

    Returns
    -------
    tuple of float
        Low and high; NaN if the numerator or the denominator has a single value.
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
    """Exact interval of a rate (Clopper-Pearson): (low, high).

    Raises
    ------
    ValueError
        If ``events`` is not from 0 to ``runs``, or ``confidence`` is not in (0, 1).
    """
    if not 0 <= events <= runs:
        raise ValueError(f"events = {events!r}; expected a number from 0 to runs, {runs!r}")
    check_probability(confidence, "confidence")
    tail = (1 - confidence) / 2
    low = scipy.special.betaincinv(events, runs - events + 1, tail) if events > 0 else 0.0
    high = scipy.special.betaincinv(events + 1, runs - events, 1 - tail) if events < runs else 1.0
    return float(low), float(high)


def homogeneity_test(
    values: ArrayLike, edges: np.ndarray, counts: np.ndarray, least: int = 20
) -> float:
    """Chi-square test that a sample and a published histogram have the same distribution.

    Neighbouring bins are joined until each holds at least ``least`` published values. Values
    beyond the last edge are in the last bin.

    Parameters
    ----------
    values : array_like, shape (n,)
        Our sample.
    edges : ndarray, shape (b,)
        Left edges of the published bins, ascending; the last bin has no right end.
    counts : ndarray of int, shape (b,)
        Published counts.
    least : int, default 20
        Smallest number of published values in a joined bin.

    Returns
    -------
    float
        p-value.
    """
    ours = np.histogram(values, bins=np.append(edges, np.inf))[0]
    joined = [[0, 0]]
    for pair in zip(ours, counts, strict=True):
        if joined[-1][1] >= least:
            joined.append([0, 0])
        joined[-1][0] += pair[0]
        joined[-1][1] += pair[1]
    if joined[-1][1] < least:
        last = joined.pop()
        joined[-1][0] += last[0]
        joined[-1][1] += last[1]
    return float(scipy.stats.chi2_contingency(np.array(joined).T).pvalue)
