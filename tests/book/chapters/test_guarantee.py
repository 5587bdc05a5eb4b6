"""Prices of stopping rules, measured over the first one."""

import numpy as np

import pareto_core as pc
from pareto_book.chapters import guarantee as study


def test_the_first_rule_has_the_price_one():
    rules = {"loose": pc.UniformSampling(delta=0.3), "strict": pc.UniformSampling(delta=0.01)}
    found = study.simulated_prices(rules, study.layers(1), [0.1, 0.01], runs=5)
    assert [each.value for each in found.ratios["loose"]] == [1.0, 1.0]
    samples = study.samples_at(rules["strict"], study.layers(1), [0.1, 0.01], runs=5)
    assert np.array_equal(found.baseline, samples.mean(axis=1))
