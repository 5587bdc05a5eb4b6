"""Error probabilities of fixed-confidence algorithms, including errors too rare to count.

The runs are drawn under different means, for which a wrong answer is correct, and weighted by their
likelihood ratio under the means of the instance (importance sampling). `proposals` finds such
means.
"""

import dataclasses

import numpy as np
import scipy  # its parts are imported when they are used
from numpy.typing import ArrayLike

from pareto_book.error_rates.proposals import Proposals, draw, levels_of
from pareto_core.instances.instance import Instance
from pareto_core.loop.algorithm import Algorithm


@dataclasses.dataclass(frozen=True, eq=False)
class RiskEstimate:
    """An estimated error probability, and the wrong runs that it is computed from."""

    delta: float
    probability: float  # unbiased
    low: float  # ends of the confidence interval
    high: float
    runs: int  # under all proposals
    contributions: np.ndarray  # (e,) term of each wrong run
    samples: np.ndarray  # (e,) its stopping time
    answers: np.ndarray  # (e, ...)

    @property
    def effective_errors(self) -> float:
        """Number of equally weighted errors with the same precision; 0 without errors."""
        total = self.contributions.sum()
        return float(total**2 / (self.contributions**2).sum()) if total > 0 else 0.0


def error_probability(
    algorithm: Algorithm,
    instance: Instance,
    proposals: Proposals,
    runs: int,
    seed: int = 0,
    max_samples: int = 10**6,
    n_jobs: int | None = None,
) -> RiskEstimate:
    r"""Estimate the probability that an algorithm stops with a wrong answer."""
    draws = draw([algorithm], instance, proposals, runs, seed, max_samples, n_jobs)[0]
    return _estimate(getattr(algorithm, "delta", np.nan), draws)


def error_probabilities(
    algorithm: Algorithm,
    instance: Instance,
    proposals: Proposals,
    deltas: ArrayLike,
    runs: int,
    seed: int = 0,
    max_samples: int = 10**6,
    n_jobs: int | None = None,
) -> list[RiskEstimate]:
    """Estimate the error probability at several risks from the same runs."""
    levels = levels_of(algorithm, deltas)
    draws = draw(levels, instance, proposals, runs, seed, max_samples, n_jobs)
    return [_estimate(level.delta, each) for level, each in zip(levels, draws, strict=True)]


def weighted_count_interval(
    contributions: ArrayLike, largest: float, confidence: float = 0.95
) -> tuple[float, float]:
    r"""Confidence interval of the mean of a sum of unequal contributions of rare events."""
    values, tail = np.asarray(contributions, float), (1 - confidence) / 2
    scale = values.max(initial=0.0)
    if scale == 0.0:
        return 0.0, float(largest * scipy.special.gammainccinv(1.0, tail))
    values = values / scale
    total, squares = values.sum(), (values**2).sum()
    low = squares / total * scipy.special.gammaincinv(total**2 / squares, tail)
    total, squares = total + 1.0, squares + 1.0
    high = squares / total * scipy.special.gammainccinv(total**2 / squares, tail)
    return float(scale * low), float(scale * high)


def _estimate(delta, draws):
    found = draws.contributions[draws.wrong]
    own_runs = np.exp(draws.log_shares[0]) * draws.wrong.size
    low, high = weighted_count_interval(found, 1.0 / own_runs)
    return RiskEstimate(
        delta,
        float(found.sum()),
        low,
        min(high, 1.0),
        draws.wrong.size,
        found,
        draws.samples[draws.wrong],
        draws.answers[draws.wrong],
    )
