"""How large an entry of MO-BAI's buffer can be: random instances, adverse rewards, and a bound."""

from collections.abc import Sequence

import numpy as np

from pareto_book.chapters.chen2024.evidence import random_means
from pareto_book.chapters.chen2024.steps import mobai_steps
from pareto_core.bounds.surrogate import surrogate_proportions

__all__ = ["buffer_bound", "largest_adverse_entry", "largest_entries", "largest_random_entry"]

N_CROWDS = 12  # random instances


def buffer_bound(n_arms: int) -> float:
    """Bound 1/2 + ... + 1/K of the entries of the buffer, which the chapter proves."""
    return float(np.sum(1 / np.arange(2, n_arms + 1)))


def largest_random_entry(generators: Sequence[np.random.Generator]) -> float:
    """Largest entry on one random instance of each generator, with 60 to 99 arms."""
    largest = 0.0
    for rng in generators:
        means = 3 * random_means(rng, (60, 100), (5, 12))
        found = mobai_steps(means, 1.0, len(means) + 250, rng).largest_entry
        largest = np.maximum(largest, found)
    return largest


def largest_adverse_entry(n_arms: int = 100, eta: float = 1e-3, samples: int = 1500) -> float:
    """Largest entry of the buffer if arms turn out badly once they are sampled.

    One objective, in which arm 0 is the best. At powers of two the means change: among the half
    of the rivals with the smallest entries, those sampled since then fall far behind.
    """
    means, counts = np.zeros((n_arms, 1)), np.ones(n_arms)
    means[0], buffer, before, largest = 1.0, np.zeros(n_arms), counts.copy(), 0.0
    for t in range(n_arms, samples):
        if t & (t - 1) == 0:
            rivals = np.flatnonzero(means[:, 0] == 0)
            served = rivals[buffer[rivals].argsort()][: len(rivals) // 2]
            means[served[counts[served] > before[served]]] = -100.0
            before = counts.copy()
        average = (counts + buffer) / t
        buffer += surrogate_proportions(means, average, eta).proportions
        arm = buffer.argmax()
        buffer[arm] -= 1
        counts[arm] += 1
        largest = np.maximum(largest, buffer.max())
    return largest


def largest_entries(seed: int) -> dict[str, float]:
    """Numbers of the text: the largest entries of both kinds, and the bound for 100 arms."""
    crowds = [np.random.default_rng(seed + k) for k in range(N_CROWDS)]
    at_random, adverse = largest_random_entry(crowds), largest_adverse_entry()
    return {
        "buffer_random": at_random,
        "buffer_adverse": adverse,
        "buffer_largest": np.maximum(at_random, adverse),
        "buffer_bound": buffer_bound(100),
    }
