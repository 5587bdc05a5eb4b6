"""Simulated users who cheat, how often they are wrong then, and what the report shows."""

from typing import NamedTuple

import numpy as np

import pareto_core as pc
import pareto_lab as lab
from pareto_book.chapters.own_experiment.truth import is_wrong

__all__ = ["CHEATS", "Outcome", "cheat"]

CHEATS = ("withdraws bad rewards", "tells good news only", "loses bad values")
DELTA = 0.1
ARMS = ("A", "B", "C", "D")  # A is the favourite
N_LOOKS, HEAP = 16, 12


class Outcome(NamedTuple):
    """What became of an experiment, and of the remarks of its last status."""

    is_wrong: bool  # any statement or interval at any time
    is_mentioned: bool  # withdrawn or missing values
    is_warned: bool


def cheat(kind: str, number: int, seed: int = 0) -> Outcome:
    """Simulate an experiment whose user wants arm A to look good."""
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
    mentioned = bool(status.withdrawn or status.missing.any())
    return Outcome(wrong, mentioned, any(each.is_warning for each in status.remarks))


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
