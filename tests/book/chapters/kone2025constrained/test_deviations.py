"""The checks of Lemmas 4.2 and B.3 and of Remark 4.1 accept what is true and notice what is not."""

import numpy as np
import pytest

from pareto_book.chapters.kone2025constrained import deviations
from pareto_core.geometry.polyhedron import orthant

CHANGES = deviations.random_changes(150, np.random.default_rng(0))


def test_the_lemmas_hold_on_random_changes():
    assert max(map(deviations.pair_deviation, CHANGES)) <= 1 + 1e-9
    assert max(map(deviations.distance_deviation, CHANGES)) <= 1 + 1e-9
    failures = deviations.disagreements(CHANGES)
    assert [failures[order] for order in deviations.ORDERS[:2]] == [0, 0]


def test_a_bound_that_is_too_small_is_noticed():
    too_small = [change._replace(beta=change.beta / 2) for change in CHANGES]
    assert max(map(deviations.pair_deviation, too_small)) > 1


def test_a_region_that_moves_with_the_arm_is_noticed(monkeypatch):
    monkeypatch.setattr(deviations, "both_distances", lambda point, _: 3 * point)
    assert max(map(deviations.distance_deviation, CHANGES)) > 1


def test_equal_arms_that_dominate_each_other_break_the_lemma():
    before = np.array([[0.5, 0.5], [0.2, 0.3], [0.3, 0.2]])
    after = np.array([[0.5, 0.5], [0.9, 0.1], [0.9, 0.1]])  # neither below the optimal arm
    region = orthant([0.0, 0.0])
    sides = {
        order: deviations.sides_of_lemma(before, after, region, order)
        for order in deviations.ORDERS
    }
    assert sides[deviations.ORDERS[0]] == (True, True)
    assert sides[deviations.EQUAL_ARMS] == (False, True)


def test_the_norm_is_at_most_d_times_the_variance():
    assert deviations.largest_norm_ratio([np.ones((3, 1))]) == pytest.approx(3)
    factors = np.random.default_rng(0).standard_normal((50, 3, 3))
    assert 1 < deviations.largest_norm_ratio(factors) < 3


def test_a_norm_that_is_not_a_number_is_noticed():
    factors = [np.ones((1, 1)), np.array([[np.nan]]), np.ones((1, 1))]
    assert not deviations.largest_norm_ratio(factors) <= 1
