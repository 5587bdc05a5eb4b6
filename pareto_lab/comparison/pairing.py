"""Samples of two algorithms compared run by run, from the same seeds."""

import numpy as np
import pandas as pd

from pareto_core.simulation.results import Runs
from pareto_core.simulation.statistics import mean_interval, ratio_interval


def paired_summary(first: Runs, second: Runs) -> pd.Series:
    """Difference and ratio of the samples of two simulations with the same seed."""
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
