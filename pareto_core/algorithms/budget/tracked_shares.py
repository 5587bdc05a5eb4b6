"""Steps that sequential algorithms with a budget share, from the first samples to the end.

An algorithm needs one kernel of its own, ``write(parameters, state)``. It reads the empirical means
``state.record.means`` and what ``parameters.known`` holds, and writes the share of each arm in all
samples to ``state.shares``, whose sum is 1. The array has the last shares, equal ones at first.
"""

import dataclasses
from typing import Any, NamedTuple

import numpy as np

from pareto_core.algorithms.tracking import follow_latest, rarest_arm_if_neglected
from pareto_core.checks.arguments import check_count, check_flag
from pareto_core.compiling.kernels import kernel
from pareto_core.geometry.dominance import write_front
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.record import Record, empty_record

PER_UPDATE = 100  # the samples grow by at least this fraction of themselves between two updates


class SharesParameters(NamedTuple):
    """Hyper-parameters as the compiled functions read them."""

    budget: int
    warm_up: int
    update_every: int
    forced_exploration: bool
    known: Any  # what the kernel of the shares reads


class SharesState(NamedTuple):
    """State of one run."""

    record: Record
    shares: np.ndarray  # (K,) of each arm in all samples, as computed last
    targets: np.ndarray  # (K,) samples that each arm should have by now
    due: np.ndarray  # (1,) number of samples at which the shares are computed next
    front: np.ndarray  # (K,) work array of the recommendation
    work: Any  # arrays of the kernel of the shares


def selection(write):
    """Kernel ``select``: first samples in order, then the arm furthest behind its share."""

    @kernel
    def select(parameters, state):
        samples, n_arms = state.record.time[0], state.shares.shape[0]
        if samples < parameters.warm_up * n_arms:
            return samples % n_arms, 1
        rarest = rarest_arm_if_neglected(state.record)
        if parameters.forced_exploration and rarest >= 0:
            return rarest, 1
        if samples >= state.due[0]:
            write(parameters, state)
            state.due[0] = samples + max(parameters.update_every, samples // PER_UPDATE)
        return follow_latest(state.targets, state.shares, samples + 1.0, state.record.counts), 1

    return select


@kernel
def stop_when_spent(parameters, state):
    """Kernel ``stop``: whether the budget is spent."""
    return state.record.time[0] >= parameters.budget


@kernel
def recommend_front(parameters, state, answer):
    """Kernel ``recommend``: mark the Pareto set of the empirical means."""
    size = write_front(state.record.means, state.front)
    for f in range(size):
        answer[state.front[f]] = True


def refuse_small(budget, warm_up, problem):
    """Refuse a budget that is too small for the first samples."""
    least = warm_up * problem.n_arms
    if budget < least:
        raise ValueError(
            f"budget = {budget}; expected at least {least}, {warm_up} samples of each arm"
        )


@dataclasses.dataclass(frozen=True)
class TrackedShares(Algorithm):
    """Base class of algorithms that track shares computed from the empirical means.

    A subclass sets ``select`` to a kernel of `selection`, and defines `known` and `allocate`.
    """

    budget: int
    warm_up: int = 5
    update_every: int = 10
    forced_exploration: bool = True

    uses_covariance = True
    stop = staticmethod(stop_when_spent)
    recommend = staticmethod(recommend_front)

    def __post_init__(self):
        check_count(self.budget, "budget")
        check_count(self.warm_up, "warm_up")
        check_count(self.update_every, "update_every")
        check_flag(self.forced_exploration, "forced_exploration")

    def known(self, problem: Problem) -> Any:
        """What the kernel of the shares reads."""
        raise NotImplementedError(f"{type(self).__name__} does not define known(problem)")

    def allocate(self, problem: Problem) -> Any:
        """Arrays of the kernel of the shares."""
        raise NotImplementedError(f"{type(self).__name__} does not define allocate(problem)")

    def parameters(self, problem: Problem) -> SharesParameters:
        """See `Algorithm.parameters`."""
        refuse_small(self.budget, self.warm_up, problem)
        settings = self.warm_up, self.update_every, self.forced_exploration
        return SharesParameters(self.budget, *settings, self.known(problem))

    def start(self, problem: Problem, rng: np.random.Generator) -> SharesState:
        """See `Algorithm.start`."""
        n_arms = problem.n_arms
        return SharesState(
            empty_record(problem),
            np.full(n_arms, 1 / n_arms),
            np.zeros(n_arms),
            np.zeros(1, np.int64),
            np.zeros(n_arms, np.int64),
            self.allocate(problem),
        )
