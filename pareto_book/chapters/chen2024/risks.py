"""How often answers are wrong, and what it costs to prove that they seldom are."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.chapters.chen2024.draws import DrawnRuns
from pareto_book.chapters.chen2024.evidence import BEST, random_means
from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import Measurement, rate_of, ratio_of
from pareto_core.confidence.thresholds import mixture_threshold

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "ErrorCount",
    "count_errors",
    "errors_of",
    "errors_table",
    "hard_instances",
    "pair_threshold",
    "price_of_pairs",
]


def hard_instances(rng: np.random.Generator, count: int = 40) -> list[pc.Instance]:
    """Draw small Gaussian instances with a characteristic time below 200."""
    found = []
    while len(found) < count:
        means = random_means(rng, (2, 6), (1, 5))
        if pc.characteristic_time(means, problem=BEST).time < 200:
            found.append(pc.Instance(means, name=f"hard instance {len(found)}"))
    return found


class ErrorCount(NamedTuple):
    """Results of an algorithm on several instances.

    Attributes
    ----------
    rate : Measurement
        Rate of wrong answers.
    samples : ndarray
        Samples of all runs.
    unfinished : int
        Runs that were cut off.
    """

    rate: Measurement
    samples: np.ndarray
    unfinished: int


def count_errors(
    algorithm: pc.Algorithm,
    instances: Sequence[pc.Instance],
    runs: int,
    seed: int,
    n_jobs: int | None = None,
) -> ErrorCount:
    """Run an algorithm on each instance, for at most 100,000 samples."""
    wrong, unfinished, samples = [], 0, []
    for number, instance in enumerate(instances):
        result = pc.simulate(
            algorithm,
            instance,
            runs,
            1000 * seed + number,
            n_jobs,
            max_samples=10**5,
            progress=False,
        )
        wrong.extend(~result.correct & result.stopped)
        unfinished += int((~result.stopped).sum())
        samples.extend(result.samples)
    return ErrorCount(rate_of(wrong), np.array(samples), unfinished)


def errors_of(
    algorithms: Mapping[str, pc.Algorithm],
    instances: Sequence[pc.Instance],
    runs: int,
    seed: int,
    n_jobs: int | None = None,
) -> dict[str, ErrorCount]:
    """Count the errors of several algorithms."""
    return {
        name: count_errors(
            algorithm, instances, max(runs // 10, 1) if "proven" in name else runs, seed, n_jobs
        )
        for name, algorithm in algorithms.items()
    }


def errors_table(counts: Mapping[str, ErrorCount]) -> "HTML":
    """Make a table of the errors at delta = 0.1, a row for each algorithm."""
    rows: list[dict[str, Any]] = [
        {
            "algorithm": name,
            "runs": found.rate.runs,
            "samples": found.samples.mean(),
            "errors": round(found.rate.value * found.rate.runs),
            "rate": found.rate,
            "cut off at 100,000": found.unfinished,
        }
        for name, found in counts.items()
    ]
    return show_table(
        pd.DataFrame(rows),
        "Error rates at δ = 0.1 on small hard instances, with exact 95 % intervals.",
        samples=",.0f",
        rate=".3f",
    )


def pair_threshold(
    samples: float, n_arms: int = 20, n_objectives: int = 10, delta: float = 0.1
) -> float:
    """Threshold for the evidence of every pair whose arms have ``samples`` samples at most."""
    risk = delta / (n_objectives * (n_arms - 1))
    return mixture_threshold([np.ceil(samples / 2)] * 2, 1, risk)


def price_of_pairs(runs: DrawnRuns, name: str, nats: Sequence[float]) -> Measurement:
    """Samples of an algorithm with the threshold for pairs over those at its first risk."""
    grid, samples = runs.nats[name], runs.samples[name]
    columns = [k for k, level in enumerate(grid) if level in nats]
    proven = np.array([_first_proven(row[columns], grid[columns]) for row in samples])
    return ratio_of(proven / runs.hardness, samples[:, 0] / runs.hardness, paired=True)


def _first_proven(times, nats):
    """First stopping time at which the evidence passes the threshold for pairs."""
    for time, level in zip(times, nats, strict=True):
        if level + np.log(1 + np.log(time)) >= pair_threshold(time):
            return time
    raise ValueError("no stopping time passes the threshold; expected a longer grid")
