"""Alternatives whose cost is close to the minimum, each against brute force."""

import numpy as np
import pytest
from references import noise_region as brute
from references import pareto as reference
from references.constrained_instances import build, few_optimal
from references.noise import random_covariance

from pareto_core.transport.metric import known_noise, region_of
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


def costs_in_a_region(means, weights, covariance, polyhedron):
    """Costs of all departures by facet, of removals, and of the cheapest admission of each arm."""
    front, _ = brute.constrained_front(means, polyhedron)
    ways = brute.removed(front, means.shape[1])
    found = [brute.closest(means, weights, covariance, *each)[0] for each in ways]
    for k in range(len(means)):
        own = brute.departures([k], polyhedron)
        if k not in front:
            own = brute.admissions(front, means.shape[1], polyhedron, k)
        found.append(brute.cheapest(means, weights, covariance, own)[0])
    return np.sort(found)


@pytest.mark.slow
def test_costs_with_known_noise_in_a_region_equal_brute_force():
    with_others = 0
    for seed in range(150):
        instance = build(seed)
        means, weights, polyhedron, _ = instance
        if not few_optimal(instance) or weights.min() <= 0 or len(means) < 3:
            continue
        covariance = random_covariance(np.random.default_rng(seed), *means.shape)
        costs = costs_in_a_region(means, weights, covariance, polyhedron)
        if (np.abs(costs - NEAR * costs[0]) <= 1e-6 * costs[0]).any():
            continue  # rounding decides
        noise, region = known_noise(covariance), region_of(polyhedron)
        oracle = allocate_oracle(*means.shape, noise, region)
        rows, other = np.empty((ROWS, len(means))), np.empty_like(means)
        value, count = near_gradients(means, weights, noise, region, None, oracle, other, rows)
        found = rows[:count] @ weights
        assert value == pytest.approx(costs[0], rel=1e-8, abs=1e-20)
        assert found[0] == pytest.approx(value, rel=1e-8, abs=1e-20)
        near = costs[costs < NEAR * costs[0]]
        np.testing.assert_allclose(np.sort(found[1:]), near, rtol=1e-7)
        with_others += near.size > 1
    assert with_others > 15
