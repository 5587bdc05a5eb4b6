"""The Pareto set of the feasible arms, and valid partitions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references import polyhedron as reference
from references.partitions import instances, labels_of, partition_of

from pareto_core.geometry.partition import (
    Partition,
    constrained_pareto_set,
    is_valid_partition,
    valid_partitions,
)
from pareto_core.geometry.polyhedron import hypercube

SQUARE = hypercube(2)
#        optimal     optimal     below       below, outside outside
MEANS = [[0.5, 0.5], [0.2, 0.9], [0.1, 0.1], [-1.0, -2.0], [2.0, 2.0]]


@pytest.mark.slow
@settings(max_examples=100)
@given(instances(), st.lists(st.sampled_from("OSI"), min_size=4, max_size=4))
def test_pareto_set_and_valid_partitions_follow_the_definitions(instance, labels):
    means, region = instance
    valid = reference.valid_partitions(means, region)
    front = reference.constrained_pareto_set(means, region)
    assert constrained_pareto_set(means, region).tolist() == front
    answers = [labels_of(answer, len(means)) for answer in valid_partitions(means, region)]
    assert len(answers) == len(set(answers))
    assert set(answers) == valid
    for candidate in [tuple(labels[: len(means)]), *valid]:
        right = is_valid_partition(means, region, partition_of(candidate))
        assert right == (candidate in valid)
    infeasible = set(range(len(means))) - set(reference.feasible_arms(means, region))
    assert set(partition_of(answers[0]).infeasible) == infeasible
    for part in valid_partitions(means, region)[-1]:
        assert part.tolist() == sorted(part.tolist())


@pytest.mark.parametrize("n_both", [10, 17, 40])
def test_too_many_valid_partitions_are_not_enumerated(n_both):
    below = -1.0 - np.random.default_rng(0).random((n_both, 2))
    means = np.vstack([[0.5, 0.5], below])
    if n_both <= 16:
        assert len(valid_partitions(means, SQUARE)) == 2**n_both
    else:
        with pytest.raises(ValueError, match=f"^means: {n_both} arms are both .* at most 16"):
            valid_partitions(means, SQUARE)
    infeasible = Partition([0], [], np.arange(1, n_both + 1))
    assert is_valid_partition(means, SQUARE, infeasible)


@pytest.mark.parametrize(
    "partition",
    [
        None,
        5,
        ([0, 1], [2, 3, 4]),
        ([0, 1], [2], [3], [4]),
        Partition([0, 0, 1], [2], [3, 4]),
        *(Partition([0, 1], [2], each) for each in ([3], [3, -1], [3, 4.5], [3, np.nan], "ab")),
        Partition([[0, 1]], [2], [3, 4]),
        Partition([0, [1]], [2], [3, 4]),
    ],
)
def test_partitions_must_contain_every_arm_once(partition):
    with pytest.raises(ValueError, match=r"^partition = .*exactly once"):
        is_valid_partition(MEANS, SQUARE, partition)


@pytest.mark.parametrize("right", [([1, 0], (2,), [4, 3]), (np.arange(2), np.array([2]), [3, 4])])
def test_partitions_may_be_plain_tuples_in_any_order(right):
    assert is_valid_partition(MEANS, SQUARE, right)
    assert is_valid_partition(MEANS[:2], SQUARE, ([0, 1], [], []))


@pytest.mark.parametrize(
    "function",
    [
        constrained_pareto_set,
        valid_partitions,
        lambda means, region: is_valid_partition(means, region, ([0, 1], [2], [3, 4])),
    ],
)
def test_means_and_polyhedron_are_checked(function):
    with pytest.raises(ValueError, match=r"^means"):
        function([[1.0, 2.0]], SQUARE)
    with pytest.raises(ValueError, match=r"^polyhedron = None; expected a Polyhedron"):
        function(MEANS, None)
    with pytest.raises(ValueError, match=r"^polyhedron has 3 objectives; expected 2"):
        function(MEANS, hypercube(3))
