"""Misclassified arms and hypervolume lost, compared with slow twins and values by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from references.fixed_budget import volume_by_inclusion_and_exclusion

import pareto_core as pc
from pareto_book.studies.answer_quality import (
    hypervolume,
    hypervolume_lost,
    misclassified,
    reference_point,
)

SHAPES = st.tuples(st.integers(1, 7), st.integers(1, 4))
WHOLE = st.integers(-2, 4).map(float)  # ties, and points below the reference
BADLY_SCALED = st.sampled_from([1e-9, 0.3, 1.0, 7.0, 1e6])


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(
    st.one_of(
        *(
            SHAPES.flatmap(lambda s, e=e: arrays(float, s, elements=e))
            for e in (WHOLE, BADLY_SCALED, st.floats(0.0, 1.0))
        )
    )
)
def test_the_volume_is_that_of_inclusion_and_exclusion(points):
    reference = np.zeros(points.shape[1])
    expected = volume_by_inclusion_and_exclusion(points.tolist(), reference)
    sizes = np.prod(np.maximum(points, 0.0), axis=1).max()
    assert hypervolume(points, reference) == pytest.approx(expected, rel=1e-9, abs=1e-9 * sizes)


@settings(max_examples=50, deadline=None)
@given(arrays(float, (6, 3), elements=st.floats(0.0, 1.0)), st.integers(0, 5))
def test_a_dominated_or_equal_point_adds_nothing(points, k):
    more = np.vstack([points, points[k] * 0.5, points[k]])
    assert hypervolume(more, np.zeros(3)) == pytest.approx(hypervolume(points, np.zeros(3)))


def test_no_points_have_no_volume():
    assert hypervolume(np.empty((0, 3)), np.zeros(3)) == 0.0


def test_what_is_lost_by_hand():
    """The reference is (-0.1, -0.1), so that each optimal arm covers 1.1 times 0.1."""
    means = [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]
    np.testing.assert_allclose(reference_point(means), [-0.1, -0.1])
    whole = 2 * 1.1 * 0.1 - 0.1 * 0.1  # two rectangles that share the corner
    answers = [[1, 1, 0], [1, 0, 0], [0, 0, 1], [0, 0, 0], [1, 1, 1]]
    expected = [0.0, 1 - 0.11 / whole, 1 - 0.01 / whole, 1.0, 0.0]
    np.testing.assert_allclose(hypervolume_lost(means, answers), expected)
    assert misclassified(means, answers).tolist() == [0, 1, 3, 2, 1]


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10**6))
def test_neither_units_nor_origins_matter(seed):
    rng = np.random.default_rng(seed)
    means, answers = rng.normal(size=(8, 3)), rng.random((20, 8)) < 0.5
    scaled = means * np.array([1e-3, 1.0, 50.0]) + np.array([5.0, -2.0, 0.0])
    lost = hypervolume_lost(means, answers)
    np.testing.assert_allclose(hypervolume_lost(scaled, answers), lost, atol=1e-9)
    assert lost.min() >= -1e-12 and lost.max() <= 1
    optimal = np.isin(np.arange(8), pc.pareto_set(means))
    complete = answers[:, optimal].all(axis=1)
    assert (lost[~complete] > 0).all()
    assert not lost[complete].any()
    assert misclassified(means, [optimal]).tolist() == [0]


@pytest.mark.parametrize("answers", [[1, 1, 0], [[1, 1]], [[1, 1, 2]], [[0.5, 1, 1]]])
def test_answers_of_another_shape_are_refused(answers):
    means = [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]
    for measure in (misclassified, hypervolume_lost):
        with pytest.raises(ValueError, match="answers = "):
            measure(means, answers)


def test_a_hypervolume_of_zero_is_refused():
    with pytest.raises(ValueError, match="differ in each objective"):
        hypervolume_lost([[1.0, 0.0], [1.0, 1.0]], [[1, 1]])
