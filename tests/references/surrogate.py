"""The linear program (10) of Chen et al. (2024), in rational numbers."""

from fractions import Fraction

import numpy as np


def shares(weight, other):
    """Shares of a pair's weights in their sum; halves if both are 0."""
    if weight + other == 0:
        return Fraction(1, 2), Fraction(1, 2)
    return weight / (weight + other), other / (weight + other)


def exact_pairs(means, weights):
    """Every pair as (arm i, best arm b, coefficient of s_i, coefficient of s_b)."""
    result = []
    for m, b in enumerate(np.argmax(means, axis=0)):
        for i in range(len(means)):
            if i != b:
                of_b, of_i = shares(Fraction(float(weights[b])), Fraction(float(weights[i])))
                gap = Fraction(float(means[b, m])) - Fraction(float(means[i, m]))
                result.append((i, int(b), gap**2 / 2 * of_b**2, gap**2 / 2 * of_i**2))
    return result


def exact_floor(eta, n_arms):
    """Least proportion."""
    return Fraction(float(eta)) / (1 + Fraction(float(eta))) / n_arms


def exact_value(means, weights, proportions):
    """The least linear approximation h(w, s)."""
    s = [Fraction(float(p)) for p in proportions]
    return min(a * s[i] + c * s[b] for i, b, a, c in exact_pairs(means, weights))


def exact_optimum(means, weights, eta):
    """Optimum of the program: of its dual, by a simplex method with Bland's rule.

    The dual's variables y >= 0 of the pairs and t >= 0, scaled so that the objective's
    denominator is 1: maximise sum y such that sum_pairs A_pj y <= t for every arm j and
    floor * sum (a + c) y + (1 - K floor) t <= 1; the optimum is 1 over that maximum.
    """
    n_arms = len(means)
    pairs, floor = exact_pairs(means, weights), exact_floor(eta, n_arms)
    if min(a + c for _, _, a, c in pairs) == 0:
        return Fraction(0)
    width = len(pairs) + 1
    table = [[Fraction(0)] * (width + n_arms + 2) for _ in range(n_arms + 2)]
    for p, (i, b, a, c) in enumerate(pairs):
        table[i][p] += a
        table[b][p] += c
        table[n_arms][p] = floor * (a + c)
        table[-1][p] = Fraction(-1)
    for j in range(n_arms):
        table[j][width - 1] = Fraction(-1)
    table[n_arms][width - 1] = 1 - n_arms * floor
    table[n_arms][-1] = Fraction(1)
    for j in range(n_arms + 1):
        table[j][width + j] = Fraction(1)
    basis = [width + j for j in range(n_arms + 1)]
    while True:
        entering = next((j for j, v in enumerate(table[-1][:-1]) if v < 0), None)
        if entering is None:
            return 1 / table[-1][-1]
        rows = [r for r in range(n_arms + 1) if table[r][entering] > 0]
        leaving = min(rows, key=lambda r: (table[r][-1] / table[r][entering], basis[r]))
        pivot = table[leaving][entering]
        table[leaving] = [v / pivot for v in table[leaving]]
        for r in range(n_arms + 2):
            if r != leaving and table[r][entering] != 0:
                times = table[r][entering]
                table[r] = [v - times * u for v, u in zip(table[r], table[leaving], strict=True)]
        basis[leaving] = entering


def random_means(rng, shape, kind):
    if kind == "normal":
        return rng.normal(size=shape)
    if kind == "tied":
        return rng.integers(0, 30, shape) / 4.0
    means = rng.uniform(size=shape)
    if kind == "one leader":
        means[0] += 1
    else:  # the largest possible number
        diagonal = np.arange(min(shape))
        means[diagonal, diagonal] = rng.uniform(1.2, 2, len(diagonal))
    return means
