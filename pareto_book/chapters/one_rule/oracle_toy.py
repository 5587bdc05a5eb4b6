r"""Equally hard comparisons: how long fixed proportions wait, and sampling the least evidence.

A question consists of m comparisons, and the evidence of each is a Brownian motion in its own
samples. In units in which n samples of a comparison give a mean evidence of n, it has the variance
2n: :math:`L_i(n)=n+\sqrt2\,W_i(n)`, the log-likelihood ratio of two Gaussian means at distance
:math:`\sqrt2`. An algorithm stops when each comparison has the evidence :math:`\beta`.

Let :math:`\tau_i` be the first n at which :math:`L_i` reaches :math:`\beta`. *Fixed proportions*
sample all comparisons equally often. They stop no earlier than at :math:`\max_i\tau_i` samples of
each, since a comparison that has reached :math:`\beta` may fall below it again. A rule that samples
only comparisons *below the threshold*, such as the one with the least evidence, takes exactly
:math:`\tau_i` samples of comparison i, on average :math:`\frac1m\sum_i\tau_i` of each. So in every
run it needs no more samples than fixed proportions. Here :math:`\tau_i` has an inverse Gaussian
distribution of mean :math:`\beta`, which is the time :math:`t_\beta` at which t/T* reaches the
threshold.
"""

import numpy as np
import scipy
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_count, check_positive
from pareto_core.instances.instance import Instance

__all__ = [
    "first_passage_cdf",
    "fixed_bounds",
    "pairs_instance",
    "passage_times",
    "time_at_threshold",
    "walk_times",
]

REACH = 60.0  # standard deviations after which a passage counts as certain
STEPS = 20_001  # of the trapezoidal rule


def first_passage_cdf(times: ArrayLike, threshold: float) -> np.ndarray:
    r"""Probability that the evidence of one comparison has reached the threshold."""
    shape = check_positive(threshold, "threshold") ** 2 / 2
    return scipy.stats.invgauss.cdf(times, threshold / shape, scale=shape)


def fixed_bounds(n_comparisons: int, threshold: float) -> tuple[float, float]:
    r"""Bounds on the mean samples of each comparison under fixed proportions."""
    check_count(n_comparisons, "n_comparisons")
    check_positive(threshold, "threshold")
    end = threshold + REACH * (np.sqrt(2 * threshold) + 1)
    times = np.linspace(0.0, 1.0, STEPS)[1:] ** 2 * end
    passed = first_passage_cdf(times, threshold)
    above = scipy.special.ndtr((times - threshold) / np.sqrt(2 * times))
    lower, upper = (
        times[0] + scipy.integrate.trapezoid(1 - each**n_comparisons, times)
        for each in (passed, above)
    )
    return float(lower), float(upper)


def walk_times(
    n_comparisons: int, threshold: float, step: float, runs: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Simulate both rules on the same walks, as Gaussian walks with small steps."""
    n_steps = int((threshold + 12 * np.sqrt(2 * threshold) + 12) / step)
    fixed, least = np.empty(runs), np.empty(runs)
    for run in range(runs):
        draws = rng.normal(step, np.sqrt(2 * step), (n_comparisons, n_steps))
        evidence = draws.cumsum(axis=1)
        if not (evidence[:, -1] >= threshold).all():
            raise RuntimeError("a walk is too short; expected all to end above the threshold")
        fixed[run] = step * (1 + (evidence.min(axis=0) >= threshold).argmax())
        least[run] = step * passage_times(evidence, threshold).mean()
    return fixed, least


def passage_times(evidence: np.ndarray, threshold: float) -> np.ndarray:
    """Number of samples of each comparison when the one with the least evidence is sampled."""
    counts = np.zeros(len(evidence), np.int64)
    now = np.zeros(len(evidence))
    while now[weakest := now.argmin()] < threshold:
        now[weakest] = evidence[weakest, counts[weakest]]
        counts[weakest] += 1
    return counts


def pairs_instance(n_pairs: int, gap: float) -> Instance:
    r"""Arms in pairs, such that the Pareto set asks which arm of each pair is better."""
    check_count(n_pairs, "n_pairs")
    far = 20.0 * check_positive(gap, "gap")
    first = far * np.arange(n_pairs)[:, None] * [1.0, -1.0]
    means = np.stack([first, first - [gap, far / 2]], axis=1).reshape(-1, 2)
    return Instance(means, name=f"{n_pairs} pairs")


def time_at_threshold(time: float, delta: float) -> float:
    r"""Time :math:`t_\beta` at which t/T* reaches the stylised threshold ln(ln(1 + t)/delta)."""
    check_positive(time, "time")
    samples = 2.0 + time * np.log(1 / delta)
    for _ in range(200):
        samples = max(2.0, time * np.log(np.log1p(samples) / delta))
    return float(samples)
