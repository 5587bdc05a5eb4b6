"""Shares of MOCBA, against its definitions in plain Python."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from references import allocations as reference

import pareto_core as pc

MANY = settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))


@MANY
@given(st.integers(0, 2**63))
def test_shares_are_those_of_the_definitions(seed):
    rng = np.random.default_rng(seed)
    means = rng.standard_normal((rng.integers(2, 9), rng.integers(1, 5)))
    variance = 10 ** rng.uniform(-1, 1, means.shape)
    weights = rng.uniform(1, 100, len(means)) if rng.integers(2) else None
    np.testing.assert_allclose(
        pc.mocba_allocation(means, variance, weights),
        reference.mocba_shares(means, variance, weights),
        rtol=1e-9,
    )


@MANY
@given(st.integers(0, 2**63))
def test_shares_are_shares_if_means_are_tied(seed):
    rng = np.random.default_rng(seed)
    means = rng.integers(0, 3, (rng.integers(2, 9), rng.integers(1, 4))).astype(float)
    shares = pc.mocba_allocation(means)
    assert (shares >= 0).all()
    assert shares.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("weights", [None, [3.0, 1.0]])
def test_two_arms_get_samples_in_proportion_to_their_standard_deviations(weights):
    shares = pc.mocba_allocation([[0.0], [1.0]], [[9.0], [1.0]], weights)
    np.testing.assert_allclose(shares, [0.75, 0.25], rtol=1e-14)


def test_one_optimal_arm_has_the_shares_of_a_single_objective():
    # OCBA: delta^-2 for the dominated arms, and the root of the sum of squares for the best arm
    means = [[0.0, 0.0], [-1.0, -1.0], [-2.0, -2.0]]
    ratios = np.array([np.hypot(1, 1 / 4), 1, 1 / 4])
    np.testing.assert_allclose(pc.mocba_allocation(means), ratios / ratios.sum(), rtol=1e-14)


def test_the_variance_of_the_rival_counts_with_weights():
    means, variance = [[0.0], [-1.0], [-2.0]], [[4.0], [1.0], [1.0]]
    # spread of arm 1: 1 + 4 * 2 / 4, of arm 2: 1 + 4 * 1 / 4, at distances 1 and 2
    ratios = np.array([2 * np.hypot(3, 0.5), 3, 0.5])
    shares = pc.mocba_allocation(means, variance, [4.0, 2.0, 1.0])
    np.testing.assert_allclose(shares, ratios / ratios.sum(), rtol=1e-14)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"weights": [1.0, 0.0]}, r"weights\[1\] = 0.0; expected positive weights"),
        ({"weights": [1.0]}, r"weights has shape \(1,\)"),
        ({"variance": [0.0, 1.0]}, r"variance = \[0.0, 1.0\]"),
        ({"means": [[1.0, np.inf], [0.0, 1.0]]}, "means"),
    ],
)
def test_bad_input_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        pc.mocba_allocation(**{"means": [[1.0, 0.0], [0.0, 1.0]]} | arguments)
