"""Additions under known noise, against a plain search, and the published rates."""

import numpy as np
import pytest
from references import noise as reference
from references.noise import random_covariance

from pareto_core import load_instance, transport_cost
from pareto_core.instances.datasets import read_table
from pareto_core.transport.metric import known_noise, write_prices
from pareto_core.transport.moves import add
from pareto_core.transport.oracle import allocate_oracle, label_answer


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


RATES = read_table("moscore_rates")


@pytest.mark.parametrize("row", [row for row in RATES if row[7] > 0])
def test_published_rates_by_brute_force_are_transportation_costs(row):
    d, n_arms, number = key = tuple(int(value) for value in row[:3])
    instance = load_instance("moscore", n_objectives=d, n_arms=n_arms, problem=number)
    systems = read_table("moscore_systems")
    shares = systems[(systems[:, :3] == key).all(axis=1), 8]  # of "phantom"
    covariance = np.where(np.eye(d), 1.0, row[3])
    value, _, alternative, _ = transport_cost(instance.means, shares, covariance=covariance)
    # They come from quadratic programs solved to tolerances of 1e-12, see
    # AllocAlgs/Prod_MCI_BFComp.m of HunterResearch/MOSCORE_Python at commit 49fb7b9. In problem 1
    # of 50 systems the rate is only 3e-9: a difference of 7e-16 is a relative one of 2e-7.
    assert -1e-13 < row[7] / value - 1 < 1e-6
    assert row[7] == pytest.approx(value, rel=0, abs=1e-15)
    if key != (3, 50, 1):
        assert row[7] == pytest.approx(value, rel=2e-14, abs=0)
    cost = reference.cost_of(instance.means, shares, np.array([covariance] * n_arms), alternative)
    assert cost == pytest.approx(value, rel=1e-9)
