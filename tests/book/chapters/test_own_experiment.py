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
