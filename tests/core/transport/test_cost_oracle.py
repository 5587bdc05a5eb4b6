"""A `CostOracle` returns what `transport_cost` returns."""

import numpy as np
import pytest

from pareto_core import CostOracle, transport_cost


def assert_equal(found, expected):
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("n_arms, n_objectives", [(2, 1), (6, 2), (9, 3), (5, 6)])
def test_the_oracle_returns_what_the_function_returns(n_arms, n_objectives):
    oracle = CostOracle(n_arms, n_objectives)
    rng = np.random.default_rng(n_arms)
    pairs = []
    for trial in range(30):
        means = rng.standard_normal((n_arms, n_objectives)).round(trial % 3)
        weights = rng.integers(0, 4, n_arms) + np.eye(n_arms, dtype=int)[trial % n_arms]
        means.setflags(write=False)
        pairs.append((oracle(means, weights), transport_cost(means, weights)))
    for found, expected in pairs:  # no result is overwritten by a later call
        assert_equal(found, expected)


@pytest.mark.parametrize("scale", [1e-300, 1e-30, 1e30, 1e300])
def test_unusual_weights_are_scaled(scale):
    means = np.array([[0.0, 1.0], [1.0, 0.0], [0.1, 0.2]])
    weights = scale * np.array([0.2, 0.3, 0.5])
    assert_equal(CostOracle(3, 2)(means, weights), transport_cost(means, weights))


def test_lists_are_accepted():
    assert CostOracle(2, 1)([[0.0], [1.0]], [0.5, 0.5]).value == 0.125
