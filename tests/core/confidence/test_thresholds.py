"""Stopping thresholds."""

import numpy as np
import pytest
from scipy.special import gammaln, logsumexp, zeta
from scipy.stats import chi2

from pareto_core.confidence.thresholds import (
    THRESHOLDS,
    gamma_threshold,
    mixture_threshold,
    rank_threshold,
    stylised_threshold,
    threshold,
    threshold_constant,
)

DELTAS = [0.5, 0.1, 1e-3, 1e-10]


@pytest.mark.parametrize("delta", [*DELTAS, 1e-44])
@pytest.mark.parametrize("samples", [2, 100, 10**9])
def test_the_stylised_threshold_is_its_formula(samples, delta):
    expected = np.log(np.log(1 + samples) / delta)
    assert stylised_threshold(samples, delta) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("delta", [*DELTAS, 1e-44])
@pytest.mark.parametrize(("samples", "n_arms", "d"), [(1, 1, 1), (100, 3, 2), (10**9, 20, 10)])
def test_gamma_threshold_is_its_formula(samples, n_arms, d, delta):
    n = n_arms * d
    rest = gamma_threshold(samples, n_arms, d, delta) - n * np.log(samples**2 + samples)
    # f(x) as in the paper, with logarithms of its terms
    log_terms = np.arange(n) * np.log(rest) - rest - gammaln(np.arange(1, n + 1))
    assert logsumexp(log_terms) == pytest.approx(np.log(delta), abs=1e-7)


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize(("counts", "d"), [([1], 1), ([5, 70], 2), ([1, 10, 100, 10**6], 3)])
def test_mixture_threshold_is_the_minimum_over_a_fine_grid(counts, d, delta):
    # with L = 2 lambda, in (1, 2): g = L - L ln(2 L) + ln zeta(L) - ln(1 - L/2) / 2
    n_means = len(counts) * d
    grid = np.linspace(1, 2, 200_002)[1:-1]
    g = grid - grid * np.log(2 * grid) + np.log(zeta(grid)) - 0.5 * np.log(1 - grid / 2)
    rate = 2 * ((g + np.log(1 / delta) / n_means) / grid).min()
    expected = 2 * d * np.log(4 + np.log(counts)).sum() + n_means * rate
    assert mixture_threshold(counts, d, delta) == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize(("n_arms", "d"), [(2, 1), (5, 1), (20, 3)])
def test_rank_threshold_is_that_of_two_means_for_each_pair(n_arms, d, delta):
    each = delta / (d * (n_arms - 1))
    pair = mixture_threshold([500, 500], 1, each)
    assert rank_threshold(1000, n_arms, d, delta) == pytest.approx(pair, rel=1e-9)
    assert rank_threshold(1000, n_arms, d, delta) > mixture_threshold([10, 990], 1, each)


AFTER = {  # each threshold, from the numbers of samples of the arms
    "stylised": lambda counts, d, delta: stylised_threshold(np.sum(counts), delta),
    "mixture": mixture_threshold,
    "iterated_logarithm": lambda counts, d, delta: (
        np.log(1 + np.log(np.sum(counts))) - np.log(delta)
    ),
    "gamma": lambda counts, d, delta: gamma_threshold(np.sum(counts), len(counts), d, delta),
}


@pytest.mark.parametrize("name", THRESHOLDS)
def test_every_name_of_the_table_has_its_own_constant_and_kernel(name):
    counts, d, delta = np.array([20, 20, 10]), 2, 0.05
    constant, number = threshold_constant(name, delta, len(counts) * d), THRESHOLDS[name].number
    found = threshold(number, counts.sum(), counts, d, constant)
    assert found == pytest.approx(AFTER[name](counts, d, delta), rel=1e-14)


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (stylised_threshold, (10, 0), "delta = 0"),
        (stylised_threshold, (1, 0.1), "samples = 1"),
        (gamma_threshold, (2.5, 2, 2, 0.1), "samples = 2.5"),
        (gamma_threshold, (9, 0, 2, 0.1), "n_arms = 0"),
        (gamma_threshold, (9, 2, 0, 0.1), "n_objectives = 0"),
        (rank_threshold, (10, 1, 1, 0.1), "n_arms = 1"),
        (rank_threshold, (10, 2, 0, 0.1), "n_objectives = 0"),
        *((mixture_threshold, (each, 2, 0.1), "counts = ") for each in ([[1, 2], [3, 4]], 5, "ab")),
        *(
            (mixture_threshold, (each, 2, 0.1), "counts = .*expected whole numbers from 1 to")
            for each in ([], [1e19, 1], [0, 2])
        ),
    ],
)
def test_invalid_arguments_are_refused(function, arguments, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        function(*arguments)


@pytest.mark.statistical
@pytest.mark.parametrize("name", ["mixture", "gamma"])
@pytest.mark.parametrize(("n_arms", "d", "delta"), [(1, 1, 0.3), (2, 2, 0.1)])
def test_deviations_exceed_a_threshold_with_probability_at_most_delta(name, n_arms, d, delta):
    rounds, runs = 500, 2000
    noise = np.random.default_rng(0).standard_normal((runs, rounds, n_arms * d))
    counts = np.arange(1, rounds + 1)
    deviation = 0.5 * (np.cumsum(noise, axis=1) ** 2 / counts[:, None]).sum(axis=2)
    thresholds = [AFTER[name]([n] * n_arms, d, delta) for n in counts]
    assert (deviation > thresholds).any(axis=1).mean() <= delta
    # the simulation has power: a threshold that holds for one n does not hold for all
    assert (deviation > 0.5 * chi2.isf(delta, n_arms * d)).any(axis=1).mean() > delta
