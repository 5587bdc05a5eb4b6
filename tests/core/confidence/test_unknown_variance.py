"""Upper bounds on unknown variances."""

import numpy as np
import pytest

from pareto_core.confidence.unknown_variance import (
    GRID,
    VARIANCE_SHARE,
    residual_degrees,
    scale_of,
    variance_grid,
)


def slow_degrees(delta, d, counts):
    """V - q by the formulas of the theorem."""
    own = VARIANCE_SHARE * delta / (2 * d)
    t, sampled = sum(counts), [n for n in counts if n > 0]
    v = max(
        (t / 2 * np.log(1 + 2 * u) - np.log(GRID / own)) / u
        for u in (2.0 ** (1 - level) for level in range(GRID))
    )
    q = 2 * np.log(1 / own) + sum(np.log(1 + n) for n in counts)
    return max(v, 0.0) - q * max((1 + 1 / n for n in sampled), default=0.0)


@pytest.mark.parametrize("delta", [0.5, 0.1, 1e-6])
@pytest.mark.parametrize("counts", [[0, 0], [1, 0], [30, 7], [100, 300, 5], [10**6] * 4])
def test_the_degrees_are_those_of_the_theorem(counts, delta):
    grid = variance_grid(-np.log(delta), 3)
    expected = slow_degrees(delta, 3, counts)
    assert residual_degrees(grid, np.array(counts)) == pytest.approx(expected, rel=1e-12)


def test_without_enough_samples_there_is_no_bound():
    grid = variance_grid(-np.log(0.1), 2)
    for counts in ([0, 0], [1, 1], [5, 5], [20, 20]):
        assert scale_of(grid, np.array(counts), 1.0) == 0
    many = np.array([5000, 5000])
    assert scale_of(grid, many, 0.0) == 0
    assert scale_of(grid, many, np.inf) == 0
    assert 0.9 < scale_of(grid, many, 10_000.0) < 1


def residuals(rng, runs, n_arms, longest):
    """Sums of squares over the variance at each time, and counts; yielded together.

    Most samples go to the arm with the least sum of squares per sample, which makes the variance
    look small.
    """
    counts, means, squares = np.zeros((3, runs, n_arms))
    every = np.arange(runs)
    for time in range(longest):
        least = np.argmin(squares / np.maximum(counts, 1), axis=1)
        arm = np.where(rng.random(runs) < 0.7, least, rng.integers(0, n_arms, runs))
        arm = np.full(runs, time % n_arms) if time < 2 * n_arms else arm
        away = rng.standard_normal(runs) - means[every, arm]
        counts[every, arm] += 1
        means[every, arm] += away / counts[every, arm]
        squares[every, arm] += away**2 * (1 - 1 / counts[every, arm])
        yield counts, squares.sum(axis=1)


@pytest.mark.compiled
@pytest.mark.statistical
def test_a_bound_is_ever_below_the_variance_with_its_share_of_delta_at_most():
    delta, runs, n_arms = 0.8, 2000, 3
    grid = variance_grid(-np.log(delta), 1)
    wrong, wrong_alone = np.zeros((2, runs), bool)
    look = 1
    for time, (counts, squares) in enumerate(
        residuals(np.random.default_rng(0), runs, n_arms, 2500)
    ):
        if time < look:
            continue
        look = 1 + int(1.02 * time)
        degrees = np.array([residual_degrees(grid, each) for each in counts])
        wrong |= squares < degrees
        wrong_alone |= squares < time + 1 - n_arms - 2 * np.sqrt(2 * time)  # two deviations, once
    assert wrong.mean() <= VARIANCE_SHARE * delta
    assert wrong_alone.mean() > VARIANCE_SHARE * delta
