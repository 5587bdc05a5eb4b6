"""Algorithms that play instances which violate their assumptions, to see what then goes wrong."""

import pareto_core as pc
from pareto_book.records.measurements import Measurement, rate_of

__all__ = [
    "AnyVariance",
    "CertifiedAnyVariance",
    "CoinTrackAndStop",
    "Correlated",
    "wrong_answer_rate",
]

MAX_SAMPLES = 1000


class Correlated(pc.UniformSampling):
    """Uniform sampling that accepts correlated objectives, whatever its stopping rule."""

    needs_independence = False


class AnyVariance(pc.UniformSampling):
    """Uniform sampling that takes all variances to be 1, whatever they are."""

    needs_unit_variance = False


class CertifiedAnyVariance(pc.Certified):
    """Certified sampling that sees the rewards as they are, and is not told the variance."""

    needs_unit_variance = False


class CoinTrackAndStop(pc.TrackAndStop):
    """Track-and-Stop on coins as they are, although their variances differ."""

    needs_unit_variance = False


def wrong_answer_rate(
    algorithm: pc.Algorithm,
    instance: pc.Instance,
    runs: int,
    seed: int = 0,
    n_jobs: int | None = None,
) -> Measurement:
    """Measure how often an algorithm stops within 1,000 samples with a wrong answer."""
    found = pc.simulate(algorithm, instance, runs, seed, n_jobs, max_samples=MAX_SAMPLES)
    return rate_of(found.stopped & ~found.correct)
