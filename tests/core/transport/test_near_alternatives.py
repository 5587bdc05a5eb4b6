"""Alternatives whose cost is close to the minimum, each against brute force."""

import numpy as np
import pytest
from references import noise_region as brute
from references.constrained_instances import build, few_optimal
from references.noise import random_covariance

from pareto_core import Polyhedron
from pareto_core.compiling.kernels import kernel
from pareto_core.compiling.lending import lend
from pareto_core.transport.metric import known_noise, region_of
from pareto_core.transport.oracle import allocate_oracle, label_answer
from pareto_core.transport.walk import NEAR, near_gradients, near_moves

ROWS = 64
pytestmark = pytest.mark.compiled


@kernel
def lent_moves(means, weights, noise, region, slack, oracle, other, rows):
    """`near_moves`, compiled sooner: it is lent all that it reads."""
    means, noise, region, oracle = lend(means), lend(noise), lend(region), lend(oracle)
    label_answer(means, noise, region, oracle)
    weights, other, rows = lend(weights), lend(other), lend(rows)
    return near_moves(means, weights, noise, region, slack, oracle, other, rows)


def all_costs(means, weights, covariance, polyhedron):
    """Costs of all departures by facet, of removals, and of the cheapest admission of each arm."""
    front = brute.constrained_front(means, polyhedron)
    ways = brute.removed(front, means.shape[1])
    found = [brute.closest(means, weights, covariance, *each)[0] for each in ways]
    for k in range(len(means)):
        own = brute.departures([k], polyhedron)
        if k not in front:
            own = brute.admissions(front, means.shape[1], polyhedron, k)
        found.append(brute.cheapest(means, weights, covariance, own)[0])
    return np.sort(found)


@pytest.mark.slow
@pytest.mark.parametrize("in_region", [False, True], ids=["unit", "known noise in a region"])
def test_costs_equal_brute_force(in_region):
    with_others = 0
    for seed in range(150):
        instance = build(seed)
        means, weights, polyhedron, _ = instance
        if not few_optimal(instance) or weights.min() <= 0 or len(means) < 3:
            continue
        (n_arms, d), rng = means.shape, np.random.default_rng(seed)
        covariance, noise, region = np.array(n_arms * [np.eye(d)]), None, None
        if in_region:
            covariance = random_covariance(rng, n_arms, d)
            noise, region = known_noise(covariance), region_of(polyhedron)
        else:
            polyhedron = Polyhedron(np.empty((0, d)), [])
        costs = all_costs(means, weights, covariance, polyhedron)
        oracle = allocate_oracle(n_arms, d, noise, region)
        for slack in (np.inf, rng.exponential() * costs[0]):
            limit = min(NEAR * costs[0], costs[0] + slack)
            if (np.abs(costs - limit) <= 1e-6 * limit).any():
                continue  # rounding decides
            rows, other = np.empty((ROWS, n_arms)), np.empty_like(means)
            value, count = lent_moves(means, weights, noise, region, slack, oracle, other, rows)
            found = rows[:count] @ weights
            assert value == pytest.approx(costs[0], rel=1e-8, abs=1e-20)
            assert found[0] == pytest.approx(value, rel=1e-8, abs=1e-20)
            near = costs[costs < limit]
            np.testing.assert_allclose(np.sort(found[1:]), near, rtol=1e-7)
            with_others += near.size > 1
    assert with_others > 15


def test_only_the_rows_given_are_filled():
    means = np.column_stack([np.arange(10.0), -np.arange(10.0)])
    rows = np.full((4, 10), np.nan)
    oracle, weights = allocate_oracle(*means.shape), np.full(10, 0.1)
    _, count = near_gradients(
        means, weights, None, None, None, oracle, np.empty_like(means), rows[:3]
    )
    assert count == 3
    assert np.isnan(rows[3]).all()
