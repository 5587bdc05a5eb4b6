"""Intervals cover as often as they say."""

import numpy as np
import pytest
from scipy.stats import binom

from pareto_core.simulation.statistics import (
    mean_interval,
    rate_interval,
    ratio_interval,
)


def mean_of_normal(rng):
    return mean_interval(rng.normal(3.0, 2.0, 100), 0.8)


def ratio_of_means(rng):
    return ratio_interval(rng.exponential(6.0, 100), rng.normal(2.0, 0.5, 60), 0.8)


@pytest.mark.statistical
@pytest.mark.parametrize("interval", [mean_of_normal, ratio_of_means])
def test_an_interval_covers_the_truth_as_often_as_it_says(interval):
    rng = np.random.default_rng(0)
    intervals = [interval(rng) for _ in range(200)]
    inside = sum(low <= 3.0 <= high for low, high in intervals)
    assert 140 <= inside <= 180  # 160 expected, standard deviation 5.7


def test_pairs_are_resampled_together():
    rng = np.random.default_rng(3)
    first = rng.exponential(size=80)
    assert ratio_interval(2 * first, first, paired=True) == pytest.approx((2, 2), rel=1e-12)
    low, high = ratio_interval(2 * first, first)
    assert high - low > 0.5


def test_a_single_value_has_no_interval():
    assert np.isnan(mean_interval([3.0])).all()
    assert np.isnan(ratio_interval([3.0], [1.0, 2.0])).all()


def test_rate_interval_is_that_of_clopper_and_pearson():
    assert rate_interval(0, 20) == pytest.approx((0, 1 - 0.025 ** (1 / 20)))
    assert rate_interval(20, 20) == pytest.approx((0.025 ** (1 / 20), 1))
    # at the ends of the interval, 3 events of 40 or more (or less) have probability 2.5 %
    low, high = rate_interval(3, 40)
    assert binom.sf(2, 40, low) == pytest.approx(0.025, rel=1e-6)
    assert binom.cdf(3, 40, high) == pytest.approx(0.025, rel=1e-6)


@pytest.mark.parametrize("arguments", [(5, 3), (-1, 3), (1, 3, 2.0)])
def test_rates_and_confidence_levels_beyond_one_are_refused(arguments):
    with pytest.raises(ValueError, match=r"^(events|confidence) = "):
        rate_interval(*arguments)
