"""What is certain along runs."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.chapters.price_of_proof import certainty
from pareto_book.chapters.price_of_proof.certainty import Certain


def test_a_statement_that_contradicts_the_truth_is_found():
    certificate = pc.Certificate(2, 1, delta=0.1)
    certificate.update(np.array([200, 200]), np.array([[0.0], [1.0]]))
    assert list(certificate.optimal) == [1]
    assert not certainty.states_wrongly(certificate, [1])
    assert certainty.states_wrongly(certificate, [0])
    assert certainty.states_wrongly(certificate, [0, 1])  # arm 0 is said to be dominated


def test_the_first_time_is_infinite_if_too_few_arms_are_decided():
    arms = np.array([[[0, 0], [1, 0], [1, 2]], [[0, 0], [0, 1], [0, 1]]], float)
    found = Certain(np.array([10, 20, 30]), arms, wrong=0)
    assert certainty.first_times(found, 1).tolist() == [20.0, 20.0]
    assert certainty.first_times(found, 3).tolist() == [30.0, np.inf]


@pytest.mark.slow
def test_the_interval_of_a_median_is_between_order_statistics():
    median = certainty.median_of(np.arange(100.0)[::-1])
    assert median.value == 49.5
    assert median.interval == (39.0, 60.0)
