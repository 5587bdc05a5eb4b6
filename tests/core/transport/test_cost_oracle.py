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


MEANS, WEIGHTS = np.array([[0.0], [1.0]]), np.array([0.5, 0.5])


@pytest.mark.parametrize(
    "means, weights, message",
    [
        (np.zeros((3, 1)), WEIGHTS, r"means has shape \(3, 1\); expected \(2, 1\)"),
        ([[0.0, 1.0]], WEIGHTS, r"means has shape \(1, 2\); expected \(2, 1\)"),
        (MEANS, np.ones(3), r"weights has shape \(3,\); expected \(2,\)"),
        (MEANS, np.ones((2, 2)), r"weights has shape \(2, 2\); expected "),
        (MEANS, np.array([1.0, -1.0]), r"weights\[1\] = -1.0; expected non-negative"),
        (MEANS, np.array([1.0, np.nan]), r"weights\[1\] = nan; expected finite"),
        (MEANS, np.array([1.0, np.inf]), r"weights\[1\] = inf; expected finite"),
        (MEANS, np.zeros(2), "weights are all zero"),
        (np.array([[0.0], [np.nan]]), WEIGHTS, r"means\[1, 0\] = nan; expected finite"),
        (np.array([[0.0], [1e200]]), WEIGHTS, r"means\[1, 0\] = 1e\+200; expected numbers"),
        (np.array([["0"], ["1"]]), WEIGHTS, "(?s)means = .*; expected real numbers"),
        (MEANS + 1j, WEIGHTS, "(?s)means = .*; expected real numbers"),
    ],
)
def test_errors_name_the_invalid_argument(means, weights, message):
    with pytest.raises(ValueError, match=message):
        CostOracle(2, 1)(means, weights)


@pytest.mark.parametrize("sizes", [(1, 1), (2, 0), (2.0, 1), ("2", 1), (True, 1)])
def test_invalid_sizes_are_refused(sizes):
    with pytest.raises(ValueError, match=r"n_arms|n_objectives"):
        CostOracle(*sizes)
