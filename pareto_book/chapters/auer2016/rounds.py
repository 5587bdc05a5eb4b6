"""Rounds of Algorithm 1 whose estimates are given, so that they can be as bad as they may be."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

import pareto_core as pc
from pareto_core.algorithms.pareto.racing import finish_round
from pareto_core.loop.record import observe

__all__ = [
    "ERRORS",
    "RacingRound",
    "answer_of",
    "least_error",
    "radii",
    "rewards_of_run",
    "rounds",
    "rounds_of_run",
]

DIGITS = 3  # of the rewards of a run, so that a page can contain them exactly
ERRORS = (0.999, 1.01, 1.1)  # of each estimate, in radii


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


def radii(n_means: int, delta: float = 0.1) -> Iterator[tuple[int, float]]:
    """Numbers of samples, 8 % more in each round, and the radius of Equation (3).

    Parameters
    ----------
    n_means : int
        Number K d of means.
    delta : float, default 0.1
        Risk.

    Yields
    ------
    n : int
        Samples of each arm.
    beta : float
        Radius of each estimate.
    """
    n = 1
    while True:
        yield n, np.sqrt(2 * np.log(4 * n_means * n**2 / delta) / n)
        n = max(n + 1, int(1.08 * n))


def rounds(
    means: np.ndarray, epsilon: float, signs: np.ndarray, error: float = ERRORS[0]
) -> Iterator[RacingRound]:
    """Rounds of Algorithm 1 in which each estimate is off by a multiple of its radius.

    Parameters
    ----------
    means : ndarray, shape (K, d)
        True means.
    epsilon : float
        Accuracy.
    signs : ndarray, shape (K, d)
        Directions of the errors, 1 or -1.
    error : float, default 0.999
        Size of the errors, in radii.

    Yields
    ------
    RacingRound
    """
    algorithm = pc.Racing(epsilon=epsilon, radius="hoeffding", pairs="sum")
    problem = pc.Instance(means).problem
    parameters, state = algorithm.parameters(problem), algorithm.start(problem, None)
    for n, beta in radii(means.size):
        state.record.counts[:] = n
        state.record.means[:] = means + error * beta * signs
        yield _finish(parameters, state, n)._replace(radius=np.full(means.shape, beta))
        if state.n_active[0] == 0:
            return


def rewards_of_run(instance: pc.Instance, seed: int = 0) -> Iterator[np.ndarray]:
    """Rewards of all arms in each round of a run, in thousandths.

    Parameters
    ----------
    instance : Instance
        Instance with Gaussian noise of unit variance.
    seed : int, default 0
        Seed of the rewards.

    Yields
    ------
    ndarray, shape (K, d)
    """
    generator = np.random.default_rng(seed)
    while True:
        noise = generator.standard_normal(instance.means.shape)
        yield np.round(instance.means + noise, DIGITS)


def rounds_of_run(
    algorithm: pc.Racing, instance: pc.Instance, seed: int = 0
) -> Iterator[RacingRound]:
    """Rounds of a run of Racing on an instance with Gaussian noise of unit variance.

    Parameters
    ----------
    algorithm : Racing
        The algorithm, which samples each active arm once in a round.
    instance : Instance
        Instance.
    seed : int, default 0
        Seed of the rewards, see `rewards_of_run`.

    Yields
    ------
    RacingRound
    """
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


def answer_of(means: np.ndarray, epsilon: float, signs: np.ndarray, error: float) -> np.ndarray:
    """Answer of Algorithm 1 as a mask, with estimates off by `error` radii; see `rounds`."""
    *_, last = rounds(means, epsilon, signs, error)
    return last.accepted


def least_error(fails: dict) -> float:
    """Smallest error with which something fails; infinite if nothing does.

    Parameters
    ----------
    fails : dict of float to sequence of bool
        For each error, whether each case fails.

    Returns
    -------
    float

    Examples
    --------
    >>> least_error({0.999: [False, False], 1.01: [False, True]})
    1.01
    """
    return min((error for error, failed in fails.items() if any(failed)), default=np.inf)
