"""Rewards of simulated arms: draws from the noise of an instance.

A *source* holds the arrays of all kinds of noise, so that the loop of an algorithm is compiled once
for all kinds. The kernel ``draw(source, arm, number, rng, total, scatter)`` draws ``number``
rewards of ``arm`` at once. It writes their sum and the sum of squares about their mean in each
objective to ``total`` and ``scatter``, both (d,), and returns the number of rewards, which is
smaller than ``number``, possibly 0, when the source runs dry. Recorded observations modify
``order`` and ``dealt`` of their source.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import inner

__all__ = ["BERNOULLI_VARIANCE_BOUND"]

GAUSSIAN, BERNOULLI, POOL, UNIFORM = "gaussian", "bernoulli", "pool", "uniform"
NOISES = (GAUSSIAN, BERNOULLI, POOL, UNIFORM)
WITH_VARIANCE = (GAUSSIAN, UNIFORM)  # kinds with a variance that an instance states
CORRELATED = len(NOISES)  # kind of Gaussian noise with correlated objectives
BERNOULLI_VARIANCE_BOUND = 0.25
"""Largest variance of a Bernoulli reward, at a mean of 1/2: a value for ``variance_bound``."""


class Source(NamedTuple):
    """Arrays from which rewards are drawn; empty if the kind of noise does not need them."""

    kind: int  # index in NOISES, or CORRELATED
    means: np.ndarray  # (K, d)
    deviation: np.ndarray  # (K, d) of Gaussian or uniform noise
    factor: np.ndarray  # (K, d, d) Cholesky factors of the correlations of Gaussian noise, if any
    # Of recorded observations, which are drawn without replacement:
    observations: np.ndarray  # (n, d) observations of arm 0, then of arm 1, ...
    first: np.ndarray  # (K + 1,) index of the first observation of each arm
    order: np.ndarray  # (n,) permutation of the observations; only the drawn part is final
    dealt: np.ndarray  # (K,) number of observations of each arm drawn so far


@inner
def _draw_gaussian(source, arm, number, rng, total, scatter):
    """Draw Gaussian rewards: their sum and scatter, in O(d) whatever their number; see `draw`."""
    for c in range(total.shape[0]):
        deviation = source.deviation[arm, c]
        noise = deviation * rng.standard_normal()
        if number == 1:
            total[c] = source.means[arm, c] + noise
            scatter[c] = 0.0
        else:
            total[c] = number * source.means[arm, c] + np.sqrt(number) * noise
            scatter[c] = 2.0 * deviation**2 * rng.standard_gamma(0.5 * (number - 1))
    return number


@inner
def _draw_correlated(source, arm, number, rng, total, scatter):
    """Draw Gaussian rewards with correlated objectives: their sum and scatter; see `draw`."""
    n_objectives = total.shape[0]
    normal = np.empty(n_objectives)
    mean = np.zeros(n_objectives)
    scatter[:] = 0.0
    for n in range(number):
        for c in range(n_objectives):
            normal[c] = rng.standard_normal()
        for c in range(n_objectives):
            noise = 0.0
            for b in range(c + 1):
                noise += source.factor[arm, c, b] * normal[b]
            away = source.deviation[arm, c] * noise - mean[c]
            mean[c] += away / (n + 1.0)
            scatter[c] += away * away * n / (n + 1.0)
    for c in range(n_objectives):
        total[c] = number * (source.means[arm, c] + mean[c])
    return number


@inner
def _draw_bernoulli(source, arm, number, rng, total, scatter):
    """Draw rewards of 0 or 1: their sum and scatter; see `draw`."""
    for c in range(total.shape[0]):
        ones = 0.0
        for _ in range(number):
            if rng.random() < source.means[arm, c]:
                ones += 1.0
        total[c] = ones
        scatter[c] = ones * (number - ones) / number
    return number


@inner
def _draw_uniform(source, arm, number, rng, total, scatter):
    """Draw rewards from uniform intervals about the means: their sum and scatter; see `draw`."""
    for c in range(total.shape[0]):
        width = np.sqrt(12.0) * source.deviation[arm, c]
        mean, squares = 0.0, 0.0
        for n in range(number):
            away = width * (rng.random() - 0.5) - mean
            mean += away / (n + 1.0)
            squares += away * away * n / (n + 1.0)
        total[c] = number * (source.means[arm, c] + mean)
        scatter[c] = squares
    return number


@inner
def _draw_pool(source, arm, number, rng, total, scatter):
    """Draw recorded observations of the arm without replacement; see `draw`."""
    start = source.first[arm] + source.dealt[arm]
    end = min(start + number, source.first[arm + 1])
    source.dealt[arm] += end - start
    total[:] = 0.0
    scatter[:] = 0.0
    for i in range(start, end):
        j = rng.integers(i, source.first[arm + 1])
        source.order[i], source.order[j] = source.order[j], source.order[i]
        for c in range(total.shape[0]):
            total[c] += source.observations[source.order[i], c]
    for i in range(start, end):
        for c in range(total.shape[0]):
            scatter[c] += (source.observations[source.order[i], c] - total[c] / (end - start)) ** 2
    return end - start


@inner
def draw(source, arm, number, rng, total, scatter):
    """Draw rewards of any kind: their sum and scatter. An unknown kind has no rewards."""
    if source.kind == 0:
        return _draw_gaussian(source, arm, number, rng, total, scatter)
    if source.kind == 1:
        return _draw_bernoulli(source, arm, number, rng, total, scatter)
    if source.kind == 2:
        return _draw_pool(source, arm, number, rng, total, scatter)
    if source.kind == 3:
        return _draw_uniform(source, arm, number, rng, total, scatter)
    if source.kind == CORRELATED:
        return _draw_correlated(source, arm, number, rng, total, scatter)
    return 0


def make_source(instance):
    """Build the source of an instance's rewards; a run may change it, see `renewed`."""
    means = np.array(instance.means)
    deviation, observations = np.empty((0, 0)), np.empty((0, 0))
    kind, factor = NOISES.index(instance.noise), np.empty((0, 0, 0))
    first, dealt = np.zeros(1, np.int64), np.zeros(0, np.int64)
    if instance.noise in WITH_VARIANCE:
        deviation = np.array(np.broadcast_to(np.sqrt(instance.variance), means.shape), order="C")
    elif instance.noise == POOL:
        sizes = [len(group) for group in instance.observations]
        first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        observations = np.ascontiguousarray(np.concatenate(instance.observations))
        dealt = np.zeros(len(sizes), np.int64)
    if instance.covariance is not None:
        kind, factors = CORRELATED, np.linalg.cholesky(instance.correlation)
        factor = np.array(np.broadcast_to(factors, (len(means), *factors.shape[-2:])), order="C")
    order = np.arange(first[-1])
    return Source(kind, means, deviation, factor, observations, first, order, dealt)


def renewed(source):
    """The source for one more run: with its own copies of the arrays that a run changes."""
    return source._replace(order=source.order.copy(), dealt=source.dealt.copy())
