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
# Any arm with the largest mean of an objective is a best arm; arm 3 has two valid reasons.
ANSWERS = [  # question, instance, right answers and wrong ones
    (
        PARETO_SET,
        Instance(MEANS),
        [[True, True, True, False]],
        [[True, True, False, False], [True] * 4, [False] * 4],
    ),
    (
        BEST_ARMS,
        Instance(MEANS),
        [[0, 1, 1], [0, 1, 2], [0, 3, 2]],
        [[0, 2, 1], [1, 1, 1], [0, 1, 0]],
    ),
    (
        CONSTRAINED_PARETO_SET,
        CONSTRAINED,
        [np.arange(5) == 0],
        [np.isin(np.arange(5), optimal) for optimal in ([], [1], [0, 1], [0, 2], [0, 3])],
    ),
    (
        PARTITION,
        CONSTRAINED,
        [RIGHT, [*RIGHT[:3], DOMINATED, RIGHT[4]]],
        [
            [*RIGHT[:arm], label, *RIGHT[arm + 1 :]]
            for arm in range(5)
            for label in (OPTIMAL, DOMINATED, INFEASIBLE)
            if label != RIGHT[arm] and (arm, label) != (3, DOMINATED)
        ],
    ),
]


@pytest.mark.parametrize(("question", "instance", "right", "wrong"), ANSWERS)
def test_which_answers_are_correct(question, instance, right, wrong):
    judge = question.judge(instance)
    assert [judge(np.array(answer)) for answer in right] == [True] * len(right)
    assert [judge(np.array(answer)) for answer in wrong] == [False] * len(wrong)


def test_empty_answers_have_the_shape_and_type_of_the_question():
    assert PARETO_SET.empty(4, 3).tolist() == [False] * 4
    assert BEST_ARMS.empty(4, 3).tolist() == [0] * 3
    assert CONSTRAINED_PARETO_SET.empty(4, 3).tolist() == [False] * 4
    assert PARTITION.empty(4, 3).tolist() == [INFEASIBLE] * 4


@pytest.mark.parametrize("question", [CONSTRAINED_PARETO_SET, PARTITION])
def test_constrained_questions_need_a_polyhedron(question):
    with pytest.raises(ValueError, match="polyhedron = None"):
        question.judge(Instance(MEANS))(question.empty(4, 3))


def test_best_arms_are_the_first_with_the_largest_mean_of_each_column():
    assert best_arms(MEANS).tolist() == [0, 1, 1]
    for means in ([[1.0]], [1.0, 2.0], [[np.nan], [0.0]]):
        with pytest.raises(ValueError, match="means"):
            best_arms(means)
