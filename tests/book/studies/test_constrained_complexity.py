"""Complexities of constrained instances, by the formulas of the paper and by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from references import polyhedron as reference
from references.partitions import instances, labels_of, partition_of

from pareto_book.studies.constrained_complexity import (
    lowest_complexity,
    partition_complexity,
    two_stage_complexity,
)
from pareto_core.geometry.polyhedron import hypercube, orthant

SQUARE = hypercube(2)


def unless_endless(samples):
    """Infinity instead of the rounded complexity of an arm on the boundary."""
    return np.inf if samples > 1e25 else samples


@settings(max_examples=60)
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


NO_ARM = 1 / 2 + 1 / 8 + 1 / (0.25 + 9)


@pytest.mark.parametrize(
    ("means", "lowest", "two_stages"),
    [
        ([[2.0, 2.0], [3.0, 3.0], [1.5, 4.0]], NO_ARM, NO_ARM),  # no arm is feasible
        ([[0.5, 0.5], [2.0, 0.5]], 4 + 1, 4 + 1),  # one arm, with its distance to the boundary
        ([[0.5, 0.5], [0.5, 0.5], [3.0, 3.0]], np.inf, np.inf),  # equal arms
        ([[0.5, 1.0], [0.25, 0.25]], np.inf, np.inf),  # an arm on the boundary
        ([[0.5, 0.5], [0.0, 0.25]], 16 + 16, np.inf),  # a dominated arm on the boundary
    ],
)
def test_special_cases(means, lowest, two_stages):
    assert lowest_complexity(means, SQUARE)[0] == pytest.approx(lowest)
    assert two_stage_complexity(means, SQUARE) == pytest.approx(two_stages)
