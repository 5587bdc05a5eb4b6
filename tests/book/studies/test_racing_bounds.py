"""Bounds on the samples of Racing: hand-made instances, ties, and invalid input."""

import numpy as np
import pytest

from pareto_book.studies.racing_bounds import racing_lower_bound, racing_upper_bound

MEANS_OF_THREE = [[0.0, 0.9], [1.0, 0.0], [-0.5, 0.4]]  # the last is dominated by 0.5


def test_bounds_of_racing_on_a_hand_made_instance():
    # distances of the optimal arms to each other: M(0, 1) = 0.9 and M(1, 0) = 1;
    # to the dominated arm: M(2, 0) = 0 and M(2, 1) = 0.4, plus twice 0.5
    delta, n_means = 0.05, 6
    gaps = np.array([0.9, 0.9, 0.5])
    expected = (4320 / gaps**2 * np.log(12 * n_means / (delta * gaps))).sum()
    assert racing_upper_bound(MEANS_OF_THREE, delta) == pytest.approx(expected, rel=1e-12)
    expected = (1 / gaps**2).sum() * np.log(1 / delta)
    assert racing_lower_bound(MEANS_OF_THREE, delta) == pytest.approx(expected, rel=1e-12)


def test_accuracy_replaces_smaller_gaps_in_the_bounds():
    gaps = np.array([0.9, 0.9, 0.7])
    expected = (10 / gaps**2 * np.log(12 * 6 / (0.1 * gaps))).sum()
    assert racing_upper_bound(MEANS_OF_THREE, 0.1, 0.7, constant=10) == pytest.approx(expected)
    expected = (np.log(10) / gaps**2).sum()
    assert racing_lower_bound(MEANS_OF_THREE, 0.1, 0.7) == pytest.approx(expected)


def test_lower_bound_ignores_the_distance_of_optimal_arms_to_dominated_arms():
    means = [[0.0, 5.0], [5.0, 0.0], [-0.1, 4.9]]  # gap of arm 0: 2 * 0.1, its distance 5
    expected = (2 / 5**2 + 1 / 0.1**2) * np.log(10)
    assert racing_lower_bound(means, 0.1) == pytest.approx(expected, rel=1e-12)


def test_bounds_of_racing_are_infinite_on_ties_and_finite_with_an_accuracy():
    tied = [[1.0, 1.0], [1.0, 1.0], [0.0, 2.0]]
    assert racing_upper_bound(tied, 0.1) == np.inf
    assert racing_lower_bound(tied, 0.1) == np.inf
    assert np.isfinite(racing_upper_bound(tied, 0.1, 0.5))
    assert np.isfinite(racing_lower_bound(tied, 0.1, 0.5))


@pytest.mark.parametrize("bound", [racing_upper_bound, racing_lower_bound])
def test_bounds_of_racing_refuse_invalid_input(bound):
    for arguments, name in (
        (([[1.0]], 0.1), "means"),
        ((MEANS_OF_THREE, 1.0), "delta"),
        ((MEANS_OF_THREE, 0.1, -0.1), "epsilon"),
    ):
        with pytest.raises(ValueError, match=name):
            bound(*arguments)
