"""Ties that leave the answer open, against transportation costs of zero."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import pareto_core as pc
from pareto_core.bounds.ties import is_undecidable
from pareto_core.geometry.partition import valid_partitions
from pareto_core.questions import BEST_ARMS, CONSTRAINED_PARETO_SET, PARETO_SET, PARTITION, Question

SHAPES = st.tuples(st.integers(2, 6), st.integers(1, 3))
MEANS = SHAPES.flatmap(lambda shape: arrays(float, shape, elements=st.integers(0, 3)))
ZERO = 1e-25  # arms on a boundary may cost a little, by rounding


def is_free(means, question, **given):
    """Whether another answer costs nothing at equal proportions."""
    weights = np.full(len(means), 1 / len(means))
    return pc.transport_cost(means, weights, problem=question.name, **given).value < ZERO


@st.composite
def regions(draw, d):
    A = draw(arrays(float, (2, d), elements=st.integers(-2, 2)))
    try:
        return pc.Polyhedron(A, draw(arrays(float, 2, elements=st.integers(-1, 6))))
    except ValueError:  # it is empty or flat
        assume(False)


@pytest.mark.slow
@pytest.mark.parametrize("question", [PARETO_SET, BEST_ARMS])
@given(means=MEANS)
def test_ties_are_where_another_answer_is_free(question, means):
    assert is_undecidable(means, question) == is_free(means, question)


@pytest.mark.slow
@pytest.mark.parametrize("question", [PARETO_SET, BEST_ARMS])
@given(data=st.data())
def test_arms_of_equal_features_are_alike(question, data):
    features = data.draw(arrays(float, (5, 2), elements=st.integers(-1, 1)))
    assume(len(np.unique(features, axis=0)) > 1)
    means = features @ data.draw(arrays(float, (2, 2), elements=st.integers(-1, 1)))
    found = is_undecidable(means, question, features=features)
    assert found == is_free(means, question, features=features)


@pytest.mark.slow
@given(data=st.data(), means=MEANS)
def test_ties_with_a_region_are_where_another_answer_is_free(data, means):
    region, weights = data.draw(regions(means.shape[1])), np.full(len(means), 1 / len(means))
    found = is_undecidable(means, CONSTRAINED_PARETO_SET, region)
    assert found == is_free(means, CONSTRAINED_PARETO_SET, polyhedron=region)
    costs = [
        pc.partition_cost(means, weights, region, each).value
        for each in valid_partitions(means, region)
    ]  # a partition is open if each valid one is refuted for free
    assert is_undecidable(means, PARTITION, region) == (max(costs) < ZERO)


def test_a_question_of_the_reader_s_own_is_not_judged():
    assert not is_undecidable(np.ones((2, 1)), Question("mine", *([None] * 5)))
