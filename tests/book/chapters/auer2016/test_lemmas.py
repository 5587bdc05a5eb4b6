"""Checkers of lemmas pass true cases and catch corrupted ones."""

import functools

import numpy as np
import pytest

from pareto_book.chapters.auer2016 import estimates, lemmas
from pareto_book.chapters.auer2016.rounds import rounds

SMALL = lemmas.races(np.random.default_rng(0), count=0)
FEW = SMALL[:4] + SMALL[20:36] + SMALL[100:104]  # of three instances


def test_lemmas_hold_with_estimates_within_their_radii():
    checks = lemmas.check_lemmas(FEW)
    assert set(checks.broken.values()) == {0}
    assert checks.worst["lemma12"] <= 4
    assert checks.worst["lemma13"] <= 4
    assert 4 < checks.worst["lemma14"] <= 8
    assert checks.worst["later gaps"] <= 4
    assert checks.worst["lemma15"] <= 12
    assert checks.rounds > len(FEW)


def test_estimates_outside_their_radii_break_lemmas(monkeypatch):
    monkeypatch.setattr(lemmas, "rounds", functools.partial(rounds, error=2.5))
    broken = lemmas.check_lemmas(FEW).broken
    assert broken["lemma8"] > 0
    assert broken["lemma9"] > 0


@pytest.mark.parametrize(
    ("lemma", "field"),
    [("lemma8", "remaining"), ("lemma9", "sure"), ("lemma10", "active"), ("lemma11", "accepted")],
)
def test_a_corrupted_round_is_caught(lemma, field):
    means, epsilon, signs = np.array([[1.0], [0.0]]), 0.02, np.ones((2, 1))
    checker = lemmas._Checker()
    checker.enter(means, epsilon)
    first = next(rounds(means, epsilon, signs))
    checker.check(first)
    assert not any(checker.broken.values())
    wrong = {
        "remaining": {"remaining": np.array([False, True])},  # the optimal arm is eliminated
        "sure": {"remaining": np.array([False, True]), "active": np.array([False, True])},
        "active": {"active": np.array([False, True])},  # the only arm above arm 1 has left
        "accepted": {"accepted": np.array([True, True])},
    }[field]
    checker.check(first._replace(**wrong))
    assert checker.broken[lemma] == 1


YES, NO = np.array([True, True]), np.array([False, False])
OPTIMAL, DEEP = np.array([True, False]), np.array([False, True])  # of two arms


@pytest.mark.parametrize(
    ("name", "fields", "arms", "size"),
    [  # a round that the lemma rules out, the arms it is about, and their gap or the accuracy
        ("lemma12", {"remaining": YES, "leaving": NO}, YES, 0.02),
        ("lemma13", {"remaining": YES}, DEEP, 1.0),
        ("lemma14", {"remaining": YES, "sure": NO}, OPTIMAL, 2.0),
        ("later gaps", {"remaining": YES, "sure": NO}, OPTIMAL, 1.0),
        ("lemma15", {"sure": YES, "leaving": NO}, OPTIMAL, 2.0),
        ("theorem4_step", {"remaining": YES, "leaving": NO}, YES, 2.0),
    ],
)
def test_a_radius_that_is_too_small_for_what_is_undecided_is_noted(name, fields, arms, size):
    means, epsilon, beta = np.array([[1.0], [0.0]]), 0.02, 0.006

    def worst(**changes):
        checker = lemmas._Checker()
        checker.enter(means, epsilon)
        first = next(rounds(means, epsilon, np.ones((2, 1))))
        state = {"remaining": NO, "sure": NO, "leaving": NO} | changes
        checker.check(first._replace(radius=np.full((2, 1), beta), **state))
        return checker.worst.get(name)

    assert worst(**fields) == pytest.approx(size / beta)
    others = {key: value & ~arms for key, value in fields.items()}
    assert worst(**others) is None


def test_answers_fail_only_beyond_one_radius():
    failed = lemmas.failures(FEW)
    assert not any(failed[0.999])
    assert any(failed[1.1])
    found = lemmas.measured(lemmas.check_lemmas(FEW), failed)
    assert found["theorem4_success"].value > 1
    assert found["lemma14"].others["gaps with Δ* in place of 2Δ*"] <= 4
    assert "later gaps" not in found


POINTS = np.array([[0, 0], [0, 1], [1, 0], [2, 2], [1, 2]])


def test_statements_on_gaps_hold_on_points():
    assert {name: found.value for name, found in estimates.check_gaps(POINTS).items()} == {
        "section2_gaps": 0,
        "lemma3": 0,
        "section4_estimates": 0,
    }


def test_wrong_distances_are_caught(monkeypatch):
    squared = estimates.excess
    monkeypatch.setattr(estimates, "excess", lambda *both: squared(*both) ** 2)
    found = estimates.check_gaps(POINTS)
    assert found["lemma3"].value > 0
    assert found["section4_estimates"].value > 0
    monkeypatch.setattr(estimates, "dominance_gap", lambda points: np.ones((5, 5)))
    assert estimates.check_gaps(POINTS)["section2_gaps"].value > 0


@pytest.mark.parametrize(("error", "holds"), [(0.999, True), (1.2, False)])
def test_estimated_gaps_are_off_by_two_radii_at_most(error, holds):
    found = estimates.check_estimates(np.random.default_rng(0), count=50, error=error)["lemma7"]
    assert (found.value <= 1) == holds
    assert found.runs == 50


def test_estimates_and_gaps_that_are_not_numbers_are_noted(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(estimates, "dominance_gap", lambda points: np.full((6, 6), np.nan))
        found = estimates.check_estimates(np.random.default_rng(0), count=2)["lemma7"]
    assert not found.value <= 1
    monkeypatch.setattr(lemmas.pc, "gaps", lambda means, kind: np.full(len(means), np.nan))
    assert not lemmas.check_lemmas(FEW[:1]).worst["theorem4_step"] <= 12


def test_lemmas_5_and_6_hold_on_their_grids():
    found = estimates.check_radii()
    assert found["lemma5"].value < 1
    assert found["lemma6"].value < 1


def test_radii_that_are_too_small_break_lemma_5_and_too_large_ones_lemma_6():
    assert estimates.check_radii(scale=0.9)["lemma5"].value > 1
    assert estimates.check_radii(scale=1.4)["lemma6"].value > 1


def test_a_radius_that_is_not_a_number_breaks_both_lemmas():
    found = estimates.check_radii(scale=np.nan)
    assert not found["lemma5"].value <= 1
    assert not found["lemma6"].value <= 1
