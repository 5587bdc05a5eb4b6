"""Bounds of the linear model, against their formulas written out arm by arm."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from references import pareto as reference

from pareto_book.studies import linear_bounds as lb


def ascending(means):
    return sorted(reference.gaps(np.asarray(means), 1.0))


def instances():
    numbers = st.floats(-2, 2, allow_nan=False).map(lambda x: round(x, 2))
    return st.integers(1, 3).flatmap(
        lambda d: st.lists(st.lists(numbers, min_size=d, max_size=d), min_size=2, max_size=7)
    )


@given(instances(), st.integers(1, 7))
def test_complexities_are_those_of_the_smallest_gaps(means, dimension):
    for number, found in (
        (len(means), lb.gap_complexity(means)),
        (min(dimension, len(means)), lb.gap_complexity(means, dimension)),
    ):
        gap = ascending(means)[:number]
        if gap[0] == 0:
            assert found == (math.inf, math.inf)
            continue
        assert found.h1 == pytest.approx(sum(1 / g**2 for g in gap))
        assert found.h2 == pytest.approx(max((i + 1) / g**2 for i, g in enumerate(gap)))
