"""Rates of ranking and selection that were published, against transportation costs."""

import numpy as np
import pytest
from references.noise import cost_of

from pareto_core import load_instance, transport_cost
from pareto_core.instances.datasets import read_table

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
    cost = cost_of(instance.means, shares, np.array([covariance] * n_arms), alternative)
    assert cost == pytest.approx(value, rel=1e-9)
