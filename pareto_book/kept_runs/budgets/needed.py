"""Error rates of kept answers, and the budget at which an error rate is reached."""

import functools
from typing import NamedTuple

import numpy as np

from pareto_book.kept_runs.budgets.competitions import find_contest
from pareto_book.kept_runs.budgets.files import KeptAnswers
from pareto_book.records.measurements import Measurement, rate_of
from pareto_core.checks.arguments import check_probability, shown
from pareto_core.geometry.dominance import pareto_set

__all__ = [
    "LEVELS",
    "NeededBudget",
    "budget_at",
    "error_rates",
    "is_measurable",
    "needed_budget",
    "needed_ratio",
    "wrong_answers",
]

LEVELS = (0.1, 0.01, 0.001)
FEWEST_ERRORS = 10  # expected at a level, so that its budget is measured
RESAMPLES = 1000  # of the bootstrap
CONFIDENCE = 0.95
BLOCK = 100  # resamples at once


class NeededBudget(NamedTuple):
    """Budget at which an error rate is reached, over the characteristic time.

    Attributes
    ----------
    measured : Measurement
        The budget and its bootstrap interval; infinite above the largest budget of the ladder, and
        0 below the smallest one that the entrant can work with.
    least, most : float
        Smallest and largest budget of the ladder that the entrant can work with.
    """

    measured: Measurement
    least: float
    most: float

    def __str__(self):
        value, (low, high), _ = self.measured
        if not np.isfinite(value):
            return f"more than {self.most:.3g}"
        if value == 0:
            return f"less than {self.least:.3g}"
        ends = [f"{end:.2g}" if 0 < end < np.inf else self._beyond(end) for end in (low, high)]
        return f"{value:.2g} [{ends[0]}, {ends[1]}]"

    def _beyond(self, end):
        return f"< {self.least:.3g}" if end == 0 else f"> {self.most:.3g}"


@functools.lru_cache(maxsize=512)
def wrong_answers(kept: KeptAnswers) -> np.ndarray:
    """Whether each answer is wrong."""
    means = find_contest(kept.instance).instance.means
    wrong = kept.wrong(np.isin(np.arange(len(means)), pareto_set(means)))
    wrong.setflags(write=False)
    return wrong


def error_rates(kept: KeptAnswers) -> list[Measurement]:
    """Error rate at each budget, with its exact interval (Clopper-Pearson, 95 %)."""
    return [rate_of(each) for each in wrong_answers(kept)]


def is_measurable(kept: KeptAnswers, level: float) -> bool:
    """Whether there are enough runs to measure the budget at an error rate."""
    return check_probability(level, "level") * kept.which.shape[1] >= FEWEST_ERRORS


def budget_at(budgets: np.ndarray, errors: np.ndarray, runs: float, level: float) -> np.ndarray:
    r"""Budget from which the error rate is at most a level."""
    check_probability(level, "level")
    logs = np.log((errors + 0.5) / (runs + 1.0)) - np.log(level)
    above = logs > 0
    last = above.shape[-1] - 1 - above[..., ::-1].argmax(axis=-1)
    left = np.minimum(last, above.shape[-1] - 2)[..., None]
    first, second = (np.take_along_axis(logs, k, -1)[..., 0] for k in (left, left + 1))
    low, high = budgets[left[..., 0]], budgets[left[..., 0] + 1]
    fall = np.where(first > second, first - second, 1.0)
    found = low + (high - low) * first / fall
    found = np.where(above[..., -1], np.inf, found)
    return np.where(above.any(axis=-1), found, 0.0)


@functools.lru_cache(maxsize=8)
def _weights(runs):
    """How often each run is drawn in each resample, shape (resamples, runs)."""
    rng = np.random.default_rng(0)
    drawn = rng.integers(runs, size=(RESAMPLES, runs))
    return np.array([np.bincount(each, minlength=runs) for each in drawn], np.uint8)


@functools.lru_cache(maxsize=512)
def _resampled_errors(kept):
    """Number of errors at each budget in each resample, shape (resamples, m)."""
    wrong = wrong_answers(kept).T.astype(np.float32)
    weights = _weights(wrong.shape[0])
    blocks = [weights[k : k + BLOCK].astype(np.float32) @ wrong for k in range(0, RESAMPLES, BLOCK)]
    return np.concatenate(blocks)


def _budgets_over_time(kept):
    return np.array(kept.budgets) / find_contest(kept.instance).time


def _needed(kept, level):
    """The budget over the characteristic time, and that of each resample."""
    budgets, wrong = _budgets_over_time(kept), wrong_answers(kept)
    runs = wrong.shape[1]
    value = budget_at(budgets, wrong.sum(axis=1).astype(float), runs, level)
    return float(value), budget_at(budgets, _resampled_errors(kept), runs, level)


def needed_budget(kept: KeptAnswers, level: float) -> NeededBudget:
    """Budget at which an entrant reaches an error rate, with its bootstrap interval."""
    value, resampled = _needed(kept, level)
    budgets = _budgets_over_time(kept)
    measured = Measurement(value, _interval(value, resampled), kept.which.shape[1])
    return NeededBudget(measured, float(budgets[0]), float(budgets[-1]))


def needed_ratio(first: KeptAnswers, second: KeptAnswers, level: float) -> Measurement | None:
    """Ratio of the budgets at which two entrants reach an error rate, from paired runs."""
    runs = [each.which.shape[1] for each in (first, second)]
    if first.instance != second.instance or first.seed != second.seed or runs[0] != runs[1]:
        raise ValueError(
            f"second = {shown(second.name)} on {second.instance}, {runs[1]} runs of seed "
            f"{second.seed}; expected as many runs of the same seed on {first.instance}"
        )
    (ours, our_resamples), (theirs, their_resamples) = (
        _needed(each, level) for each in (first, second)
    )
    if not (0 < ours < np.inf and 0 < theirs < np.inf):
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        resampled = our_resamples / their_resamples
    known = resampled[~np.isnan(resampled)]
    return Measurement(ours / theirs, _interval(ours / theirs, known), runs[0])


def _interval(value, resampled):
    """Percentile interval, which contains the value; ends may be infinite."""
    tail = (1 - CONFIDENCE) / 2
    low = np.quantile(resampled, tail, method="lower")
    high = np.quantile(resampled, 1 - tail, method="higher")
    return float(min(low, value)), float(max(high, value))
