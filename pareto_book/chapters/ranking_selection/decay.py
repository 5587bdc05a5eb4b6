"""Probability of a wrong Pareto set under fixed shares, far into the tail."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

import pareto_core as pc
from pareto_book.error_rates.estimate import weighted_count_interval
from pareto_book.error_rates.wrong_turns import wrong_turns
from pareto_book.records.measurements import Measurement
from pareto_core.checks.arguments import check_count
from pareto_core.questions import PARETO_SET

__all__ = [
    "decay_rate",
    "error_probabilities",
    "error_probabilities_of_shares",
    "whole_counts",
]

DEFENSIVE = 0.05  # share of draws from the true means, which bounds all importance weights
CHUNK = 2000  # draws that are judged together


def error_probabilities_of_shares(
    instance: pc.Instance, shares: ArrayLike, budgets: Sequence[float], draws: int, seed: int
) -> list[Measurement]:
    """Estimate the probability of a wrong empirical Pareto set, by importance sampling.

    After n samples with fixed shares w, the averages are independent Gaussian vectors with variance
    1 / (n w_k). They are drawn from a mixture around the means of `wrong_turns`, with shares
    proportional to the square roots of their likelihoods, and a share of 5 % around the true means.
    The products n w_k may be fractions.

    Parameters
    ----------
    instance : Instance
        With independent objectives.
    shares : array_like, shape (K,)
        Positive shares of the samples, which are normalised.
    budgets : sequence of float
        Numbers of samples n.
    draws : int
        Draws for each budget.
    seed : int
        Seed of the draws.

    Returns
    -------
    list of Measurement
        One probability per budget, with its 95 % interval.

    Raises
    ------
    ValueError
        If ``draws`` is not a positive integer, or the shares are not positive.

    See Also
    --------
    whole_counts : integers in proportion to shares
    """
    shares = np.asarray(shares, float) / np.sum(shares)
    return error_probabilities(instance, [budget * shares for budget in budgets], draws, seed)


def error_probabilities(
    instance: pc.Instance, counts: Sequence[np.ndarray], draws: int, seed: int
) -> list[Measurement]:
    """Estimate the probability of a wrong empirical Pareto set for given numbers of samples.

    Parameters
    ----------
    instance : Instance
        With independent objectives.
    counts : sequence of ndarray, shape (K,)
        Positive numbers of samples of each arm.
    draws, seed : int
        As `error_probabilities_of_shares` takes them.

    Returns
    -------
    list of Measurement
        One probability for each entry of ``counts``.

    Raises
    ------
    ValueError
        If ``draws`` is not a positive integer, or the counts are not positive.
    """
    check_count(draws, "draws")
    instance = instance.standardised()
    rng = np.random.default_rng(seed)
    return [
        _probability(
            instance, each, wrong_turns(instance, PARETO_SET, each) - instance.means, draws, rng
        )
        for each in counts
    ]


def whole_counts(shares: ArrayLike, budget: int) -> np.ndarray:
    """Numbers of samples with sum ``budget`` in proportion to shares, at least one of each arm.

    Each arm gets the integer part of its proportion, and the arms with the largest remainders one
    sample more; arms that would get none take one from the arm with the most.

    Parameters
    ----------
    shares : array_like, shape (K,)
        Positive numbers.
    budget : int
        At least K.

    Returns
    -------
    ndarray of float, shape (K,)

    Examples
    --------
    >>> whole_counts([0.6, 0.39, 0.01], 10)
    array([5., 4., 1.])
    """
    exact = budget * np.asarray(shares, float) / np.sum(shares)
    counts = np.floor(exact)
    rest = round(budget - counts.sum())
    counts[np.argsort(counts - exact, kind="stable")[:rest]] += 1
    for arm in np.flatnonzero(counts == 0):
        counts[counts.argmax()] -= 1
        counts[arm] = 1
    return counts


def _probability(instance, counts, turns, draws, rng):
    """Estimate one probability; ``turns`` are differences from the means."""
    means = instance.means
    costs = (turns**2).sum(axis=2) @ counts / 2
    log_mixture = np.log1p(-DEFENSIVE) - costs / 2 - np.logaddexp.reduce(-costs / 2)
    log_mixture = np.append(log_mixture, np.log(DEFENSIVE))
    turns = np.concatenate([turns, np.zeros((1, *means.shape))])
    chosen = rng.choice(len(turns), size=draws, p=np.exp(log_mixture))
    noise = rng.standard_normal((draws, *means.shape)) / np.sqrt(counts)[:, None]
    moved = turns[chosen] + noise
    wrong = moved[is_wrong(means + moved, instance.pareto_set)]
    tilts = np.einsum("ckd,k,nkd->nc", turns, counts, wrong) - np.append(costs, 0.0)
    weights = np.exp(-np.logaddexp.reduce(log_mixture + tilts, axis=1))
    low, high = weighted_count_interval(weights, 1 / DEFENSIVE)
    return Measurement(weights.sum() / draws, (low / draws, high / draws), draws)


def is_wrong(averages: np.ndarray, pareto_set: Sequence[int]) -> np.ndarray:
    """Whether the Pareto set of each draw differs from the true one.

    Parameters
    ----------
    averages : ndarray, shape (n, K, d)
    pareto_set : sequence of int
        The true Pareto set.

    Returns
    -------
    ndarray of bool, shape (n,)
    """
    n_arms = averages.shape[1]
    truth = np.isin(np.arange(n_arms), pareto_set)
    wrong = np.empty(len(averages), bool)
    for first in range(0, len(averages), CHUNK):
        part = averages[first : first + CHUNK]
        below = (part[:, :, None] <= part[:, None]).all(axis=3)
        below[:, np.arange(n_arms), np.arange(n_arms)] = False
        wrong[first : first + CHUNK] = (below.any(axis=2) == truth).any(axis=1)
    return wrong


def decay_rate(budgets: Sequence[float], probabilities: Sequence[Measurement]) -> Measurement:
    """Rate at which a probability falls between the last two budgets.

    Parameters
    ----------
    budgets : sequence of float
    probabilities : sequence of Measurement
        Independent estimates, one per budget.

    Returns
    -------
    Measurement
        Fall of the logarithm per sample. The interval combines those of both probabilities.
    """
    first, last = probabilities[-2:]
    step = budgets[-1] - budgets[-2]
    value = np.log(first.value / last.value) / step
    below = np.hypot(np.log(first.value / first.interval[0]), np.log(last.interval[1] / last.value))
    above = np.hypot(np.log(first.interval[1] / first.value), np.log(last.value / last.interval[0]))
    return Measurement(value, (value - below / step, value + above / step), last.runs)
