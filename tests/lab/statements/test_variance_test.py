"""The test of stated standard deviations: its mathematics, its false alarms and its power."""

import numpy as np
import pytest
from scipy.integrate import quad

from pareto_core.confidence.noise_kinds import EQUAL
from pareto_core.confidence.unknown_variance import residual_degrees, variance_grid
from pareto_core.simulation.statistics import rate_interval
from pareto_lab.statements.data_warnings import least_samples
from pareto_lab.statements.variance_test import log_variance_evidence, variance_test

RISK = 0.05
RUNS = 400


class Arms:
    """Counts, averages and sums of squares of rewards with mean zero."""

    def __init__(self, n_arms, draw):
        self.counts, self.means = np.zeros(n_arms, int), np.zeros(n_arms)
        self.squares, self._draw = np.zeros((n_arms, 1)), draw

    def sample(self, arm):
        step = self._draw() - self.means[arm]
        self.counts[arm] += 1
        self.means[arm] += step / self.counts[arm]
        self.squares[arm] += step**2 * (1 - 1 / self.counts[arm])

    def found(self, level=RISK):
        return variance_test(self.counts[:, None], self.squares, level)


def farthest(arms, rng):
    """Of the arms with one sample, the one whose average is farthest from the truth."""
    return np.argmax(np.where(arms.counts == 1, np.abs(arms.means), -1.0))


def best(arms, rng):
    return arms.means.argmax()


def at_random(arms, rng):
    return rng.integers(len(arms.counts))


def is_ever_refuted(rule, n_arms, number, seed):
    """Whether a true statement is refuted at any time, looking after every sample."""
    rng = np.random.default_rng([seed, n_arms])
    arms = Arms(n_arms, rng.standard_normal)
    for arm in range(n_arms):
        arms.sample(arm)
    for _ in range(number):
        arms.sample(rule(arms, rng))
        if arms.found().is_refuted[0]:
            return True
    return False


@pytest.mark.parametrize(
    ("samples", "squares"), [(0, 1e-9), (3, 2.0), (10, 50.0), (200, 150.0), (200, 260.0)]
)
def test_the_closed_form_is_the_integral(samples, squares):
    def integrand(x):
        return (1 - x) ** (samples / 2) * np.exp(x * squares / 2)

    expected = np.log(quad(integrand, 0, 1)[0])
    assert log_variance_evidence(samples, squares) == pytest.approx(expected, abs=1e-8)


def test_extreme_sums_give_no_nan_and_no_warning():
    evidence = log_variance_evidence([0, 1, 10**9, 10**9, 5], [0.0, 0.0, 1e3, 1e12, np.inf])
    assert not np.isnan(evidence).any()
    assert evidence[2] == -np.inf
    assert (evidence[3:] > 1e10).all()


@pytest.mark.statistical
@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "n_arms", "number"), [(farthest, 60, 20), (best, 5, 50), (at_random, 3, 50)]
)
def test_true_statements_are_rarely_refuted_whatever_chooses_the_arms(rule, n_arms, number):
    wrong = sum(is_ever_refuted(rule, n_arms, number, seed) for seed in range(RUNS))
    assert rate_interval(wrong, RUNS)[1] <= RISK


@pytest.mark.statistical
@pytest.mark.parametrize(("deviation", "most"), [(3.0, 30), (300.0, 6)])
def test_understated_noise_is_refuted_soon(deviation, most):
    for seed in range(100):
        rng = np.random.default_rng(seed)
        arms = Arms(3, lambda rng=rng: deviation * rng.standard_normal())
        for k in range(most):
            arms.sample(k % 3)
        assert arms.found(0.001).is_refuted[0]


def test_the_objectives_share_the_level():
    """Evidence between ln(1/level) and ln(2/level) refutes one objective, but not one of two."""
    one, two = (np.array([[10]]), np.array([[40.0]])), (np.full((1, 2), 10), np.array([[40.0, 0]]))
    level = 1.5 * np.exp(-variance_test(*one).log_evidence[0])
    assert variance_test(*one, level).is_refuted.tolist() == [True]
    assert variance_test(*two, level).is_refuted.tolist() == [False, False]


@pytest.mark.parametrize("counts", [[0] * 12, [3] * 12, [40] + [0] * 11, [0], [1000, 1000]])
def test_the_variance_first_has_a_bound_at_least_samples(counts):
    least = least_samples(counts, 2, 0.1, EQUAL)
    grid = variance_grid(-np.log(0.1), 2)
    assert (least == sum(counts)) == (residual_degrees(grid, np.array(counts)) > 0)
    level = max(n for n in range(100) if np.maximum(counts, n).sum() <= least)
    assert residual_degrees(grid, np.maximum(counts, level)) > 0
    if least > sum(counts):
        assert residual_degrees(grid, np.maximum(counts, level - 1)) <= 0
