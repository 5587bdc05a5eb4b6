"""A real experiment, one that changes, and simulated users who cheat."""

import types

import numpy as np
import pytest

from pareto_book.chapters import own_experiment

MEANS = [[2.0, 0.0], [0.0, 2.0], [1.8, 0.0]]
BOXES = np.stack([np.array(MEANS) - 1.0, np.array(MEANS) + 1.0], axis=-1)
OPTIMAL, DOMINATED, OPEN = "certainly optimal", "certainly dominated", "open"


def status(statements, boxes=BOXES):
    return types.SimpleNamespace(statements=np.array(statements), boxes=boxes)


@pytest.mark.parametrize(
    ("statements", "in_question", "wrong"),
    [
        ((OPTIMAL, OPTIMAL, DOMINATED), [1, 1, 1], False),
        ((OPEN, OPEN, OPTIMAL), [1, 1, 1], True),
        ((OPEN, DOMINATED, OPEN), [1, 1, 1], True),
        (("retired", OPEN, OPTIMAL), [0, 1, 1], False),
        (("retired", OPEN, DOMINATED), [0, 1, 1], True),
    ],
)
def test_a_wrong_statement_is_found(statements, in_question, wrong):
    assert own_experiment.is_wrong(status(statements), MEANS, in_question) is wrong
    boxes = BOXES.copy()
    boxes[1, 0] += 1.5  # an interval without the mean
    assert own_experiment.is_wrong(status(statements, boxes), MEANS, in_question)


@pytest.mark.slow
def test_users_who_cheat_are_misled():
    lost = [own_experiment.misled_by_cheating("loses bad values", number) for number in range(5)]
    assert sum(wrong for wrong, _, _ in lost) >= 3
    assert all(mentioned for _, mentioned, _ in lost)
    assert own_experiment.misled_by_cheating("tells good news only", 0)[1:] == (False, False)
    assert own_experiment.misled_by_cheating("withdraws bad rewards", 0)[2]


@pytest.mark.slow
def test_an_honest_user_is_not_misled():
    assert not any(own_experiment.misled_by_change(kind, 0) for kind in own_experiment.CHANGES)


@pytest.mark.slow
def test_arms_become_certain_one_after_another(monkeypatch):
    monkeypatch.setattr(own_experiment, "EARLY_INSTANCES", ("five arms",))
    found = own_experiment.samples_until_certain(own_experiment.EARLY_RULES["Racing"], 4)
    assert found.shape == (4, 3)
    assert (np.diff(found) >= 0).all()
    assert np.isfinite(found).all()
