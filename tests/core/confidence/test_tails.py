"""Tails of the normal distribution and of Student's t, beside SciPy's."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import example, given
from hypothesis import strategies as st

from pareto_core import kernel
from pareto_core.confidence.tails import normal_tail, student_tail


@kernel
def normal(z):
    return normal_tail(z)


@given(st.floats(-1e3, 1e3), st.integers(1, 100_000))
@example(1.7, 100_000)
@example(0.0, 1)
@example(1e-9, 3)
def test_students_tail_is_scipys(z, freedom):
    assert student_tail(z, freedom) == pytest.approx(scipy.stats.t.sf(z, freedom), 1e-8, 1e-250)


@given(st.floats(-1e3, 1e3))
def test_the_normal_tail_is_scipys(z):
    assert normal(z) == pytest.approx(scipy.stats.norm.sf(z), 1e-12, 1e-300)


@pytest.mark.parametrize("freedom", [1, 7, 1000])
def test_tails_at_infinity(freedom):
    assert student_tail(np.inf, freedom) == 0.0 and student_tail(-np.inf, freedom) == 1.0
    assert normal(np.inf) == 0.0 and normal(-np.inf) == 1.0
