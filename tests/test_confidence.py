"""Stopping thresholds."""

import numpy as np
import pytest
from scipy.special import zeta
from scipy.stats import chi2

from pareto_core.confidence import mixture_threshold, stylised_threshold

DELTAS = [0.5, 0.1, 1e-3, 1e-10]


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("samples", [2, 100, 10**9])
def test_stylised_threshold_is_its_formula(samples, delta):
    expected = np.log(np.log(1 + samples) / delta)
    assert stylised_threshold(samples, delta) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize(("counts", "d"), [([1], 1), ([5, 70], 2), ([1, 10, 100, 10**6], 3)])
def test_mixture_threshold_is_the_best_of_a_fine_grid(counts, d, delta):
    # with L = 2 lambda, in (1, 2): g = L - L ln(2 L) + ln zeta(L) - ln(1 - L/2) / 2
    n_means = len(counts) * d
    grid = np.linspace(1, 2, 200_002)[1:-1]
    g = grid - grid * np.log(2 * grid) + np.log(zeta(grid)) - 0.5 * np.log(1 - grid / 2)
    rate = 2 * ((g + np.log(1 / delta) / n_means) / grid).min()
    expected = 2 * d * np.log(4 + np.log(counts)).sum() + n_means * rate
    assert mixture_threshold(counts, d, delta) == pytest.approx(expected, rel=1e-8)


def test_thresholds_rise_as_the_risk_falls():
    deltas = np.geomspace(0.9, 1e-12, 30)
    for thresholds in (
        [stylised_threshold(50, delta) for delta in deltas],
        [mixture_threshold([20, 30], 2, delta) for delta in deltas],
    ):
        assert (np.diff(thresholds) > 0).all()


def test_thresholds_rise_with_the_samples():
    assert stylised_threshold(11, 0.1) > stylised_threshold(10, 0.1)
    assert mixture_threshold([11, 5], 2, 0.1) > mixture_threshold([10, 5], 2, 0.1)


@pytest.mark.parametrize("delta", [0, 1, -0.1, 1.5, np.nan, np.inf, "0.1", None])
def test_delta_must_be_a_probability(delta):
    with pytest.raises(ValueError, match="delta"):
        stylised_threshold(10, delta)
    with pytest.raises(ValueError, match="delta"):
        mixture_threshold([3, 4], 2, delta)


@pytest.mark.parametrize("samples", [1, 0, -5, 2.5])
def test_samples_must_be_an_integer_above_one(samples):
    with pytest.raises(ValueError, match="samples"):
        stylised_threshold(samples, 0.1)


@pytest.mark.parametrize(
    "counts", [[0, 3], [], [[1, 2], [3, 4]], 5, [-1, 2], [2.5, 3], [np.nan, 3], "ab"]
)
def test_counts_must_be_whole_and_positive(counts):
    with pytest.raises(ValueError, match="counts"):
        mixture_threshold(counts, 2, 0.1)


@pytest.mark.statistical
@pytest.mark.parametrize(("n_arms", "d", "delta"), [(1, 1, 0.3), (2, 2, 0.1)])
def test_deviations_exceed_the_mixture_threshold_with_probability_at_most_delta(n_arms, d, delta):
    rounds, runs = 500, 2000
    noise = np.random.default_rng(0).standard_normal((runs, rounds, n_arms * d))
    counts = np.arange(1, rounds + 1)
    deviation = 0.5 * (np.cumsum(noise, axis=1) ** 2 / counts[:, None]).sum(axis=2)
    thresholds = [mixture_threshold(np.full(n_arms, n), d, delta) for n in counts]
    assert (deviation > thresholds).any(axis=1).mean() <= delta
    # the simulation can tell: a threshold that holds for a single n does not hold for all
    assert (deviation > 0.5 * chi2.isf(delta, n_arms * d)).any(axis=1).mean() > delta
