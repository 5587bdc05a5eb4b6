"""Evidence of PEAK for the best arm."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from references import averaged_capital as reference

from pareto_book.studies.averaged_capital import averaged_capital
from pareto_core.simulation.statistics import rate_interval


def alternating(rewards):
    """Arms in turn, and their rewards; of shape (n, K)."""
    n, n_arms = rewards.shape
    return np.tile(np.arange(n_arms), n), rewards.ravel()


@pytest.mark.parametrize("n_arms", [2, 3])
@pytest.mark.compiled
def test_it_equals_that_of_the_slow_reference(n_arms):
    rewards = np.random.default_rng(n_arms).random((12, n_arms))
    found = averaged_capital(*alternating(rewards), n_arms)
    for n in (1, 4, 12):
        expected = reference.evidence(rewards[:n].T.tolist())
        assert found[n_arms * n - 1] == pytest.approx(expected, rel=1e-9)


@pytest.mark.compiled
def test_the_evidence_at_some_times_is_that_at_these_times():
    arms, rewards = alternating(np.random.default_rng(0).random((6, 2)))
    every = averaged_capital(arms, rewards, 2)
    assert averaged_capital(arms, rewards, 2, [12, 3]).tolist() == every[[11, 2]].tolist()
    assert averaged_capital(arms, rewards, 2, []).size == 0


@pytest.mark.parametrize("times", [[0], [3], [1.5]])
def test_times_without_a_sample_are_refused(times):
    with pytest.raises(ValueError, match=r"times = .*from 1 to 2"):
        averaged_capital([0, 1], [0.5, 0.5], 2, times)


@pytest.mark.parametrize("mean", [Fraction(1, 2), Fraction(1, 5)])
def test_the_capital_against_the_true_mean_is_fair(mean):
    expected = Fraction(0)
    for coins in itertools.product((Fraction(0), Fraction(1)), repeat=6):
        heads = sum(coins)
        chance = mean**heads * (1 - mean) ** (6 - heads)
        found = reference.capital(coins, mean)
        assert found > 0
        expected += chance * found
    assert expected == 1


@pytest.mark.compiled
@pytest.mark.statistical
def test_ties_are_decided_as_rarely_as_promised():
    delta, runs, n_arms, size = 0.2, 400, 2, 400
    rng, wrong, unaveraged = np.random.default_rng(0), 0, 0
    for _ in range(runs):
        coins = (rng.random((size, n_arms)) < 0.5) * 1.0
        nats = averaged_capital(*alternating(coins), n_arms)[n_arms:]
        wrong += nats.max() >= np.log(1 / delta)
        unaveraged += nats.max() >= np.log(1 / delta) - 2.5
    assert rate_interval(wrong, runs)[1] <= delta
    assert rate_interval(unaveraged, runs)[0] > delta  # the test has power


@pytest.mark.compiled
def test_only_a_clear_difference_is_proven():
    rng = np.random.default_rng(1)
    coins = rng.random((600, 3)) < [0.8, 0.5, 0.3]
    assert averaged_capital(*alternating(coins * 1.0), 3)[-1] > np.log(100)
    equal = np.full((50, 2), 0.5)
    assert averaged_capital(*alternating(equal), 2)[-1] < 0.01


@pytest.mark.parametrize(
    ("arms", "rewards", "n_arms", "message"),
    [
        ([0, 1], [0.5, 0.5], 1, "n_arms = 1"),
        ([0, 2], [0.5, 0.5], 2, "arms = .*expected numbers from 0 to 1"),
        ([0.5], [0.5], 2, "arms = "),
        ([0, 1], [0.5, 1.5], 2, "rewards = .*expected 2 numbers"),
        ([0, 1], [0.5], 2, "rewards = "),
    ],
)
def test_invalid_arguments_are_refused(arms, rewards, n_arms, message):
    with pytest.raises(ValueError, match=message):
        averaged_capital(arms, rewards, n_arms)
