"""Simulated users who cheat, how often they are wrong then, and what the report shows."""

from typing import NamedTuple

import numpy as np

import pareto_core as pc
import pareto_lab as lab
from pareto_book.chapters.changing_experiment.truth import is_wrong

__all__ = ["CHEATS", "Outcome", "cheat", "made_from_data_is_wrong"]

CHEATS = ("withdraws bad rewards", "tells good news only", "loses bad values")
DELTA = 0.1
ARMS = ("A", "B", "C", "D")  # A is the favourite
N_LOOKS, HEAP = 16, 12


class Outcome(NamedTuple):
    """What became of an experiment.

    Attributes
    ----------
    is_wrong : bool
        Whether any statement or interval at any time was wrong.
    is_mentioned : bool
        Whether a remark at the end names withdrawn or missing values.
    is_warned : bool
        Whether a remark at the end is a warning.
    is_refuted : bool
        Whether the test of the noise refutes what was stated.
    """

    is_wrong: bool
    is_mentioned: bool
    is_warned: bool
    is_refuted: bool


def cheat(kind: str, number: int, seed: int = 0) -> Outcome:
    """Simulate an experiment whose user wants arm A to look good.

    It has four arms and two objectives, random means, and noise with a standard deviation of 1.
    Half of the samples are of the favourite. Values of it below its true mean are what the user
    dislikes.

    Parameters
    ----------
    kind : str
        What the user does with them, of `CHEATS`.
    number, seed : int
        Number of the user, and seed.

    Returns
    -------
    Outcome
    """
    rng = np.random.default_rng([seed, 100 + CHEATS.index(kind), number])
    means = rng.normal(size=(len(ARMS), 2)) * rng.choice([0.05, 0.3, 1.0])
    algorithm = pc.Certified(pc.UniformSampling(), 1e-9, check_every=1000)
    session = lab.Session(algorithm, arms=ARMS, objectives=[*"xy"], standard_deviation=1.0)
    wrong = False
    for _ in range(N_LOOKS):
        arms = np.array(["A", "B", "A", "C", "A", "D"] * (HEAP // 6))
        noise = rng.normal(size=(HEAP, 2))
        _tell(session, kind, arms, noise, means)
        status = session.status(delta=DELTA)
        wrong = wrong or is_wrong(status, means, [True] * len(ARMS))
    refuted = status.variance_test is not None and bool(status.variance_test.is_refuted.any())
    mentioned = bool(status.withdrawn or status.missing.any())
    return Outcome(wrong, mentioned, any(each.is_warning for each in status.remarks), refuted)


def _tell(session, kind, arms, noise, means):
    """Tell a batch of rewards, manipulated as the user likes."""
    rewards = noise + means[[ARMS.index(arm) for arm in arms]]
    disliked = (arms == "A") & (noise.sum(axis=1) < 0)
    if kind == "loses bad values":
        lost = (arms == "A")[:, None] & (noise < 0)
        rewards[lost] = np.nan
        told = ~lost.all(axis=1)
    else:
        told = ~disliked if kind == "tells good news only" else np.full(arms.size, True)
    session.tell_all({"arm": arms[told], "x": rewards[told, 0], "y": rewards[told, 1]})
    if kind == "withdraws bad rewards":
        for reward in rewards[disliked]:
            session.withdraw("A", reward, reason="a bad specimen")


def made_from_data_is_wrong(number: int, seed: int = 0, n_arms: int = 100) -> bool:
    """Make a newcomer that just dominates the luckiest arm; whether this arm is called optimal.

    All arms are optimal and far apart, and have 400 samples each of noise with a standard
    deviation of 1. The newcomer has so many samples that its mean is known. The rewards from which
    it was made are evidence, which has no proof.

    Parameters
    ----------
    number, seed : int
        Number of the experiment, and seed.
    n_arms : int, default 100
        Number of arms before the newcomer.

    Returns
    -------
    bool
    """
    rng = np.random.default_rng([seed, 200, number])
    size = 400
    front = 10.0 * np.arange(n_arms)
    means = np.column_stack([front, front[::-1]])
    luck = rng.normal(size=(n_arms, 2)) / np.sqrt(size)
    luckiest = int((luck.clip(0) ** 2).sum(axis=1).argmax())
    certificate = pc.Certificate(n_arms + 1, 2, delta=DELTA)
    counts = np.append(np.full(n_arms, size), 10**9)
    certificate.update(counts, np.vstack([means + luck, means[luckiest] + 1e-9]))
    return luckiest in certificate.optimal
