"""The transportation cost along the diagonal (Crepon et al. 2024, Appendix D.2)."""

import numpy as np
import pytest
from references import pareto as reference
from scipy.optimize import minimize_scalar

from pareto_book.studies.profile import diagonal_profile

MEANS = np.array([[0.5, 3.0], [1.5, 2.2], [2.6, 1.0], [3.2, 0.3], [0.0, -0.2]])
WEIGHTS = np.array([0.3, 0.1, 0.25, 0.2, 0.15])
TARGET = 4


def cost_at(point):
    """Cost of a point: every optimal arm above it is lowered where that is cheapest."""
    aside = np.maximum((MEANS[:4] - point).min(axis=1), 0)
    own = 0.5 * WEIGHTS[TARGET] * ((point - MEANS[TARGET]) ** 2).sum()
    return own + 0.5 * WEIGHTS[:4] @ aside**2


def point_of(s, t):
    return np.array([s / np.sqrt(2) + t, -s / np.sqrt(2) + t])


def test_height_is_the_best_along_each_diagonal_and_attains_the_cost():
    s = np.linspace(-4, 4, 33)
    _, height, cost = diagonal_profile(MEANS, WEIGHTS, TARGET, s)
    for i in range(len(s)):
        best = minimize_scalar(
            lambda t, i=i: cost_at(point_of(s[i], t)),
            bounds=(-5, 5),
            method="bounded",
            options={"xatol": 1e-10},
        )
        assert cost[i] == pytest.approx(best.fun, rel=1e-9)
        assert cost[i] == pytest.approx(cost_at(point_of(s[i], height[i])), rel=1e-12)


def test_lines_are_the_heights_at_which_an_arm_stops_dominating_the_target():
    s = np.linspace(-4, 4, 9)
    lines, _, _ = diagonal_profile(MEANS, WEIGHTS, TARGET, s)
    for k, i in np.ndindex(lines.shape):
        assert (MEANS[k] - point_of(s[i], lines[k, i])).min() == pytest.approx(0, abs=1e-12)


def test_lowest_cost_over_all_diagonals_is_that_of_freeing_the_target():
    s = np.linspace(-4, 4, 20_001)
    _, _, cost = diagonal_profile(MEANS, WEIGHTS, TARGET, s)
    expected, _ = reference.free_arm(MEANS, WEIGHTS, range(4), TARGET)
    assert expected * (1 - 1e-12) <= cost.min() <= expected * (1 + 1e-6)


def test_two_objectives_are_needed():
    with pytest.raises(ValueError, match="means has 3 objectives"):
        diagonal_profile(np.eye(3), np.ones(3), 0, [0.0])
