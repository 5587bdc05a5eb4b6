"""Algorithms that play instances which violate their assumptions, to see what then goes wrong."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pandas as pd

import pareto_core as pc
from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import Measurement, rate_of

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "ON_CORRELATED",
    "ON_WRONG_VARIANCE",
    "AnyVariance",
    "CertifiedAnyVariance",
    "CoinTrackAndStop",
    "Correlated",
    "UnawareTrackAndStop",
    "wrong_answer_rate",
    "wrong_answer_table",
]

MAX_SAMPLES = 1000


class Correlated(pc.UniformSampling):
    """Uniform sampling that takes the objectives for independent, whatever its stopping rule."""

    uses_covariance = False


class UnawareTrackAndStop(pc.TrackAndStop):
    """Track-and-Stop that takes the objectives for independent."""

    uses_covariance = False


class AnyVariance(pc.UniformSampling):
    """Uniform sampling that takes all variances to be 1, whatever they are."""

    needs_unit_variance = False


class CertifiedAnyVariance(pc.Certified):
    """Certified sampling that sees the rewards as they are, and is not told the variance."""

    needs_unit_variance = False


class CoinTrackAndStop(pc.TrackAndStop):
    """Track-and-Stop on coins as they are, although their variances differ."""

    needs_unit_variance = False


ON_CORRELATED = {
    "uniform, stylised": Correlated(check_every=5),
    "Track-and-Stop, stylised": UnawareTrackAndStop(gradient_every=10, check_every=25),
    "APE": pc.APE(),
    "racing": pc.Racing(),
    "uniform, joint": Correlated(check_every=5, threshold="proven"),
    "uniform, pairs": pc.UniformSampling(check_every=5, threshold="proven_correlated"),
}
ON_WRONG_VARIANCE = {
    "stylised": AnyVariance(check_every=5),
    "joint": AnyVariance(check_every=5, threshold="proven"),
    "joint, unknown": CertifiedAnyVariance(pc.UniformSampling(), variance="unknown", check_every=5),
}


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


def wrong_answer_table(
    algorithms: Mapping[str, pc.Algorithm],
    instances: Mapping[str, pc.Instance],
    runs: int,
    caption: str,
    seed: int = 0,
    n_jobs: int | None = None,
) -> "HTML":
    """Make a table of rates of wrong answers: instances in columns, algorithms in rows."""
    rates = {
        head: [
            wrong_answer_rate(algorithm, instance, runs, seed, n_jobs)
            for algorithm in algorithms.values()
        ]
        for head, instance in instances.items()
    }
    frame = pd.DataFrame({"": list(algorithms), **rates})
    return show_table(frame, caption, **dict.fromkeys(rates, ".3f"))
