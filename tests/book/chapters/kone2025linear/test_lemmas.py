"""Checks of the lemmas on the linear model: true cases pass, and false ones are caught."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.chapters.kone2025linear import lemmas
from pareto_core.regression.design import prediction_variances

SLACK = 1 + 1e-9
KNOWN = np.array([[0.0, 1.0], [0.5, 0.6], [0.9, 0.1], [0.45, 0.5], [0.2, 0.3]])
ERROR = 0.1 * np.array([[1.0, -1.0], [-1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [-1.0, 0.0]])


def norms_of(error):
    return abs(error[None] - error[:, None]).max(axis=2)


def test_no_lemma_is_violated_in_random_cases():
    worst = lemmas.worst_cases(40, seed=5)
    for name in ("4", "5", "6", "7"):
        assert 0.5 < worst[name] <= SLACK
    assert max(worst["1"], worst["raise"]) < 1e-5
    assert max(worst["forms"], worst["index j"]) == 0
    assert worst["printed"] > 0.5  # Equation 5 has a wrong index


def test_the_definition_of_an_optimal_gap_depends_on_the_index():
    front = pc.pareto_set(KNOWN)
    gap = pc.gaps(KNOWN)[front]
    np.testing.assert_allclose(lemmas.gap_of_optimal(KNOWN, front), gap)
    np.testing.assert_allclose(lemmas.two_forms(KNOWN, front), gap)
    assert not np.allclose(lemmas.gap_of_optimal(KNOWN, front, "i"), gap)


def test_a_dominated_arm_must_rise_by_its_gap():
    assert lemmas.least_raise(KNOWN, 4) == pytest.approx(pc.gaps(KNOWN)[4], abs=1e-8)
    assert lemmas.least_raise(KNOWN, 0) == pytest.approx(0, abs=1e-8)


def test_a_wrong_variance_is_caught():
    samples = np.random.default_rng(0).normal(size=(12, 3))
    variances = prediction_variances(samples, np.ones(12))
    assert lemmas.lemma_1(samples, variances) < 1e-9
    variances[3] *= 1.01
    assert lemmas.lemma_1(samples, variances) == pytest.approx(0.01)


@pytest.mark.parametrize("lemma", [lemmas.lemma_4, lemmas.lemma_5, lemmas.lemma_6])
def test_an_error_that_is_larger_than_stated_is_caught(lemma):
    m, norms = lemmas.ahead(KNOWN), norms_of(ERROR)
    assert lemma(m, lemmas.ahead(KNOWN + ERROR), norms) <= SLACK
    assert lemma(m, lemmas.ahead(KNOWN + ERROR), norms / 5) > SLACK


def test_a_gap_that_is_underestimated_too_much_is_caught():
    optimal = np.isin(np.arange(len(KNOWN)), pc.pareto_set(KNOWN))
    gap, seen = pc.gaps(KNOWN), pc.gaps(KNOWN + ERROR)
    assert lemmas.lemma_7(gap, seen, optimal, norms_of(ERROR)) <= SLACK
    limit = np.where(optimal, 2 * norms_of(ERROR).max(), norms_of(ERROR).max(axis=1))
    too_small = gap - 1.01 * limit
    assert lemmas.lemma_7(gap, too_small, optimal, norms_of(ERROR)) == pytest.approx(1.01)


def test_errors_are_linear_and_as_large_as_stated():
    draws = np.random.default_rng(3)
    for _ in range(20):
        features, means = lemmas.random_case(draws)
        active = np.arange(len(means))[: max(2, len(means) - 1)]
        error = lemmas.random_error(draws, features, active, 0.3, means.shape[1])
        assert np.ptp(error[active], axis=0).max() == pytest.approx(0.3)
        centred = error - error[0]
        fit = features @ np.linalg.lstsq(features, centred, rcond=None)[0]
        np.testing.assert_allclose(fit, centred, atol=1e-9)
