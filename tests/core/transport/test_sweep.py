"""Accuracy of the sums along the sweep."""

from fractions import Fraction

import numpy as np
import pytest

from pareto_core.transport import sweep


def exact_prefix(start, own, levels, weights):
    """Minimum and minimiser in rational arithmetic: the pool grows from the highest level."""
    mass, pull = Fraction(own), Fraction(own) * Fraction(start)
    x = Fraction(start)
    for level, weight in sorted(zip(levels, weights, strict=True), reverse=True):
        if Fraction(level) <= x:
            break
        mass += Fraction(weight)
        pull += Fraction(weight) * Fraction(level)
        x = pull / mass
    cost = Fraction(own) * (x - Fraction(start)) ** 2 / 2
    for level, weight in zip(levels, weights, strict=True):
        cost += Fraction(weight) * max(Fraction(level) - x, 0) ** 2 / 2
    return cost, x


@pytest.mark.parametrize("own", [1e-8, 1.0, 1e8])
@pytest.mark.parametrize("kind", ["alternating", "random", "one heavy", "tied"])
def test_prefix_costs_are_accurate_with_weights_sixteen_decades_apart(kind, own):
    rng = np.random.default_rng(7)
    n = 40
    levels = np.sort(rng.uniform(-0.2, 3, n))
    weights = {
        "alternating": np.where(np.arange(n) % 2 == 0, 1e-8, 1e8),
        "random": 10 ** rng.uniform(-8, 8, n),
        "one heavy": np.where(np.arange(n) == n // 3, 1e8, 1e-8),
        "tied": 10.0 ** rng.integers(-8, 9, n),
    }[kind]
    if kind == "tied":
        levels = np.round(levels * 2) / 2
    cost, position, tail = np.empty(n + 1), np.empty(n + 1), np.empty(n + 1)
    filled = sweep.prefix_costs(levels, weights, 0.0, own, np.inf, cost, position, tail)
    assert filled == n + 1
    for size in range(n + 1):
        expected, x = exact_prefix(0.0, own, levels[:size], weights[:size])
        assert abs(Fraction(cost[size]) - expected) <= Fraction(1e-12) * expected
        assert abs(Fraction(position[size]) - x) <= Fraction(1e-12) * abs(x)
