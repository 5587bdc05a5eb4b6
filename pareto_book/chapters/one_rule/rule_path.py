"""The rule with noise, as the appendix states it: with forced rounds, or with mixing."""

import math
from typing import Literal, NamedTuple

import numpy as np

from pareto_book.chapters.one_rule.cases import Case

__all__ = ["RulePath", "rule_path"]


class RulePath(NamedTuple):
    """A run of the rule, from t = K on.

    Attributes
    ----------
    times : ndarray of int, shape (n,)
        Number of samples t.
    counts, targets : ndarray, shape (n, K)
        N(t) and H(t).
    means : ndarray, shape (n, K, d)
        Averages m(t).
    forced : ndarray of bool, shape (n,)
        Whether the round after t is forced.
    mixed : ndarray, shape (n,)
        Share of uniform sampling that is mixed in, 0 with forced rounds.
    """

    times: np.ndarray
    counts: np.ndarray
    targets: np.ndarray
    means: np.ndarray
    forced: np.ndarray
    mixed: np.ndarray


def rule_path(
    case: Case,
    horizon: int,
    rng: np.random.Generator,
    exploration: Literal["forced", "mixing"] = "forced",
) -> RulePath:
    """Run the rule with Gaussian noise of unit variance."""
    n_arms, n_objectives = case.means.shape
    counts, targets = np.ones(n_arms, np.int64), np.ones(n_arms)
    sums = case.means + rng.standard_normal(case.means.shape)
    rows = []
    for time in range(n_arms, horizon + 1):
        means = sums / counts[:, None]
        rarest = counts.argmin()
        least = math.sqrt(time) - n_arms / 2
        forced = exploration == "forced" and counts[rarest] <= least
        mixed = (1 + math.log(time)) / time if exploration == "mixing" else 0.0
        rows.append((time, counts.copy(), targets.copy(), means, forced, mixed))
        if forced:
            arm = rarest
            targets[arm] += 1.0
        else:
            targets += (1 - mixed) * _shares(case, counts, means) + mixed / n_arms
            arm = (targets - counts).argmax()
        counts[arm] += 1
        sums[arm] += case.means[arm] + rng.standard_normal(n_objectives)
    return RulePath(*(np.array(each) for each in zip(*rows, strict=True)))


def _shares(case, counts, means):
    """Share of each arm in the evidence against the cheapest alternative."""
    evidence = counts * case.cost(counts, means).gradient
    total = evidence.sum()
    return evidence / total if total > 0 else np.full(counts.size, 1 / counts.size)
