"""The transportation cost by trying all pairs and all d^p assignments, in plain Python.

This is Section 3 of the paper without its savings, so that it can be read against the text.
"""

import itertools
from collections.abc import Iterator

import numpy as np

import pareto_core as pc

__all__ = ["cost_by_all_assignments", "numbers_of_minima", "removal_cost"]


def minima_of_pieces(
    start: float, own: float, levels: np.ndarray, weights: np.ndarray
) -> np.ndarray:
    """Find the minima of the pieces of h_j (Section 3.2.2) that are inside their piece.

    Parameters
    ----------
    start, own : float
        Mean of the dominated arm in one objective, and its weight.
    levels, weights : ndarray, shape (n,)
        Means of the optimal arms that are lowered in this objective, and their weights.

    Returns
    -------
    ndarray
        Points; one, if h_j is convex.
    """
    order = np.argsort(levels)
    levels, weights = levels[order], weights[order]
    ends = np.concatenate([[-np.inf], levels, [np.inf]])
    mass = own + np.append(weights[::-1].cumsum()[::-1], 0)
    pull = own * start + np.append((weights * levels)[::-1].cumsum()[::-1], 0)
    points = pull / mass
    return points[(ends[:-1] <= points) & (points <= ends[1:])]


def removal_cost(means: np.ndarray, weights: np.ndarray, loser: int, winner: int) -> float:
    """Cost of making one optimal arm dominate another (Lemma 2).

    Parameters
    ----------
    means : ndarray, shape (K, d)
        Means.
    weights : ndarray, shape (K,)
        Weights; positive.
    loser, winner : int
        The arm that is to be dominated, and the arm that is to dominate it.

    Returns
    -------
    float
    """
    shared = weights[loser] * weights[winner] / (weights[loser] + weights[winner])
    return shared / 2 * (np.maximum(means[loser] - means[winner], 0) ** 2).sum()


def cost_by_all_assignments(means: np.ndarray, weights: np.ndarray) -> float:
    """Transportation cost over all removals, and all additions with any assignment.

    Parameters
    ----------
    means : ndarray, shape (K, d)
        Means.
    weights : ndarray, shape (K,)
        Weights; positive.

    Returns
    -------
    float
    """
    front = pc.pareto_set(means)
    removals = (removal_cost(means, weights, *pair) for pair in itertools.permutations(front, 2))
    additions = (
        _cost_of_assignment(means, weights, k, lowered) for k, lowered in _assignments(means, front)
    )
    return min(itertools.chain(removals, additions))


def numbers_of_minima(means: np.ndarray, weights: np.ndarray) -> list[int]:
    """Count the minima that `minima_of_pieces` finds, for all assignments and objectives.

    Parameters
    ----------
    means : ndarray, shape (K, d)
        Means.
    weights : ndarray, shape (K,)
        Weights; positive.

    Returns
    -------
    list of int
    """
    return [
        len(minima_of_pieces(means[k, c], weights[k], means[arms, c], weights[arms]))
        for k, lowered in _assignments(means, pc.pareto_set(means))
        for c, arms in enumerate(lowered)
    ]


def _assignments(means: np.ndarray, front: np.ndarray) -> Iterator[tuple[int, list[np.ndarray]]]:
    """Each dominated arm with each assignment: the optimal arms that each objective lowers."""
    d = means.shape[1]
    for k in np.setdiff1d(np.arange(len(means)), front):
        for chosen in itertools.product(range(d), repeat=len(front)):
            yield k, [front[np.array(chosen) == c] for c in range(d)]


def _cost_of_assignment(means, weights, k, lowered):
    """Cost of making arm k optimal if each objective lowers these arms."""
    cost = 0.0
    for c, arms in enumerate(lowered):
        start, levels = means[k, c], means[arms, c]
        point = minima_of_pieces(start, weights[k], levels, weights[arms])[0]
        above = np.maximum(levels - point, 0)
        cost += weights[k] * (point - start) ** 2 + weights[arms] @ above**2
    return cost / 2
