"""Comparison of kept runs, one by one."""

import numpy as np
import scipy

from pareto_book.kept_runs.run_files import KeptRuns


def paired_log_ratio(
    first: KeptRuns, second: KeptRuns, confidence: float = 0.95
) -> tuple[float, float, float]:
    """Compare two mean numbers of samples by the logarithm of their ratio, from paired runs."""
    n = min(first.samples.size, second.samples.size)
    ours, theirs = (each.samples[:n].astype(float) for each in (first, second))
    value = np.log(ours.mean() / theirs.mean())
    difference = ours / ours.mean() - theirs / theirs.mean()
    quantile = scipy.stats.t.ppf((1 + confidence) / 2, n - 1)
    half = quantile * np.std(difference, ddof=1) / np.sqrt(n)
    return float(value), float(value - half), float(value + half)
