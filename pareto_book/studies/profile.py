"""The transportation cost along the diagonal, with two objectives (Appendix D.2).

In coordinates s = (x1 - x2)/sqrt(2) and t = (x1 + x2)/2, the new mean of the added arm is
x = (s/sqrt(2) + t, -s/sqrt(2) + t). The objective in which a blocking arm is lowered depends on s
alone, and the best t given s is piecewise linear in s.
"""

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_count, check_means, check_weights
from pareto_core.geometry.dominance import pareto_set


def diagonal_profile(
    means: ArrayLike, weights: ArrayLike, target: int, s: ArrayLike
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Best height t*(s) of the added arm, and its cost, along each diagonal."""
    means = check_means(means)
    weights = check_weights(weights, means.shape[0])
    if means.shape[1] != 2:
        raise ValueError(f"means has {means.shape[1]} objectives; expected 2")
    s = np.array(s, dtype=float)
    front = pareto_set(means)
    check_count(target, "target", at_least=0)
    if target >= means.shape[0] or target in front:
        raise ValueError(f"target = {target!r}; expected a dominated arm")
    own = 2 * weights[target]
    centre_s = (means[target, 0] - means[target, 1]) / np.sqrt(2)
    centre_t = means[target].mean()
    front_s = (means[front, 0] - means[front, 1]) / np.sqrt(2)
    lines = means[front].mean(axis=1)[:, None] - np.abs(s - front_s[:, None]) / np.sqrt(2)
    height = np.array([_height(own, centre_t, column, weights[front]) for column in lines.T])
    above = np.maximum(lines - height, 0)
    cost = 0.5 * weights[target] * (s - centre_s) ** 2 + 0.5 * own * (height - centre_t) ** 2
    return lines, height, cost + 0.5 * weights[front] @ above**2


def _height(own, start, levels, weights):
    """Minimise own/2 (t - start)^2 + sum_k w_k/2 (levels_k - t)_+^2 over t."""
    mass, pull, height = own, own * start, start
    for k in np.argsort(-levels):
        if levels[k] <= height:
            break
        mass += weights[k]
        pull += weights[k] * levels[k]
        height = pull / mass
    return height
