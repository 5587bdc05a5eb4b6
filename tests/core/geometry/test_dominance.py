"""Pareto sets and gaps."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from references import pareto as reference

from pareto_core import gaps, pareto_set
from pareto_core.geometry.staircase import sorted_front

DIMENSIONS = st.tuples(st.integers(2, 12), st.integers(1, 4))
RANDOM = DIMENSIONS.flatmap(lambda shape: arrays(float, shape, elements=st.floats(-1e6, 1e6)))
TIED = DIMENSIONS.flatmap(lambda shape: arrays(float, shape, elements=st.integers(-2, 2)))
DUPLICATED = st.one_of(RANDOM, TIED).map(lambda means: np.vstack([means, means[::-1]]))
SCALES = [0.0, 1e-300, 1e-15, 1e-3, 1.0, 1e9, 1e149]
BADLY_SCALED = st.tuples(st.integers(2, 12), st.just(2)).flatmap(
    lambda shape: st.builds(
        lambda origin, steps, unit: origin + steps * unit,
        arrays(float, shape, elements=st.sampled_from([0.0, 1e6, -1e6, 1e15])),
        arrays(float, shape, elements=st.integers(-3, 3)),
        arrays(float, shape, elements=st.sampled_from(SCALES)),
    )
)
HUGE = arrays(
    float,
    st.tuples(st.integers(2, 12), st.just(2)),
    elements=st.floats(-1e150, 1e150),
)
ANY = st.one_of(RANDOM, TIED, DUPLICATED, BADLY_SCALED, HUGE)
FACTORS = [("kone", 1), ("auer", 2)]


@given(ANY)
def test_pareto_set_contains_the_undominated_arms(means):
    assert pareto_set(means).tolist() == reference.pareto_set(means)


@given(
    means=st.integers(1, 60).flatmap(
        lambda n: st.one_of(
            arrays(float, (n, 2), elements=st.integers(-3, 3)),
            arrays(float, (n, 2), elements=st.floats(-1e6, 1e6)),
            st.permutations(range(n)).map(lambda x: np.column_stack([x, -np.array(x, float)])),
        )
    )
)
def test_the_front_of_two_objectives_is_sorted_and_equal_arms_keep_their_order(means):
    found = np.empty(len(means), np.int64)
    size = sorted_front(means, found)
    ascending = sorted(reference.pareto_set(means), key=lambda k: (means[k, 0], k))
    assert found[:size].tolist() == ascending


@pytest.mark.slow
@pytest.mark.parametrize(("definition", "factor"), FACTORS)
@given(means=ANY)
def test_gaps_equal_the_formulas_of_the_papers(definition, factor, means):
    np.testing.assert_array_equal(gaps(means, definition), reference.gaps(means, factor))
