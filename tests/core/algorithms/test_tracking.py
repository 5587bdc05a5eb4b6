"""The steps that many algorithms share."""

import numpy as np
import pytest

from pareto_core import Problem, empty_record
from pareto_core.algorithms.tracking import (
    follow_latest,
    follow_sum,
    furthest_behind,
    in_first_round,
    rarest_arm_if_neglected,
    square_root,
)


def record_of(*counts):
    record = empty_record(Problem(len(counts), 2))
    record.counts[:] = counts
    record.time[0] = sum(counts)
    return record


def test_the_first_round_ends_with_as_many_samples_as_arms():
    assert in_first_round(record_of(1, 1, 0))
    assert not in_first_round(record_of(1, 1, 1))


def test_the_first_arm_is_chosen_on_ties():
    counts = np.array([3, 2, 2])
    assert furthest_behind(np.array([3.0, 3.0, 3.0]), counts) == 1
    assert furthest_behind(np.array([3.5, 2.0, 2.0]), counts) == 0


def test_the_sum_of_the_weights_is_tracked():
    targets, counts = np.ones(2), np.array([1, 1])
    weights = np.array([0.25, 0.75])
    chosen = []
    for _ in range(8):
        chosen.append(follow_sum(targets, weights, counts))
        counts[chosen[-1]] += 1
    assert chosen.count(1) == 6
    assert targets.tolist() == [3.0, 7.0]


def test_the_latest_weights_are_tracked():
    targets = np.ones(2)
    assert follow_latest(targets, np.array([0.75, 0.25]), 8, np.array([5, 3])) == 0
    assert targets.tolist() == [6.0, 2.0]


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((1, 1), -1),  # sqrt(2) - 1 < 1
        ((8, 1), 1),  # sqrt(9) - 1 = 2
        ((7, 2), 1),
        ((6, 3), -1),
        ((1, 99, 1), 0),  # the first one on ties
    ],
)
def test_an_arm_with_few_samples_is_neglected(counts, expected):
    least = square_root(sum(counts), len(counts))
    arms = np.arange(len(counts))
    assert rarest_arm_if_neglected(np.array(counts), arms, least) == expected
