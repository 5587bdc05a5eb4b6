"""Error rates over delta: counted, estimated, and read off curves."""

from collections.abc import Sequence

import numpy as np

import pareto_core as pc
from pareto_book.error_rates.estimate import RiskEstimate
from pareto_book.records.measurements import Measurement, rate_of

__all__ = [
    "count_errors",
    "count_over_delta",
    "delta_for",
    "quotient",
]

MAX_SAMPLES = 500  # later errors are not counted


def count_errors(
    algorithm: pc.Algorithm,
    instance: pc.Instance,
    deltas: Sequence[float],
    runs: int,
    seed: int = 0,
    n_jobs: int | None = None,
) -> list[int]:
    """Count the runs that stop within 500 samples with a wrong answer, at each risk."""
    own = 10**6 + seed  # other runs than those of the estimates
    results = pc.simulate_deltas(algorithm, instance, deltas, runs, own, n_jobs, MAX_SAMPLES)
    return [int((each.stopped & ~each.correct).sum()) for each in results]


def count_over_delta(
    algorithm: pc.Algorithm,
    instance: pc.Instance,
    deltas: Sequence[float],
    runs: int,
    seed: int = 0,
    n_jobs: int | None = None,
) -> list[Measurement]:
    """Divide counted error rates and their exact intervals by delta; see `count_errors`."""
    errors = count_errors(algorithm, instance, deltas, runs, seed, n_jobs)
    return [
        rate_of(np.arange(runs) < number).times(1 / delta)
        for number, delta in zip(errors, deltas, strict=True)
    ]


def quotient(numerator: Measurement, denominator: Measurement) -> Measurement:
    """Divide two measurements, with an interval from the ends of both."""
    low, high = numerator.interval
    least, most = denominator.interval
    runs = min(numerator.runs, denominator.runs)
    value = numerator.value / denominator.value
    return Measurement(value, (low / most, high / least), runs)


def delta_for(estimates: Sequence[RiskEstimate], wanted: float) -> Measurement:
    """Read off the delta at which the error rate has a value.

    Parameters
    ----------
    estimates : sequence of RiskEstimate
        In decreasing order of delta.
    wanted : float
        Error rate.

    Returns
    -------
    Measurement
        Between the points of the curve on logarithmic axes; the interval is read off the curves
        of the ends of theirs.
    """

    def read_off(part):
        rates = np.log([getattr(each, part) for each in reversed(estimates)])
        deltas = np.log([each.delta for each in reversed(estimates)])
        return float(np.exp(np.interp(np.log(wanted), rates, deltas)))

    ends = read_off("high"), read_off("low")
    return Measurement(read_off("probability"), ends, estimates[0].runs)
