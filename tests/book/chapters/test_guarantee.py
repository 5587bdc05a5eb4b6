"""Computations of the chapter on guarantees: instances, error rates, evidence, prices."""

import types

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.chapters import guarantee as study


def estimate(delta, ratio, effective_errors=50):
    """An error rate of a multiple of delta; its interval is a factor of two wide each way."""
    probability = ratio * delta
    return types.SimpleNamespace(
        delta=delta,
        probability=probability,
        low=probability / 2,
        high=2 * probability,
        runs=10,
        effective_errors=effective_errors,
    )


def test_few_effective_errors_give_no_number():
    assert study.over_delta(estimate(0.1, 3)).value == pytest.approx(3)
    assert np.isnan(study.over_delta(estimate(0.1, 3, effective_errors=29)).value)


def test_the_delta_to_set_is_read_off_the_curve():
    found = study.delta_for([estimate(10.0**-k, 4) for k in range(1, 5)], 0.01)
    assert found.value == pytest.approx(0.0025)
    assert found.interval == pytest.approx((0.00125, 0.005))


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", [pc.UniformSampling(), pc.APE()])
def test_error_rates_are_those_of_single_risks(algorithm):
    deltas, settings = [0.1, 0.01], {"runs": 40, "max_samples": 200}
    found = study.estimate_error_rates(algorithm, study.wide(2), deltas, **settings)
    assert [each.delta for each in found] == deltas
    assert all(each.low <= each.probability <= each.high for each in found)
    if not algorithm.stopping.sampling_ignores_delta:
        (alone,) = study.estimate_error_rates(algorithm, study.wide(2), [0.01], **settings)
        assert alone.probability == found[1].probability


def test_the_first_rule_has_the_price_one():
    rules = {"loose": pc.UniformSampling(delta=0.3), "strict": pc.UniformSampling(delta=0.01)}
    found = study.simulated_prices(rules, study.layers(1), [0.1, 0.01], runs=5)
    assert [each.value for each in found.ratios["loose"]] == [1.0, 1.0]
    samples = study.samples_at(rules["strict"], study.layers(1), [0.1, 0.01], runs=5)
    assert np.array_equal(found.baseline, samples.mean(axis=1))
