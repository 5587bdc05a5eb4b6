"""Ways out of a staircase, against a minimum over all assignments of arms to objectives."""

import itertools

import numpy as np
import pytest
import scipy.optimize
from hypothesis import given
from hypothesis import strategies as st

from pareto_book.chapters.ranking_selection.fig_phantoms import (
    EQUAL,
    FREED,
    FRONT,
    UNEVEN,
    escapes,
    exclusion_cost,
)

VALUES = st.floats(0.05, 3.0)


def least_cost(front, freed, weights):
    """Least cost of freeing an arm, which overtakes each optimal arm in one of two objectives."""
    arms = range(len(front))

    def cost(point, chosen):
        drops = np.maximum(front[arms, chosen] - point[list(chosen)], 0)
        return (weights[-1] * ((point - freed) ** 2).sum() + weights[:-1] @ drops**2) / 2

    return min(
        scipy.optimize.minimize(cost, freed, args=(chosen,), tol=1e-12).fun
        for chosen in itertools.product((0, 1), repeat=len(front))
    )


@pytest.mark.parametrize("weights", [EQUAL, UNEVEN])
def test_the_cheapest_corner_is_the_cheapest_assignment(weights):
    found = min(each.cost for each in escapes(FRONT, FREED, weights))
    assert found == pytest.approx(least_cost(FRONT, FREED, weights), rel=1e-6)


@pytest.mark.slow
@given(st.lists(VALUES, min_size=6, max_size=6), st.lists(VALUES, min_size=4, max_size=4))
def test_a_phantom_costs_no_more_than_its_corner(steps, weights):
    front = np.column_stack([np.cumsum(steps[:3]), np.cumsum(steps[3:])[::-1]])
    found = escapes(front, np.zeros(2), np.array(weights))
    assert len(found) == 4
    for each in found:
        assert each.phantom_cost <= each.cost * (1 + 1e-9)
    least = least_cost(front, np.zeros(2), np.array(weights))
    assert min(each.cost for each in found) == pytest.approx(least, rel=1e-5)


def test_the_rare_arm_falls_below_its_neighbour_at_a_smaller_cost():
    share = UNEVEN[0] * UNEVEN[1] / (UNEVEN[0] + UNEVEN[1])
    assert exclusion_cost() == pytest.approx(share * (FRONT[1, 0] - FRONT[0, 0]) ** 2 / 2)
    assert exclusion_cost() < min(each.phantom_cost for each in escapes(FRONT, FREED, UNEVEN))
