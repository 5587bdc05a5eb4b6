"""The published shares and rates of MOSCORE."""

import numpy as np
import pytest
from references.moscore import METHODS, published

import pareto_core as pc

PUBLISHED = published()
# Published shares that reach less than the maximum of the program that defines them, by more than
# 1e-6: the share of the maximum that they miss.
SHORT_OF_MAXIMUM = {
    ("score", (3, 50, 1)): 7.9e-3,
    ("iscore", (3, 20, 5)): 1.1e-5,
    ("iscore", (3, 50, 1)): 7.9e-3,
    ("iscore", (3, 100, 2)): 3.0e-4,
    ("iscore", (3, 100, 7)): 4.8e-6,
}


@pytest.mark.parametrize("method", METHODS)
def test_published_rates_are_phantom_rates(method):
    for (d, *_), problem in PUBLISHED.items():
        rate = pc.phantom_rate(problem.means, problem.shares[method], covariance=problem.covariance)
        if d == 3:
            assert problem.rates[method] == pytest.approx(rate, rel=1e-12, abs=0)
        else:  # quadratic programs were solved numerically: never below the minimum
            assert -1e-12 < problem.rates[method] / rate - 1 < 1e-6


def test_phantom_rate_is_the_cost_or_below():
    below = {}
    for key, problem in PUBLISHED.items():
        for method, shares in problem.shares.items():
            rate = pc.phantom_rate(problem.means, shares, covariance=problem.covariance)
            cost = pc.transport_cost(problem.means, shares, covariance=problem.covariance).value
            if rate != pytest.approx(cost, rel=1e-9):
                below[key, method] = 1 - rate / cost
    assert {each: round(part, 3) for each, part in below.items()} == {
        ((3, 20, 5), "score"): 0.028,
        ((4, 20, 4), "iscore"): 0.004,
        ((4, 20, 9), "iscore"): 0.026,
        ((4, 50, 4), "score"): 0.011,
    }


@pytest.mark.parametrize(("method", "independent"), [("score", False), ("iscore", True)])
def test_shares_are_the_published_ones(method, independent):
    for key, problem in PUBLISHED.items():
        theirs = problem.shares[method]
        ours = pc.score_allocation(
            problem.means, covariance=problem.covariance, independent=independent
        )
        rest = np.setdiff1d(np.arange(len(ours)), pc.pareto_set(problem.means))
        np.testing.assert_allclose(
            theirs[rest] / theirs[rest].sum(), ours[rest] / ours[rest].sum(), rtol=1e-9
        )
        if (method, key) not in SHORT_OF_MAXIMUM:
            np.testing.assert_allclose(ours, theirs, rtol=2e-3, atol=1e-7, err_msg=str(key))
        else:
            assert np.abs(ours - theirs).max() > 1e-4


@pytest.mark.slow
def test_shares_of_the_method_phantom_have_at_most_the_largest_rate():
    missed = []
    for problem in PUBLISHED.values():
        ours = pc.phantom_allocation(problem.means, covariance=problem.covariance)
        rates = [
            pc.phantom_rate(problem.means, shares, covariance=problem.covariance)
            for shares in (problem.shares["phantom"], ours)
        ]
        missed.append(1 - rates[0] / rates[1])
    assert min(missed) > -2e-9
    assert (np.array(missed) > 1e-5).sum() == 1  # problem 1 of 50 systems in 3 objectives
    assert max(missed) > 0.9
