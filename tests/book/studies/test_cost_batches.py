"""Costs of a batch of instances equal those of single calls."""

import numpy as np
import pytest

from pareto_book.studies.cost_batches import cell_costs, sweep_costs
from pareto_core import transport_cost
from pareto_core.instances.generators import staircase_front


@pytest.mark.parametrize("p", [2, 5, 20])
def test_both_algorithms_give_the_costs_of_the_package(p):
    rng = np.random.default_rng(p)
    means = np.array([staircase_front(p, rng).means for _ in range(6)])
    means[::2, p] = means[::2, :p].min(axis=1) * 0.5  # dominated arms elsewhere too
    weights = rng.random((6, p + 1)) + 0.01
    weights[::3, p] = 1e-3  # so that an addition is cheapest
    expected = [transport_cost(*each).value for each in zip(means, weights, strict=True)]
    for program in (sweep_costs, cell_costs):
        costs = np.full(6, np.nan)
        program(means, weights, costs)
        np.testing.assert_allclose(costs, expected, rtol=1e-9)
