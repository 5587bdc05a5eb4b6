"""The Pareto set of the feasible arms, valid partitions and their complexity."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from references import polyhedron as reference

from pareto_book.studies.constrained_complexity import (
    lowest_complexity,
    partition_complexity,
    two_stage_complexity,
)
from pareto_core import gaps, pareto_set
from pareto_core.geometry.partition import (
    Partition,
    constrained_pareto_set,
    is_valid_partition,
    valid_partitions,
)
from pareto_core.geometry.polyhedron import Polyhedron, hypercube, ordered_cone, orthant, simplex

SQUARE = hypercube(2)
EVERYTHING = Polyhedron(np.empty((0, 2)), [])
#        optimal     optimal     below       below, outside outside
MEANS = [[0.5, 0.5], [0.2, 0.9], [0.1, 0.1], [-1.0, -2.0], [2.0, 2.0]]
RIGHT = Partition([0, 1], [2], [3, 4])


@st.composite
def instances(draw, most=4):
    """Means on a grid, many of them equal or on the boundary, and a region with integer rows."""
    d = draw(st.integers(1, 3))
    means = draw(
        arrays(
            float, (draw(st.integers(2, most)), d), elements=st.integers(-3, 3).map(lambda x: x / 2)
        )
    )
    A = draw(arrays(float, (draw(st.integers(0, 3)), d), elements=st.integers(-2, 2)))
    b = draw(arrays(float, len(A), elements=st.sampled_from([1.0, 2.0])))
    return means, Polyhedron(A, b)


VARIANCES = st.sampled_from([0.25, 1.0, 3.0])


def unless_endless(samples):
    """Infinity instead of the rounded complexity of an arm on the boundary."""
    return np.inf if samples > 1e25 else samples


def labels_of(partition, n_arms):
    labels = np.full(n_arms, "?")
    for label, arms in zip("OSI", partition, strict=True):
        labels[arms] = label
    return tuple(labels.tolist())


def partition_of(labels):
    return Partition(*([i for i, own in enumerate(labels) if own == label] for label in "OSI"))


@pytest.mark.slow
@settings(max_examples=100)
@given(instances())
def test_pareto_set_and_valid_partitions_follow_the_definitions(instance):
    means, region = instance
    assert constrained_pareto_set(means, region).tolist() == (
        reference.constrained_pareto_set(means, region)
    )
    answers = [labels_of(answer, len(means)) for answer in valid_partitions(means, region)]
    assert len(answers) == len(set(answers))
    assert set(answers) == reference.valid_partitions(means, region)
    feasible = reference.feasible_arms(means, region)
    assert partition_of(answers[0]).infeasible == [
        i for i in range(len(means)) if i not in feasible
    ]
    for part in valid_partitions(means, region)[-1]:
        assert part.tolist() == sorted(part.tolist())


@pytest.mark.slow
@given(instances(), st.lists(st.sampled_from("OSI"), min_size=4, max_size=4))
def test_a_labelling_is_valid_if_the_definitions_allow_it(instance, labels):
    means, region = instance
    answers = reference.valid_partitions(means, region)
    for candidate in [tuple(labels[: len(means)]), *answers]:
        right = is_valid_partition(means, region, partition_of(candidate))
        assert right == (candidate in answers)


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


def test_an_example_by_hand():
    # Gaps among 0, 1, 2: arm 2 is 0.4 below arm 0; 0 and 1 are 0.3 apart. To the boundary: 0.5,
    # 0.1, 0.1 and sqrt(5), sqrt(2).
    assert constrained_pareto_set(MEANS, SQUARE).tolist() == [0, 1]
    first, second = valid_partitions(MEANS, SQUARE)
    assert [part.tolist() for part in first] == [[0, 1], [2], [3, 4]]
    assert [part.tolist() for part in second] == [[0, 1], [2, 3], [4]]
    front = max(1 / 0.5**2, 1 / 0.3**2) + max(1 / 0.1**2, 1 / 0.3**2)
    expected = front + 1 / 0.4**2 + 1 / 5 + 1 / 2
    assert partition_complexity(MEANS, SQUARE, first) == pytest.approx(expected)
    larger = front + 1 / 0.4**2 + 1 / 1.5**2 + 1 / 2  # arm 3 is 1.5 below arm 0
    assert partition_complexity(MEANS, SQUARE, second) == pytest.approx(larger)
    value, best = lowest_complexity(MEANS, SQUARE)
    assert value == pytest.approx(expected)
    assert labels_of(best, 5) == ("O", "O", "S", "I", "I")
    both = 1 / 0.5**2 + 2 / 0.1**2 + 1 / 5 + 1 / 2 + 2 / 0.3**2 + 1 / 0.4**2
    assert two_stage_complexity(MEANS, SQUARE) == pytest.approx(both)


def test_the_cheaper_reason_is_chosen():
    means = [[1.0, 1.0], [-0.01, 0.0], [0.0, -3.0]]
    value, best = lowest_complexity(means, orthant([0.0, 0.0]), 1.0)
    assert labels_of(best, 3) == ("O", "S", "I")
    assert value == pytest.approx(1 + 1 + 1 / 9)
    _, best = lowest_complexity(means, orthant([0.0, 0.0]), 1.0, 1e-9)
    assert labels_of(best, 3) == ("O", "I", "I")


def test_variances_scale_the_right_terms():
    value = partition_complexity(MEANS, SQUARE, RIGHT, 4.0, 0.25)
    expected = 4 / 0.3**2 + max(0.25 / 0.1**2, 4 / 0.3**2) + 4 / 0.4**2 + 0.25 * (1 / 5 + 1 / 2)
    assert value == pytest.approx(expected)
    assert partition_complexity(MEANS, SQUARE, RIGHT, 4.0) == pytest.approx(
        4 * partition_complexity(MEANS, SQUARE, RIGHT)
    )
    assert lowest_complexity(MEANS, SQUARE, 4.0, 0.25)[0] == pytest.approx(expected)


def test_no_feasible_arm():
    means = [[2.0, 2.0], [3.0, 3.0], [1.5, 4.0]]
    assert constrained_pareto_set(means, SQUARE).tolist() == []
    (answer,) = valid_partitions(means, SQUARE)
    assert [part.tolist() for part in answer] == [[], [], [0, 1, 2]]
    expected = 1 / 2 + 1 / 8 + 1 / (0.25 + 9)
    assert lowest_complexity(means, SQUARE)[0] == pytest.approx(expected)
    assert two_stage_complexity(means, SQUARE) == pytest.approx(expected)


def test_one_feasible_arm_contributes_only_its_distance_to_the_boundary():
    means = [[0.5, 0.5], [2.0, 0.5]]
    assert constrained_pareto_set(means, SQUARE).tolist() == [0]
    assert lowest_complexity(means, SQUARE)[0] == pytest.approx(4 + 1)
    assert two_stage_complexity(means, SQUARE) == pytest.approx(4 + 1)


def test_without_constraints_all_arms_count_as_feasible():
    means = np.random.default_rng(0).normal(size=(30, 2))
    assert constrained_pareto_set(means, EVERYTHING).tolist() == pareto_set(means).tolist()
    (answer,) = valid_partitions(means, EVERYTHING)
    assert answer.infeasible.size == 0
    expected = (1 / gaps(means) ** 2).sum()
    assert partition_complexity(means, EVERYTHING, answer) == pytest.approx(expected)
    assert two_stage_complexity(means, EVERYTHING) == pytest.approx(expected)


def test_all_arms_are_optimal():
    means = [[0.1, 0.6], [0.4, 0.4], [0.6, 0.1]]
    (answer,) = valid_partitions(means, simplex(2, 2.0))
    assert labels_of(answer, 3) == ("O", "O", "O")


def test_an_arm_that_only_an_infeasible_arm_dominates_is_optimal():
    assert constrained_pareto_set([[0.5, 0.5], [2.0, 2.0]], SQUARE).tolist() == [0]
    assert constrained_pareto_set([[0.0, 1.0], [2.0, 1.0]], ordered_cone(2)).tolist() == [0]


def test_equal_arms_are_optimal_with_infinite_complexity():
    means = [[0.5, 0.5], [0.5, 0.5], [3.0, 3.0]]
    assert constrained_pareto_set(means, SQUARE).tolist() == [0, 1]
    assert lowest_complexity(means, SQUARE)[0] == np.inf
    assert two_stage_complexity(means, SQUARE) == np.inf


def test_an_arm_on_the_boundary_is_feasible_with_infinite_complexity():
    means = [[0.5, 1.0], [0.25, 0.25]]
    assert constrained_pareto_set(means, SQUARE).tolist() == [0]
    (answer,) = valid_partitions(means, SQUARE)
    assert lowest_complexity(means, SQUARE)[0] == np.inf
    # the boundary does not matter for a dominated arm, unless its feasibility is in question
    means = [[0.5, 0.5], [0.0, 0.25]]
    assert lowest_complexity(means, SQUARE)[0] == pytest.approx(16 + 16)
    assert two_stage_complexity(means, SQUARE) == np.inf
    assert answer.dominated.tolist() == [1]


@pytest.mark.parametrize("n_both", [10, 17, 40])
def test_too_many_valid_partitions_are_not_enumerated(n_both):
    below = -1.0 - np.random.default_rng(0).random((n_both, 2))
    means = np.vstack([[0.5, 0.5], below])
    if n_both <= 16:
        assert len(valid_partitions(means, SQUARE)) == 2**n_both
    else:
        for function in (valid_partitions, lowest_complexity):
            with pytest.raises(ValueError, match=f"^means: {n_both} arms are both .* at most 16"):
                function(means, SQUARE)
    infeasible = Partition([0], [], np.arange(1, n_both + 1))
    assert is_valid_partition(means, SQUARE, infeasible)
    assert partition_complexity(means, SQUARE, infeasible) < np.inf


@pytest.mark.parametrize(
    "partition",
    [
        None,
        5,
        ([0, 1], [2, 3, 4]),
        ([0, 1], [2], [3], [4]),
        Partition([0, 1], [2], [3]),
        Partition([0, 1], [2], [3, 3]),
        Partition([0, 0, 1], [2], [3, 4]),
        Partition([0, 1], [2], [3, -1]),
        Partition([0, 1], [2], [3, 5]),
        Partition([0, 1], [2], [3, 4.5]),
        Partition([0, 1], [2], [3, np.nan]),
        Partition([0, 1], [2], [3, 1e30]),
        Partition([0, 1], [2], ["a", "b"]),
        Partition([[0, 1]], [2], [3, 4]),
        Partition([0, [1]], [2], [3, 4]),
    ],
)
@pytest.mark.parametrize("function", [is_valid_partition, partition_complexity])
def test_partitions_must_contain_every_arm_once(function, partition):
    with pytest.raises(ValueError, match=r"^partition = .*exactly once"):
        function(MEANS, SQUARE, partition)


@pytest.mark.parametrize("wrong", ["OSSII", "OOOII", "OOISI", "SOSII", "OOSSS", "IOSII", "OOSIO"])
def test_invalid_partitions_have_no_complexity(wrong):
    assert not is_valid_partition(MEANS, SQUARE, partition_of(wrong))
    with pytest.raises(ValueError, match=r"^partition = .*expected a valid partition"):
        partition_complexity(MEANS, SQUARE, partition_of(wrong))


def test_partitions_may_be_plain_tuples_in_any_order():
    expected = partition_complexity(MEANS, SQUARE, RIGHT)
    for partition in [([1, 0], (2,), [4, 3]), tuple(map(np.array, RIGHT))]:
        assert is_valid_partition(MEANS, SQUARE, partition)
        assert partition_complexity(MEANS, SQUARE, partition) == expected
    assert partition_complexity(MEANS[:2], SQUARE, ([0, 1], [], [])) < np.inf


FUNCTIONS = {
    "constrained_pareto_set": constrained_pareto_set,
    "valid_partitions": valid_partitions,
    "is_valid_partition": lambda *arguments: is_valid_partition(*arguments, RIGHT),
    "partition_complexity": lambda *arguments: partition_complexity(*arguments, RIGHT),
    "lowest_complexity": lowest_complexity,
    "two_stage_complexity": two_stage_complexity,
}


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_means_and_polyhedron_are_checked(function):
    for means in ([1.0, 2.0], [[1.0, 2.0]], [[np.nan, 0.0], [1.0, 2.0]], None):
        with pytest.raises(ValueError, match=r"^means"):
            function(means, SQUARE)
    for region in (None, "square", (SQUARE.A, SQUARE.b)):
        with pytest.raises(ValueError, match=r"^polyhedron = (.|\n)*expected a Polyhedron"):
            function(MEANS, region)
    with pytest.raises(ValueError, match=r"^polyhedron has 3 objectives; expected 2"):
        function(MEANS, hypercube(3))


@pytest.mark.parametrize("value", [0.0, -1.0, np.nan, np.inf, "1"])
def test_variances_are_checked(value):
    for function in (lowest_complexity, two_stage_complexity):
        with pytest.raises(ValueError, match=r"^variance_bound = "):
            function(MEANS, SQUARE, value)
        with pytest.raises(ValueError, match=r"^norm_variance_bound = "):
            function(MEANS, SQUARE, 1.0, value)
