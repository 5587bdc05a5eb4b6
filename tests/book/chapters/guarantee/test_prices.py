"""Prices are ratios of paired runs over the first rule."""

import types

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.chapters.guarantee import prices
from pareto_book.chapters.guarantee.instances import layers
from pareto_book.records.measurements import Measurement


def test_the_first_rule_has_the_price_one():
    rules = {"loose": pc.UniformSampling(delta=0.3), "strict": pc.UniformSampling(delta=0.01)}
    found = prices.simulated_prices(rules, layers(1), [0.1, 0.01], runs=5)
    assert [each.value for each in found.ratios["loose"]] == [1.0, 1.0]
    samples, errors = prices.samples_at(rules["strict"], layers(1), [0.1, 0.01], runs=5)
    assert np.array_equal(found.baseline, samples)
    assert found.errors["strict"] == errors


def test_a_run_that_was_cut_off_is_refused():
    runs = types.SimpleNamespace(stopped=np.array([True, False]))
    with pytest.raises(RuntimeError, match="was cut off"):
        prices._check_stopped(runs, layers(1))


def test_the_remaining_price_has_the_ends_of_both_intervals():
    first, last = Measurement(4.0, (2.0, 8.0), 10), Measurement(2.0, (1.0, 4.0), 10)
    assert prices.remaining_price([first, first, last]) == Measurement(0.5, (1 / 8, 2.0), 10)
