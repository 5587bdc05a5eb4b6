"""Characteristic times of the constrained Pareto set under known noise."""

import numpy as np
import pytest
from references import noise_region as brute
from references.constrained_instances import build, few_optimal
from references.noise import random_covariance

from pareto_core import characteristic_time, hypercube, orthant, simplex, transport_cost
from pareto_core.transport.metric import known_noise, region_of
from pareto_core.transport.moves import NEAR, allocate_oracle, near_gradients

REGION = "constrained_pareto_set"
MEANS = np.array([[0.5, 0.2], [0.2, 0.5], [0.3, 0.1], [0.9, 0.8]])


def covariances(seed):
    factors = np.random.default_rng(seed).standard_normal((4, 2, 2))
    covariance = factors @ factors.transpose(0, 2, 1) + 0.3 * np.eye(2)
    return 0.5 * (covariance + covariance.transpose(0, 2, 1))


@pytest.mark.slow
def test_unit_variance_is_the_time_without_noise():
    for region in (simplex(2), hypercube(2), orthant([0.1, 0.1])):
        plain = characteristic_time(MEANS, 1e-6, problem=REGION, polyhedron=region)
        for noise in ({"variance": np.ones(2)}, {"covariance": np.eye(2)}):
            found = characteristic_time(MEANS, 1e-6, problem=REGION, polyhedron=region, **noise)
            assert found.time == pytest.approx(plain.time, rel=2e-6)


@pytest.mark.parametrize("seed", range(3))
def test_the_time_is_that_of_its_weights_and_no_other_weights_need_less(seed):
    covariance, rng = covariances(seed), np.random.default_rng(seed)
    given = {"problem": REGION, "polyhedron": simplex(2), "covariance": covariance}

    def time_of(weights):
        return 1 / transport_cost(MEANS, weights, **given).value

    time = characteristic_time(MEANS, 1e-6, **given)
    assert time.relative_gap <= 1e-6
    assert time_of(time.weights) == pytest.approx(time.time, rel=1e-12)
    for _ in range(50):
        other = rng.dirichlet(np.ones(4)) if rng.integers(2) else time.weights
        other = other * np.exp(0.01 * rng.standard_normal(4))
        assert time_of(other / other.sum()) >= time.time / (1 + 2e-6)


def test_one_feasible_and_one_infeasible_arm_share_the_samples_by_their_distances():
    # No arm dominates the other. In standard deviations, arm 0 is 0.5 from the limit and arm 1 is
    # 0.25: w_k is proportional to 1 / distance^2.
    time = characteristic_time(
        [[1.0, 0.0], [-1.0, 5.0]],
        1e-9,
        problem=REGION,
        polyhedron=orthant([0.0, -100.0]),
        variance=[[4.0, 1.0], [16.0, 1.0]],
    )
    np.testing.assert_allclose(time.weights, [0.2, 0.8], rtol=1e-4)
    assert time.time == pytest.approx(2 * (1 / 0.25 + 1 / 0.0625), rel=1e-8)


def test_costs_weigh_as_variances():
    covariance, costs = covariances(5), np.array([1.0, 2.0, 0.5, 4.0])
    given = {"problem": REGION, "polyhedron": hypercube(2)}
    in_cost = characteristic_time(MEANS, 1e-6, covariance=covariance, costs=costs, **given)
    scaled = characteristic_time(MEANS, 1e-6, covariance=costs[:, None, None] * covariance, **given)
    assert in_cost.time == pytest.approx(scaled.time, rel=3e-6)


@pytest.mark.parametrize("exponent", [-40, 40])
def test_units_do_not_matter(exponent):
    covariance, units = covariances(7), 2.0 ** np.array([exponent, 3])
    region = simplex(2)
    one = characteristic_time(MEANS, covariance=covariance, problem=REGION, polyhedron=region)
    scaled = characteristic_time(
        MEANS * units,
        covariance=covariance * np.outer(units, units),
        problem=REGION,
        polyhedron=region.divided_by(1 / units),
    )
    assert scaled.time == pytest.approx(one.time, rel=1e-3)


def test_an_arm_on_the_boundary_makes_the_time_infinite():
    time = characteristic_time(
        [[0.5, 0.5], [0.2, 0.2]],
        problem=REGION,
        polyhedron=simplex(2),
        covariance=[[1.0, 0.5], [0.5, 1.0]],
    )
    assert time.time == np.inf


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
        value, count = near_gradients(means, weights, noise, region, None, oracle, rows)
        found = rows[:count] @ weights
        assert value == pytest.approx(costs[0], rel=1e-8, abs=1e-20)
        assert found[0] == pytest.approx(value, rel=1e-8, abs=1e-20)
        near = costs[costs < NEAR * costs[0]]
        np.testing.assert_allclose(np.sort(found[1:]), near, rtol=1e-7)
        with_others += near.size > 1
    assert with_others > 15
