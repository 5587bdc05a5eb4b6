"""Characteristic times under known noise."""

import numpy as np
import pytest

from pareto_core import (
    characteristic_time,
    easiest_partition,
    orthant,
    partition_cost,
    transport_cost,
)

BEST_ARMS = "best_arm_per_objective"
QUESTIONS = ("pareto_set", BEST_ARMS)
MEANS = np.array([[1.0, 0.1], [0.2, 1.1], [0.5, 0.3], [-0.2, -0.4]])


def covariances(seed, n_arms=4, d=2):
    factors = np.random.default_rng(seed).standard_normal((n_arms, d, d))
    covariance = factors @ factors.transpose(0, 2, 1) + 0.3 * np.eye(d)
    return 0.5 * (covariance + covariance.transpose(0, 2, 1))


@pytest.mark.parametrize("problem", QUESTIONS)
def test_unit_variance_is_the_time_without_noise(problem):
    plain = characteristic_time(MEANS, 1e-6, problem=problem)
    for noise in ({"variance": np.ones(2)}, {"covariance": np.eye(2)}):
        found = characteristic_time(MEANS, 1e-6, problem=problem, **noise)
        assert found.time == pytest.approx(plain.time, rel=2e-6)


@pytest.mark.parametrize("problem", QUESTIONS)
@pytest.mark.parametrize("seed", range(3))
def test_the_time_is_that_of_its_weights_and_no_other_weights_need_less(problem, seed):
    covariance, rng = covariances(seed), np.random.default_rng(seed)

    def time_of(weights):
        return 1 / transport_cost(MEANS, weights, problem=problem, covariance=covariance).value

    time = characteristic_time(MEANS, 1e-6, problem=problem, covariance=covariance)
    assert time.relative_gap <= 1e-6
    assert time_of(time.weights) == pytest.approx(time.time, rel=1e-12)
    for _ in range(50):
        other = rng.dirichlet(np.ones(4)) if rng.integers(2) else time.weights
        other = other * np.exp(0.01 * rng.standard_normal(4))
        assert time_of(other / other.sum()) >= time.time / (1 + 2e-6)


def test_two_arms_get_samples_in_proportion_to_their_standard_deviations():
    # w_0 w_1 / (9 w_1 + w_0) is largest at w_0 = 3 w_1, where it is 1 / (3 + 1)^2
    time = characteristic_time([[0.0], [1.0]], 1e-9, variance=[[9.0], [1.0]])
    np.testing.assert_allclose(time.weights, [0.75, 0.25], rtol=1e-3)
    assert time.time == pytest.approx(2 * 4**2, rel=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("problem", QUESTIONS)
def test_equal_costs_do_not_change_the_time_and_costs_weigh_as_variances(problem):
    covariance, costs = covariances(5), np.array([1.0, 2.0, 0.5, 4.0])
    plain = characteristic_time(MEANS, 1e-6, problem=problem, covariance=covariance)
    for of_all in (1.0, 3.0):
        equal = characteristic_time(
            MEANS, 1e-6, problem=problem, covariance=covariance, costs=[of_all] * 4
        )
        assert equal.time == pytest.approx(of_all * plain.time, rel=3e-6)
    # a unit of cost buys w / c samples: as much evidence as w samples of covariance c Sigma
    in_cost = characteristic_time(MEANS, 1e-6, problem=problem, covariance=covariance, costs=costs)
    scaled = characteristic_time(
        MEANS, 1e-6, problem=problem, covariance=costs[:, None, None] * covariance
    )
    assert in_cost.time == pytest.approx(scaled.time, rel=3e-6)


def test_best_arms_have_times_in_cost_without_noise_too():
    costs = [1.0, 2.0, 0.5, 4.0]
    first = characteristic_time(MEANS, problem=BEST_ARMS, costs=costs)
    second = characteristic_time(MEANS, problem=BEST_ARMS, costs=costs, variance=[1.0, 1.0])
    assert first.time == second.time


@pytest.mark.parametrize("exponent", [-40, 40])
def test_units_do_not_matter(exponent):
    covariance, units = covariances(7), 2.0 ** np.array([exponent, 3])
    one = characteristic_time(MEANS, covariance=covariance)
    scaled = characteristic_time(MEANS * units, covariance=covariance * np.outer(units, units))
    assert scaled.time == one.time


def test_ties_make_the_time_infinite():
    means = [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    for problem in QUESTIONS:
        time = characteristic_time(means, problem=problem, covariance=[[1.0, 0.5], [0.5, 1.0]])
        assert time.time == np.inf


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"variance": [1.0, 0.0]}, "variance = .*expected positive numbers"),
        ({"covariance": np.ones((2, 2))}, "covariance = "),
        ({"problem": BEST_ARMS, "eta": 0.1, "variance": [1.0, 1.0]}, "eta = 0.1 with known noise"),
        ({"problem": BEST_ARMS, "eta": 0.1, "costs": [1.0] * 4}, "eta = 0.1 with .* or costs"),
    ],
)
def test_invalid_noise_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        characteristic_time(MEANS, **arguments)


@pytest.mark.parametrize("costs", [None, [1.0, 2.0, 0.5, 4.0]])
def test_the_time_of_a_partition_is_that_of_its_weights(costs):
    region, covariance = orthant([0.0, 0.2]), covariances(3)
    noise = {"covariance": covariance}
    partition, time = easiest_partition(MEANS, region, 1e-6, costs=costs, **noise)
    assert partition.infeasible.size
    samples = time.weights / (1.0 if costs is None else np.array(costs))
    cost = partition_cost(MEANS, samples, region, partition, **noise)
    assert 1 / cost.value == pytest.approx(time.time, rel=1e-12)
    rng = np.random.default_rng(0)
    for _ in range(50):
        other = time.weights * np.exp(0.01 * rng.standard_normal(4))
        other *= samples / time.weights / other.sum()
        value = partition_cost(MEANS, other, region, partition, **noise).value
        assert 1 / value >= time.time / (1 + 2e-6)
