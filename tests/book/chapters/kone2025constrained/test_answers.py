"""The checks of Section 3.2 and Theorem 4.5 accept what is true and notice what is not."""

import numpy as np
import pytest

from pareto_book.chapters.kone2025constrained import answers
from pareto_core.geometry.partition import Partition
from pareto_core.geometry.polyhedron import orthant


def test_the_number_of_right_answers_is_as_claimed():
    assert answers.miscounted(4, np.random.default_rng(0)) == 0


def test_a_wrong_number_is_noticed():
    assert answers.miscounted(4, np.random.default_rng(0), lambda *_: 1) > 0


def test_two_reasons_make_two_answers():
    means = np.array([[1.0, 1.0], [0.2, -0.1], [2.0, -1.0]])
    assert answers.right_answers(means, orthant([0.0, 0.0])) == 2


@pytest.mark.slow
def test_every_arm_pays_for_its_gap_and_fewer_samples_are_noticed():
    assert answers.least_paid(1, np.random.default_rng(0)) >= 0.999
    assert answers.least_paid(1, np.random.default_rng(0), factor=0.5) < 0.999


def test_an_arm_needs_what_its_verdict_needs():
    means = np.array([[1.0, 0.5], [0.5, 1.0], [0.4, 0.3], [2.0, -0.2]])
    answer = Partition(np.array([0, 1]), np.array([2]), np.array([3]))
    assert np.allclose(answers.needs(means, orthant([0.0, 0.0]), answer), [0.5, 0.5, 0.2, 0.2])
