"""The checks of Lemmas B.4 and B.5 accept the right costs and notice wrong ones."""

import numpy as np
import pytest

from pareto_book.chapters.kone2025constrained import alternatives, theorems
from pareto_core.geometry.polyhedron import orthant


def test_the_formula_of_a_removal_is_that_of_the_solver():
    ratios = alternatives.removal_ratios(4, np.random.default_rng(0))
    assert ratios == pytest.approx([1, 1, 1, 1], abs=1e-6)


def test_a_wrong_formula_of_a_removal_is_noticed(monkeypatch):
    monkeypatch.setattr(alternatives, "removal", lambda means, weights, i, j: weights.min() / 2)
    ratios = alternatives.removal_ratios(4, np.random.default_rng(0))
    assert np.abs(np.subtract(ratios, 1)).max() > 0.01


@pytest.mark.parametrize("lemma", ["lemmaB4", "lemmaB5"])
def test_a_cost_that_is_not_a_number_is_noticed(monkeypatch, lemma):
    ratios = {"lemmaB4": [1.0, 1.0], "lemmaB5": [1.0, 1.0]}
    ratios[lemma] = [1.0, np.nan, 1.1]
    monkeypatch.setattr(alternatives, "removal_ratios", lambda *given: ratios["lemmaB4"])
    monkeypatch.setattr(alternatives, "admission_ratios", lambda *given: ratios["lemmaB5"])
    for check in ("miscounted", "least_paid"):
        monkeypatch.setattr(theorems.answers, check, lambda *given: 0)
    found = theorems.costs_and_answers(seed=0)
    assert [claim for claim, row in found.items() if np.isnan(row.value)] == [lemma]


def test_an_admission_whose_solver_fails_is_not_a_number(monkeypatch):
    costs = iter([0.5, np.nan, 0.7])
    monkeypatch.setattr(alternatives, "cheapest", lambda *given: next(costs))
    means = np.array([[1.0, 0.5, 0.2], [0.5, -0.4, 0.1]])
    found = alternatives.admission(means, np.ones(2), np.array([0]), 1, orthant(np.zeros(3)))
    assert np.isnan(found)


@pytest.mark.slow
def test_an_admission_is_that_of_the_solver():
    ratios = alternatives.admission_ratios(1, np.random.default_rng(0))
    assert ratios == pytest.approx([1], abs=1e-4)


def test_an_admission_that_ignores_the_region_is_noticed():
    means = np.array([[1.0, 0.5], [0.5, -0.4]])  # arm 1 is free as soon as it is at (0.5, 0.5)
    weights, front = np.ones(2), np.array([0])
    limited = alternatives.admission(means, weights, front, 1, orthant([0.0, 0.45]))
    free = alternatives.admission(means, weights, front, 1, orthant([-9.0, -9.0]))
    assert free == pytest.approx(0.5**2 / 4)
    assert limited == pytest.approx((0.85**2 + 0.05**2) / 2, rel=1e-4)
