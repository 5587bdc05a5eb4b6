"""The cheapest alternative to a valid partition under known noise, against quadratic programs."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from references import noise_region as brute
from references.constrained_instances import pushes
from references.noise import cost_of
from references.noise_region import rounding

from pareto_core import characteristic_time, easiest_partition, partition_cost, transport_cost
from pareto_core.geometry.partition import Partition, is_valid_partition, valid_partitions
from pareto_core.geometry.polyhedron import Polyhedron, hypercube

EXACT = 1e-9
MANY = settings(max_examples=200, suppress_health_check=list(HealthCheck))
FEWER = settings(MANY, max_examples=60)
SEEDS = st.integers(0, 2**63)
PROBLEMS = SEEDS.filter(brute.is_small).map(brute.with_noise)
WEIGHED = PROBLEMS.filter(brute.has_positive_weights)


def cost(means, weights, covariance, polyhedron, partition):
    return partition_cost(means, weights, polyhedron, partition, covariance=covariance)


@pytest.mark.slow
@pytest.mark.compiled
@MANY
@given(WEIGHED)
def test_cost_equals_brute_force_for_every_valid_partition(problem):
    *problem, (polyhedron, _) = problem
    for partition in valid_partitions(problem[0], polyhedron):
        expected, _ = brute.partition_transport(*problem, polyhedron, partition)
        value, gradient, alternative, _ = cost(*problem, polyhedron, partition)
        slack = EXACT * expected + rounding(*problem, polyhedron, alternative)
        assert abs(value - expected) <= slack, (value, expected)
        assert abs(problem[1] @ gradient - expected) <= slack
        assert abs(cost_of(*problem, alternative) - expected) <= slack


@pytest.mark.slow
@pytest.mark.compiled
@MANY
@given(PROBLEMS)
def test_unit_covariance_is_the_cost_without_noise(problem):
    means, weights, _, (polyhedron, _) = problem
    d = means.shape[1]
    unit = np.broadcast_to(np.eye(d), (len(means), d, d))
    for partition in valid_partitions(means, polyhedron):
        expected = partition_cost(means, weights, polyhedron, partition).value
        found = cost(means, weights, np.eye(d), polyhedron, partition)
        slack = 1e-12 * expected + rounding(means, weights, unit, polyhedron)
        assert abs(found.value - expected) <= slack
        assert abs(weights @ found.gradient - expected) <= slack + EXACT * expected


@pytest.mark.slow
@FEWER
@given(WEIGHED)
def test_a_partition_is_invalid_after_a_tiny_push(problem):
    means, weights, covariance, (polyhedron, inside) = problem
    for partition in valid_partitions(means, polyhedron):
        alternative = cost(means, weights, covariance, polyhedron, partition).alternative
        size = 1e-6 * max(1, np.abs(alternative).max())
        assert not all(
            is_valid_partition(pushed, polyhedron, partition)
            for pushed in pushes(means, alternative, polyhedron, inside, size)
        )


@pytest.mark.slow
@FEWER
@given(PROBLEMS, SEEDS)
def test_gradient_is_a_supergradient(problem, seed):
    means, weights, covariance, (polyhedron, _) = problem
    rng = np.random.default_rng(seed)
    partition = valid_partitions(means, polyhedron)[-1]
    here = cost(means, weights, covariance, polyhedron, partition)
    for _ in range(3):
        other = weights * rng.uniform(0.01, 2, len(weights)) + 1e-3 * rng.random(len(weights))
        slack = EXACT * (here.gradient @ (other + weights))
        slack += rounding(means, other, covariance, polyhedron, here.alternative)
        there = cost(means, other, covariance, polyhedron, partition).value
        assert there <= here.gradient @ other + slack


@pytest.mark.slow
@FEWER
@given(WEIGHED)
def test_a_polyhedron_without_rows_is_the_cost_of_the_pareto_set(problem):
    means, weights, covariance, _ = problem
    unbounded = Polyhedron(np.empty((0, means.shape[1])), [])
    (partition,) = valid_partitions(means, unbounded)
    expected = transport_cost(means, weights, covariance=covariance)
    found = cost(means, weights, covariance, unbounded, partition)
    assert found.value == pytest.approx(expected.value, rel=1e-12)


@pytest.mark.slow
@FEWER
@given(WEIGHED, st.sampled_from([1e-6, 1e-2, 1e3]))
def test_noise_of_one_size_divides_the_cost(problem, scale):
    means, weights, covariance, (polyhedron, _) = problem
    partition = valid_partitions(means, polyhedron)[0]
    one = cost(means, weights, covariance, polyhedron, partition)
    scaled = cost(means, weights, scale * covariance, polyhedron, partition)
    slack = EXACT * one.value + 10 * rounding(means, weights, covariance, polyhedron)
    assert abs(scale * scaled.value - one.value) <= slack


@pytest.mark.slow
@FEWER
@given(WEIGHED, SEEDS)
def test_arms_of_weight_0_cost_what_arms_of_vanishing_weight_cost(problem, seed):
    means, weights, covariance, (polyhedron, _) = problem
    vanishing = weights.copy()
    arm = np.random.default_rng(seed).integers(len(weights))
    weights[arm], vanishing[arm] = 0.0, 1e-13 * weights.min()
    for partition in valid_partitions(means, polyhedron):
        found = cost(means, weights, covariance, polyhedron, partition)
        limit = cost(means, vanishing, covariance, polyhedron, partition)
        slack = 1e-3 * limit.value + vanishing[arm] * limit.gradient[arm]
        slack += rounding(means, weights, covariance, polyhedron, found.alternative)
        assert abs(found.value - limit.value) <= slack
        there = cost_of(means, weights, covariance, found.alternative)
        assert abs(there - found.value) <= EXACT * found.value + slack * 1e-3


def test_an_arm_enters_by_the_edge_that_is_nearest_in_its_own_metric():
    # outside two facets of the unit square; with a positive correlation both moves help each other
    means, region = np.array([[0.5, 0.5], [2.0, 3.0]]), hypercube(2)
    covariance = np.array([np.eye(2), [[1.0, 0.9], [0.9, 1.0]]])
    move = np.array([1.0, 2.0])
    partition = Partition([0], [], [1])
    value, gradient, alternative, arm = cost(means, [900.0, 2.0], covariance, region, partition)
    # along the facet x_2 <= 1 the first objective falls by 0.9 for each unit: inside
    assert value == pytest.approx(2.0 * 0.5 * move[1] ** 2, rel=1e-12)
    assert arm == 1
    np.testing.assert_allclose(gradient, [0, 2.0], atol=1e-14)
    np.testing.assert_allclose(alternative[1], [0.2, 1.0], atol=1e-12)
    # with a negative one the arm ends in the corner
    covariance[1, 0, 1] = covariance[1, 1, 0] = -0.9
    value, gradient, alternative, _ = cost(means, [900.0, 2.0], covariance, region, partition)
    expected = 0.5 * move @ np.linalg.solve(covariance[1], move)
    assert value == pytest.approx(2.0 * expected, rel=1e-12)
    np.testing.assert_allclose(gradient, [0, expected], rtol=1e-12)
    np.testing.assert_allclose(alternative[1], [1.0, 1.0], atol=1e-12)


@pytest.mark.compiled
def test_time_and_proportions_with_noise_and_costs_by_hand():
    # an arm inside a half-line and one outside: each proves its own side, at its own price
    region, means = Polyhedron([[-1.0]], [0.0]), [[1.0], [-2.0]]
    variance, costs = np.array([[4.0], [9.0]]), np.array([2.0, 5.0])
    partition = Partition([0], [], [1])
    money = 2 * costs * variance[:, 0] / np.array([1.0, 4.0])  # for one nat, for each arm
    given = {"problem": "partition", "polyhedron": region, "partition": partition}
    time = characteristic_time(means, 1e-9, costs=costs, variance=variance, **given)
    assert time.time == pytest.approx(money.sum(), rel=1e-6)
    np.testing.assert_allclose(time.weights, money / money.sum(), rtol=1e-3)


@pytest.mark.slow
@pytest.mark.compiled
def test_correlation_decides_which_reason_is_easier():
    # dominated in both objectives, and beyond the limit x_1 + x_2 >= 0 that they share
    region, means = Polyhedron([[-1.0, -1.0]], [0.0]), [[1.0, 1.0], [-0.6, -0.6]]
    reasons = []
    for correlation in (-0.9, 0.9):
        covariance = [[1.0, correlation], [correlation, 1.0]]
        partition, time = easiest_partition(means, region, covariance=covariance)
        given = {"problem": "partition", "polyhedron": region, "covariance": covariance}
        assert characteristic_time(means, **given).time == time.time
        others = [
            characteristic_time(means, partition=each, **given).time
            for each in valid_partitions(np.array(means), region)
        ]
        assert time.time == min(others)
        reasons.append(partition.infeasible.size)
    assert reasons == [1, 0]


def test_invalid_noise_is_refused():
    region, partition = hypercube(2), Partition([0], [1], [])
    for noise in ({"variance": [1.0, 0.0]}, {"covariance": np.ones((2, 2))}):
        (name,) = noise
        with pytest.raises(ValueError, match=f"{name} = "):
            partition_cost([[0.5, 0.5], [0.2, 0.2]], [1.0, 1.0], region, partition, **noise)
