"""Section 3.2 and Theorem 4.5 of the paper: the number of right answers, what each arm must pay."""

import itertools
from collections.abc import Callable

import numpy as np

import pareto_core as pc
from pareto_book.chapters.kone2025constrained.event import REGIONS
from pareto_core.bounds.complexity import easiest_partition
from pareto_core.geometry.partition import Partition, is_valid_partition
from pareto_core.geometry.polyhedron import orthant

__all__ = ["count_right_answers", "least_paid", "miscounted", "needs", "right_answers"]


def right_answers(means: np.ndarray, region: pc.Polyhedron) -> int:
    """Number of right answers: two to the number of arms that are dominated and infeasible."""
    inside = region.contains(means)
    below = (means[:, None] <= means).all(axis=2) & ~np.eye(len(means), dtype=bool) & inside
    return int(2 ** (below.any(axis=1) & ~inside).sum())


def count_right_answers(means: np.ndarray, region: pc.Polyhedron) -> int:
    """Number of right answers among all ways to call each arm one of three names."""
    return sum(
        is_valid_partition(means, region, [np.flatnonzero(np.array(called) == k) for k in range(3)])
        for called in itertools.product(range(3), repeat=len(means))
    )


def miscounted(cases: int, rng: np.random.Generator, count: Callable = right_answers) -> int:
    """Count the random instances on which the number of right answers is not as claimed.

    Parameters
    ----------
    cases : int
        Number of instances with four arms.
    rng : numpy.random.Generator
        Random generator.
    count : callable
        Claimed number, of means and region.

    Returns
    -------
    int
    """
    wrong = 0
    for number in range(cases):
        region = REGIONS[number % len(REGIONS)]
        means = rng.uniform(-0.5, 1.2, (4, region.n_objectives))
        wrong += count_right_answers(means, region) != count(means, region)
    return wrong


def staircase_and_outside(rng: np.random.Generator) -> tuple[np.ndarray, pc.Polyhedron]:
    """Draw arms as in Appendix E.4: an arm below one other only, and one outside."""
    along = np.cumsum(rng.uniform(0.2, 0.6, rng.integers(2, 4)))
    front = np.column_stack([along, -along, np.full(along.size, rng.uniform(0.3, 0.6))])
    below = front[rng.integers(along.size)] - rng.uniform(0.05, 0.15, 3)
    outside = [rng.uniform(-1, 1), rng.uniform(2, 3), -rng.uniform(0.2, 0.5)]
    return np.vstack([front, below, outside]), orthant([-5.0, -5.0, 0.0])


def needs(means: np.ndarray, region: pc.Polyhedron, answer: Partition) -> np.ndarray:
    """Distance by which each arm alone has to move to make the answer wrong, shape (K,)."""
    excess = (means[:, None] - means).max(axis=2)
    np.fill_diagonal(excess, np.inf)
    need = region.boundary_distance(means)
    front = answer.optimal
    between = np.minimum(excess, excess.T)[np.ix_(front, front)].min(axis=1)
    need[front] = np.minimum(need[front], between)
    need[answer.dominated] = (-excess)[np.ix_(answer.dominated, front)].max(axis=1)
    return need


def least_paid(count: int, rng: np.random.Generator, factor: float = 1.0) -> float:
    """Least evidence per arm at the optimal proportions, which Theorem 4.5 says is at least one.

    Parameters
    ----------
    count : int
        Number of random instances.
    rng : numpy.random.Generator
        Random generator.
    factor : float, default 1.0
        Factor of the samples, to see that too few are noticed.

    Returns
    -------
    float
    """
    paid = []
    for _ in range(count):
        means, region = staircase_and_outside(rng)
        answer, time = easiest_partition(means, region)
        samples = factor * time.time * time.weights
        paid.append((samples * needs(means, region, answer) ** 2 / 2).min())
    return float(np.min(paid))  # NaN if one is
