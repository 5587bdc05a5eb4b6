"""Steps of the proofs of Theorems 1 and 3 that count arms, for every number of features.

Each function returns a ratio that the step bounds by 1, unless it says otherwise.
"""

import itertools

import numpy as np

__all__ = [
    "active_arms",
    "floored_half",
    "most_shared_rounds",
    "power_of_gap",
    "summed_arms",
    "worst_half",
]


def active_arms(dimension: int) -> list[int]:
    """Arms that are active in each round of GEGE with a fixed budget, from h features down to 1."""
    last = int(np.ceil(np.log2(dimension)))
    return [-(-dimension // 2**r) for r in range(last + 1)]


def summed_arms(active: list[int]) -> float:
    """Sum over the rounds of the active arms, over the bound in the proof of Theorem 1."""
    *during, _ = active
    return sum(during) / (2 * during[0] + len(during))


def worst_half(active: list[int]) -> float:
    """Largest ratio of the arms before a round to twice those after it, plus two."""
    return max(n / (2 * (m + 1)) for n, m in itertools.pairwise(active))


def most_shared_rounds(dimension: int) -> int:
    """Largest number of rounds to whose sum one gap belongs, in the proof of Theorem 3.

    The proof counts each gap in at most two of them.
    """
    members = np.zeros(dimension + 1, int)
    for s in range(1, int(np.log2(dimension)) + 1):
        top = dimension // 2**s
        members[-(-top // 2) : top + 1] += 1
    return int(members[2:].max(initial=0))


def floored_half(dimension: int) -> float:
    """The number of features over twice its half, rounded down (before Equation 31)."""
    return dimension / (2 * (dimension // 2))


def power_of_gap(gaps: np.ndarray) -> float:
    """Largest ratio of 4 to the power of ⌈log2(1/Δ)⌉ to 1/Δ² (Equation 36)."""
    return float((4 ** np.ceil(np.log2(1 / gaps)) * gaps**2).max())
