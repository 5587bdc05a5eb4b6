"""Rounding of designs to whole numbers of samples."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from references import design as reference
from references.design import SEEDS, gaussian

from pareto_core.regression.design import g_optimal_design, prediction_variances
from pareto_core.regression.rounding import ROUNDINGS, round_design


@given(reference.with_design(), st.integers(0, 40), st.sampled_from(ROUNDINGS))
def test_roundings_sum_to_the_number_of_samples(case, more, rounding):
    features, weights, p, h = case
    pulls = round_design(features, weights, h + more, rounding)
    assert (pulls.shape, pulls.dtype) == (weights.shape, np.int64)
    assert pulls.min() >= 0
    assert 0 <= pulls.sum() - h - more < (p if rounding == "ceiling" else 1)


@pytest.mark.slow
@given(reference.with_design())
def test_apportionment_estimates_all_means_well(case):
    features, weights, p, h = case
    limit = reference.variances(features, weights).max() * (1 + 1e-9)
    for number in range(h, h + p + 8):
        pulls = round_design(features, weights, number)
        largest = reference.variances(features, pulls).max()
        assert np.isfinite(largest)
        if number > p:
            assert (pulls >= np.ceil((number - p) * weights - 1e-9)).all()
            assert largest <= limit / (number - p)


@given(reference.with_weights(), st.integers(0, 25))
def test_apportionment_follows_its_description(case, more):
    features, weights = case
    number = features.shape[1] + more
    pulls = round_design(features, weights, number)
    assert tuple(pulls) in reference.apportion(features, weights, number)


@pytest.mark.slow
@given(reference.with_weights(), st.integers(0, 200))
def test_ceiling_follows_its_description(case, more):
    features, weights = case
    number = features.shape[1] + more
    exact = number * (weights / weights.sum())
    pulls = round_design(features, weights, number, "ceiling")
    low, high = np.ceil(exact * (1 - 1e-12)), np.ceil(exact * (1 + 1e-12))  # rounding may decide
    assert ((pulls >= low) & (pulls <= high)).all()


@pytest.mark.slow
@given(st.integers(1, 3), st.integers(0, 4), st.integers(0, 4), SEEDS)
def test_roundings_are_close_to_the_best_allocation(h, extra_arms, more, seed):
    features, number = gaussian((min(h + extra_arms, 4), h), seed), h + more
    weights = g_optimal_design(features).weights
    allocations = reference.allocations(number, len(features))
    value = {tuple(pulls): prediction_variances(features, pulls).max() for pulls in allocations}
    best = min(value.values())
    assert best >= h / number * (1 - 1e-9)
    spare = number - np.count_nonzero(weights)
    limit = best * number / spare * (1 + 1e-6) if spare > 0 else np.inf
    assert best <= value[tuple(round_design(features, weights, number))] <= limit


def test_a_direction_shared_by_many_arms_is_sampled_first():
    features = np.vstack([[1.0, 0.0], np.tile([0.0, 1.0], (2000, 1))])
    assert round_design(features, np.ones(2001), 2)[0] == 1


@pytest.mark.parametrize("rounding", ROUNDINGS)
@pytest.mark.parametrize("n_arms", [1, 2, 3, 4, 8, 13])
def test_equal_shares_are_rounded_to_equal_shares(n_arms, rounding):
    for times in range(1, 6):
        pulls = round_design(np.eye(n_arms), np.ones(n_arms), times * n_arms, rounding)
        np.testing.assert_array_equal(pulls, np.full(n_arms, times))


@pytest.mark.parametrize("rounding", ROUNDINGS)
@pytest.mark.parametrize("factor", [8, 2.0**-30, 2.0**40])
def test_weights_are_scaled_to_a_sum_of_1(factor, rounding):
    features, weights = gaussian((6, 3)), np.array([0.25, 0, 0.125, 0.25, 0.25, 0.125])
    pulls, expected = (round_design(features, c * weights, 17, rounding) for c in (factor, 1))
    np.testing.assert_array_equal(pulls, expected)


@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_weights_must_span_the_features(rounding):
    with pytest.raises(ValueError, match=r"^weights have a support that spans 1 dimensions"):
        round_design(np.eye(3), [1, 0, 0], 10, rounding)
    with pytest.raises(ValueError, match="all 2 of the features"):
        round_design([[1.0, 2.0], [3.0, 6.0], [0.0, 1.0]], [1, 1, 0], 10, rounding)


def test_weights_may_be_as_large_as_a_double_can_be():
    assert round_design(np.eye(2), [1e308, 1e308], 6).tolist() == [3, 3]
