"""Pareto sets and gaps."""

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pareto_core import gaps, load_instance, pareto_set

DIMENSIONS = st.tuples(st.integers(2, 12), st.integers(1, 4))
RANDOM = DIMENSIONS.flatmap(lambda shape: arrays(float, shape, elements=st.floats(-1e6, 1e6)))
TIED = DIMENSIONS.flatmap(lambda shape: arrays(float, shape, elements=st.integers(-2, 2)))
DUPLICATED = st.one_of(RANDOM, TIED).map(lambda means: np.vstack([means, means[::-1]]))


@given(st.one_of(RANDOM, TIED, DUPLICATED))
def test_pareto_set_is_what_nobody_dominates(means):
    assert pareto_set(means).tolist() == reference.pareto_set(means)


def test_equal_arms_do_not_dominate_each_other():
    assert pareto_set([[1, 2], [1, 2], [0, 0]]).tolist() == [0, 1]
    assert pareto_set([[3.0], [3.0], [3.0]]).tolist() == [0, 1, 2]


def test_better_in_one_objective_and_equal_in_the_others_dominates():
    assert pareto_set([[1, 2], [1, 3], [0, 3]]).tolist() == [1]


@pytest.mark.parametrize(("definition", "factor"), [("kone", 1), ("auer", 2)])
@given(means=st.one_of(RANDOM, TIED, DUPLICATED))
def test_gaps_are_the_formulas_of_the_papers(definition, factor, means):
    np.testing.assert_array_equal(gaps(means, definition), reference.gaps(means, factor))


@pytest.mark.parametrize(("definition", "of_best"), [("kone", 1.0), ("auer", 2.0)])
def test_gaps_in_one_dimension_are_distances_to_the_best(definition, of_best):
    # the best arm's gap is its distance to the second, (M)_+ = 0, times the factor
    np.testing.assert_array_equal(gaps([[5.0], [4.0], [1.0]], definition), [of_best, 1, 4])


@pytest.mark.parametrize(("definition", "expected"), [("kone", [1, 2, 1]), ("auer", [2, 2, 1])])
def test_gaps_of_two_optimal_arms_and_one_below(definition, expected):
    # The third is below (0, 3) by (1, 2), so its gap is 1; it stands M = 1 above (2, 0).
    # First arm: min(min(3, 2), 0 + factor * 1); second: min(min(3, 2), 1 + factor * 1).
    means = [[0.0, 3.0], [2.0, 0.0], [-1.0, 1.0]]
    np.testing.assert_array_equal(gaps(means, definition), expected)


def test_gap_is_infinite_without_any_constraint_and_zero_between_equal_arms():
    np.testing.assert_array_equal(gaps([[1.0, 1.0], [1.0, 1.0], [0.0, 0.0]]), [0, 0, 1])


@pytest.mark.parametrize(
    ("name", "complexity", "smallest"),
    [("cov_boost", 638.4, 0.0725), ("cov_boost_full_precision", 624.8, 0.0737)],
)
def test_gaps_of_cov_boost_are_those_published(name, complexity, smallest):
    delta = gaps(load_instance(name).means_standardised)
    assert round((1 / delta**2).sum(), 1) == complexity
    assert round(delta.min(), 4) == smallest
    assert sorted(np.argsort(delta)[:2].tolist()) == [14, 18]
