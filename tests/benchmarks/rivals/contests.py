"""A contest: one task, and the programs that do it by turns.

Times are those of the processor in this process, all its threads together: other work on the
machine is not part of them.
"""

import gc
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.stats import binom

LEAST, MOST = 6, 200  # repetitions; an interval of 95 % needs six
SPREAD = (0.05, 0.95)  # quantiles of the ratio over the repetitions


class Contest(NamedTuple):
    """One task of one size; each program is a function that returns seconds per item."""

    what: str
    size: str
    ours: Callable
    rivals: dict  # (package, how it is called, if not in the only way): function


class Times(NamedTuple):
    """Medians in seconds per item, and the rival's time over ours."""

    ours: float
    rival: float
    ratio: float
    low: float  # interval of 95 % for the median of the ratio
    high: float
    least: float  # and the spread of the ratio itself
    most: float
    repetitions: int


def each(call, items):
    """A program that calls ``call`` with the arguments of every item."""

    def play():
        start = time.process_time()
        for item in items:
            call(*item)
        return (time.process_time() - start) / len(items)

    return play


def at_once(call, n_items):
    """A program that does so many items in one call."""

    def play():
        start = time.process_time()
        call()
        return (time.process_time() - start) / n_items

    return play


def check_agreement(rival, theirs, ours, tolerance):
    """Check that a rival's numbers are ours, up to a share ``tolerance`` of the largest.

    Raises
    ------
    ValueError
        If they are not.
    """
    theirs, ours = np.asarray(theirs, float), np.asarray(ours, float)
    apart = np.abs(theirs - ours).max()
    if not apart <= tolerance * np.abs(ours).max():
        raise ValueError(f"{rival} is {apart} away from {ours}; expected at most {tolerance} of it")


def race(contest, seconds):
    """Let all programs run by turns for so long; return the `Times` against each rival.

    Every program has run once before. The ratios are of times that were taken one after the
    other, so that what slows down the machine for a while slows down both.
    """
    programs = [contest.ours, *contest.rivals.values()]
    for play in programs:
        play()
    rows = []
    end = time.perf_counter() + seconds
    gc.disable()
    while len(rows) < LEAST or (len(rows) < MOST and time.perf_counter() < end):
        rows.append([play() for play in programs])
    gc.enable()
    ours, *others = np.array(rows).T
    return {
        rival: _compare(ours, theirs) for rival, theirs in zip(contest.rivals, others, strict=True)
    }


def _compare(ours, theirs):
    """The `Times` of one rival; the interval of the median is that of order statistics."""
    ratios = np.sort(theirs / ours)
    rank = int(binom.ppf(0.025, len(ratios), 0.5))
    interval = ratios[rank - 1], ratios[-rank]
    middle = map(np.median, (ours, theirs, ratios))
    return Times(*map(float, (*middle, *interval, *np.quantile(ratios, SPREAD))), len(ratios))
