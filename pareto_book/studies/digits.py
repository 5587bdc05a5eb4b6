"""What a certified front of classifiers costs: the kept scores on scikit-learn's digits.

The scores of a classifier vary with the split, and their variances differ between classifiers and
are unknown, so that no theorem on Gaussian noise holds. But they are bounded: an accuracy is at
most 100 %, and the logarithm of a time is cut off at ends that no score of the table reaches.
"""

import dataclasses

import numpy as np

from pareto_core.algorithms.pareto.widest_box import WidestBox
from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel
from pareto_core.instances.instance import Instance
from pareto_core.instances.registry import load_instance
from pareto_core.simulation.results import Runs
from pareto_core.simulation.runs import simulate

TOLERANCE = np.array([0.003, np.log10(1.1), np.log10(1.1)])  # accuracy, and logarithms of times
ENDS = np.array([(0.7, 1.0), (-2.0, 1.0), (-2.0, 1.0)])  # accuracy from 70 %, times 0.1 to 100
COPIES = 50  # of each kept score, so that drawing without replacement is nearly that with it


def digits_in_units() -> Instance:
    """The instance ``"digits"`` in units of the tolerance, with `COPIES` of each score."""
    instance = load_instance("digits")
    scores = [np.clip(each, *ENDS.T) / TOLERANCE for each in instance.observations]
    return Instance.from_observations(
        [np.tile(each, (COPIES, 1)) for each in scores], labels=instance.labels
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


def certified(runs: int, seed: int, n_jobs: int | None) -> tuple[Runs, Runs]:
    """Paired runs until every classifier is certified, adaptive and with all evaluated alike."""
    bounds = tuple(map(tuple, ENDS / TOLERANCE[:, None]))
    settings, instance = {"delta": 0.1, "epsilon": 1.0, "bounds": bounds}, digits_in_units()
    return tuple(
        simulate(each, instance, runs, seed, n_jobs, 10**6, progress=False)
        for each in (WidestBox(**settings, sample_blockers=True), AllAlike(**settings))
    )


def is_allowed(answer: np.ndarray, means: np.ndarray, epsilon: float = 1.0) -> bool:
    """Whether the tolerance allows an answer, one bool per arm."""
    as_good = (means[:, None] >= means).all(axis=2)
    dominated = (as_good & ~as_good.T).any(axis=0)
    nearly = (means[:, None] >= means - epsilon).all(axis=2) & ~np.eye(len(means), dtype=bool)
    return not (answer & dominated).any() and bool(nearly.any(axis=0)[~answer].all())
