"""What a certified front of classifiers costs: the kept scores on scikit-learn's digits.

The scores of a classifier vary with the split, and their variances differ between classifiers and
are unknown, so that no theorem on Gaussian noise holds. But they are bounded: an accuracy is at
most 100 %, and the logarithm of a time is cut off at ends that no score of the table reaches.
Cutting off at known ends is a monotone transform of each score, and what is compared are then the
means of the transformed scores. A mean of logarithms is the logarithm of a geometric mean; the
order of two classifiers by it may differ from that by their average times.
"""

import dataclasses
from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.pareto.widest_box import WidestBox
from pareto_core.checks.arguments import check_count, check_positive
from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel
from pareto_core.geometry.dominance import pareto_set
from pareto_core.instances.instance import Instance
from pareto_core.instances.registry import load_instance
from pareto_core.simulation.runs import simulate
from pareto_core.simulation.statistics import rate_interval

__all__ = [
    "AllAlike",
    "DigitsCosts",
    "certified_costs",
    "digits_in_units",
    "is_allowed",
    "share_right",
]

LONGER = 1.1  # factor between two times that the tolerance takes to be the same
ENDS = ((0.7, 1.0), (-2.0, 1.0), (-2.0, 1.0))  # accuracy from 70 %, times from 0.1 to 100
COPIES = 50  # of each kept score, so that drawing without replacement is nearly that with it
MOST = 10**6  # samples of a run


def units(points: float) -> np.ndarray:
    """The tolerance in each objective: points of accuracy in per cent, and `LONGER` in time."""
    return np.array([check_positive(points, "points") / 100, *[np.log10(LONGER)] * 2])


def digits_in_units(points: float) -> Instance:
    """The instance ``"digits"`` in units of the tolerance, with `COPIES` of each score."""
    instance = load_instance("digits")
    low, high = np.array(ENDS).T
    scores = [np.clip(each, low, high) / units(points) for each in instance.observations]
    return Instance.from_observations(
        [np.tile(each, (COPIES, 1)) for each in scores],
        name="digits, in units",
        labels=instance.labels,
        objectives=instance.objectives,
        provenance=instance.provenance,
    )


@kernel
def _select_in_turn(parameters, state):
    """All arms in turn; a decision after each round."""
    n_arms = state.status.shape[0]
    arm = state.record.time[0] % n_arms
    state.arm[0], state.left[0] = arm, n_arms - arm
    copy_vector(state.sums, state.record.sums[arm])
    return arm, 1


@dataclasses.dataclass(frozen=True)
class AllAlike(WidestBox):
    """Sample all arms equally often, and stop by the boxes of `WidestBox`."""

    select = staticmethod(_select_in_turn)


class DigitsCosts(NamedTuple):
    """Evaluations until the front is certified, adaptive and all alike, in paired runs."""

    adaptive: np.ndarray  # (runs,)
    alike: np.ndarray  # (runs,)
    unfinished: int  # runs of either that did not end
    errors: tuple[int, int]  # runs of each with an answer that the tolerance does not allow
    front: np.ndarray  # (K,) share of the adaptive runs with each classifier in the answer


def certified_costs(
    runs: int = 200,
    points: float = 0.3,
    delta: float = 0.1,
    seed: int = 0,
    n_jobs: int | None = None,
) -> DigitsCosts:
    """Evaluations until every classifier is certified, adaptive and with all evaluated alike."""
    instance = digits_in_units(points)
    bounds = tuple(map(tuple, np.array(ENDS) / units(points)[:, None]))
    settings = {"delta": delta, "epsilon": 1.0, "bounds": bounds}
    first, second = (
        simulate(each, instance, runs, seed, n_jobs, MOST, progress=False)
        for each in (WidestBox(**settings, sample_blockers=True), AllAlike(**settings))
    )
    return DigitsCosts(
        first.samples,
        second.samples,
        int((~first.stopped).sum() + (~second.stopped).sum()),
        (_errors(first), _errors(second)),
        first.answers.mean(axis=0),
    )


def _errors(runs):
    return sum(not is_allowed(each, runs.instance.means) for each in runs.answers)


def is_allowed(answer: np.ndarray, means: np.ndarray, epsilon: float = 1.0) -> bool:
    """Whether the tolerance allows an answer, one bool per arm."""
    as_good = (means[:, None] >= means).all(axis=2)
    dominated = (as_good & ~as_good.T).any(axis=0)
    nearly = (means[:, None] >= means - epsilon).all(axis=2) & ~np.eye(len(means), dtype=bool)
    return not (answer & dominated).any() and bool(nearly.any(axis=0)[~answer].all())


def share_right(splits: int, runs: int = 1000, seed: int = 0) -> tuple[float, float, float]:
    """How often the front of the averages over some splits each is that of all kept scores."""
    check_count(splits, "splits")
    instance, rng = load_instance("digits"), np.random.default_rng(seed)
    right = 0
    for _ in range(check_count(runs, "runs")):
        means = [
            each[rng.integers(len(each), size=splits)].mean(axis=0)
            for each in instance.observations
        ]
        right += pareto_set(np.array(means)).tolist() == instance.pareto_set.tolist()
    return right / runs, *rate_interval(right, runs)
