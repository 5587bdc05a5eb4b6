"""What the chapter on Track-and-Stop computes, on small cases."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.chapters import crepon2024


def test_cells_of_the_plane_are_those_that_are_counted():
    arms = np.array([[-0.7, 1.1, 1.0], [0.1, -1.1, 0.4], [-0.2, 0.3, -1.0]])
    across = np.array([[1, -1, 0], [1, 1, -2]]) / np.sqrt([[2], [6]])
    labels = crepon2024.cell_labels(arms, across, 2.6)
    cells = {"".join(str(c + 1) for c in cell) for cell in pc.iterate_cells(arms)}
    assert set(labels) == cells


def test_the_profile_has_the_cost_of_the_cheapest_addition():
    means = np.array([[0.4, 6.0], [3.4, 3.4], [6.3, 0.5], [1.2, 1.1]])
    weights = np.array([0.3, 0.3, 0.3, 0.1])
    tents, height, cost = crepon2024.diagonal_profile(means, weights, np.linspace(-5, 5, 4001))
    assert tents.shape == (3, 4001) and height.shape == (4001,)
    assert cost.min() == pytest.approx(pc.transport_cost(means, weights).value, rel=1e-4)
