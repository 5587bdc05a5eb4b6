"""Lemmas B.4 and B.5 of the paper: costs of alternatives, against a general solver."""

import itertools
from collections.abc import Callable, Sequence

import numpy as np
from scipy.optimize import minimize

import pareto_core as pc
from pareto_book.chapters.kone2025constrained.event import REGIONS
from pareto_core.geometry.partition import constrained_pareto_set

__all__ = ["admission", "admission_ratios", "removal", "removal_ratios", "solved_removal"]


def cheapest(
    cost: Callable, start: np.ndarray, gradient: Callable, A: np.ndarray, b: np.ndarray
) -> float:
    """Find the smallest cost where A x is at most b, by a general solver."""
    limits = {"type": "ineq", "fun": lambda x: b - A @ x, "jac": lambda x: -A}
    options = {"ftol": 1e-14, "maxiter": 500}
    return minimize(
        cost, start, jac=gradient, method="SLSQP", constraints=limits, options=options
    ).fun


def removal(means: np.ndarray, weights: np.ndarray, i: int, j: int) -> float:
    """Cost of putting arm i below arm j, by Lemma B.4."""
    shared = weights[i] * weights[j] / (weights[i] + weights[j])
    return shared / 2 * (np.maximum(means[i] - means[j], 0) ** 2).sum()


def solved_removal(means: np.ndarray, weights: np.ndarray) -> float:
    """Cost of putting the first of two arms below the second, by the general solver."""
    d = means.shape[1]

    def gradient(x):
        return (weights[:, None] * (x.reshape(2, d) - means)).ravel()

    def cost(x):
        return gradient(x) @ (x - means.ravel()) / 2

    below = np.hstack([np.eye(d), -np.eye(d)])
    return cheapest(cost, means.ravel(), gradient, below, np.zeros(d))


def admission(
    means: np.ndarray, weights: np.ndarray, front: np.ndarray, arm: int, region: pc.Polyhedron
) -> float:
    """Least cost of freeing an arm inside the region, over all ways to lower the front.

    Parameters
    ----------
    means : ndarray, shape (K, d)
        Means of the arms.
    weights : ndarray, shape (K,)
        Proportions of the samples.
    front : ndarray of int
        Optimal arms.
    arm : int
        The arm that is to be free of them.
    region : Polyhedron
        The feasible region.

    Returns
    -------
    float
        Equation (13), by the general solver for each map of optimal arms to objectives.
    """
    best = np.inf
    for steps in itertools.product(range(means.shape[1]), repeat=front.size):
        steps = list(steps)
        top = means[front, steps]

        def cost(x, steps=steps, top=top):
            aside = weights[front] / 2 * np.maximum(top - x[steps], 0) ** 2
            return weights[arm] / 2 * ((x - means[arm]) ** 2).sum() + aside.sum()

        def gradient(x, steps=steps, top=top):
            slope = weights[arm] * (x - means[arm])
            push = weights[front] * np.maximum(top - x[steps], 0)
            np.subtract.at(slope, steps, push)
            return slope

        start = region.project(means[[arm]])[0]
        best = np.minimum(best, cheapest(cost, start, gradient, *region.rows()))
    return best


def removal_ratios(count: int, rng: np.random.Generator) -> list[float]:
    """Costs by Lemma B.4 over those of the general solver, on random pairs of arms."""
    found = []
    while len(found) < count:
        means, weights = rng.uniform(0, 1, (2, 3)), rng.uniform(0.1, 1, 2)
        if (means[0] - means[1]).max() >= 0.05:
            found.append(removal(means, weights, 0, 1) / solved_removal(means, weights))
    return found


def admission_ratios(
    count: int, rng: np.random.Generator, regions: Sequence[pc.Polyhedron] = REGIONS[:4]
) -> list[float]:
    """Costs of the package over those of the general solver, where an admission is cheapest.

    Parameters
    ----------
    count : int
        Number of random instances.
    rng : numpy.random.Generator
        Random generator.
    regions : sequence of Polyhedron
        Feasible regions, taken in turn.

    Returns
    -------
    list of float
    """
    found = []
    while len(found) < count:
        region = regions[len(found) % len(regions)]
        shape = 4, region.n_objectives
        means, weights = rng.uniform(-0.2, 1.1, shape), rng.uniform(0.2, 1, 4)
        front = constrained_pareto_set(means, region)
        if front.size not in (1, 2, 3):
            continue
        weights[front] *= 3
        cost = pc.transport_cost(
            means, weights, problem="constrained_pareto_set", polyhedron=region
        ).value
        leave = (weights / 2 * region.boundary_distance(means) ** 2)[front].min()
        below = [removal(means, weights, i, j) for i in front for j in front if i != j]
        if cost > 0.999 * min([leave, *below]):
            continue  # the cheapest alternative is no admission
        rest = np.setdiff1d(np.arange(4), front)
        admissions = [admission(means, weights, front, arm, region) for arm in rest]
        found.append(cost / np.min(admissions))
    return found
