"""Characteristic times of separate measurements: closed forms, scipy, and joint samples."""

import numpy as np
import pytest
import scipy.optimize
from references.seeds import seeds_of

from pareto_core import characteristic_time, orthant, transport_cost


def of_two_arms(gaps, costs):
    """Cost per nat of measuring two arms so that each gap needs the evidence 1."""
    return sum(
        2 * (np.sqrt(first) + np.sqrt(second)) ** 2 / gap**2
        for gap, (first, second) in zip(gaps, costs, strict=True)
    )


COSTS = np.array([[1.0, 3.0], [4.0, 0.5]])  # of arm and objective


def test_each_objective_of_a_dominated_arm_needs_its_own_evidence():
    """To make the second arm optimal, lift it above the first in any objective."""
    means = [[2.0, 1.0], [0.0, 0.5]]
    time = characteristic_time(means, 1e-8, costs=COSTS, separate=True)
    assert time.time == pytest.approx(of_two_arms([2.0, 0.5], COSTS.T), rel=1e-7)
    assert characteristic_time(means, 1e-8, separate=True).time == pytest.approx(
        8 / 2.0**2 + 8 / 0.5**2, rel=1e-7
    )


def test_an_optimal_arm_needs_its_best_objective_only():
    means = [[2.0, 1.0, 0.0], [0.0, 0.0, 3.0]]
    time = characteristic_time(means, 1e-3, separate=True)
    assert time.time == pytest.approx(8 / 2.0**2 + 8 / 3.0**2, rel=2e-3)
    assert time.weights[:, 1].max() < 1e-2


def test_one_objective_is_the_joint_problem():
    means = np.array([[0.0], [1.0], [0.4]])
    joint = characteristic_time(means, 1e-8)
    found = characteristic_time(means, 1e-8, separate=True)
    assert found.time == pytest.approx(joint.time, rel=1e-7)
    np.testing.assert_allclose(found.weights[:, 0], joint.weights, atol=1e-3)


@pytest.mark.parametrize("seed", seeds_of(4, 12, 40))
def test_the_time_is_certified_and_at_most_that_of_joint_samples(seed):
    rng = np.random.default_rng(seed)
    means = rng.standard_normal((int(rng.integers(2, 8)), int(rng.integers(1, 5))))
    costs, variance = rng.uniform(0.2, 5, means.shape), rng.uniform(0.5, 2, means.shape)
    found = characteristic_time(means, costs=costs, variance=variance, separate=True)
    joint = characteristic_time(means, costs=costs.sum(axis=1), variance=variance)
    assert found.time <= joint.time * (1 + 1e-4)
    assert found.weights.sum() == pytest.approx(1) and (found.weights >= 0).all()
    value = transport_cost(means, found.weights / costs / variance).value
    assert found.time == pytest.approx(1 / value, rel=1e-12)


@pytest.mark.parametrize("seed", seeds_of(1, 2, 4))
def test_scipy_finds_no_shorter_time(seed):
    rng = np.random.default_rng(seed)
    means, costs = rng.standard_normal((3, 2)), rng.uniform(0.3, 3, (3, 2))

    def log_time(logits):
        shares = np.exp(logits - logits.max()).reshape(3, 2)
        return -np.log(transport_cost(means, shares / shares.sum() / costs).value)

    time = characteristic_time(means, costs=costs, separate=True).time
    found = min(
        scipy.optimize.minimize(
            log_time, rng.standard_normal(6), method="Nelder-Mead", options={"maxiter": 4000}
        ).fun
        for _ in range(4)
    )
    assert np.log(time) <= found + 1e-4
    assert np.log(time) >= found - 0.02


def test_costs_common_to_all_arms_are_those_of_each_arm():
    means = [[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]
    common = characteristic_time(means, costs=[10.0, 1.0], separate=True)
    each = characteristic_time(means, costs=[[10.0, 1.0]] * 3, separate=True)
    assert common.time == each.time


def test_a_tie_takes_for_ever():
    assert characteristic_time([[1.0, 0.0], [1.0, -1.0]], separate=True).time == np.inf


@pytest.mark.parametrize(
    ("settings", "match"),
    [
        ({"costs": [1.0, 2.0, 3.0]}, "costs = .*one per objective, or an array of shape"),
        ({"costs": [1.0, 0.0]}, "costs = .*above 0"),
        ({"covariance": np.eye(2)}, "(?s)covariance = .* with separate = True"),
        ({"features": np.eye(2)}, "(?s)features = .* with separate = True"),
        ({"problem": "best_arm_per_objective", "eta": 0.1}, "eta = 0.1 with separate = True"),
        (
            {"problem": "constrained_pareto_set", "polyhedron": orthant([0.0, 0.0])},
            "problem = .* with separate = True",
        ),
        ({"separate": 1}, "separate = 1"),
        ({"variance": [1.0, -1.0]}, "variance = "),
    ],
)
def test_invalid_input_is_refused(settings, match):
    with pytest.raises(ValueError, match=match):
        characteristic_time([[0.0, 1.0], [1.0, 0.0]], **{"separate": True, **settings})


BEST = {"problem": "best_arm_per_objective", "separate": True}


@pytest.mark.parametrize("seed", seeds_of(4, 12, 30))
def test_the_time_of_best_arms_is_the_sum_of_those_of_the_objectives(seed):
    """And no random shares of the cost give more evidence for a unit of it."""
    rng = np.random.default_rng(seed)
    means = rng.standard_normal((int(rng.integers(2, 6)), int(rng.integers(1, 4))))
    costs, variance = rng.uniform(0.2, 5, means.shape), rng.uniform(0.5, 2, means.shape)
    found = characteristic_time(means, costs=costs, variance=variance, **BEST)
    unit = costs * variance
    value = transport_cost(means, found.weights / unit, problem=BEST["problem"]).value
    assert found.time == pytest.approx(1 / value, rel=1e-9)
    assert found.weights.sum() == pytest.approx(1)
    for _ in range(300):
        other = rng.dirichlet(np.ones(means.size)).reshape(means.shape)
        other = rng.choice([0.05, 0.5, 1.0]) * (other - found.weights) + found.weights
        less = transport_cost(means, other / unit, problem=BEST["problem"]).value
        assert less <= value * (1 + 1e-3)
    joint = characteristic_time(
        means, costs=costs.sum(axis=1), variance=variance, problem=BEST["problem"]
    )
    assert found.time <= joint.time * (1 + 1e-3)


def test_the_time_of_two_arms_that_are_best_in_one_objective_each():
    means = [[2.0, 1.0], [0.0, 1.5]]
    time = characteristic_time(means, 1e-8, costs=COSTS, **BEST).time
    assert time == pytest.approx(of_two_arms([2.0, 0.5], COSTS.T), rel=1e-7)


def test_two_best_arms_of_an_objective_take_for_ever():
    found = characteristic_time([[1.0, 0.0], [1.0, 2.0]], **BEST)
    assert found.time == np.inf
    np.testing.assert_allclose(found.weights, np.full((2, 2), 0.25))
