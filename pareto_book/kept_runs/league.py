"""What the kept runs say: means and errors, who is ahead of whom, and how far from the best."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import scipy
from numpy.typing import ArrayLike

from pareto_book.kept_runs.kept_runs import Kept
from pareto_core.simulation.statistics import rate_interval
from pareto_lab.comparison.lower_bounds import fewest_samples

__all__ = [
    "ahead",
    "broken_promises",
    "distances",
    "frame_of",
    "paired_log_ratio",
    "performance_profile",
]


def frame_of(kept: Sequence[Kept], times: Mapping[str, float]) -> pd.DataFrame:
    """A line for each instance, entrant and risk.

    Parameters
    ----------
    kept : sequence of Kept
        Runs.
    times : dict of str to float
        Characteristic times by instance.

    Returns
    -------
    pandas.DataFrame
        ``instance``, ``algorithm``, ``delta``, ``runs``, the mean ``samples`` with its interval
        ``samples_low`` and ``samples_high`` (Student's, 95 %), ``errors`` among the runs that
        ended with ``error_low`` and ``error_high`` (Clopper-Pearson, 95 %), ``unfinished``,
        ``over_the_bound`` and ``microseconds``.
    """
    return pd.DataFrame([_line(each, times[each.place]) for each in kept])


def _line(kept, time):
    ended = int(kept.ended.sum())
    errors = int((kept.ended & ~kept.right).sum())
    low, high = rate_interval(errors, ended) if ended else (np.nan, np.nan)
    mean, half = kept.samples.mean(), _half_width(kept.samples)
    return {
        "instance": kept.place,
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
    """Half of Student's interval of a mean."""
    if values.size < 2:
        return np.nan
    quantile = scipy.stats.t.ppf((1 + confidence) / 2, values.size - 1)
    return quantile * np.std(values, ddof=1) / np.sqrt(values.size)


def paired_log_ratio(
    first: Kept, second: Kept, confidence: float = 0.95
) -> tuple[float, float, float]:
    """Logarithm of the ratio of two mean numbers of samples, from the same seeds, and its interval.

    The interval is the delta method's, from the differences of the two runs of one number, each
    over its mean.

    Parameters
    ----------
    first, second : Kept
        Runs; the numbers that both have are compared.
    confidence : float, default 0.95
        Confidence level.

    Returns
    -------
    tuple of float
        Value, low and high.
    """
    n = min(first.samples.size, second.samples.size)
    ours, theirs = (each.samples[:n].astype(float) for each in (first, second))
    value = np.log(ours.mean() / theirs.mean())
    half = _half_width(ours / ours.mean() - theirs / theirs.mean(), confidence)
    return float(value), float(value - half), float(value + half)


def ahead(kept: Sequence[Kept], confidence: float = 0.95) -> pd.DataFrame:
    """Which entrant is ahead of which, on each instance at each risk.

    All pairs of entrants of an instance and a risk are compared at once, by Bonferroni's
    correction, so that with this confidence none of the pairs is called wrongly.

    Parameters
    ----------
    kept : sequence of Kept
        Runs of one question.
    confidence : float, default 0.95
        That all intervals of an instance and a risk hold together.

    Returns
    -------
    pandas.DataFrame
        A line for each pair, the quicker one first: ``instance``, ``delta``, ``first``,
        ``second``, ``ratio`` of the second one's mean samples over the first's, ``low``,
        ``high``, and ``certain``: whether the interval excludes 1 and no run was cut off that
        could overturn it.
    """
    rows = []
    for (place, delta), field in _fields(kept):
        pairs = [(a, b) for k, a in enumerate(field) for b in field[k + 1 :]]
        for a, b in pairs:
            quick, slow = (a, b) if a.samples.mean() <= b.samples.mean() else (b, a)
            found = paired_log_ratio(slow, quick, 1 - (1 - confidence) / len(pairs))
            ratio, low, high = np.exp(found)
            rows.append(
                {
                    "instance": place,
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


def _fields(kept):
    """Lists of the runs that are compared, by instance and risk."""
    fields = {}
    for each in kept:
        fields.setdefault((each.place, each.delta), []).append(each)
    return fields.items()


def broken_promises(kept: Sequence[Kept], confidence: float = 0.9999) -> dict[str, Kept]:
    """Entrants that are certainly wrong more often than their risk allows.

    Parameters
    ----------
    kept : sequence of Kept
        Runs.
    confidence : float, default 0.9999
        Of the exact interval of each error rate, among the runs that ended: high, since so many
        are looked at.

    Returns
    -------
    dict of str to Kept
        For each such entrant the runs with its largest error rate.
    """
    found = {}
    for each in kept:
        wrong, ended = int((each.ended & ~each.right).sum()), int(each.ended.sum())
        if ended and rate_interval(wrong, ended, confidence)[0] > each.delta:
            worst = found.get(each.name)
            if worst is None or wrong / ended > 1 - worst.right.sum() / worst.ended.sum():
                found[each.name] = each
    return found


def distances(frame: pd.DataFrame) -> pd.Series:
    """How many times the samples of the best entrant each takes.

    Parameters
    ----------
    frame : pandas.DataFrame
        As `frame_of` makes it, of the entrants that are to be compared.

    Returns
    -------
    pandas.Series
        Of each line; not less than 1.
    """
    best = frame.groupby(["instance", "delta"])["samples"].transform("min")
    return frame["samples"] / best


def performance_profile(frame: pd.DataFrame, factors: ArrayLike) -> dict[str, np.ndarray]:
    """Performance profiles: the part of all cases in which each entrant is so close to the best.

    Parameters
    ----------
    frame : pandas.DataFrame
        As `frame_of` makes it; a case is an instance at a risk. An entrant that does not play a
        case, or was cut off in it, is close to nobody there.
    factors : array_like, shape (n,)
        Times the samples of the best.

    Returns
    -------
    dict of str to ndarray, shape (n,)
        Part of all cases, by entrant (Dolan & More 2002).
    """
    cases = frame.groupby(["instance", "delta"]).ngroups
    ratio = distances(frame).where(frame["unfinished"] == 0, np.inf)
    return {
        name: np.array([(part <= factor).sum() / cases for factor in factors])
        for name, part in ratio.groupby(frame["algorithm"], sort=False)
    }
