"""Fixed proportions and sampling the least evidence on equally hard comparisons."""

import numpy as np
import pytest
import scipy

import pareto_core as pc
from pareto_book.chapters.one_rule import oracle_toy


@pytest.mark.parametrize("threshold", [2.0, 5.0, 30.0])
def test_the_mean_first_passage_is_the_threshold(threshold):
    lower, upper = oracle_toy.fixed_bounds(1, threshold)
    assert lower == pytest.approx(threshold, rel=1e-5)
    assert upper == pytest.approx(threshold + 1, rel=1e-5)  # the integral of the normal tail


def test_the_first_passage_has_the_probability_of_the_reflection_formula():
    times, threshold = np.array([0.5, 2.0, 5.0, 20.0]), 4.0
    root = np.sqrt(2 * times)
    normal = scipy.stats.norm.cdf
    expected = normal((times - threshold) / root)
    expected += np.exp(threshold) * normal(-(times + threshold) / root)
    np.testing.assert_allclose(oracle_toy.first_passage_cdf(times, threshold), expected)


@pytest.mark.parametrize("n_comparisons", [2, 6])
def test_simulated_walks_are_within_the_bounds(n_comparisons):
    threshold, step, runs = 5.0, 0.05, 300
    rng = np.random.default_rng(n_comparisons)
    fixed, least = oracle_toy.walk_times(n_comparisons, threshold, step, runs, rng)
    lower, upper = oracle_toy.fixed_bounds(n_comparisons, threshold)
    error = 3 * fixed.std() / np.sqrt(runs)
    late = 0.6 * np.sqrt(2 * step) + step  # a walk passes a level later than Brownian motion does
    assert lower - error < fixed.mean() < upper + error + late
    assert abs(least.mean() - threshold - late / 2) < 3 * least.std() / np.sqrt(runs) + late / 2


def test_sampling_the_least_evidence_never_needs_more_samples():
    """In every run, and its samples are the first passages."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        evidence = rng.normal(0.2, 1.0, (4, 400)).cumsum(axis=1)
        reached = evidence >= 3.0
        first = 1 + reached.argmax(axis=1)
        np.testing.assert_array_equal(oracle_toy.passage_times(evidence, 3.0), first)
        assert first.mean() <= 1 + reached.all(axis=0).argmax()


@pytest.mark.parametrize("n_pairs", [1, 3])
def test_the_closest_wrong_answers_of_pairs_have_the_same_cost(n_pairs):
    instance = oracle_toy.pairs_instance(n_pairs, 0.5)
    found = pc.characteristic_time(instance.means)
    assert found.time == pytest.approx(8 * n_pairs / 0.25, rel=1e-4)
    np.testing.assert_allclose(found.weights, 1 / instance.n_arms, rtol=1e-2)
    assert instance.pareto_set.tolist() == list(range(0, 2 * n_pairs, 2))


def test_time_at_threshold_solves_its_equation():
    found = oracle_toy.time_at_threshold(100.0, 0.01)
    assert found / 100.0 == pytest.approx(np.log(np.log1p(found) / 0.01))
