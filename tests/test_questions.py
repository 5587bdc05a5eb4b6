"""What is asked of the arms, and which answers are right."""

import numpy as np
import pytest

from pareto_core import Instance, best_arms
from pareto_core.questions import BEST_ARMS, PARETO_SET

MEANS = [[2.0, 0.0, 1.0], [0.0, 2.0, 3.0], [1.0, 1.0, 3.0], [-1.0, 2.0, 0.0]]


def test_best_arms_are_the_largest_of_each_column_and_the_first_of_equal_ones():
    assert best_arms(MEANS).tolist() == [0, 1, 1]


def test_empty_answers_have_the_shape_and_type_of_the_question():
    assert PARETO_SET.empty(4, 3).tolist() == [False] * 4
    assert BEST_ARMS.empty(4, 3).tolist() == [0] * 3


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ([True, True, True, False], True),
        ([True, True, False, False], False),
        ([True, True, True, True], False),
        ([False] * 4, False),
    ],
)
def test_right_is_the_pareto_set_exactly(answer, right):
    assert PARETO_SET.judge(Instance(MEANS))(np.array(answer)) is right


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ([0, 1, 1], True),
        ([0, 1, 2], True),  # as good as arm 1
        ([0, 3, 2], True),
        ([0, 2, 1], False),
        ([1, 1, 1], False),
        ([0, 1, 0], False),
    ],
)
def test_right_is_any_arm_of_the_largest_mean_in_each_objective(answer, right):
    assert BEST_ARMS.judge(Instance(MEANS))(np.array(answer)) is right


def test_a_reader_gets_arms():
    assert PARETO_SET.read(np.array([True, False, True])).tolist() == [0, 2]
    assert BEST_ARMS.read(np.array([2, 0])).tolist() == [2, 0]


@pytest.mark.parametrize("means", [[[1.0]], [1.0, 2.0], [[np.nan], [0.0]]])
def test_means_of_best_arms_are_checked(means):
    with pytest.raises(ValueError, match="means"):
        best_arms(means)
