"""The same rewards, told to a session in rounds of different sizes."""

from typing import NamedTuple

import numpy as np

import pareto_core as pc
import pareto_lab as lab

__all__ = ["Rounds", "draw_queues", "run_in_rounds"]

LONGEST = 4000  # rewards of each arm


class Rounds(NamedTuple):
    """What a session in rounds needed.

    Attributes
    ----------
    size, rounds, used, taken : int
        Samples asked for at a time, rounds, samples that the algorithm used, samples taken.
    answer : list of int
        Answer of the algorithm.
    """

    size: int
    rounds: int
    used: int
    taken: int
    answer: list


def draw_queues(means: np.ndarray, deviations: np.ndarray, seed: int = 0) -> np.ndarray:
    """Draw 4,000 Gaussian rewards of each arm, shape (K, 4000, d)."""
    shape = (means.shape[0], LONGEST, means.shape[1])
    return np.random.default_rng(seed).normal(size=shape) * deviations + means[:, None]


def run_in_rounds(
    algorithm: pc.Algorithm, queues: np.ndarray, deviations: np.ndarray, size: int
) -> Rounds:
    """Run a session that asks for several samples at a time.

    Parameters
    ----------
    algorithm : Algorithm
    queues : ndarray, shape (K, n, d)
        Rewards of each arm, in their order.
    deviations : array_like, shape (d,)
        Standard deviations of the rewards.
    size : int
        Number of samples at a time.

    Returns
    -------
    Rounds
    """
    n_arms, _, n_objectives = queues.shape
    session = lab.Session(algorithm, n_arms, n_objectives, standard_deviation=deviations)
    taken, rounds = np.zeros(n_arms, int), 0
    while not session.finished:
        rounds += 1
        for arm in session.ask_many(size):
            session.tell(arm, queues[arm, taken[arm]])
            taken[arm] += 1
    answer = session.recommendation
    return Rounds(size, rounds, session.samples, int(taken.sum()), list(map(int, answer)))
