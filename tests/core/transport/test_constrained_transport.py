"""The cheapest alternative to the constrained Pareto set, against brute force."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from references import constrained_transport as brute
from references import pareto as reference
from references.constrained_instances import instances, pushes, rounding

from pareto_core import transport_cost
from pareto_core.geometry.partition import constrained_pareto_set
from pareto_core.geometry.polyhedron import Polyhedron, hypercube, orthant

EXACT = 1e-9
MANY = settings(max_examples=800, suppress_health_check=list(HealthCheck))
FEWER = settings(MANY, max_examples=250)


def cost(means, weights, polyhedron):
    return transport_cost(means, weights, problem="constrained_pareto_set", polyhedron=polyhedron)


@pytest.mark.slow
@pytest.mark.compiled
@MANY
@given(instances())
def test_cost_equals_brute_force(instance):
    means, weights, polyhedron, _ = instance
    value, gradient, alternative, _ = cost(means, weights, polyhedron)
    expected, _ = brute.constrained_transport(means, weights, polyhedron)
    slack = rounding(means, weights, polyhedron)
    assert abs(value - expected) <= EXACT * expected + slack
    assert abs(weights @ gradient - value) <= EXACT * value + slack
    assert abs(reference.cost_of(means, weights, alternative) - value) <= EXACT * value + slack


@pytest.mark.slow
@FEWER
@given(instances())
def test_alternative_has_a_different_answer_after_a_tiny_push(instance):
    means, weights, polyhedron, inside = instance
    answer = constrained_pareto_set(means, polyhedron).tolist()
    alternative = cost(means, weights, polyhedron).alternative
    assert any(
        constrained_pareto_set(pushed, polyhedron).tolist() != answer
        for pushed in pushes(means, alternative, polyhedron, inside)
    )


@pytest.mark.slow
@FEWER
@given(instances(), st.integers(0, 2**32))
def test_no_random_alternative_is_cheaper(instance, seed):
    means, weights, polyhedron, inside = instance
    rng = np.random.default_rng(seed)
    value = cost(means, weights, polyhedron).value
    answer = constrained_pareto_set(means, polyhedron).tolist()

    def differs(share):
        return constrained_pareto_set(means + share * direction, polyhedron).tolist() != answer

    for _ in range(10):
        direction = rng.standard_normal(means.shape) * rng.integers(0, 2, (len(means), 1))
        if rng.integers(2):
            direction[rng.integers(len(means))] = inside - means[rng.integers(len(means))]
        if not differs(1.0):
            continue
        same, other = 0.0, 1.0
        for _ in range(12):
            middle = 0.5 * (same + other)
            same, other = (same, middle) if differs(middle) else (middle, other)
        found = reference.cost_of(means, weights, means + other * direction)
        assert found >= value * (1 - EXACT) - rounding(means, weights, polyhedron)


@pytest.mark.slow
@FEWER
@given(instances(), st.integers(0, 2**32))
def test_gradient_is_a_supergradient(instance, seed):
    means, weights, polyhedron, _ = instance
    rng = np.random.default_rng(seed)
    here = cost(means, weights, polyhedron)
    for _ in range(3):
        other = weights * rng.uniform(0.01, 2, len(weights)) + 1e-3 * rng.random(len(weights))
        slack = EXACT * (here.gradient @ (other + weights)) + rounding(means, other, polyhedron)
        assert cost(means, other, polyhedron).value <= here.gradient @ other + slack


@pytest.mark.slow
@pytest.mark.compiled
@MANY
@given(instances())
def test_a_polyhedron_without_rows_changes_nothing(instance):
    means, weights, _, _ = instance
    unbounded = Polyhedron(np.empty((0, means.shape[1])), [])
    expected, found = transport_cost(means, weights), cost(means, weights, unbounded)
    assert found.value == expected.value
    np.testing.assert_array_equal(found.gradient, expected.gradient)
    np.testing.assert_array_equal(found.alternative, expected.alternative)


@pytest.mark.slow
@FEWER
@given(instances())
def test_far_rows_change_nothing(instance):
    means, weights, polyhedron, _ = instance
    if (weights == 0).any():
        return
    far = Polyhedron(polyhedron.A, np.full(len(polyhedron.b), 1e9))
    expected, found = transport_cost(means, weights), cost(means, weights, far)
    assert found.value == expected.value
    np.testing.assert_array_equal(found.alternative, expected.alternative)


def test_an_optimal_arm_leaves_by_the_closest_facet():
    value, gradient, alternative, arm = cost([[0.9, 0.5], [-3.0, -3.0]], [2.0, 1.0], hypercube(2))
    assert value == pytest.approx(0.5 * 2 * 0.1**2, rel=1e-12)
    assert arm == 0
    np.testing.assert_allclose(gradient, [0.5 * 0.1**2, 0], rtol=1e-12)
    np.testing.assert_allclose(alternative, [[1.0, 0.5], [-3.0, -3.0]], rtol=1e-12)


def test_an_infeasible_arm_that_no_arm_dominates_enters_alone():
    value, _, alternative, arm = cost([[2.0, 2.0], [-0.5, 9.0]], [1.0, 1.0], orthant([0.0, 0.0]))
    assert value == pytest.approx(0.5 * 0.5**2, rel=1e-12)
    assert arm == 1
    np.testing.assert_allclose(alternative, [[2.0, 2.0], [0.0, 9.0]])


def test_an_admitted_arm_stays_inside():
    # the second arm has to come in from -1 to 0 in the first objective;
    # the optimal arm is 1 above it in the second one, and they meet halfway
    means = np.array([[5.0, 2.0], [-1.0, 1.0]])
    value, gradient, alternative, _ = cost(means, [1.0, 1.0], orthant([0.0, -9.0]))
    assert value == pytest.approx(0.5 * (1 + 0.25 + 0.25), rel=1e-12)
    np.testing.assert_allclose(gradient, [0.125, 0.625], rtol=1e-12)
    np.testing.assert_allclose(alternative, [[5.0, 1.5], [0.0, 1.5]], atol=1e-15)


@pytest.mark.parametrize("weights", [[0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
def test_moving_an_arm_of_weight_zero_costs_nothing(weights):
    means = np.array([[0.5, 0.5], [0.2, 0.2], [3.0, 3.0]])  # optimal, dominated, infeasible
    region = hypercube(2)
    value, gradient, alternative, arm = cost(means, weights, region)
    assert value == 0
    assert weights[arm] == 0
    assert weights @ gradient == 0
    inside = np.full(2, 0.5)
    assert any(
        constrained_pareto_set(pushed, region).tolist() != [0]
        for pushed in pushes(means, alternative, region, inside)
    )


def test_without_feasible_arms_the_cheapest_one_enters():
    value, gradient, alternative, arm = cost([[2.0, 0.5], [0.5, 4.0]], [1.0, 0.01], hypercube(2))
    assert value == pytest.approx(0.5 * 0.01 * 9, rel=1e-12)
    assert arm == 1
    np.testing.assert_allclose(gradient, [0, 4.5])
    np.testing.assert_allclose(alternative, [[2.0, 0.5], [0.5, 1.0]])


MEANS, WEIGHTS = [[0.5, 0.5], [0.2, 0.2]], [1.0, 1.0]


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"problem": "constrained_pareto_set"}, "polyhedron = None"),
        ({"problem": "constrained_pareto_set", "polyhedron": [[1.0]]}, "expected a Polyhedron"),
        ({"problem": "constrained_pareto_set", "polyhedron": hypercube(3)}, "3 objectives"),
        ({"polyhedron": hypercube(2)}, "expected None"),
        ({"problem": "best_arm_per_objective", "polyhedron": hypercube(2)}, "expected None"),
        (
            {
                "problem": "constrained_pareto_set",
                "polyhedron": hypercube(2),
                "method": "sweep",
            },
            "expected 'auto'",
        ),
    ],
)
def test_invalid_arguments_are_refused(arguments, match):
    with pytest.raises(ValueError, match=match):
        transport_cost(MEANS, WEIGHTS, **arguments)
