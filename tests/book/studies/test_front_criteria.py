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


@pytest.mark.slow
@given(judged())
def test_estimation_distance_equals_the_formula(case):
    means, masks, _ = case
    expected = [reference.estimation_distance(means, np.flatnonzero(mask)) for mask in masks]
    np.testing.assert_array_equal(estimation_distance(means, masks), expected)


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
