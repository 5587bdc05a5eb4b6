"""Results of the kept runs: means and errors of each entrant, and comparisons of entrants."""

import functools
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import scipy
from numpy.typing import ArrayLike

from pareto_book.kept_runs.run_files import KeptRuns
from pareto_core.simulation.statistics import rate_interval
from pareto_lab.comparison.lower_bounds import fewest_samples

__all__ = [
    "broken_promises",
    "compare_pairs",
    "paired_log_ratio",
    "performance_profile",
    "ratios_to_best",
    "summary_frame",
]


def summary_frame(kept: Sequence[KeptRuns], times: Mapping[str, float]) -> pd.DataFrame:
    """Summarise the runs of each entrant on each instance at each risk."""
    return pd.DataFrame([_summary(each, times[each.instance]) for each in kept])


def _summary(kept, time):
    ended = int(kept.ended.sum())
    errors = int((kept.ended & ~kept.right).sum())
    low, high = rate_interval(errors, ended) if ended else (np.nan, np.nan)
    mean, half = kept.samples.mean(), _half_width(kept.samples)
    return {
        "instance": kept.instance,
        "algorithm": kept.name,
        "delta": kept.delta,
        "runs": kept.samples.size,
        "samples": mean,
        "samples_low": mean - half,
        "samples_high": mean + half,
        "errors": errors,
        "error_low": low,
        "error_high": high,
        "unfinished": int((~kept.ended).sum()),
        "over_the_bound": mean / fewest_samples(time, kept.delta),
        "microseconds": kept.microseconds,
    }


def _half_width(values, confidence=0.95):
    """Half the width of Student's interval for a mean."""
    if values.size < 2:
        return np.nan
    quantile = _student_quantile((1 + confidence) / 2, values.size - 1)
    return quantile * np.std(values, ddof=1) / np.sqrt(values.size)


@functools.cache
def _student_quantile(level, degrees):
    """Quantile of Student's distribution; the same few are needed thousands of times."""
    return scipy.stats.t.ppf(level, degrees)


def paired_log_ratio(
    first: KeptRuns, second: KeptRuns, confidence: float = 0.95
) -> tuple[float, float, float]:
    """Compare two mean numbers of samples by the logarithm of their ratio, from paired runs."""
    n = min(first.samples.size, second.samples.size)
    ours, theirs = (each.samples[:n].astype(float) for each in (first, second))
    value = np.log(ours.mean() / theirs.mean())
    half = _half_width(ours / ours.mean() - theirs / theirs.mean(), confidence)
    return float(value), float(value - half), float(value + half)


def compare_pairs(kept: Sequence[KeptRuns], confidence: float = 0.95) -> pd.DataFrame:
    """Compare the mean samples of all pairs of entrants, on each instance at each risk."""
    rows = []
    for (instance, delta), group in _by_case(kept):
        pairs = [(a, b) for k, a in enumerate(group) for b in group[k + 1 :]]
        for a, b in pairs:
            quick, slow = (a, b) if a.samples.mean() <= b.samples.mean() else (b, a)
            found = paired_log_ratio(slow, quick, 1 - (1 - confidence) / len(pairs))
            ratio, low, high = np.exp(found)
            rows.append(
                {
                    "instance": instance,
                    "delta": delta,
                    "first": quick.name,
                    "second": slow.name,
                    "ratio": ratio,
                    "low": low,
                    "high": high,
                    "certain": bool(low > 1 and quick.ended.all()),
                }
            )
    return pd.DataFrame(rows)


def _by_case(kept):
    """Runs of all entrants, by instance and risk."""
    groups = {}
    for each in kept:
        groups.setdefault((each.instance, each.delta), []).append(each)
    return groups.items()


def broken_promises(kept: Sequence[KeptRuns], confidence: float = 0.9999) -> dict[str, KeptRuns]:
    """Find the entrants that demonstrably exceed their risk."""
    found = {}
    for each in kept:
        wrong, ended = int((each.ended & ~each.right).sum()), int(each.ended.sum())
        if ended and rate_interval(wrong, ended, confidence)[0] > each.delta:
            worst = found.get(each.name)
            if worst is None or wrong / ended > 1 - worst.right.sum() / worst.ended.sum():
                found[each.name] = each
    return found


def ratios_to_best(frame: pd.DataFrame) -> pd.Series:
    """Divide the mean samples of each entrant by those of the best one of the same case."""
    best = frame.groupby(["instance", "delta"])["samples"].transform("min")
    return frame["samples"] / best


def performance_profile(frame: pd.DataFrame, factors: ArrayLike) -> dict[str, np.ndarray]:
    """Compute performance profiles (Dolan & Moré 2002): how often each is close to the best."""
    cases = frame.groupby(["instance", "delta"]).ngroups
    ratio = ratios_to_best(frame).where(frame["unfinished"] == 0, np.inf)
    return {
        name: np.array([(part <= factor).sum() / cases for factor in factors])
        for name, part in ratio.groupby(frame["algorithm"], sort=False)
    }
