"""What bounds are worth: the budget where one begins, and constructions of the lower bounds."""

import numpy as np
import pytest

from pareto_book.chapters.kone2025linear import bounds
from pareto_book.studies import linear_bounds

MEANS = np.array([[0.75, 0.25], [0.25, 0.75], [0.3, 0.2]])


def test_a_bound_begins_where_it_falls_below_one():
    assert bounds.begins(lambda t: 12_345 / t) == 12_346


def test_theorem_2_is_below_the_best_possible_error_rate(monkeypatch):
    assert bounds.two_arms_over_bound(0.05, 0.25, range(2, 500)) >= 1
    corrupted = linear_bounds.error_lower_bound
    monkeypatch.setattr(
        linear_bounds, "error_lower_bound", lambda *arguments: 4 * corrupted(*arguments)
    )
    assert bounds.two_arms_over_bound(0.05, 0.25, range(2, 500)) < 1


def test_arms_with_zero_features_can_make_an_instance_harder():
    growth = bounds.growth_by_zero_arms(5, np.random.default_rng(0))
    assert growth >= bounds.growth_by_zero_arms(0, np.random.default_rng(0)) >= 1


def test_samples_are_compared_with_theorem_3():
    class Named:
        means = MEANS

    instances = {"one": (Named, 3, 0.1), "two": (Named, 2, 0.1)}
    orders = [
        linear_bounds.sample_orders(MEANS, dimension, risk)["GEGE"]
        for _, dimension, risk in instances.values()
    ]
    measured = {
        (name, "GEGE, printed"): np.full(5, factor * order)
        for name, order, factor in zip(instances, orders, (2.0, 3.0), strict=True)
    }
    found = bounds.compare_with_orders(instances, measured, variance=1.0)
    assert found.scale_apart.value == pytest.approx(1.5)
    assert found.scale_apart.runs == 5
    assert found.sums_apart == pytest.approx(max(orders) / min(orders))
    assert 0 < found.largest_share < 0.01
