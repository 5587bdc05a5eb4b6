"""Additions under known noise, against a plain search, and the published rates."""

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

PUBLISHED = published()


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
