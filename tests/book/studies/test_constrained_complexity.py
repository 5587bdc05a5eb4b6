"""Complexities of constrained instances, by the formulas of the paper and by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references import polyhedron as reference
from references.partitions import instances, labels_of, partition_of

from pareto_book.studies.constrained_complexity import (
    lowest_complexity,
    partition_complexity,
    two_stage_complexity,
)
from pareto_core.geometry.polyhedron import hypercube, orthant

SQUARE = hypercube(2)
VARIANCES = st.sampled_from([0.25, 1.0, 3.0])


def unless_endless(samples):
    """Infinity instead of the rounded complexity of an arm on the boundary."""
    return np.inf if samples > 1e25 else samples


@settings(max_examples=60)
@given(instances(), VARIANCES, VARIANCES)
def test_complexities_equal_the_formulas_of_the_paper(instance, variance, norm_variance):
    means, region = instance
    answers = sorted(reference.valid_partitions(means, region))
    expected = [
        unless_endless(
            reference.partition_complexity(means, region, labels, variance, norm_variance)
        )
        for labels in answers
    ]
    for labels, value in zip(answers, expected, strict=True):
        found = partition_complexity(means, region, partition_of(labels), variance, norm_variance)
        assert unless_endless(found) == pytest.approx(value, rel=1e-10)
    lowest, best = lowest_complexity(means, region, variance, norm_variance)
    lowest = unless_endless(lowest)
    assert lowest == pytest.approx(min(expected), rel=1e-10)
    chosen = expected[answers.index(labels_of(best, len(means)))]
    assert chosen == pytest.approx(lowest, rel=1e-10)
    both = unless_endless(two_stage_complexity(means, region, variance, norm_variance))
    value = unless_endless(reference.two_stage_complexity(means, region, variance, norm_variance))
    assert both == pytest.approx(value, rel=1e-10)


def test_the_cheaper_reason_is_chosen():
    means = [[1.0, 1.0], [-0.01, 0.0], [0.0, -3.0]]
    value, best = lowest_complexity(means, orthant([0.0, 0.0]), 1.0)
    assert labels_of(best, 3) == ("O", "S", "I")
    assert value == pytest.approx(1 + 1 + 1 / 9)
    _, best = lowest_complexity(means, orthant([0.0, 0.0]), 1.0, 1e-9)
    assert labels_of(best, 3) == ("O", "I", "I")


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
