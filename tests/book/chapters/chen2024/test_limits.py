"""Exact characteristic times, and what the samples of BASELINE tend to."""

import numpy as np
import pytest

from pareto_book.chapters.chen2024 import limits

PROGRAMS = np.arange(1, 21)
REACHED = np.array([1 - 0.5 / PROGRAMS, 1 - 0.9 / PROGRAMS])  # the lack halves as ITER doubles


def test_limits_of_the_baseline_over_those_of_mobai():
    found = limits.limit_ratios(REACHED, np.array([1.1, 1.2]))
    assert found["limit5_least"] == pytest.approx(1 / 0.9 / 1.1)
    assert found["limit5_most"] == pytest.approx(1 / 0.82 / 1.2)


def test_exact_times_are_certified():
    found = limits.complexities({"two arms": np.array([[0.5], [0.0]])}, eta=0.1)
    assert found["c*"][0] == pytest.approx(32)
    assert found["certified gap"][0] <= 1e-9
    assert 1 <= found["floor / c*"][0] <= 1.1
