"""The distance from the front of Auer et al. (2016), and the score of accurate answers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from references import pareto as reference
from references.judged_arms import judged

from pareto_book.rivals import PaVeBa
from pareto_book.studies.front_criteria import estimation_distance, f1_score, right_answers
from pareto_core import Instance

# Three optimal arms A, B and C; D is 0.5 below C, and E is 4 below C.
A, B, C, D, E = range(5)
MEANS = np.array([[0.0, 8.0], [1.0, 7.0], [8.0, 0.0], [7.5, -0.5], [4.0, -4.0]])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "distance"),
    [
        ([A, B, C], 0),
        ([A, C], 1),  # B is 1 ahead of A
        ([C, B], 1),  # A is 1 ahead of B
        ([A], 8),  # C is 8 ahead of A
        ([A, B, D], 0.5),  # C is 0.5 ahead of D, D is 0.5 below
        ([D], 8.5),  # A is 8.5 ahead of D, D is only 7.5 ahead of A
        ([A, B, C, D], 0.5),
        ([A, B, C, E], 4),
        ([], np.inf),
        ([A, A, B, C, C], 0),  # a set
    ],
)
def test_estimation_distance_of_known_answers(answer, distance):
    assert estimation_distance(MEANS, answer) == distance


@pytest.mark.slow
@given(judged())
def test_estimation_distance_equals_the_formula(case):
    means, masks, _ = case
    expected = [reference.estimation_distance(means, np.flatnonzero(mask)) for mask in masks]
    np.testing.assert_array_equal(estimation_distance(means, masks), expected)


@pytest.mark.parametrize(
    ("answer", "epsilon", "score"),
    [
        ([A, B, C], 0.0, 1.0),
        ([A, B, D], 0.0, 4 / 6),  # D is below the front, C is missed
        ([A, B, D], 0.5, 6 / 7),  # D is close enough; C is 0.71 from it
        ([A, B, D], 0.8, 1.0),
        ([A, C], 0.5, 4 / 5),  # B is missed
        ([A, C], 1.0, 1.0),  # B is 1 ahead of A
        ([A, B, C, E], 3.9, 6 / 7),
        ([E], 1.0, 0.0),
        ([], 9.0, 0.0),
    ],
)
def test_f1_score_of_known_answers(answer, epsilon, score):
    assert f1_score(MEANS, answer, epsilon) == pytest.approx(score)


@pytest.mark.slow
@given(judged(), st.sampled_from([0.0517, 0.733, 2.17]))
def test_f1_score_is_as_defined(case, epsilon):
    means, masks, _ = case
    expected = [reference.f1_score(means, np.flatnonzero(mask), epsilon) for mask in masks]
    np.testing.assert_allclose(f1_score(means, masks, epsilon), expected)


def test_an_answer_within_the_accuracy_of_the_algorithm_is_right():
    """Distances are those of the rewards that the algorithm sees: whitened, ten times larger."""
    instance = Instance([[1.0, 0.0], [0.0, 1.0], [-0.01, 0.99]], variance=[0.01, 0.01])
    answers = np.array([[True, True, False], [True, True, True], [True, False, False]])
    exact = np.array([True, False, False])
    for epsilon, bound, expected in (
        (0.0, None, [True, False, False]),
        (0.02, None, [True, False, False]),
        (0.2, None, [True, True, False]),
        (0.02, 0.01, [True, True, False]),
    ):
        algorithm = PaVeBa(epsilon=epsilon, variance_bound=bound)
        assert right_answers(algorithm, instance, exact, answers).tolist() == expected
