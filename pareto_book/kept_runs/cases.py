"""The kept runs of one entrant on one instance at one risk, or with one budget, as a line."""

import functools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import scipy

from pareto_book.records.measurements import Measurement
from pareto_core.simulation.statistics import rate_interval

FIRST = 5  # runs of a case whose samples are kept one by one
WRONG, CUT_OFF = "x", "+"  # marks behind the samples of such a run


class KeptCase(NamedTuple):
    """A line of ``data/book/arena.csv``; the runs are those of `simulate` with seed 0."""

    question: str  # key of `competitions.COMPETITIONS`
    instance: str  # key of its instances
    name: str  # key of its entrants
    level: float  # risk, or budget
    algorithm: str  # with all its parameters
    runs: int
    mean: float  # number of samples
    sd: float
    errors: int  # runs that ended with a wrong answer
    unfinished: int  # runs that were cut off
    correlation: float  # of samples with the first entrant on the instance at this level
    microseconds: float  # of one thread for a sample, on the machine that made the runs
    first: str  # samples of the first runs, marked where the answer is wrong or the run cut off

    @property
    def ended(self) -> int:
        """Number of runs that were not cut off."""
        return self.runs - self.unfinished


def first_runs(samples: np.ndarray, right: np.ndarray, ended: np.ndarray) -> str:
    """Write the first runs of a case as text."""
    marks = np.where(~ended, CUT_OFF, np.where(right, "", WRONG))
    return " ".join(f"{n}{mark}" for n, mark in zip(samples[:FIRST], marks[:FIRST], strict=True))


@functools.cache
def _student_quantile(level, degrees):
    """Quantile of Student's distribution; the same few are needed thousands of times."""
    return scipy.stats.t.ppf(level, degrees)


def mean_ratio(first: KeptCase, second: KeptCase, confidence: float = 0.95) -> Measurement:
    """Ratio of two mean numbers of samples, with its interval by the delta method.

    The correlation is known if one of the two is the first entrant of the instance. Others count
    as independent, which from the same seeds they nearly are if their sampling rules differ.
    """
    ours, theirs = (each.sd / each.mean for each in (first, second))
    same = (first.instance, first.level) == (second.instance, second.level)
    known = same and 1.0 in (first.correlation, second.correlation)
    correlation = first.correlation * second.correlation if known else 0.0
    most, least = max(first.runs, second.runs), min(first.runs, second.runs)
    variance = ours**2 / first.runs + theirs**2 / second.runs
    variance -= 2 * correlation * ours * theirs / most
    half = _student_quantile((1 + confidence) / 2, least - 1) * np.sqrt(max(variance, 0.0))
    value = first.mean / second.mean
    return Measurement(value, (value * np.exp(-half), value * np.exp(half)), least)


def mean_interval(case: KeptCase) -> tuple[float, float]:
    """Student's interval at 95 % of the mean number of samples."""
    half = _student_quantile(0.975, case.runs - 1) * case.sd / np.sqrt(case.runs)
    return case.mean - half, case.mean + half


def broken_promises(cases: Sequence[KeptCase], confidence: float = 0.9999) -> dict[str, KeptCase]:
    """Find the entrants that demonstrably exceed their risk, each with its worst case."""
    found = {}
    for each in cases:
        if each.ended and rate_interval(each.errors, each.ended, confidence)[0] > each.level:
            worst = found.get(each.name)
            if worst is None or each.errors / each.ended > worst.errors / worst.ended:
                found[each.name] = each
    return found
