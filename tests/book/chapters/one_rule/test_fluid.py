"""Paths with known means."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.chapters.one_rule import fluid
from pareto_book.chapters.one_rule.cases import Case

SIX = Case("six arms", pc.load_instance("six_arms"))


def test_shares_sum_to_one_and_targets_to_the_time():
    path = fluid.fluid_path(SIX, 200)
    assert np.allclose(path.shares.sum(axis=1), 1)
    assert np.allclose(path.targets.sum(axis=1), path.times)


def test_the_rule_approaches_the_optimum():
    path, optimum = fluid.fluid_path(SIX, 1000), SIX.optimum()
    shown = path.targets[[0, 94, -1]] / path.times[[0, 94, -1], None]
    start, early, late = fluid.relative_distance(SIX, shown, optimum.time)
    assert 0 <= late < 0.005 < early < start
    assert fluid.divergence(optimum.weights, shown[-1]) < 2e-3


def test_a_thin_arm_of_a_second_positive_mean_leaves_at_a_slow_rate():
    """The path of 'is any arm positive?' with means (1, b), as the appendix computes it."""
    b = 0.9
    targets = np.ones(2)
    for _ in range(20_000):
        shares = targets * np.array([1.0, b**2])
        targets += shares / shares.sum()
    assert np.log(targets[1]) / np.log(targets[0]) == pytest.approx(b**2, abs=0.01)


@pytest.mark.parametrize(
    "algorithm",
    [pc.TrackAndStop(forced_exploration=False), pc.TopTwoIDS(forced_exploration=False)],
    ids=["Track-and-Stop", "TopTwoIDS"],
)
def test_kernels_with_known_means_approach_the_optimum(algorithm):
    found = fluid.held_targets(algorithm, SIX.instance, [20, 1000])
    assert np.allclose(found.sum(axis=1), 1)
    early, late = fluid.relative_distance(SIX, found, SIX.optimum().time)
    assert 0 <= late < 0.7 * early
