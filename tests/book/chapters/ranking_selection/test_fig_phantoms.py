"""Ways out of a staircase, against the exact transportation cost."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pareto_core as pc
from pareto_book.chapters.ranking_selection.fig_phantoms import EVEN, FREED, FRONT, UNEVEN, escapes

VALUES = st.floats(0.05, 3.0)


def cheapest(means, weights):
    """Cost of freeing the last arm: the removals are made expensive by moving the front away."""
    return pc.transport_cost(means, weights / weights.sum()).value * weights.sum()


@pytest.mark.parametrize("weights", [EVEN, UNEVEN])
def test_the_cheapest_way_out_is_the_transportation_cost(weights):
    found = min(each.cost for each in escapes(FRONT, FREED, weights))
    assert found == pytest.approx(cheapest(np.vstack([FRONT, FREED]), weights), rel=1e-8)


@given(st.lists(VALUES, min_size=4, max_size=4), st.lists(VALUES, min_size=4, max_size=4))
def test_a_phantom_costs_no_more_than_its_corner(steps, weights):
    first = np.cumsum(steps[:3])
    front = np.column_stack([first, first[::-1]])
    found = escapes(front, np.zeros(2), np.array(weights))
    assert len(found) == 4
    for each in found:
        assert each.phantom_cost <= each.cost * (1 + 1e-9)
        costs = assigned_costs(front, np.array(weights), each.point)
        assert min(costs) <= each.cost * (1 + 1e-6)


def assigned_costs(front, weights, point):
    """Costs of the front with the freed arm at a point, over all assignments to objectives."""
    for chosen in itertools.product((0, 1), repeat=3):
        drops = np.maximum(front[range(3), chosen] - point[list(chosen)], 0)
        yield (weights[-1] * point @ point + weights[:3] @ drops**2) / 2
