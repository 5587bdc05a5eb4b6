"""Intervals cover as often as they say, and a histogram is told from another."""

import numpy as np
import pytest

from pareto_core.simulation.statistics import (
    homogeneity_test,
    mean_interval,
    rate_interval,
    ratio_interval,
)


@pytest.mark.statistical
def test_mean_interval_covers_the_mean_as_often_as_it_says():
    rng = np.random.default_rng(0)
    inside = 0
    for _ in range(200):
        low, high = mean_interval(rng.normal(3.0, 2.0, 100), 0.8)
        inside += low <= 3.0 <= high
    assert 140 <= inside <= 180  # 160 expected, standard deviation 5.7


@pytest.mark.statistical
def test_ratio_interval_covers_the_ratio_as_often_as_it_says():
    rng = np.random.default_rng(1)
    inside = 0
    for _ in range(200):
        low, high = ratio_interval(rng.exponential(3.0, 100), rng.normal(2.0, 0.5, 60), 0.8)
        inside += low <= 1.5 <= high
    assert 140 <= inside <= 180


def test_pairs_are_resampled_together():
    rng = np.random.default_rng(3)
    first = rng.exponential(size=80)
    assert ratio_interval(2 * first, first, paired=True) == pytest.approx((2, 2), rel=1e-12)
    low, high = ratio_interval(2 * first, first)
    assert high - low > 0.5


def test_the_inverse_ratio_has_the_inverse_interval():
    rng = np.random.default_rng(2)
    a, b = rng.exponential(size=500), rng.exponential(size=500)
    low, high = ratio_interval(a, b)
    assert low < a.mean() / b.mean() < high
    assert ratio_interval(b, a) == pytest.approx((1 / high, 1 / low), rel=0.02)


def test_a_single_value_has_no_interval():
    assert np.isnan(mean_interval([3.0])).all()
    assert np.isnan(ratio_interval([3.0], [1.0, 2.0])).all()


def test_rate_interval_is_that_of_clopper_and_pearson():
    assert rate_interval(0, 20) == pytest.approx((0, 1 - 0.025 ** (1 / 20)))
    assert rate_interval(20, 20) == pytest.approx((0.025 ** (1 / 20), 1))
    low, high = rate_interval(3, 30)
    assert low < 0.1 < high


def test_homogeneity_test_accepts_the_same_and_rejects_another_distribution():
    rng = np.random.default_rng(0)
    edges = np.linspace(0, 4, 30)
    counts = np.histogram(rng.exponential(size=2000), np.append(edges, np.inf))[0]
    assert homogeneity_test(rng.exponential(size=2000), edges, counts) > 0.01
    assert homogeneity_test(rng.exponential(1.4, size=2000), edges, counts) < 1e-4


@pytest.mark.parametrize("arguments", [(5, 3), (-1, 3), (1, 3, 2.0)])
def test_rates_and_confidence_levels_beyond_one_are_refused(arguments):
    with pytest.raises(ValueError, match=r"^(events|confidence) = "):
        rate_interval(*arguments)
