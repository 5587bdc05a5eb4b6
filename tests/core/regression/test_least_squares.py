"""Least-squares estimates of a run, against NumPy's."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pareto_core.regression.design import feature_points
from pareto_core.regression.least_squares import (
    UPDATES,
    allocate_fit,
    follow_record,
    linear_points,
    refresh_fit,
)


def random_features(rng):
    """Features in an orthonormal basis, of badly scaled or duplicated columns and arms."""
    n_arms, h = rng.integers(2, 8), rng.integers(1, 5)
    features = rng.standard_normal((n_arms, h)) * 10.0 ** rng.integers(-6, 6, h)
    features[rng.integers(n_arms)] = features[rng.integers(n_arms)]
    return feature_points(features)


def expected_fit(features, counts, sums):
    roots = np.sqrt(counts)[:, None]
    means = sums / np.maximum(counts, 1)[:, None]
    return np.linalg.lstsq(roots * features, roots * means, rcond=None)[0]


def assert_fits(fit, features, counts, sums, accuracy):
    expected = expected_fit(features, counts, sums)
    size = np.abs(expected).max()
    assert fit.coefficients == pytest.approx(expected, abs=accuracy * size)
    assert fit.means == pytest.approx(features @ expected, abs=accuracy * size)
    information = (features * counts[:, None]).T @ features
    assert fit.inverse @ information == pytest.approx(np.eye(len(information)), abs=accuracy)


@settings(max_examples=20)
@given(st.integers(0, 2**63))
def test_follows_a_run(seed):
    rng = np.random.default_rng(seed)
    features = random_features(rng)
    (n_arms, h), d = features.shape, rng.integers(1, 4)
    true = features @ rng.standard_normal((h, d)) + rng.choice([0.0, 100.0])
    counts, sums = np.zeros(n_arms, np.int64), np.zeros((n_arms, d))
    fit = allocate_fit(n_arms, h, d)
    for k in range(n_arms):  # the first round
        counts[k] += 1
        sums[k] += true[k] + rng.standard_normal(d)
    assert refresh_fit(features, counts, sums, fit)
    assert_fits(fit, features, counts, sums, 1e-9)
    for _ in range(40):
        for k in rng.integers(n_arms, size=rng.integers(1, 4)):
            number = rng.choice([1, 1, 5])
            counts[k] += number
            sums[k] += number * true[k] + np.sqrt(number) * rng.standard_normal(d)
        follow_record(features, counts, sums, fit)
    assert (fit.counts == counts).all() and (fit.sums == sums).all()
    assert_fits(fit, features, counts, sums, 1e-8)


def test_a_long_run_does_not_drift():
    rng = np.random.default_rng(0)
    features = feature_points(rng.standard_normal((10, 4)) * [1, 1e3, 1e-3, 1])
    counts, sums = np.ones(10, np.int64), 1e3 + rng.standard_normal((10, 2))
    fit = allocate_fit(10, 4, 2)
    refresh_fit(features, counts, sums, fit)
    for _ in range(20 * UPDATES):
        k = rng.choice([0, rng.integers(10)])
        counts[k] += 1
        sums[k] += 1e3 + rng.standard_normal(2)
        follow_record(features, counts, sums, fit)
        assert fit.updates[0] <= UPDATES
    assert_fits(fit, features, counts, sums, 1e-11)


def test_samples_that_do_not_span_the_features_change_nothing():
    features = np.eye(3)
    fit = allocate_fit(3, 3, 1)
    counts = np.array([4, 1, 0])
    assert not refresh_fit(features, counts, np.ones((3, 1)), fit)
    assert not fit.means.any() and not fit.counts.any()
    assert refresh_fit(features, counts + 1, np.ones((3, 1)), fit)
    assert fit.means[:, 0] == pytest.approx(1 / (counts + 1))


def test_means_that_are_not_linear_are_refused():
    features = np.array([[1.0], [2.0], [3.0]])
    assert linear_points(2 * features, features).shape == (3, 1)
    with pytest.raises(ValueError, match=r"means\[\d, 0\] is at distance 0.429"):
        linear_points(np.array([[1.0], [2.0], [4.0]]), features)
