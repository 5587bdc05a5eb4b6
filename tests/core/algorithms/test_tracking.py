"""The steps that many algorithms share."""

import numpy as np
import pytest

from pareto_core.algorithms.tracking import (
    furthest_behind,
    rarest_arm_if_neglected,
    square_root,
)


def test_the_first_arm_is_chosen_on_ties():
    counts = np.array([3, 2, 2])
    assert furthest_behind(np.array([3.0, 3.0, 3.0]), counts) == 1
    assert furthest_behind(np.array([3.5, 2.0, 2.0]), counts) == 0


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
