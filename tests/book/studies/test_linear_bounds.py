"""Complexities of the linear model, against their formulas written out arm by arm."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from references import pareto as reference
from references.judged_arms import TIED

from pareto_book.studies.linear_bounds import gap_complexity


@given(TIED, st.integers(1, 7) | st.none())
def test_complexities_are_those_of_the_smallest_gaps(means, dimension):
    gap = sorted(reference.gaps(np.asarray(means), 1.0))[:dimension]
    found = gap_complexity(means, dimension)
    if gap[0] == 0:
        assert found == (math.inf, math.inf)
    else:
        assert found.h1 == pytest.approx(sum(1 / g**2 for g in gap))
        assert found.h2 == pytest.approx(max((i + 1) / g**2 for i, g in enumerate(gap)))
