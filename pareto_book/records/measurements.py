"""What runs have measured: a value, its interval, and their number."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.simulation.statistics import mean_interval, rate_interval, ratio_interval

__all__ = ["Measurement", "mean_of", "rate_of", "ratio_of", "risk_of", "say"]


class Measurement(NamedTuple):
    """A value with its interval, and how many runs are behind it.

    ``card.record(claim, *measurement)`` records it. Formatted, as in ``f"{measurement:.2f}"``, it
    is the value and its interval, in one piece that does not break.

    Attributes
    ----------
    value : float
        The value.
    interval : tuple of float
        Both ends of its interval at 95 %.
    runs : int
        Number of runs; of a ratio the smaller one.
    """

    value: float
    interval: tuple[float, float]
    runs: int

    def times(self, factor: float) -> "Measurement":
        """The same in another unit: value and interval times a positive number."""
        low, high = self.interval
        return Measurement(factor * self.value, (factor * low, factor * high), self.runs)

    def __format__(self, specification):
        value, low, high = (format(end, specification) for end in (self.value, *self.interval))
        return f"{value}\u00a0[{low},\u00a0{high}]"


def mean_of(values: ArrayLike) -> Measurement:
    """Measure a mean, with its bootstrap interval.

    Parameters
    ----------
    values : ndarray, shape (n,)
        Values of single runs, such as their samples.

    Returns
    -------
    Measurement
    """
    return Measurement(float(np.mean(values)), mean_interval(values), len(values))


def rate_of(events: ArrayLike) -> Measurement:
    """Measure how often something happens, with the exact interval.

    Parameters
    ----------
    events : array_like of bool, any shape
        Whether it happened, run by run.

    Returns
    -------
    Measurement
    """
    events = np.asarray(events)
    interval = rate_interval(events.sum(), events.size)
    return Measurement(float(events.mean()), interval, events.size)


def ratio_of(numerator: ArrayLike, denominator: ArrayLike, paired: bool = False) -> Measurement:
    """Measure the ratio of two means of runs, with its bootstrap interval.

    Parameters
    ----------
    numerator, denominator : ndarray, shape (n,) and (m,)
        Values of single runs, such as their samples.
    paired : bool, default False
        Whether the values belong together in pairs, such as those of one instance, so that
        they are resampled together; otherwise all are independent.

    Returns
    -------
    Measurement
    """
    value = float(np.mean(numerator) / np.mean(denominator))
    runs = min(len(numerator), len(denominator))
    return Measurement(value, ratio_interval(numerator, denominator, paired=paired), runs)


def risk_of(estimate: Any, fewest: float = 30) -> Measurement:
    """Take over an estimated error probability, if enough errors are behind it.

    Parameters
    ----------
    estimate : RiskEstimate
        See `error_probability`.
    fewest : float, default 30
        Effective errors below which value and interval are NaN.

    Returns
    -------
    Measurement
    """
    if estimate.effective_errors < fewest:
        return Measurement(np.nan, (np.nan, np.nan), estimate.runs)
    return Measurement(estimate.probability, (estimate.low, estimate.high), estimate.runs)


def say(name: str, measured: float | Measurement) -> None:
    """Have a number at hand for the text of the page, as in ``{glue:text}`name:.2f```.

    Parameters
    ----------
    name : str
        What the text calls it.
    measured : number or Measurement
        The ends of the interval of a `Measurement` are called ``name_low`` and ``name_high``.

    Raises
    ------
    ImportError
        If myst_nb is not installed.
    """
    from myst_nb import glue

    numbers = {name: measured}
    if isinstance(measured, Measurement):
        low, high = measured.interval
        numbers = {name: measured.value, f"{name}_low": low, f"{name}_high": high}
    for called, number in numbers.items():
        glue(called, np.asarray(number).item(), display=False)  # Python's own number
