"""The cheapest alternative to the constrained Pareto set, against brute force."""

import itertools

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from references import constrained_transport as brute
from references import pareto as reference
from references.constrained_instances import build, instances, pushes, rounding
from scipy.optimize import minimize

from pareto_core import transport_cost
from pareto_core.geometry import staircase
from pareto_core.geometry.partition import constrained_pareto_set
from pareto_core.geometry.polyhedron import Polyhedron, hypercube, orthant
from pareto_core.transport.constrained_search import (
    admit_target,
    admit_target_2d,
    constrained_space,
)

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


def admission(means, weights, polyhedron, front, target, upper=np.inf, kernel=admit_target):
    """Cost and point that a kernel finds."""
    space = constrained_space(len(polyhedron.offsets), *means.shape)
    point = np.full(means.shape[1], -7.0)
    rows = polyhedron.normals, polyhedron.offsets
    front = np.array(front, np.int64)
    value = kernel(means, weights, *rows, front, len(front), target, upper, point, space)
    return value, point


@pytest.mark.slow
@pytest.mark.compiled
@MANY
@given(instances(), st.floats(0.0, 1 - 1e-7))
def test_search_of_one_admission_equals_brute_force(instance, share):
    means, weights, polyhedron, _ = instance
    weights = np.maximum(weights, 1e-4)
    order = np.argsort(-means.sum(axis=1))
    front, target = order[:-1][: 4 if means.shape[1] < 3 else 3], order[-1]
    expected, _ = brute.admit(means, weights, polyhedron, front, target)
    value, point = admission(means, weights, polyhedron, front, target)
    slack = rounding(means, weights, polyhedron)
    assert abs(value - expected) <= EXACT * expected + slack
    there = brute.point_costs(means, weights, front, target, point[None])[0]
    assert abs(there - value) <= EXACT * value + slack
    size = max(np.abs(means).max(), np.abs(polyhedron.offsets).max())
    assert (polyhedron.normals @ point <= polyhedron.offsets + 1e-13 * size).all()
    upper = share * value * (1 - EXACT)
    found, untouched = admission(means, weights, polyhedron, front, target, upper)
    assert found == upper
    assert (untouched == -7.0).all()


@pytest.mark.slow
@FEWER
@given(instances())
def test_two_objectives_need_only_the_assignments_of_cuts(instance):
    means, weights, polyhedron, _ = instance
    if means.shape[1] != 2:
        return
    weights = np.maximum(weights, 1e-4)
    target = int(means.sum(axis=1).argmin())
    front = np.empty(len(means), np.int64)
    front = front[: staircase.sorted_front(means, front)]
    front = front[front != target]
    expected, _ = admission(means, weights, polyhedron, front, target)
    value, point = admission(means, weights, polyhedron, front, target, kernel=admit_target_2d)
    slack = rounding(means, weights, polyhedron)
    assert abs(value - expected) <= EXACT * expected + slack
    there = brute.point_costs(means, weights, front, target, point[None])[0]
    assert abs(there - value) <= EXACT * value + slack


@pytest.mark.parametrize("seed", range(8))
def test_brute_force_agrees_with_a_general_solver(seed):
    means, weights, polyhedron, inside = build(1000 + seed, bad_scales=False)
    front, target = [0, 1][: len(means) - 1], len(means) - 1
    expected, _ = brute.admit(means, weights, polyhedron, front, target)
    best = np.inf
    for phi in itertools.product(range(means.shape[1]), repeat=len(front)):

        def cost_at(x, phi=phi):
            aside = [max(means[j, c] - x[c], 0.0) for j, c in zip(front, phi, strict=True)]
            own = 0.5 * weights[target] * ((x - means[target]) ** 2).sum()
            return own + 0.5 * weights[front] @ np.square(aside)

        room = {"type": "ineq", "fun": lambda x: polyhedron.offsets - polyhedron.normals @ x}
        found = minimize(
            cost_at, inside, method="SLSQP", constraints=[room], options={"ftol": 1e-14}
        )
        best = min(best, found.fun)
    assert best == pytest.approx(expected, rel=1e-5)


@pytest.mark.compiled
def test_admission_past_many_arms_costs_what_its_point_costs():
    rng = np.random.default_rng(0)
    for d, n in ((2, 40), (3, 25), (4, 12)):
        means = np.abs(rng.standard_normal((n + 1, d)))
        means /= np.linalg.norm(means, axis=1, keepdims=True)
        means[n] = -0.5
        weights = rng.uniform(0.1, 1, n + 1)
        weights[n] = 5.0
        region = Polyhedron(np.ones((1, d)), [0.9])
        front = np.arange(n)
        value, point = admission(means, weights, region, front, n)
        there = brute.point_costs(means, weights, front, n, point[None])[0]
        assert there == pytest.approx(value, rel=1e-12)
        assert value >= transport_cost(means, weights).value * (1 - EXACT)
        around = point + 0.05 * rng.standard_normal((20000, d))
        around = around[around.sum(axis=1) <= 0.9]
        assert brute.point_costs(means, weights, front, n, around).min() >= value * (1 - EXACT)


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
