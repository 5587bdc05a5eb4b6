"""Confidence sequences of bounded rewards: printed values, slow references, coverage."""

import math
from fractions import Fraction

import numpy as np
import pytest
from references import bounded_means as reference

from pareto_core.confidence.betting import CELLS, bet, narrow_by_wealth
from pareto_core.confidence.bounded_means import BOUNDARIES, add_reward, bounded_means, estimate
from pareto_core.simulation.statistics import rate_interval

TEN = [0.2, 0.6, 0.4, 0.5, 0.3, 0.7, 0.45, 0.55, 0.35, 0.65]
STREAMS = {
    "coin": lambda rng, shape: (rng.random(shape) < 0.5) * 1.0,
    "rare": lambda rng, shape: (rng.random(shape) < 0.05) * 1.0,
    "uniform": lambda rng, shape: rng.random(shape),
    "beta": lambda rng, shape: rng.beta(2, 5, shape),
}
MEANS = {"coin": 0.5, "rare": 0.05, "uniform": 0.5, "beta": 2 / 7}
PRINTED = [  # time, estimate, and the interval of that time alone
    ("betting", 10, 0.468, 0.239222, 0.727551),
    ("betting", 100, 0.468, 0.421852, 0.518503),
    ("empirical_bernstein", 100, 0.47, 0.386749, 0.553251),
    ("hoeffding", 100, 0.467357, 0.315586, 0.619129),
]


def sequence_after(boundary, rewards, risk):
    """Sequence after these rewards."""
    kind = BOUNDARIES.index(boundary)
    sequence = bounded_means(1, kind)
    for reward in rewards:
        add_reward(kind, math.log(2 / risk), sequence, 0, reward)
    return sequence


def betting_at_the_last(rewards, risk):
    """Interval that the kernels compute from the last step alone."""
    grid = (*np.zeros((2, 2, CELLS + 1)), np.zeros((2, CELLS)), np.array([0, CELLS]))
    for reward, stake in zip(rewards, reference.bets(rewards, risk), strict=True):
        bet(*grid, stake, reward)
    return narrow_by_wealth(*grid, math.log(2 / risk))


@pytest.mark.parametrize(("boundary", "time", "centre", "low", "high"), PRINTED)
def test_intervals_equal_the_printed_ones(boundary, time, centre, low, high):
    rewards = (TEN * 10)[:time]
    expected = pytest.approx((centre, low, high), abs=6e-7)
    assert reference.INTERVALS[boundary](rewards, 0.05) == expected
    if boundary == "betting":
        assert betting_at_the_last(rewards, 0.05) == pytest.approx((low, high), abs=6e-7)
    kind, sequence = BOUNDARIES.index(boundary), sequence_after(boundary, rewards, 0.05)
    assert estimate(kind, sequence, 0) == pytest.approx(centre, abs=6e-7)
    assert low - 1e-6 <= sequence.lower[0] < sequence.upper[0] <= high + 1e-6


@pytest.mark.parametrize("boundary", BOUNDARIES)
@pytest.mark.parametrize("stream", STREAMS)
def test_sequences_equal_those_of_the_slow_reference(stream, boundary):
    rng = np.random.default_rng(3)
    kind = BOUNDARIES.index(boundary)
    for size, risk in [(1, 0.5), (4, 0.05), (12, 1e-3), (40, 0.01)]:
        rewards = STREAMS[stream](rng, size).tolist()
        sequence = sequence_after(boundary, rewards, risk)
        centre = reference.INTERVALS[boundary](rewards, risk)[0]
        expected = reference.known(boundary, rewards, risk)
        assert (sequence.lower[0], sequence.upper[0]) == pytest.approx(expected, abs=1e-4)
        assert estimate(kind, sequence, 0) == pytest.approx(centre, abs=1e-9)


def drawn_rewards(size, draws):
    """Rewards and a risk, from every kind of stream."""
    rng = np.random.default_rng(size)
    for draw in STREAMS.values():
        for _ in range(draws):
            yield draw(rng, size).tolist(), 10.0 ** -rng.uniform(0.3, 6)


def exact_capital(rewards, stakes, candidate):
    """Capital against a candidate, from above, in rational arithmetic."""
    capital = Fraction(1)
    for reward, stake in zip(rewards, stakes, strict=True):
        capital *= 1 + min(Fraction(stake), Fraction(1, 2) / candidate) * (reward - candidate)
    return capital


@pytest.mark.parametrize("size", [1, 2, 3, 5, 10, 20, 40])
@pytest.mark.compiled
def test_candidates_outside_an_interval_are_rejected_in_exact_arithmetic(size):
    ends = 0
    for rewards, risk in drawn_rewards(size, 25):
        low, high = betting_at_the_last(rewards, risk)
        stakes, exact = reference.bets(rewards, risk), [Fraction(each) for each in rewards]
        if 0 < low <= high:
            assert exact_capital(exact, stakes, Fraction(low)) >= 2 / Fraction(risk)
            ends += 1
        if low <= high < 1:
            losses = [1 - each for each in exact]
            assert exact_capital(losses, stakes, 1 - Fraction(high)) >= 2 / Fraction(risk)
            ends += 1
    assert ends >= min(size, 10)


@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_an_interval_is_kept_if_the_next_one_is_disjoint(boundary):
    sequence = sequence_after(boundary, [0.0] * 500 + [1.0] * 3000, 0.5)
    assert 0 <= sequence.lower[0] <= sequence.upper[0] <= 1


@pytest.mark.compiled
@pytest.mark.statistical
@pytest.mark.parametrize("boundary", BOUNDARIES)
@pytest.mark.parametrize("stream", STREAMS)
def test_means_are_covered_at_all_times(stream, boundary):
    risk, runs, time = 0.2, 300, 150
    rewards = STREAMS[stream](np.random.default_rng(0), (runs, time))
    missed = 0
    for each in rewards:
        sequence = sequence_after(boundary, each, risk)
        missed += not sequence.lower[0] <= MEANS[stream] <= sequence.upper[0]
    assert rate_interval(missed, runs)[1] <= risk
    times = np.arange(1, time + 1)
    half = np.sqrt(math.log(2 / risk) / (2 * times))  # Hoeffding's bound at a fixed time
    away = np.abs(rewards.cumsum(axis=1) / times - MEANS[stream])
    if stream == "coin":
        assert (away > half).any(axis=1).mean() > risk
