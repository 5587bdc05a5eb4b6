"""Alternatives whose cost is close to the minimum, each against brute force."""

import numpy as np
import pytest
from references import pareto as reference

from pareto_core.transport.oracle import allocate_oracle, label_answer
from pareto_core.transport.walk import NEAR, near_gradients, near_moves

ROWS = 64
pytestmark = pytest.mark.compiled


def all_costs(means, weights):
    """Costs of all alternatives, ascending: each removal and each addition."""
    front = reference.pareto_set(means)
    rest = [k for k in range(len(means)) if k not in front]
    found = [reference.remove_arm(means, weights, i, j) for i in front for j in front if i != j]
    found += [reference.free_arm(means, weights, front, k) for k in rest]
    return np.sort([cost for cost, _ in found])


def found_costs(means, weights, slack):
    """The cost of the cheapest alternative, and the costs of all rows."""
    rows = np.empty((ROWS, len(means)))
    oracle, alternative = allocate_oracle(*means.shape), np.empty_like(means)
    label_answer(means, None, None, oracle)
    value, count = near_moves(means, weights, None, None, slack, oracle, alternative, rows)
    return value, rows[:count] @ weights


@pytest.mark.parametrize("n_objectives", [1, 2, 3])
def test_costs_equal_brute_force(n_objectives):
    rng = np.random.default_rng(n_objectives)
    n_with_others = 0
    for trial in range(150):
        means = rng.standard_normal((rng.integers(2, 7), n_objectives))
        if trial % 3 == 0:
            means = means.round(1)  # ties
        weights = rng.dirichlet(np.ones(len(means))) * 10.0 ** rng.choice([-6, 0, 6])
        costs = all_costs(means, weights)
        for slack in (np.inf, rng.exponential() * costs[0]):
            limit = min(NEAR * costs[0], costs[0] + slack)
            if (np.abs(costs - limit) <= 1e-9 * limit).any():
                continue  # rounding decides
            value, found = found_costs(means, weights, slack)
            assert value == pytest.approx(costs[0], rel=1e-9)
            assert found[0] == pytest.approx(value, rel=1e-9)
            near = costs[costs < limit]
            np.testing.assert_allclose(np.sort(found[1:]), near, rtol=1e-9)
            n_with_others += near.size > 1
    assert n_with_others > 40


def test_only_the_rows_given_are_filled():
    means = np.column_stack([np.arange(10.0), -np.arange(10.0)])
    rows = np.full((4, 10), np.nan)
    oracle, weights = allocate_oracle(*means.shape), np.full(10, 0.1)
    _, count = near_gradients(
        means, weights, None, None, None, oracle, np.empty_like(means), rows[:3]
    )
    assert count == 3
    assert np.isnan(rows[3]).all()
