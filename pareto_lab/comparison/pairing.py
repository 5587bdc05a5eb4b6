"""Samples of two algorithms compared run by run, from the same seeds."""

import numpy as np
import pandas as pd

from pareto_core.simulation.results import Runs
from pareto_core.simulation.statistics import mean_interval, ratio_interval

__all__ = ["paired_summary"]


def paired_summary(first: Runs, second: Runs) -> pd.Series:
    """Difference and ratio of the samples of two simulations with the same seed.

    Both intervals are percentile bootstraps of 2000 resamples at 95 %. They resample pairs: run r
    of one simulation with run r of the other.

    Parameters
    ----------
    first, second : Runs
        The same number of runs, from the same seed.

    Returns
    -------
    pandas.Series
        ``runs``, then ``difference`` of the mean samples, first minus second, with
        ``difference_low`` and ``difference_high``, and ``ratio`` of the means with
        ``ratio_low`` and ``ratio_high``; and ``unfinished``, the number of pairs in which a run
        was cut off, so that its samples are too few.

    Raises
    ------
    ValueError
        If the seeds or the numbers of runs differ.
    """
    if first.seed != second.seed or first.samples.size != second.samples.size:
        raise ValueError(
            f"{first.samples.size} runs of seed {first.seed} and {second.samples.size} of seed "
            f"{second.seed}; expected the same number of runs and the same seed"
        )
    low, high = mean_interval(first.samples - second.samples)
    ratio_low, ratio_high = ratio_interval(first.samples, second.samples, paired=True)
    return pd.Series(
        {
            "runs": first.samples.size,
            "difference": np.mean(first.samples - second.samples),
            "difference_low": low,
            "difference_high": high,
            "ratio": first.samples.mean() / second.samples.mean(),
            "ratio_low": ratio_low,
            "ratio_high": ratio_high,
            "unfinished": int((~first.stopped | ~second.stopped).sum()),
        }
    )
