"""Rounds of Algorithm 1, and what each of them decides."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

import pareto_core as pc
from pareto_core.algorithms.pareto.racing import finish_round
from pareto_core.loop.record import observe

__all__ = ["RacingRound", "rewards_of_run", "rounds_of_run"]

DIGITS = 3  # of the rewards of a run


class RacingRound(NamedTuple):
    """What one round of Algorithm 1 decides.

    Attributes
    ----------
    samples : int
        Samples of each active arm so far.
    radius : ndarray, shape (K, d)
        Confidence radii.
    means : ndarray, shape (K, d)
        Estimates.
    active : ndarray of bool, shape (K,)
        Arms at the beginning of the round: the set A.
    remaining : ndarray of bool, shape (K,)
        Arms that are not certainly dominated: A1.
    sure : ndarray of bool, shape (K,)
        Arms that are certainly optimal, up to the accuracy: P1.
    leaving : ndarray of bool, shape (K,)
        Arms that are accepted in this round: P2.
    accepted : ndarray of bool, shape (K,)
        Arms that have been accepted so far: P.
    """

    samples: int
    radius: np.ndarray
    means: np.ndarray
    active: np.ndarray
    remaining: np.ndarray
    sure: np.ndarray
    leaving: np.ndarray
    accepted: np.ndarray

    @property
    def staying(self) -> np.ndarray:
        """Arms that the next round samples."""
        return self.remaining & ~self.leaving


def rewards_of_run(instance: pc.Instance, seed: int = 0) -> Iterator[np.ndarray]:
    """Rewards of all arms in each round of a run, in thousandths."""
    generator = np.random.default_rng(seed)
    while True:
        noise = generator.standard_normal(instance.means.shape)
        yield np.round(instance.means + noise, DIGITS)


def rounds_of_run(
    algorithm: pc.Racing, instance: pc.Instance, seed: int = 0
) -> Iterator[RacingRound]:
    """Rounds of a run of Racing on an instance with Gaussian noise of unit variance."""
    problem = instance.problem
    parameters, state = algorithm.parameters(problem), algorithm.start(problem, None)
    for n, rewards in enumerate(rewards_of_run(instance, seed), start=1):
        for arm in state.active[: state.n_active[0]]:
            observe(state.record, arm, 1, rewards[arm], np.zeros(problem.n_objectives))
        yield _finish(parameters, state, n)
        if state.n_active[0] == 0:
            return


def _finish(parameters, state, samples):
    """End a round, and note what it decided; the state changes in place."""
    active = np.zeros(len(state.accepted), bool)
    active[state.active[: state.n_active[0]]] = True
    before = state.accepted.copy()
    finish_round(parameters, state)
    leaving = state.accepted & ~before
    remaining = active & ~(state.leaving & ~leaving)
    return RacingRound(
        samples,
        state.radius.copy(),
        state.record.means.copy(),
        active,
        remaining,
        remaining & state.sure,
        leaving,
        state.accepted.copy(),
    )
