"""The cost at oracle weights and an upper bound on it, in fractions."""

from fractions import Fraction

import numpy as np
from references.seeds import SEEDS


def random_means(rng, most_arms=9, most_objectives=6, decades=8):
    """Means: generic, on a grid, badly scaled by entry or column or row, or one arm far ahead."""
    means = rng.standard_normal((rng.integers(2, most_arms), rng.integers(1, most_objectives)))
    n_arms, d = means.shape
    kind = rng.integers(6)
    if kind == 1:
        means = np.round(2 * means)
    elif kind == 2:
        shape = [(n_arms, d), (1, d), (n_arms, 1)][rng.integers(3)]
        means *= 10 ** rng.uniform(-decades, decades, shape)
    elif kind == 3:
        means[rng.integers(n_arms)] += rng.exponential(2, d)
    elif kind == 4:
        means[np.arange(n_arms) % n_arms, np.arange(n_arms) % d] += 3  # many leaders
    elif kind == 5:
        second = np.sort(means, axis=0)[-2]
        means[means.argmax(axis=0), np.arange(d)] = second + 10 ** rng.uniform(-6, 0, d)
    return means * 10.0 ** rng.choice([-5, 0, 0, 5])


def instances(**settings):
    return SEEDS.map(lambda seed: random_means(np.random.default_rng(seed), **settings))


def is_clear(means):
    """Whether each objective has one best arm."""
    return np.diff(np.sort(means, axis=0), axis=0)[-1].min() > 0


def pairs(means):
    """Every objective with its best arm (the first of several) and each other arm."""
    for m in range(len(means[0])):
        column = [row[m] for row in means]
        best = column.index(max(column))
        for i in range(len(means)):
            if i != best:
                yield m, best, i


def confusion(means, weights):
    """Smallest w_i w_b / (w_i + w_b) gap^2 / 2 and its pair, in the arithmetic of the input."""
    found = []
    for m, b, i in pairs(means):
        both = weights[i] + weights[b]
        share = weights[i] * weights[b] / both if both else 0
        found.append((share * (means[b][m] - means[i][m]) ** 2 / 2, m, b, i))
    return min(found)


def floor_of(eta, n_arms):
    return Fraction(eta) / ((1 + Fraction(eta)) * n_arms)


def limits(means):
    """Smallest gap^2 / 2 of each arm and each leader, in fractions."""
    means = [[Fraction(x) for x in row] for row in means.tolist()]
    result = {}
    for m, b, i in pairs(means):
        limit = (means[b][m] - means[i][m]) ** 2 / 2
        result[b, i] = min(limit, result.get((b, i), limit))
    return result


def fill(loads, floor):
    """Weights of at least ``floor`` that minimise the sum of loads / weights: bisection."""
    roots = np.sqrt(loads / loads.max())
    low, high = 0.0, 1 / roots.max()
    for _ in range(200):
        scale = 0.5 * (low + high)
        few = np.maximum(scale * roots, floor).sum() < 1
        low, high = (scale, high) if few else (low, scale)
    return np.maximum(low * roots, floor)


def proven_bound(means, prices, eta):
    """Upper bound on the cost at any weights with the floor, in fractions.

    1 / w_i + 1 / w_b <= limit / cost, so the prices average to sum(loads / w) <=
    sum(prices * limits) / cost; and the left side is convex in w, so it lies above its
    tangent at any point, whose smallest value is at a corner.
    """
    n_arms, floor = len(means), floor_of(eta, len(means))
    loads, worth = [Fraction(0)] * n_arms, Fraction(0)
    for (b, i), limit in limits(means).items():
        price = Fraction(prices[b, i])
        loads[b] += price
        loads[i] += price
        worth += price * limit
    point = [Fraction(w) for w in fill(np.array([float(x) for x in loads]), float(floor))]
    slopes = [load / w**2 for load, w in zip(loads, point, strict=True)]
    tangent = 2 * sum(load / w for load, w in zip(loads, point, strict=True))
    corner = floor * sum(slopes) + (1 - n_arms * floor) * max(slopes)
    return worth / (tangent - corner)
