"""Rounds of GEGE whose estimates are as wrong as the good event of its proof allows."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.chapters.kone2025linear.lemmas import random_case, random_error

__all__ = ["Followed", "follow_cases", "follow_rounds"]


class Followed(NamedTuple):
    """What happened in a run on the good event.

    Attributes
    ----------
    shortfall : float
        Largest amount by which a gap was underestimated, over the bound of Proposition 1.
    rounds : float
        Number of rounds over the bound of Lemma 3, with the logarithm of base 2.
    rounds_natural : float
        The same with the natural logarithm.
    crowd : float
        Number of active arms over the bound of Lemma 3, with fixed confidence.
    wrong : bool
        Whether the answer is not the Pareto set.
    beyond : float
        Largest gap of a dominated arm of the answer.
    missed : bool
        Whether the answer lacks an optimal arm.
    """

    shortfall: float
    rounds: float
    rounds_natural: float
    crowd: float
    wrong: bool
    beyond: float
    missed: bool


class _Step(NamedTuple):
    """A round: its number, the limit of the errors, and what the estimates look like."""

    number: int
    accuracy: float
    active: np.ndarray  # arms after the round
    shortfall: float
    accepted: list


def follow_cases(
    cases: int, seed: int, share: float | None = None, epsilon: float = 0.0, error: float = 1.0
) -> pd.DataFrame:
    """Follow the rounds on many random cases.

    Parameters
    ----------
    cases : int
        Number of cases.
    seed : int
        Seed.
    share : float, optional
        The λ of the proof with a fixed budget; by default fixed confidence.
    epsilon : float, default 0.0
        Accuracy at which the rounds end.
    error : float, default 1.0
        Size of the errors, in units of the good event's limit.

    Returns
    -------
    pandas.DataFrame
        Columns as in `Followed`, a row for each case.
    """
    draws = np.random.default_rng(seed)
    return pd.DataFrame(
        [follow_rounds(draws, *random_case(draws), share, epsilon, error) for _ in range(cases)]
    )


def follow_rounds(
    draws: np.random.Generator,
    features: np.ndarray,
    means: np.ndarray,
    share: float | None = None,
    epsilon: float = 0.0,
    error: float = 1.0,
) -> Followed:
    """Follow the rounds on one instance, with random errors; see `follow_cases`.

    Parameters
    ----------
    draws : numpy.random.Generator
        Source of the errors.
    features : ndarray, shape (K, h)
        Features.
    means : ndarray, shape (K, d)
        Means, linear in the features.
    share, epsilon, error
        See `follow_cases`.

    Returns
    -------
    Followed
    """
    gap, front = pc.gaps(means), set(pc.pareto_set(means).tolist())
    ascending = np.sort(gap)
    needed = np.ceil(np.log2(1 / ascending))
    active, accepted = np.arange(len(means)), []
    shortfall = crowd = 0.0
    number = 0
    for step in _steps(draws, features, means, share, error):
        number, active = step.number, step.active
        accepted += step.accepted
        shortfall = np.maximum(shortfall, step.shortfall)
        reached = np.flatnonzero(number >= needed)
        if share is None and reached.size and reached[0] > 0:
            crowd = max(crowd, len(active) / reached[0])
        if epsilon > 0 and step.accuracy <= epsilon:
            break
    answer = {*accepted, *active.tolist()}
    return Followed(
        shortfall,
        number / max(needed[0], 1),
        number / max(np.ceil(np.log(1 / ascending[0])), 1),
        crowd,
        answer != front,
        max([gap[i] for i in answer - front], default=0.0),
        bool(front - answer),
    )


def _steps(draws, features, means, share, error) -> Iterator[_Step]:
    """Rounds until at most one arm is active, or the budget is used up."""
    gap, front = pc.gaps(means), pc.pareto_set(means)
    ascending, h = np.sort(gap), features.shape[1]
    active, number, keep = np.arange(len(means)), 0, h
    while len(active) > 1 and (share is None or keep > 1):
        number += 1
        accuracy, keep = 0.5 ** (number + 1), -(-h // 2**number)
        limit = accuracy / 2 if share is None else share * ascending[keep]
        errors = random_error(draws, features, active, error * limit, means.shape[1])
        seen = means[active] + errors[active]
        gaps = pc.gaps(seen)
        looks = np.isin(np.arange(len(active)), pc.pareto_set(seen))
        bound = np.where(np.isin(active, front), 2 * limit, limit)
        if share is None:
            leaves = gaps >= np.where(looks, accuracy, accuracy / 2)
        else:
            order = np.lexsort((~looks, gaps))
            leaves = np.isin(np.arange(len(active)), order[keep:])
        shortfall = ((gap[active] - gaps) / bound).max()
        accepted = active[leaves & looks].tolist()
        active = active[~leaves]
        yield _Step(number, accuracy, active, shortfall, accepted)
