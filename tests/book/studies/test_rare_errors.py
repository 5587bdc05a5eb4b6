"""Error rates at several risks."""

import pytest

import pareto_core as pc
from pareto_book.studies.near_ties import wide_instance
from pareto_book.studies.rare_errors import estimate_error_rates


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", [pc.UniformSampling(), pc.APE()])
def test_error_rates_are_those_of_single_risks(algorithm):
    deltas = [0.1, 0.01]
    found = estimate_error_rates(algorithm, wide_instance(2), deltas, runs=40, max_samples=200)
    assert [each.delta for each in found] == deltas
    assert all(each.low <= each.probability <= each.high for each in found)
    if not algorithm.sampling_ignores_delta:
        (alone,) = estimate_error_rates(
            algorithm, wide_instance(2), [0.01], runs=40, max_samples=200
        )
        assert alone.probability == found[1].probability
