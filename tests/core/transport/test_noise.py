"""Additions under known noise, against quadratic programs, and the published rates."""

import numpy as np
import pytest
from references import noise as reference
from references.moscore import published
from references.noise import random_covariance

from pareto_core import transport_cost
from pareto_core.transport.branch_and_bound import free_target, search_space
from pareto_core.transport.metric import known_noise, write_prices
from pareto_core.transport.moves import add
from pareto_core.transport.oracle import allocate_oracle, label_answer

EXACT = 1e-9
PUBLISHED = published()


def rounding(means, weights, covariance, alternative):
    """How much the cost may change because the coordinates of means are rounded to floats."""
    error = np.spacing(np.maximum(np.abs(means), np.abs(alternative))).max(axis=0) * len(means)
    precision = np.linalg.inv(covariance)
    return 0.5 * sum(w * error @ np.abs(p) @ error for w, p in zip(weights, precision, strict=True))


def below_a_front(rng, p, d):
    """Optimal arms on a sphere and a target below them, with weights and covariances."""
    front = np.abs(rng.standard_normal((p, d)))
    front /= np.linalg.norm(front, axis=1, keepdims=True)
    means = np.vstack([front, np.zeros(d)])
    weights = 10 ** rng.uniform(-1, 1, p + 1)
    weights[p] *= rng.choice([1, 10])  # the heavier it is, the more optimal arms step aside
    return means, weights, random_covariance(rng, p + 1, d)


def cost_of_adding_the_last_arm(means, weights, covariance):
    noise = known_noise(covariance)
    oracle = allocate_oracle(*means.shape, noise)
    label_answer(means, noise, None, oracle)
    write_prices(weights, noise, oracle.prices)
    return add(means, weights, noise, len(means) - 1, np.inf, oracle)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(("d", "p", "trials"), [(2, 6, 12), (3, 4, 12), (4, 3, 12)])
def test_adding_one_arm_below_a_whole_front_equals_brute_force(d, p, trials):
    rng = np.random.default_rng([d, p])
    for _ in range(trials):
        problem = below_a_front(rng, p, d)
        candidates = reference.additions(problem[0], p)
        expected, moved = reference.transport(*problem, candidates)
        slack = EXACT * expected + rounding(*problem, moved)
        assert abs(cost_of_adding_the_last_arm(*problem) - expected) <= slack
        assert abs(reference.add_arm(*problem, p) - expected) <= slack


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(("d", "p", "trials"), [(2, 11, 10), (3, 11, 15), (5, 9, 15)])
def test_adding_one_arm_below_a_long_front_equals_a_plain_search(d, p, trials):
    rng = np.random.default_rng([d, p])
    for _ in range(trials):
        problem = below_a_front(rng, p, d)
        found = cost_of_adding_the_last_arm(*problem)
        assert found == pytest.approx(reference.add_arm(*problem, p), rel=1e-7)


@pytest.mark.compiled
@pytest.mark.parametrize(("d", "p"), [(2, 64), (3, 48), (5, 16)])
def test_unit_covariance_is_the_cost_without_noise_on_a_long_front(d, p):
    rng = np.random.default_rng([d, p])
    for _ in range(30):
        means, weights, _ = below_a_front(rng, p, d)
        space, point = search_space(p + 1, d), np.empty(d)
        expected = free_target(means, weights, np.arange(p), p, p, np.inf, point, space)
        unit = np.broadcast_to(np.eye(d), (p + 1, d, d))
        found = cost_of_adding_the_last_arm(means, weights, unit)
        assert found == pytest.approx(expected, rel=1e-12)


def test_two_arms_meet_where_their_variances_say():
    # variances of the estimates: 4 / 2 and 1 / 1; the difference of 3 is split 2 to 1
    value, gradient, alternative, arm = transport_cost(
        [[3.0], [0.0]], [2.0, 1.0], variance=[[4.0], [1.0]]
    )
    assert value == pytest.approx(0.5 * 3**2 / (4 / 2 + 1), rel=1e-14)
    np.testing.assert_allclose(gradient, [0.5 * 2**2 / 4, 0.5 * 1**2], rtol=1e-14)
    np.testing.assert_allclose(alternative, [[1.0], [1.0]], rtol=1e-14)
    assert arm == 1


def test_an_arm_lowered_in_one_objective_moves_in_the_other_by_regression():
    covariance = [[[1.0, 0.5], [0.5, 1.0]], np.eye(2).tolist()]
    alternative = transport_cost(
        [[1.0, 5.0], [0.0, 0.0]], [1.0, 1.0], covariance=covariance
    ).alternative
    np.testing.assert_allclose(alternative, [[0.5, 4.75], [0.5, 0.0]], rtol=1e-14)


def test_a_target_that_falls_in_an_objective_is_blocked_by_an_arm_that_was_below():
    # raising objective 1 lowers objective 2 of the target, where the second arm begins to block
    means = np.array([[2.0, 4.0], [5.0, -0.5], [0.0, 0.0]])
    covariance = np.array([np.eye(2), np.eye(2), [[1.0, -0.9], [-0.9, 1.0]]])
    weights = np.array([1.0, 1.0, 1e-3])
    expected, _ = reference.transport(means, weights, covariance)
    found = transport_cost(means, weights, covariance=covariance).value
    assert found == pytest.approx(expected, rel=EXACT)
    alone = transport_cost(means[[0, 2]], weights[[0, 2]], covariance=covariance[[0, 2]]).value
    assert expected > 1.1 * alone


@pytest.mark.parametrize("key", [key for key in PUBLISHED if PUBLISHED[key].brute_force_rate > 0])
def test_published_rates_by_brute_force_are_transportation_costs(key):
    problem = PUBLISHED[key]
    shares, covariance = problem.shares["phantom"], problem.covariance
    value, _, alternative, _ = transport_cost(problem.means, shares, covariance=covariance)
    # They come from quadratic programs solved to tolerances of 1e-12, see
    # AllocAlgs/Prod_MCI_BFComp.m of HunterResearch/MOSCORE_Python at commit 49fb7b9. In problem 1
    # of 50 systems the rate is only 3e-9: a difference of 7e-16 is a relative one of 2e-7.
    assert -1e-13 < problem.brute_force_rate / value - 1 < 1e-6
    assert problem.brute_force_rate == pytest.approx(value, rel=0, abs=1e-15)
    if key != (3, 50, 1):
        assert problem.brute_force_rate == pytest.approx(value, rel=2e-14, abs=0)
    cost = reference.cost_of(problem.means, shares, np.array([covariance] * key[1]), alternative)
    assert cost == pytest.approx(value, rel=1e-9)


def test_the_correlation_matters_for_the_published_rates():
    ratios = [
        transport_cost(problem.means, problem.shares["phantom"]).value / problem.brute_force_rate
        for problem in PUBLISHED.values()
        if problem.brute_force_rate > 0
    ]
    assert len(ratios) == 20
    assert (np.abs(np.array(ratios) - 1) > 0.01).sum() >= 5
