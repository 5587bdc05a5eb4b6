"""Lemmas 4.2 and B.3 and Remark 4.1 of the paper, on random arms."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

import pareto_core as pc
from pareto_book.chapters.kone2025constrained.event import REGIONS

__all__ = [
    "EQUAL_ARMS",
    "ORDERS",
    "Change",
    "disagreements",
    "distance_deviation",
    "largest_norm_ratio",
    "pair_deviation",
    "random_changes",
    "sides_of_lemma",
]

ORDERS = ("better in one objective", "better in every objective", "equal arms dominate each other")
EQUAL_ARMS = ORDERS[2]  # the reading with which the lemma fails


class Change(NamedTuple):
    """Arms before and after a change.

    Attributes
    ----------
    region : Polyhedron
        The feasible region.
    means, moved : ndarray, shape (2, d)
        Two arms before and after a change that is bounded in each objective.
    beta : ndarray, shape (2,)
        The bounds.
    arms, other : ndarray, shape (K, d)
        Several arms before and after a change; half of the cases are on a grid, on which arms tie.
    """

    region: pc.Polyhedron
    means: np.ndarray
    moved: np.ndarray
    beta: np.ndarray
    arms: np.ndarray
    other: np.ndarray


def random_changes(
    cases: int, rng: np.random.Generator, regions: Sequence = REGIONS
) -> list[Change]:
    """Draw random arms and changes, with the regions in turn."""
    found = []
    for number in range(cases):
        region = regions[number % len(regions)]
        d = region.n_objectives
        means, beta = rng.uniform(-0.5, 1.5, (2, d)), rng.uniform(0.01, 0.3, 2)
        corners = number % 2 == 1
        signs = rng.choice([-1.0, 1.0], (2, d)) if corners else rng.uniform(-1, 1, (2, d))
        arms = rng.uniform(-0.3, 1.2, (rng.integers(2, 6), d))
        other = arms + rng.normal(0, 0.2, arms.shape)
        if number % 2:
            arms, other = np.round(2 * arms) / 2, np.round(2 * other) / 2
        found.append(Change(region, means, means + beta[:, None] * signs, beta, arms, other))
    return found


def pair_deviation(change: Change) -> float:
    """By how much M of a pair changes, over the sum of both bounds; at most one (Lemma 4.2)."""
    _, means, moved, beta, *_ = change
    excess = (moved[0] - moved[1]).max() - (means[0] - means[1]).max()
    return abs(excess) / beta.sum()


def both_distances(point: np.ndarray, region: pc.Polyhedron) -> np.ndarray:
    """Distances of a point to the region and to its complement."""
    inside = bool(region.contains(point[None])[0])
    far = region.boundary_distance(point[None])[0]
    return np.array([0.0, far]) if inside else np.array([far, 0.0])


def distance_deviation(change: Change) -> float:
    """By how much a distance changes, over how far the arm moves; at most one (Lemma 4.2)."""
    region, means, moved, *_ = change
    shift = both_distances(moved[0], region) - both_distances(means[0], region)
    return abs(shift).max() / np.linalg.norm(moved[0] - means[0])


def dominated_by(means: np.ndarray, order: str) -> np.ndarray:
    """Whether arm i (row) is dominated by arm j (column), shape (K, K)."""
    at_least = (means[:, None] <= means).all(axis=2)
    np.fill_diagonal(at_least, False)
    if order == "better in every objective":
        return (means[:, None] < means).all(axis=2)
    if order == "better in one objective":
        return at_least & (means[:, None] < means).any(axis=2)
    return at_least  # so that equal arms dominate each other


def sides_of_lemma(
    means: np.ndarray, other: np.ndarray, region: pc.Polyhedron, order: str
) -> tuple[bool, bool]:
    """Whether the answer changes, and whether it should by Lemma B.3.

    Parameters
    ----------
    means, other : ndarray, shape (K, d)
        Arms before and after the change.
    region : Polyhedron
        The feasible region.
    order : str
        One of `ORDERS`, the definition of dominance.

    Returns
    -------
    changes, should : bool
    """
    fronts, below = [], dominated_by(other, order)
    for moved in (means, other):
        inside = region.contains(moved)
        beaten = (dominated_by(moved, order) & inside).any(axis=1)
        fronts.append(inside & ~beaten)
    front = fronts[0]
    leaves = ~inside[front].all() or below[np.ix_(front, front)].any()
    joins = (inside & ~front & ~below[:, front].any(axis=1)).any()
    return bool((fronts[0] != fronts[1]).any()), bool(leaves or joins)


def disagreements(changes: Sequence[Change]) -> dict[str, int]:
    """Count the cases in which Lemma B.3 fails, for each definition of dominance."""
    found = dict.fromkeys(ORDERS, 0)
    for change in changes:
        for order in ORDERS:
            changed, should = sides_of_lemma(change.arms, change.other, change.region, order)
            found[order] += changed != should
    return found


def largest_norm_ratio(factors: Sequence[np.ndarray]) -> float:
    """Largest variance in any direction over the largest in one objective (Remark 4.1).

    Parameters
    ----------
    factors : sequence of ndarray, shape (d, n)
        Factors of covariance matrices.

    Returns
    -------
    float
        At most d.
    """
    ratios = []
    for factor in factors:
        covariance = factor @ factor.T
        ratios.append(np.linalg.eigvalsh(covariance)[-1] / np.diag(covariance).max())
    return np.max(ratios)
