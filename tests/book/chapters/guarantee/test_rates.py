"""Error rates over delta."""

import types

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.chapters.guarantee import rates
from pareto_book.chapters.guarantee.instances import wide
from pareto_book.records.measurements import Measurement


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
    assert rates.over_delta(estimate(0.1, 3)).value == pytest.approx(3)
    assert np.isnan(rates.over_delta(estimate(0.1, 3, effective_errors=29)).value)


def test_the_delta_to_set_is_read_off_the_curve():
    curve = [estimate(10.0**-k, 4) for k in range(1, 5)]
    found = rates.delta_for(curve, 0.01)
    assert found.value == pytest.approx(0.0025)
    assert found.interval == pytest.approx((0.00125, 0.005))


def test_a_quotient_has_the_ends_of_both_intervals():
    found = rates.quotient(Measurement(4.0, (2.0, 6.0), 5), Measurement(2.0, (1.0, 4.0), 3))
    assert found == Measurement(2.0, (0.5, 6.0), 3)


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", [pc.UniformSampling(), pc.APE()])
def test_error_rates_are_those_of_single_risks(algorithm):
    deltas = [0.1, 0.01]
    found = rates.estimate_error_rates(algorithm, wide(2), deltas, runs=40, max_samples=200)
    assert [each.delta for each in found] == deltas
    assert all(each.low <= each.probability <= each.high for each in found)
    if not algorithm.sampling_ignores_delta:
        (alone,) = rates.estimate_error_rates(algorithm, wide(2), [0.01], runs=40, max_samples=200)
        assert alone.probability == found[1].probability


def test_the_worst_proven_rule_has_the_largest_upper_end_of_those_known():
    risks = {
        "hard": {
            "stylised": [estimate(0.1, 2), estimate(0.01, 4), estimate(1e-3, 9, 3)],
            "joint": [estimate(0.1, 0.02), estimate(0.01, 0.9, 3)],
            "pairs": [estimate(0.1, 0.01)],
        }
    }
    worst, said = rates.kept_numbers(risks, "hard")
    assert worst.interval[1] == said["largest_kept"] == 0.04
    assert (said["stylised_asked"], said["stylised_kept"].value) == (0.01, 4)
