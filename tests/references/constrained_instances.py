"""Means, weights and polyhedra for tests: random, tied, degenerate and badly scaled."""

import numpy as np

from pareto_core.geometry.polyhedron import Polyhedron

MOST_OPTIMAL = 4


def build(seed, bad_scales=True):
    """Return (means, weights, polyhedron, a point inside it)."""
    rng = np.random.default_rng(seed)
    d = int(rng.choice([1, 2, 2, 3, 3]))
    means = rng.standard_normal((int(rng.integers(2, 7)), d))
    if d > 1 and rng.integers(2):
        means -= 0.9 * means.mean(axis=1, keepdims=True)  # few dominate each other
    A = rng.standard_normal((int(rng.integers(1, 5)), d))  # unbounded, if there are few rows
    inside = 0.5 * rng.standard_normal(d)
    slack = rng.exponential(rng.choice([0.3, 1.0, 10.0]), len(A)) + 0.01
    if rng.integers(3) == 0:  # ties, and arms on the boundary
        means, inside = np.round(means * rng.choice([1, 2, 3])), np.round(inside)
        A = np.where(np.arange(d) == rng.integers(d, size=(len(A), 1)), np.sign(A), 0)
        slack = np.ceil(slack)
    if rng.integers(4) == 0:
        A, slack = np.vstack([A, A[:1]]), np.append(slack, slack[0] + rng.integers(2))  # redundant
    if rng.integers(8) == 0:
        means[rng.integers(len(means))] = means[0]
    if rng.integers(8) == 0:
        inside = inside + 5 * A[0] / np.abs(A[0]).max()  # mostly no arm is feasible
    weights = rng.uniform(0.1, 1, len(means))
    if rng.integers(3) == 0:
        weights[-1] *= 10
    if bad_scales and rng.integers(3) == 0:
        weights = 10 ** rng.uniform(-4, 4, len(means))
    if bad_scales and rng.integers(12) == 0:
        weights[rng.integers(len(means))] = 0
    return means, weights, Polyhedron(A, A @ inside + slack), inside


def few_optimal(instance):
    means, _, polyhedron, _ = instance
    feasible = means[polyhedron.contains(means)]
    dominated = [((feasible >= x).all(1) & (feasible > x).any(1)).any() for x in feasible]
    return len(feasible) - sum(dominated) <= MOST_OPTIMAL


def pushes(means, alternative, polyhedron, inside, size=1e-6):
    """Alternatives pushed slightly further, in every direction that may matter."""
    for k in range(len(means)):
        for normal in polyhedron.normals:  # out
            pushed = alternative.copy()
            pushed[k] += size * normal
            yield pushed
        pushed = alternative.copy()  # below the others
        pushed[k] -= size
        yield pushed
        step = size * (inside - alternative[k])  # in, and above the others
        for others in (0.0, np.abs(step).max() + size):
            pushed = alternative - others
            pushed[k] = alternative[k] + step
            yield pushed
        pushed = alternative.copy()  # above the others
        pushed[k] += size
        yield pushed
