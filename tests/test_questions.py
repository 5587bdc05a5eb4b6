"""The identification problems, and which answers are correct."""

import numpy as np
import pytest

from pareto_core import Instance, best_arms
from pareto_core.geometry.polyhedron import orthant
from pareto_core.questions import (
    BEST_ARMS,
    CONSTRAINED_PARETO_SET,
    DOMINATED,
    INFEASIBLE,
    OPTIMAL,
    PARETO_SET,
    PARTITION,
)

MEANS = [[2.0, 0.0, 1.0], [0.0, 2.0, 3.0], [1.0, 1.0, 3.0], [-1.0, 2.0, 0.0]]
CONSTRAINED = Instance(
    [
        [1.0, 1.0],  # the only feasible arm that no feasible arm dominates
        [0.5, 0.5],
        [9.0, -1.0],  # infeasible
        [0.9, -1.0],  # infeasible, and dominated by arm 0
        [8.0, -2.0],  # infeasible, and dominated by an infeasible arm
    ],
    polyhedron=orthant([0.0, 0.0]),
)
RIGHT = [OPTIMAL, DOMINATED, INFEASIBLE, INFEASIBLE, INFEASIBLE]


def test_best_arms_are_the_first_with_the_largest_mean_of_each_column():
    assert best_arms(MEANS).tolist() == [0, 1, 1]


def test_empty_answers_have_the_shape_and_type_of_the_question():
    assert PARETO_SET.empty(4, 3).tolist() == [False] * 4
    assert BEST_ARMS.empty(4, 3).tolist() == [0] * 3
    assert CONSTRAINED_PARETO_SET.empty(4, 3).tolist() == [False] * 4
    assert PARTITION.empty(4, 3).tolist() == [INFEASIBLE] * 4


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ([True, True, True, False], True),
        ([True, True, False, False], False),
        ([True, True, True, True], False),
        ([False] * 4, False),
    ],
)
def test_only_the_pareto_set_is_correct(answer, right):
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
def test_any_arm_with_the_largest_mean_is_correct(answer, right):
    assert BEST_ARMS.judge(Instance(MEANS))(np.array(answer)) is right


@pytest.mark.parametrize("optimal", [[], [0], [1], [0, 1], [0, 2], [0, 3]])
def test_only_the_pareto_set_of_the_feasible_arms_is_correct(optimal):
    answer = np.isin(np.arange(5), optimal)
    assert CONSTRAINED_PARETO_SET.judge(CONSTRAINED)(answer) is (optimal == [0])


@pytest.mark.parametrize("arm", range(5))
@pytest.mark.parametrize("label", [OPTIMAL, DOMINATED, INFEASIBLE])
def test_any_valid_partition_is_correct(arm, label):
    answer = np.array(RIGHT)
    answer[arm] = label
    right = label == RIGHT[arm] or (arm, label) == (3, DOMINATED)
    assert PARTITION.judge(CONSTRAINED)(answer) is right


@pytest.mark.parametrize("question", [CONSTRAINED_PARETO_SET, PARTITION])
def test_constrained_questions_need_a_polyhedron(question):
    instance = Instance(MEANS)
    with pytest.raises(ValueError, match="polyhedron = None"):
        question.judge(instance)(question.empty(4, 3))


def test_a_reader_gets_arms():
    assert PARETO_SET.read(np.array([True, False, True])).tolist() == [0, 2]
    assert BEST_ARMS.read(np.array([2, 0])).tolist() == [2, 0]
    assert CONSTRAINED_PARETO_SET.read(np.array([True, False, True])).tolist() == [0, 2]
    partition = PARTITION.read(np.array(RIGHT))
    assert partition.optimal.tolist() == [0]
    assert partition.dominated.tolist() == [1]
    assert partition.infeasible.tolist() == [2, 3, 4]


@pytest.mark.parametrize("means", [[[1.0]], [1.0, 2.0], [[np.nan], [0.0]]])
def test_means_of_best_arms_are_checked(means):
    with pytest.raises(ValueError, match="means"):
        best_arms(means)
