"""Near alternatives of the constrained Pareto set under known noise, by brute force."""

import numpy as np
import pytest
from references import noise_region as brute
from references.constrained_instances import build, few_optimal
from references.noise import random_covariance

from pareto_core.transport.metric import known_noise, region_of
from pareto_core.transport.oracle import allocate_oracle
from pareto_core.transport.walk import NEAR, near_gradients


def all_costs(means, weights, covariance, polyhedron):
    """Costs of all departures by facet, of removals, and of the cheapest admission of each arm."""
    front, _ = brute.constrained_front(means, polyhedron)
    ways = brute.removals(front, means.shape[1])
    found = [brute.closest(means, weights, covariance, *each)[0] for each in ways]
    for k in range(len(means)):
        own = brute.departures([k], polyhedron)
        if k not in front:
            own = brute.admissions(front, means.shape[1], polyhedron, k)
        found.append(brute.cheapest(means, weights, covariance, own)[0])
    return np.sort(found)


@pytest.mark.slow
@pytest.mark.compiled
def test_near_alternatives_equal_brute_force():
    with_others = 0
    for seed in range(150):
        instance = build(seed)
        means, weights, polyhedron, _ = instance
        if not few_optimal(instance) or weights.min() <= 0 or len(means) < 3:
            continue
        covariance = random_covariance(np.random.default_rng(seed), *means.shape)
        costs, rows = all_costs(means, weights, covariance, polyhedron), np.empty((64, len(means)))
        if (np.abs(costs - NEAR * costs[0]) <= 1e-6 * costs[0]).any():
            continue  # rounding decides
        noise, region = known_noise(covariance), region_of(polyhedron)
        oracle = allocate_oracle(*means.shape, noise, region)
        value, count = near_gradients(
            means, weights, noise, region, None, oracle, np.empty_like(means), rows
        )
        found = rows[:count] @ weights
        assert value == pytest.approx(costs[0], rel=1e-8, abs=1e-20)
        assert found[0] == pytest.approx(value, rel=1e-8, abs=1e-20)
        near = costs[costs < NEAR * costs[0]]
        np.testing.assert_allclose(np.sort(found[1:]), near, rtol=1e-7)
        with_others += near.size > 1
    assert with_others > 15
