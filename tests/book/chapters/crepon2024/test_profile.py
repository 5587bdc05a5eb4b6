"""Lemmas 8 and 9: true profiles have no exceptions, corrupted ones do."""

import numpy as np
import pytest

from pareto_book.chapters.crepon2024 import profile_checks
from pareto_book.studies.profile import diagonal_profile

MEANS = np.array([[0.4, 6.0], [2.0, 4.7], [3.4, 3.4], [4.9, 2.1], [6.3, 0.5], [1.2, 1.1]])
WEIGHTS = np.array([0.2, 0.18, 0.22, 0.17, 0.2, 0.03])
S = np.linspace(-5, 5, 801)


@pytest.fixture
def profile():
    tents, height, _ = diagonal_profile(MEANS, WEIGHTS, 5, S)
    return tents, height


def exceptions(tents, height):
    return profile_checks.exceptions_of_profile(MEANS, WEIGHTS, S, tents, height)


def test_a_true_profile_has_no_exceptions(profile):
    *off, steepest = exceptions(*profile)
    assert off == [0, 0, 0]
    assert 0 < steepest < 1
    assert profile_checks.check_profile(MEANS, WEIGHTS, S) == (*off, steepest)


def test_tents_that_are_moved_are_found(profile):
    tents, height = profile
    assert exceptions(tents + 1e-3, height)[0] > 0


def test_heights_with_wrong_slopes_are_found(profile):
    tents, height = profile
    assert exceptions(tents, height + 0.01 * S)[1] > 0


def test_heights_that_meet_a_tent_again_are_found(profile):
    tents, height = profile
    assert exceptions(tents, height + 0.3 * np.sin(40 * S))[2] > 0
    assert exceptions(tents, height + 0.3 * np.sin(40 * S))[3] > 1


@pytest.mark.parametrize("point", [0, 400, 800])
def test_tents_and_heights_that_are_not_numbers_are_found(profile, point):
    tents, height = (each.copy() for each in profile)
    tents[2, point] = np.nan
    found = exceptions(tents, profile[1])
    assert found[2] > 0
    assert found[0] > 0 or point == 800
    height[point] = np.nan
    _, slopes_off, meetings_off, steepest = exceptions(profile[0], height)
    assert slopes_off > 0 and meetings_off > 0
    assert not steepest <= 1


def test_a_slope_that_is_not_a_number_is_the_steepest_of_all_staircases(monkeypatch):
    found = iter([(0, 0, 0, 0.5), (0, 0, 0, np.nan), (0, 0, 0, 0.7)])
    monkeypatch.setattr(profile_checks, "check_profile", lambda *given: next(found))
    rows = profile_checks.check_staircases(np.random.default_rng(0), number=3, p=3)
    assert not rows["lemma9_slope"][0] <= 1


def test_staircases_have_a_row_for_each_claim():
    rows = profile_checks.check_staircases(np.random.default_rng(0), number=1, p=3)
    assert set(rows) == {"lemma8", "lemma9_slope", "lemma9_formula", "lemma9_meets"}
    assert rows["lemma8"] == (0, 7200)
