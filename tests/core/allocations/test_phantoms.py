"""Phantoms and their rate, against enumeration and against the exact cost."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from references import allocations as reference
from references.allocations import random_covariance, random_means

import pareto_core as pc

MANY = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
FEWER = settings(MANY, max_examples=40)
SEEDS = st.integers(0, 2**63)


@MANY
@given(SEEDS)
def test_phantoms_are_those_found_among_all_points(seed):
    rng = np.random.default_rng(seed)
    d = rng.integers(1, 5)
    means = random_means(rng, d, rng.integers(2, 9 - d), rng.integers(0, 2))
    front = pc.pareto_set(means)
    if len(np.unique(means[front], axis=0)) == len(front):
        assert [tuple(row) for row in pc.phantoms(means)] == reference.phantoms(means)


@pytest.mark.parametrize("n_front", [1, 2, 7, 50])
def test_number_of_phantoms_in_two_and_three_objectives(n_front):
    rng = np.random.default_rng(n_front)
    for d, number in ((1, 1), (2, n_front + 1), (3, 2 * n_front + 1)):
        means = rng.dirichlet(np.ones(d), n_front) if d > 1 else np.zeros((1, 1))
        means = np.vstack([means, np.full(d, -1.0)])
        assert len(pc.phantoms(means)) == number


@pytest.mark.slow
@FEWER
@given(SEEDS)
def test_rate_is_that_of_the_quadratic_programs(seed):
    rng = np.random.default_rng(seed)
    d = rng.integers(1, 5)
    means = random_means(rng, d, rng.integers(2, 7 - d), 2)
    covariance = random_covariance(rng, *means.shape)
    weights = rng.dirichlet(np.ones(len(means)))
    front = pc.pareto_set(means)
    if len(np.unique(means[front], axis=0)) == len(front):
        expected = reference.phantom_rate(means, weights, covariance)
        found = pc.phantom_rate(means, weights, covariance=covariance)
        assert found == pytest.approx(expected, rel=1e-6, abs=1e-12)


@MANY
@given(SEEDS)
def test_rate_is_the_cost_in_two_objectives(seed):
    rng = np.random.default_rng(seed)
    means = random_means(rng, 2, rng.integers(1, 7), rng.integers(1, 4))
    covariance = random_covariance(rng, *means.shape)
    weights = 10 ** rng.uniform(-3, 3, len(means))
    cost = pc.transport_cost(means, weights, covariance=covariance).value
    rate = pc.phantom_rate(means, weights, covariance=covariance)
    assert rate == pytest.approx(cost, rel=1e-9, abs=1e-12)


@MANY
@given(SEEDS)
def test_rate_is_at_most_the_cost_if_variances_are_proportional(seed):
    rng = np.random.default_rng(seed)
    d = rng.integers(3, 5)
    means = random_means(rng, d, rng.integers(2, 6), rng.integers(1, 3))
    correlation = random_covariance(rng, *means.shape)
    deviation = np.sqrt(np.diagonal(correlation, axis1=1, axis2=2))
    scale = 10 ** rng.uniform(-1, 1, (len(means), 1)) * 10 ** rng.uniform(-1, 1, d) / deviation
    covariance = correlation * scale[:, :, None] * scale[:, None, :]
    covariance = 0.5 * (covariance + covariance.transpose(0, 2, 1))
    weights = 10 ** rng.uniform(-3, 3, len(means))
    cost = pc.transport_cost(means, weights, covariance=covariance).value
    assert pc.phantom_rate(means, weights, covariance=covariance) <= cost * (1 + 1e-9) + 1e-12


def test_rate_can_be_below_the_cost_in_three_objectives():
    # Arm 0 is lowered to arm 2 in objective 1, past arm 1, which still dominates arm 2.
    means, weights = np.array([[2, 4, 9], [1, 9, 4], [0, 0, 0]]), [1, 9, 9]
    assert pc.phantom_rate(means, weights) == pytest.approx(1.8, rel=1e-14)
    assert pc.transport_cost(means, weights).value == pytest.approx(63 / 19, rel=1e-14)


def test_rate_can_be_above_the_cost_if_variances_are_not_proportional():
    # Every phantom has an arm in an objective in which its variance is small.
    means = [[2, 10, 1], [1, 2, 10], [10, 1, 2], [0, 0, 0]]
    variance = np.where(np.eye(4, 3), 1.0, 0.01)
    variance[3] = 1.0
    rate = pc.phantom_rate(means, [1, 1, 1, 100], variance=variance)
    assert rate == pytest.approx(26.98, abs=0.01)
    # each optimal arm is lowered from 2 in its own objective, and meets arm 3 near 0
    cost = pc.transport_cost(means, [1, 1, 1, 100], variance=variance).value
    assert cost == pytest.approx(3 * 0.5 * 4 / (1 + 1 / 100), rel=1e-12)


def test_arms_without_weight_move_freely():
    means = [[2.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]
    assert pc.phantom_rate(means, [0.0, 1.0, 1.0]) == 0.0
    assert pc.phantom_rate(means, [1.0, 1.0, 0.0]) == 0.0


@FEWER
@given(SEEDS)
def test_shares_maximise_the_rate(seed):
    rng = np.random.default_rng(seed)
    d = rng.integers(2, 4)
    means = random_means(rng, d, rng.integers(2, 6), rng.integers(0, 3))
    covariance = random_covariance(rng, *means.shape)
    shares = pc.phantom_allocation(means, covariance=covariance)
    assert shares.sum() == pytest.approx(1.0)
    rate = pc.phantom_rate(means, shares, covariance=covariance)
    for other in (rng.dirichlet(np.ones(len(means))), np.ones(len(means)) / len(means)):
        for step in (1.0, 0.1, 0.001):
            moved = (1 - step) * shares + step * other
            assert pc.phantom_rate(means, moved, covariance=covariance) <= rate * (1 + 1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_shares_in_two_objectives_have_the_characteristic_time(seed):
    rng = np.random.default_rng(seed)
    means = rng.standard_normal((8, 2))
    covariance = random_covariance(rng, *means.shape)
    shares = pc.phantom_allocation(means, covariance=covariance)
    time = pc.characteristic_time(means, 1e-6, covariance=covariance)
    rate = pc.transport_cost(means, shares, covariance=covariance).value
    assert 1 / time.time <= rate * (1 + 1e-6) and rate <= (1 + 2e-6) / time.time


@pytest.mark.parametrize("means", [[[1.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [1.0, -1.0]]])
def test_shares_are_equal_if_all_rates_are_zero(means):
    np.testing.assert_array_equal(pc.phantom_allocation(means), [0.5, 0.5])


@pytest.mark.parametrize("scale", [1e-140, 1e-9, 1e9, 1e140])
def test_shares_do_not_depend_on_the_unit(scale):
    means = np.array([[1.0, 0.0, 0.3], [0.0, 1.0, 0.5], [-1.0, -1.0, 0.1], [0.2, -0.1, 0.0]])
    expected = pc.phantom_allocation(means)
    np.testing.assert_allclose(pc.phantom_allocation(scale * means), expected, rtol=1e-7)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"weights": [1, 1]}, r"weights has shape \(2,\)"),
        ({"weights": [1, 1, -1]}, r"weights\[2\] = -1"),
        ({"means": [[1.0, np.nan]] * 3}, "means"),
        ({"variance": [1.0, 0.0]}, r"variance = \[1.0, 0.0\]"),
        ({"variance": [1.0, 1.0], "covariance": np.eye(2)}, "variance and covariance"),
    ],
)
def test_bad_input_is_refused(arguments, message):
    given = {"means": [[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], "weights": [1, 1, 1]} | arguments
    with pytest.raises(ValueError, match=message):
        pc.phantom_rate(**given)
    if "weights" not in arguments:
        del given["weights"]
        with pytest.raises(ValueError, match=message):
            pc.phantom_allocation(**given)
        with pytest.raises(ValueError, match=message):
            pc.score_allocation(**given)
