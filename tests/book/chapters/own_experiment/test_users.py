"""Simulated users of a session."""

import types

import pytest

from pareto_book.chapters.own_experiment import users


@pytest.mark.parametrize(
    ("optimal", "dominated", "wrong"),
    [([0], [2], False), ([], [], False), ([2], [], True), ([0], [1], True)],
)
def test_a_wrong_statement_is_found(optimal, dominated, wrong):
    status = types.SimpleNamespace(optimal=optimal, dominated=dominated)
    assert users.is_wrong(status, truth=[0, 1]) is wrong


@pytest.mark.slow
def test_a_user_who_states_too_little_noise_is_misled():
    misled = [users.sees_wrong_statement(k, stated_deviation=0.1, budget=15) for k in range(6)]
    assert any(misled)
    assert not users.sees_wrong_statement(0, budget=10)
