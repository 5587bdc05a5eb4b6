"""The cheapest alternative for a feasible region under known noise, against quadratic programs."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from references import noise_region as brute
from references.constrained_instances import pushes
from references.noise import cost_of
from references.noise_region import rounding

from pareto_core import transport_cost
from pareto_core.geometry.partition import constrained_pareto_set
from pareto_core.geometry.polyhedron import Polyhedron, hypercube, orthant

EXACT = 1e-9
MANY = settings(max_examples=200, suppress_health_check=list(HealthCheck))
FEWER = settings(MANY, max_examples=60)
SEEDS = st.integers(0, 2**63)
REGION = "constrained_pareto_set"


PROBLEMS = SEEDS.filter(brute.is_small).map(brute.with_noise)
WEIGHED = PROBLEMS.filter(brute.has_positive_weights)


def cost(means, weights, covariance, polyhedron):
    return transport_cost(
        means, weights, problem=REGION, polyhedron=polyhedron, covariance=covariance
    )


def assert_cost(problem, polyhedron, expected):
    """The value is expected; the alternative and the gradient cost the value."""
    value, gradient, alternative, _ = cost(*problem, polyhedron)
    slack = EXACT * expected + rounding(*problem, polyhedron, alternative)
    assert abs(value - expected) <= slack, (value, expected)
    assert abs(problem[1] @ gradient - expected) <= slack
    assert abs(cost_of(*problem, alternative) - expected) <= slack


@pytest.mark.slow
@pytest.mark.compiled
@MANY
@given(WEIGHED)
def test_cost_equals_brute_force(problem):
    *problem, (polyhedron, _) = problem
    assert_cost(problem, polyhedron, brute.transport(*problem, polyhedron)[0])


@pytest.mark.slow
@pytest.mark.compiled
@MANY
@given(PROBLEMS)
def test_unit_covariance_is_the_cost_without_noise(problem):
    means, weights, _, (polyhedron, _) = problem
    d = means.shape[1]
    expected = transport_cost(means, weights, problem=REGION, polyhedron=polyhedron).value
    unit = np.broadcast_to(np.eye(d), (len(means), d, d))
    slack = 1e-12 * expected + rounding(means, weights, unit, polyhedron)
    for noise in ({"variance": np.ones(d)}, {"covariance": np.eye(d)}):
        found = transport_cost(means, weights, problem=REGION, polyhedron=polyhedron, **noise)
        assert abs(found.value - expected) <= slack
        assert abs(weights @ found.gradient - expected) <= slack + 1e-9 * expected


@pytest.mark.slow
@FEWER
@given(PROBLEMS)
def test_a_polyhedron_without_rows_is_the_cost_of_the_pareto_set(problem):
    means, weights, covariance, _ = problem
    unbounded = Polyhedron(np.empty((0, means.shape[1])), [])
    expected = transport_cost(means, weights, covariance=covariance)
    found = cost(means, weights, covariance, unbounded)
    assert found.value == expected.value
    np.testing.assert_array_equal(found.gradient, expected.gradient)
    np.testing.assert_array_equal(found.alternative, expected.alternative)


@pytest.mark.slow
@FEWER
@given(WEIGHED)
def test_without_feasible_arms_a_common_covariance_can_be_whitened(problem):
    means, weights, covariance, (polyhedron, _) = problem
    outside = ~polyhedron.contains(means)
    if outside.sum() < 2:
        return
    means, weights, root = means[outside], weights[outside], np.linalg.cholesky(covariance[0])
    expected = transport_cost(
        np.linalg.solve(root, means.T).T,
        weights,
        problem=REGION,
        polyhedron=Polyhedron(polyhedron.A @ root, polyhedron.b),
    ).value
    found = cost(means, weights, covariance[0], polyhedron).value
    slack = 10 * rounding(means, weights, covariance[:1].repeat(len(means), 0), polyhedron)
    assert abs(found - expected) <= 1e-8 * expected + slack


@pytest.mark.slow
@FEWER
@given(WEIGHED)
def test_alternative_has_a_different_answer_after_a_tiny_push(problem):
    means, weights, covariance, (polyhedron, inside) = problem
    answer = constrained_pareto_set(means, polyhedron).tolist()
    alternative = cost(means, weights, covariance, polyhedron).alternative
    size = 1e-6 * max(1, np.abs(alternative).max())
    assert any(
        constrained_pareto_set(pushed, polyhedron).tolist() != answer
        for pushed in pushes(means, alternative, polyhedron, inside, size)
    )


@pytest.mark.slow
@FEWER
@given(WEIGHED, SEEDS)
def test_no_random_alternative_is_cheaper(problem, seed):
    means, weights, covariance, (polyhedron, inside) = problem
    rng = np.random.default_rng(seed)
    value = cost(means, weights, covariance, polyhedron).value
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
        found = cost_of(means, weights, covariance, means + other * direction)
        slack = rounding(means, weights, covariance, polyhedron)
        assert found >= value * (1 - EXACT) - slack


@pytest.mark.slow
@FEWER
@given(PROBLEMS, SEEDS)
def test_gradient_is_a_supergradient(problem, seed):
    means, weights, covariance, (polyhedron, _) = problem
    rng = np.random.default_rng(seed)
    here = cost(means, weights, covariance, polyhedron)
    for _ in range(3):
        other = weights * rng.uniform(0.01, 2, len(weights)) + 1e-3 * rng.random(len(weights))
        slack = EXACT * (here.gradient @ (other + weights))
        slack += rounding(means, other, covariance, polyhedron, here.alternative)
        there = cost(means, other, covariance, polyhedron).value
        assert there <= here.gradient @ other + slack


@pytest.mark.slow
@FEWER
@given(WEIGHED, SEEDS)
def test_units_of_the_objectives_do_not_matter(problem, seed):
    means, weights, covariance, (polyhedron, _) = problem
    units = 10.0 ** np.random.default_rng(seed).integers(-20, 20, means.shape[1])
    one = cost(means, weights, covariance, polyhedron)
    rows = polyhedron.normals / units
    scale = np.abs(rows).max(axis=1, initial=1e-300)
    try:
        scaled_region = Polyhedron(rows / scale[:, None], polyhedron.offsets / scale)
    except ValueError:  # it seems to be flat in these units
        return
    scaled = cost(means * units, weights, covariance * np.outer(units, units), scaled_region)
    on_boundary = np.abs(polyhedron.offsets - means @ polyhedron.normals.T) < 1e-9
    if not on_boundary.any():  # where rounding decides which arms are feasible
        slack = 1e-7 * one.value + 1e4 * rounding(means, weights, covariance, polyhedron)
        assert abs(scaled.value - one.value) <= slack


@pytest.mark.slow
@FEWER
@given(WEIGHED, st.sampled_from([1e-6, 1e-2, 1e3]))
def test_noise_of_one_size_divides_the_cost(problem, scale):
    means, weights, covariance, (polyhedron, _) = problem
    one = cost(means, weights, covariance, polyhedron)
    scaled = cost(means, weights, scale * covariance, polyhedron)
    slack = EXACT * one.value + 10 * rounding(means, weights, covariance, polyhedron)
    assert abs(scale * scaled.value - one.value) <= slack
    weighed = cost(means, scale * weights, scale * covariance, polyhedron)
    assert abs(weighed.value - one.value) <= slack


@pytest.mark.slow
@FEWER
@given(WEIGHED)
def test_variances_are_a_diagonal_covariance(problem):
    means, weights, covariance, (polyhedron, _) = problem
    variance = np.diagonal(covariance, axis1=1, axis2=2)
    first = transport_cost(means, weights, problem=REGION, polyhedron=polyhedron, variance=variance)
    second = cost(means, weights, covariance * np.eye(means.shape[1]), polyhedron)
    assert first.value == second.value
    np.testing.assert_array_equal(first.gradient, second.gradient)
    np.testing.assert_array_equal(first.alternative, second.alternative)


@pytest.mark.slow
@FEWER
@given(WEIGHED, SEEDS)
def test_arms_of_weight_0_cost_what_arms_of_vanishing_weight_cost(problem, seed):
    means, weights, covariance, (polyhedron, _) = problem
    vanishing = weights.copy()
    arm = np.random.default_rng(seed).integers(len(weights))
    weights[arm], vanishing[arm] = 0.0, 1e-13 * weights.min()
    found = cost(means, weights, covariance, polyhedron)
    limit = cost(means, vanishing, covariance, polyhedron)
    slack = 1e-3 * limit.value + vanishing[arm] * limit.gradient[arm]
    slack += rounding(means, weights, covariance, polyhedron, found.alternative)
    assert abs(found.value - limit.value) <= slack
    there = cost_of(means, weights, covariance, found.alternative)
    assert abs(there - found.value) <= EXACT * found.value + slack * 1e-3


def test_an_optimal_arm_leaves_by_the_facet_that_its_noise_reaches_first():
    # one standard deviation of objective 2 is 10 times one of objective 1
    means, region = [[0.9, 0.5], [-3.0, -3.0]], hypercube(2)
    value, gradient, alternative, arm = transport_cost(
        means, [2.0, 1.0], problem=REGION, polyhedron=region, variance=[0.01, 1.0]
    )
    assert value == pytest.approx(0.5 * 2 * 0.5**2, rel=1e-12)
    assert arm == 0
    np.testing.assert_allclose(gradient, [0.5 * 0.5**2, 0], rtol=1e-12)
    assert alternative[0] == pytest.approx([0.9, 0.0]) or alternative[0] == pytest.approx([0.9, 1])


def test_an_arm_that_leaves_in_one_objective_moves_in_the_other_by_regression():
    covariance = [[1.0, 0.5], [0.5, 1.0]]
    value, _, alternative, _ = transport_cost(
        [[0.2, 5.0], [-9.0, -9.0]],
        [1.0, 1.0],
        problem=REGION,
        polyhedron=orthant([0.0, 0.0]),
        covariance=covariance,
    )
    assert value == pytest.approx(0.5 * 0.2**2, rel=1e-12)
    np.testing.assert_allclose(alternative[0], [0.0, 4.9], atol=1e-14)


def test_an_infeasible_arm_enters_where_its_own_metric_is_nearest():
    # from (2, 0.9) to x_1 <= 1: the second objective falls by regression, 0.8 for each unit
    value, _, alternative, arm = transport_cost(
        [[2.0, 0.9], [-9.0, -9.0]],
        [1.0, 1.0],
        problem=REGION,
        polyhedron=hypercube(2),
        covariance=[[[1.0, 0.8], [0.8, 1.0]], np.eye(2).tolist()],
    )
    assert value == pytest.approx(0.5, rel=1e-12)
    assert arm == 0
    np.testing.assert_allclose(alternative[0], [1.0, 0.1], atol=1e-14)


@pytest.mark.parametrize("weights", [[0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
def test_moving_an_arm_of_weight_zero_costs_nothing(weights):
    means = np.array([[0.5, 0.5], [0.2, 0.2], [3.0, 3.0]])  # optimal, dominated, infeasible
    region = hypercube(2)
    value, gradient, alternative, arm = transport_cost(
        means,
        weights,
        problem=REGION,
        polyhedron=region,
        covariance=[[1.0, 0.5], [0.5, 2.0]],
    )
    assert value == 0
    assert weights[arm] == 0
    assert weights @ gradient == 0
    inside = np.full(2, 0.5)
    assert any(
        constrained_pareto_set(pushed, region).tolist() != [0]
        for pushed in pushes(means, alternative, region, inside)
    )


def test_invalid_noise_is_refused_for_a_region():
    for noise in ({"variance": [1.0, 0.0]}, {"covariance": np.ones((2, 2))}):
        (name,) = noise
        with pytest.raises(ValueError, match=f"{name} = "):
            transport_cost(
                [[0.5, 0.5], [0.2, 0.2]],
                [1.0, 1.0],
                problem=REGION,
                polyhedron=hypercube(2),
                **noise,
            )
