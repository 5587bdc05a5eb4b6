"""The arm whose status the cheapest alternative changes."""

import numpy as np
import pytest
from references import pareto as reference

from pareto_core import CostOracle, transport_cost

METHODS = ("sweep", "branch_and_bound", "cells")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("decimals", [0, 12])  # with and without ties
def test_the_smallest_push_of_the_arm_changes_its_status(method, decimals):
    rng = np.random.default_rng(decimals)
    for _ in range(200):
        means = (2 * rng.standard_normal((rng.integers(2, 8), 2))).round(decimals)
        weights = rng.integers(0, 4, len(means)) + 0.1
        cost = transport_cost(means, weights, method)
        was_optimal = cost.arm in reference.pareto_set(means)
        pushed = cost.alternative.copy()
        pushed[cost.arm] = np.nextafter(pushed[cost.arm], -np.inf if was_optimal else np.inf)
        assert (cost.arm in reference.pareto_set(pushed)) != was_optimal


@pytest.mark.parametrize("method", METHODS)
def test_ties_name_a_removal_before_an_addition(method):
    # arms 0 and 1 are optimal and 1 apart; arm 2 is dominated by arm 0 only, which is 1 ahead
    means = [[0.0, 3.0], [1.0, 0.0], [-1.0, 1.0]]
    tied = transport_cost(means, [1.0, 1.0, 1.0], method)
    assert tied.value == 0.25
    assert tied.arm in (0, 1)
    assert transport_cost(means, [1.0, 1.0, 0.5], method).arm == 2  # the addition costs less
    assert transport_cost(means, [1.0, 1.0, 0.0], method).arm == 2  # it costs nothing


def test_an_arm_of_weight_zero_outside_the_front_precedes_optimal_arms_of_weight_zero():
    means = [[0.0, 3.0], [1.0, 0.0], [-1.0, 1.0]]
    assert transport_cost(means, [0.0, 1.0, 0.0]).arm == 2


def test_an_oracle_names_the_same_arm():
    means, weights = np.array([[0.0], [1.0], [0.5]]), np.array([0.2, 0.4, 0.4])
    assert CostOracle(3, 1)(means, weights).arm == transport_cost(means, weights).arm == 2
