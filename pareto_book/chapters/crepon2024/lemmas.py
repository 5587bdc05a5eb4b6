"""The lemmas of the paper on cases: each against a slower route, counterexamples counted."""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.optimize import lsq_linear

import pareto_core as pc
from pareto_book.chapters.crepon2024.assignments import (
    cost_by_all_assignments,
    numbers_of_minima,
    removal_cost,
)
from pareto_book.chapters.crepon2024.cells import valid_by_programs
from pareto_core.geometry.cells import cell_walk, next_cell
from pareto_core.instances import generators

__all__ = [
    "breaks_lemma1",
    "check_lemma1",
    "check_lemmas",
    "disagreements",
    "random_weights",
    "removal_by_program",
    "wrong_cells",
    "wrong_paths",
]

Draw = Callable[[], tuple[np.ndarray, np.ndarray]]
Route = Callable[[np.ndarray, np.ndarray], float]


def random_weights(rng: np.random.Generator, n_arms: int) -> np.ndarray:
    """Draw proportions of the arms."""
    weights = rng.random(n_arms)
    return weights / weights.sum()


def _dominated(means, strictly):
    """Flags (..., K, K): arm k is dominated by arm j."""
    below = (means[..., :, None, :] <= means[..., None, :, :]).all(-1)
    other = below.swapaxes(-1, -2) if strictly else np.eye(means.shape[-2], dtype=bool)
    return below & ~other


def breaks_lemma1(mu: np.ndarray, others: np.ndarray, strictly: bool) -> np.ndarray:
    """Flag the alternatives for which the two sides of Lemma 1 disagree.

    Parameters
    ----------
    mu : ndarray, shape (K, d)
        Means.
    others : ndarray, shape (n, K, d)
        Other means.
    strictly : bool
        Whether an arm that dominates must be better in one objective.

    Returns
    -------
    ndarray of bool, shape (n,)
    """
    optimal = ~_dominated(mu, strictly).any(-1)
    below = _dominated(others, strictly)
    by_optimal = below & optimal
    changed = (~below.any(-1) != optimal).any(-1)
    removed = by_optimal[:, optimal].any((-1, -2))
    added = (~by_optimal.any(-1) & ~optimal).any(-1)
    return changed != (removed | added)


def check_lemma1() -> dict[str, Any]:
    """Count counterexamples to Lemma 1 among three arms with means in {0, 1, 2}^2.

    Returns
    -------
    dict
        Arguments of `Scorecard.record`: pairs of means without ties, where both definitions of
        dominance agree; other readings are pairs with equal arms, and dominance that requires an
        arm to be better in one objective.
    """
    grid = np.array(list(itertools.product(range(3), repeat=6))).reshape(-1, 3, 2)
    tied = np.array([len(np.unique(means, axis=0)) < 3 for means in grid])
    broken = {
        strictly: sum(breaks_lemma1(mu, grid, strictly) for mu in grid[~tied])
        for strictly in (True, False)
    }
    return {
        "value": broken[False][~tied].sum(),
        "runs": int((~tied).sum()) ** 2,
        "others": {
            "pairs with equal arms": broken[False][tied].sum(),
            "all pairs, better in one objective": broken[True].sum(),
        },
    }


def removal_by_program(means: np.ndarray, weights: np.ndarray) -> float:
    """Cost of making arm 1 dominate arm 0, by least squares with bounds.

    Parameters
    ----------
    means : ndarray, shape (2, d)
        Means.
    weights : ndarray, shape (2,)
        Weights; positive.

    Returns
    -------
    float
    """
    d = means.shape[1]
    loser, winner = np.sqrt(weights)
    one = np.eye(d)
    system = np.block([[loser * one, -loser * one], [winner * one, 0 * one]])
    target = np.concatenate([loser * means[0], winner * means[1]])
    lower = np.repeat([-np.inf, 0.0], d)
    return lsq_linear(system, target, bounds=(lower, np.inf), tol=1e-12).cost


def wrong_paths(points: np.ndarray, shift: float = 0.0) -> tuple[int, int]:
    """Compare updated shortest paths with paths computed anew (Lemma 7).

    Parameters
    ----------
    points : ndarray, shape (p, d)
        Means of the optimal arms.
    shift : float, default 0
        Added to the updated paths; a test shifts them to see that the comparison can fail.

    Returns
    -------
    wrong, leaves : int
        Leaves of the tree with wrong paths, and all leaves.
    """
    p, d = points.shape
    walk, wrong, leaves = cell_walk(p, d), 0, 0
    while next_cell(points, False, walk):
        paths = np.where(np.eye(d, dtype=bool), 0.0, np.inf)
        for point, c in zip(points[:-1], walk.assignment[:-1], strict=True):
            paths[c] = np.minimum(paths[c], point - point[c])
        for c in range(d):
            paths = np.minimum(paths, paths[:, c, None] + paths[c])
        wrong += not np.allclose(paths, walk.paths[p - 1] + shift, atol=1e-12)
        leaves += 1
    return wrong, leaves


def wrong_cells(points: np.ndarray) -> int:
    """Count the assignments that the walk and linear programs judge differently (Lemma 4)."""
    walked = {*map(tuple, pc.iterate_cells(points, closed=True))}
    return len(walked ^ valid_by_programs(points))


def disagreements(draw: Draw, first: Route, second: Route, number: int) -> int:
    """Count random instances for which two routes give different values, or one gives NaN.

    Parameters
    ----------
    draw : callable
        Returns means and weights.
    first, second : callable
        Routes from means and weights to a cost.
    number : int
        Number of instances.

    Returns
    -------
    int
    """
    instances = (draw() for _ in range(number))
    return sum(not abs(first(*each) - second(*each)) <= 1e-7 for each in instances)


def cost_by(method: str) -> Route:
    """One of the exact methods of the package."""
    return lambda means, weights: pc.transport_cost(means, weights, method).value


def check_lemmas(rng: np.random.Generator) -> dict[str, tuple[int, int]]:
    """Count counterexamples to Lemmas 2, 3, 4 and 7, and to Appendices D.1 and D.2.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of the cases.

    Returns
    -------
    dict of str to (int, int)
        Counterexamples and cases, by the claim that they are about.
    """

    def gaussian(n_arms, d):
        return lambda: (rng.normal(size=(n_arms, d)), random_weights(rng, n_arms))

    def staircase():
        return generators.staircase_front(8, rng).means[:-1], random_weights(rng, 8)

    def lemma2(means, weights):
        return removal_cost(means, weights, 0, 1)

    found = {"lemma2": (disagreements(gaussian(2, 3), removal_by_program, lemma2, 100), 100)}
    found |= _check_assignments(gaussian)
    clouds = [rng.normal(size=size) for size in ((3, 3), (4, 3), (5, 2))]
    cases = sum(d**p for p, d in (cloud.shape for cloud in clouds))
    found["lemma4"] = (sum(map(wrong_cells, clouds)), cases)
    wrong, leaves = np.sum([wrong_paths(rng.normal(size=(6, 4))) for _ in range(3)], axis=0)
    found["lemma7"] = (int(wrong), int(leaves))
    for claim, draw in (("d1_adjacent", staircase), ("d2_sweep", gaussian(15, 2))):
        found[claim] = (disagreements(draw, cost_by("sweep"), cost_by("cells"), 200), 200)
    return found


def _check_assignments(gaussian):
    """Lemma 3: valid cells against all assignments, and the number of minima of each."""
    differing, minima = 0, []
    for size in ((7, 2), (6, 3)):
        drawn = [gaussian(*size)() for _ in range(20)]
        for means, weights in drawn:
            minima += numbers_of_minima(means, weights)
        again = iter(drawn)
        differing += disagreements(
            lambda again=again: next(again), cost_by("cells"), cost_by_all_assignments, 20
        )
    several = sum(number != 1 for number in minima)
    return {"lemma3": (differing, 40), "one_place": (several, len(minima))}
