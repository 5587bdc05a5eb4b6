"""Complexities of constrained instances and of the linear model, by the formulas of the papers."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references import pareto
from references import polyhedron as reference
from references.judged_arms import TIED
from references.partitions import instances, labels_of, partition_of

from pareto_book.studies.constrained_complexity import (
    lowest_complexity,
    partition_complexity,
    two_stage_complexity,
)
from pareto_book.studies.linear_bounds import gap_complexity
from pareto_core.geometry.polyhedron import orthant


def unless_endless(samples):
    """Infinity instead of the rounded complexity of an arm on the boundary."""
    return np.inf if samples > 1e25 else samples


@settings(max_examples=90)
@given(instances())
def test_complexities_equal_the_formulas_of_the_paper(instance):
    means, region = instance
    expected = {}
    for labels in reference.valid_partitions(means, region):
        value = unless_endless(reference.partition_complexity(means, region, labels, 1.0, 1.0))
        found = partition_complexity(means, region, partition_of(labels))
        assert unless_endless(found) == pytest.approx(value, rel=1e-10)
        expected[labels] = value
    lowest, best = lowest_complexity(means, region)
    assert unless_endless(lowest) == pytest.approx(min(expected.values()), rel=1e-10)
    assert expected[labels_of(best, len(means))] == pytest.approx(unless_endless(lowest), rel=1e-10)
    value = unless_endless(reference.two_stage_complexity(means, region, 1.0, 1.0))
    assert unless_endless(two_stage_complexity(means, region)) == pytest.approx(value, rel=1e-10)


def test_the_cheaper_reason_is_chosen():
    value, best = lowest_complexity([[1.0, 1.0], [-0.01, 0.0], [0.0, -3.0]], orthant([0.0, 0.0]))
    assert labels_of(best, 3) == ("O", "S", "I")
    assert value == pytest.approx(1 + 1 + 1 / 9)


@given(TIED, st.integers(1, 7) | st.none())
def test_complexities_of_the_linear_model_are_those_of_the_smallest_gaps(means, dimension):
    gap = sorted(pareto.gaps(np.asarray(means), 1.0))[:dimension]
    found = gap_complexity(means, dimension)
    if gap[0] == 0:
        assert found == (math.inf, math.inf)
    else:
        assert found.h1 == pytest.approx(sum(1 / g**2 for g in gap))
        assert found.h2 == pytest.approx(max((i + 1) / g**2 for i, g in enumerate(gap)))
