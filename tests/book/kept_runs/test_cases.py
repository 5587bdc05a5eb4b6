"""Ratios of cases, and the budget that they need."""

import numpy as np
import pytest
import scipy
from references.kept_runs import case_of

from pareto_book.kept_runs import fixed_budget
from pareto_book.kept_runs.cases import mean_ratio


@pytest.mark.parametrize("paired", [False, True])
def test_intervals_of_ratios_cover_the_true_ratio(paired):
    rng, inside = np.random.default_rng(0), 0
    for _ in range(400):
        common = rng.gamma(4.0, 250.0, 200)
        ours = 1.2 * (common if paired else rng.gamma(4.0, 250.0, 200)) * rng.uniform(0.9, 1.1, 200)
        known = np.corrcoef(ours, common)[0, 1] if paired else 0.0
        first = case_of("first", ours, correlation=known)
        low, high = mean_ratio(first, case_of("second", common, correlation=float(paired))).interval
        inside += low <= 1.2 <= high
        assert not paired or high < 1.05 * low
    assert scipy.stats.binomtest(inside, 400, 0.95).pvalue > 1e-3


def test_the_correlation_with_other_instances_or_levels_is_not_known():
    samples = [3.0, 4.0, 5.0]
    here = case_of("first", samples, correlation=1.0)
    assert mean_ratio(here, case_of("second", samples, correlation=1.0)).interval == (1.0, 1.0)
    for other in ({"instance": "there"}, {"delta": 0.01}):
        second = case_of("second", samples, correlation=1.0, **other)
        assert mean_ratio(here, second).interval[1] > 1


def test_the_needed_budget_is_interpolated_between_two_rates():
    time = fixed_budget.find_contest("five arms").time
    cases = [
        case_of("x", np.arange(9999), "five arms", budget * time, wrong)
        for budget, wrong in ((1, 5000), (2, 2000), (4, 499), (8, 4))
    ]
    assert fixed_budget.needed_budget(cases, 0.1).value == pytest.approx(3.0, abs=2e-3)
    measured = fixed_budget.needed_budget(cases, 0.01)
    assert 4 < measured.interval[0] < measured.value < measured.interval[1] < 8
    assert fixed_budget.needed_budget(cases, 1e-5).value == np.inf
    assert fixed_budget.needed_budget(cases, 0.9).value == 0.0
