"""The cheapest alternative to a valid partition, against brute force."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from references import constrained_transport as brute
from references import pareto as reference
from references.constrained_instances import instances, pushes, rounding

from pareto_core import transport_cost
from pareto_core.geometry.partition import Partition, is_valid_partition, valid_partitions
from pareto_core.geometry.polyhedron import Polyhedron, hypercube
from pareto_core.transport.cost import partition_cost

EXACT = 1e-9
MANY = settings(max_examples=400, suppress_health_check=list(HealthCheck))
FEWER = settings(MANY, max_examples=150)


@pytest.mark.slow
@pytest.mark.compiled
@MANY
@given(instances())
def test_cost_equals_brute_force_for_every_valid_partition(instance):
    means, weights, polyhedron, _ = instance
    slack = rounding(means, weights, polyhedron)
    for partition in valid_partitions(means, polyhedron):
        value, gradient, alternative, _ = partition_cost(means, weights, polyhedron, partition)
        expected, _ = brute.partition_transport(means, weights, polyhedron, partition)
        assert abs(value - expected) <= EXACT * expected + slack
        assert abs(weights @ gradient - value) <= EXACT * value + slack
        found = reference.cost_of(means, weights, alternative)
        assert abs(found - value) <= EXACT * value + slack


@pytest.mark.slow
@FEWER
@given(instances())
def test_a_partition_is_invalid_after_a_tiny_push(instance):
    means, weights, polyhedron, inside = instance
    for partition in valid_partitions(means, polyhedron):
        alternative = partition_cost(means, weights, polyhedron, partition).alternative
        assert not all(
            is_valid_partition(pushed, polyhedron, partition)
            for pushed in pushes(means, alternative, polyhedron, inside)
        )


@pytest.mark.slow
@FEWER
@given(instances(), st.integers(0, 2**32))
def test_no_random_alternative_is_cheaper(instance, seed):
    means, weights, polyhedron, inside = instance
    rng = np.random.default_rng(seed)
    partition = valid_partitions(means, polyhedron)[-1]
    value = partition_cost(means, weights, polyhedron, partition).value
    for _ in range(10):
        direction = rng.standard_normal(means.shape) * rng.integers(0, 2, (len(means), 1))
        direction[rng.integers(len(means))] = inside - means[rng.integers(len(means))]
        if is_valid_partition(means + direction, polyhedron, partition):
            continue
        same, other = 0.0, 1.0
        for _ in range(12):
            middle = 0.5 * (same + other)
            right = is_valid_partition(means + middle * direction, polyhedron, partition)
            same, other = (middle, other) if right else (same, middle)
        found = reference.cost_of(means, weights, means + other * direction)
        assert found >= value * (1 - EXACT) - rounding(means, weights, polyhedron)


@pytest.mark.slow
@MANY
@given(instances())
def test_a_partition_is_no_harder_to_refute_than_the_constrained_pareto_set(instance):
    means, weights, polyhedron, _ = instance
    most = transport_cost(
        means, weights, problem="constrained_pareto_set", polyhedron=polyhedron
    ).value
    slack = rounding(means, weights, polyhedron)
    for partition in valid_partitions(means, polyhedron):
        value = partition_cost(means, weights, polyhedron, partition).value
        assert value <= most * (1 + EXACT) + slack


@pytest.mark.slow
@FEWER
@given(instances())
def test_a_polyhedron_without_rows_changes_nothing(instance):
    means, weights, _, _ = instance
    unbounded = Polyhedron(np.empty((0, means.shape[1])), [])
    (partition,) = valid_partitions(means, unbounded)
    expected = transport_cost(means, weights)
    found = partition_cost(means, weights, unbounded, partition)
    assert found.value == expected.value


def test_an_arm_that_is_both_dominated_and_infeasible_by_hand():
    # half-line x >= 0: to enter, the arm at -3 moves by 3; it meets the arm at 1 halfway
    half_line, means = Polyhedron([[-1.0]], [0.0]), np.array([[1.0], [-3.0]])
    infeasible, dominated = Partition([0], [], [1]), Partition([0], [1], [])
    value, gradient, alternative, arm = partition_cost(means, [20.0, 1.0], half_line, infeasible)
    assert value == pytest.approx(4.5, rel=1e-14)
    assert arm == 1  # it enters
    np.testing.assert_allclose(gradient, [0, 4.5])
    np.testing.assert_allclose(alternative, [[1.0], [0.0]], atol=1e-15)
    value, _, alternative, arm = partition_cost(means, [20.0, 1.0], half_line, dominated)
    assert value == pytest.approx(0.5 * 20 / 21 * 16, rel=1e-14)
    assert arm == 1  # it is no longer dominated
    np.testing.assert_allclose(alternative, np.full((2, 1), 1 - 4 / 21))
    value, _, alternative, arm = partition_cost(means, [1.0, 1.0], half_line, dominated)
    assert value == pytest.approx(0.5, rel=1e-14)
    assert arm == 0  # it leaves the polyhedron
    np.testing.assert_allclose(alternative, [[0.0], [-3.0]], atol=1e-15)


@pytest.mark.parametrize(
    ("partition", "match"),
    [
        (Partition([0], [1], [2]), "each arm from 0 to 1 exactly once"),
        (Partition([True, False], [], []), "three lists of arms"),
        (Partition([0], [1], []), "expected a valid partition"),
        (Partition([1], [0], []), "expected a valid partition"),
    ],
)
def test_invalid_partitions_are_refused(partition, match):
    with pytest.raises(ValueError, match=match):
        partition_cost([[0.5, 0.5], [2.0, 2.0]], [1.0, 1.0], hypercube(2), partition)
