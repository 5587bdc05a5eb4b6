"""Rounding of designs to whole numbers of samples."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from references import design as reference

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


def test_a_direction_shared_by_many_arms_is_sampled_first():
    features = np.vstack([[1.0, 0.0], np.tile([0.0, 1.0], (2000, 1))])
    assert round_design(features, np.ones(2001), 2)[0] == 1


@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_weights_must_span_the_features(rounding):
    with pytest.raises(ValueError, match=r"^weights have a support that spans 1 dimensions"):
        round_design(np.eye(3), [1, 0, 0], 10, rounding)
    with pytest.raises(ValueError, match="all 2 of the features"):
        round_design([[1.0, 2.0], [3.0, 6.0], [0.0, 1.0]], [1, 1, 0], 10, rounding)


def test_weights_may_be_as_large_as_a_double_can_be():
    assert round_design(np.eye(2), [1e308, 1e308], 6).tolist() == [3, 3]
