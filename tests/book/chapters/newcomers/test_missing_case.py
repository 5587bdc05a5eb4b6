"""What the public scripts of FraPPE maximise, beside the characteristic time."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.chapters.newcomers.missing_case import (
    best_removal_time,
    passing_time,
    removal_costs,
)

SIX = pc.load_instance("six_arms").means


def test_the_costs_are_those_of_moving_two_arms_together():
    cost = removal_costs(SIX, np.full(6, 1 / 6))
    lead = np.maximum(SIX[0] - SIX[3], 0)
    assert cost[0, 3] == pytest.approx((lead**2).sum() / 24)
    assert np.isinf(cost[[0, 1, 2], [0, 1, 2]]).all()


def test_fewer_alternatives_make_the_time_shorter():
    assert best_removal_time(SIX, steps=300) < pc.characteristic_time(SIX).time


def test_where_only_removals_matter_it_is_the_characteristic_time():
    means = np.array([[1.0, 0.0], [0.0, 2.0]])
    assert best_removal_time(means) == pytest.approx(pc.characteristic_time(means).time, rel=1e-3)


def test_the_threshold_is_passed_at_that_number_of_samples():
    samples = passing_time(800.0, 0.01)
    assert samples / 800 == pytest.approx(np.log((1 + np.log(samples)) / 0.01))
