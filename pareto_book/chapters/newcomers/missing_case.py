"""What the public scripts of FraPPE maximise: evidence against some of the alternatives only."""

import numpy as np
from numpy.typing import ArrayLike

import pareto_core as pc

__all__ = ["best_removal_time", "passing_time", "removal_costs"]

STEPS = 2000
FIXED_POINT_STEPS = 50


def removal_costs(means: ArrayLike, proportions: ArrayLike) -> np.ndarray:
    """Compute how cheaply each arm could come to dominate each optimal one."""
    means, proportions = np.asarray(means, float), np.asarray(proportions, float)
    front = pc.pareto_set(means)
    lead = np.maximum(means[front][:, None] - means[None], 0.0)
    squares = (lead**2).sum(axis=2)
    with np.errstate(divide="ignore", invalid="ignore"):
        cost = squares / (2 * (1 / proportions[front][:, None] + 1 / proportions[None]))
    cost[np.arange(front.size), front] = np.inf
    return cost


def best_removal_time(means: ArrayLike, steps: int = STEPS) -> float:
    """Search for proportions with the most evidence against the cheapest of these cases."""
    means = np.asarray(means, float)
    front = pc.pareto_set(means)
    proportions = np.full(len(means), 1.0 / len(means))
    best = 0.0
    for step in range(steps):
        cost = removal_costs(means, proportions)
        row, rival = np.unravel_index(cost.argmin(), cost.shape)
        best = max(best, cost[row, rival])
        pair = np.array([front[row], rival])
        gradient = 1 / proportions[pair] ** 2  # up to a factor
        proportions[pair] *= np.exp(gradient / gradient.max() / np.sqrt(1 + step))
        proportions /= proportions.sum()
    return float(1 / best)


def passing_time(time: float, delta: float) -> float:
    """Number of samples t at which t / time passes the threshold ln((1 + ln t) / delta)."""
    samples = time
    for _ in range(FIXED_POINT_STEPS):
        samples = time * np.log((1 + np.log(samples)) / delta)
    return float(samples)
