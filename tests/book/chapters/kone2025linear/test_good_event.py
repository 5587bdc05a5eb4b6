"""Rounds on the good event: its guarantees hold at the limit of the errors, and fail beyond it."""

import numpy as np

from pareto_book.chapters.kone2025linear.good_event import follow_cases, follow_rounds

SLACK = 1 + 1e-9
CASES = 30


def test_fixed_confidence_is_right_at_the_limit():
    followed = follow_cases(CASES, seed=1)
    assert not followed["wrong"].any() and not followed["missed"].any()
    assert followed[["shortfall", "rounds", "crowd"]].max().max() <= SLACK


def test_a_fixed_budget_is_right_at_the_limit():
    followed = follow_cases(CASES, seed=1, share=0.2)
    assert not followed["wrong"].any()
    assert followed["shortfall"].max() <= SLACK


def test_errors_beyond_the_good_event_are_caught():
    followed = follow_cases(CASES, seed=1, error=4.0)
    assert followed["wrong"].any()
    assert followed["shortfall"].max() > SLACK
    assert follow_cases(CASES, seed=1, share=1.5)["wrong"].any()


def test_with_an_accuracy_no_answered_arm_is_farther_below_the_front():
    followed = follow_cases(CASES, seed=1, epsilon=0.25)
    assert not followed["missed"].any()
    assert 0 < followed["beyond"].max() <= 0.25
    assert followed["rounds"].sum() < follow_cases(CASES, seed=1)["rounds"].sum()


def test_without_errors_the_answer_is_the_pareto_set_after_the_rounds_of_lemma_3():
    means = np.array([[0.0, 1.0], [0.5, 0.6], [0.9, 0.1], [0.2, 0.3]])
    draws = np.random.default_rng(0)
    followed = follow_rounds(draws, np.eye(4), means, error=1e-9)
    assert not followed.wrong and followed.beyond == 0
    assert followed.rounds <= 1
