"""Budgets at which an error rate is reached, compared with slow twins and values by hand."""

import math

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st
from references import fixed_budget as reference
from references.fixed_budget import kept_of, make_small

from pareto_book.kept_runs.budgets import needed
from pareto_book.kept_runs.budgets.competitions import find_contest
from pareto_book.kept_runs.budgets.needed import (
    budget_at,
    error_rates,
    is_measurable,
    needed_budget,
    needed_ratio,
    wrong_answers,
)
from pareto_core.simulation.statistics import rate_interval


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 50), st.integers(0, 200)), min_size=2, max_size=7),
    st.sampled_from([0.5, 0.1, 0.01, 0.001]),
)
def test_the_budget_is_that_of_the_slow_twin(steps, level):
    budgets = np.cumsum([step for step, _ in steps]).astype(float)
    errors = np.array([number for _, number in steps], float)
    found = budget_at(budgets, errors, 200, level)
    assert found == pytest.approx(reference.budget_at(budgets, errors, 200, level), rel=1e-9)
    many = budget_at(budgets, np.array([errors, errors[::-1]]), 200, level)
    assert many[0] == pytest.approx(float(found), rel=1e-12)


def test_an_exponential_is_met_exactly():
    budgets = np.array([1.0, 2.0, 4.0, 8.0])
    runs = 10**9
    errors = runs * np.exp(-budgets)
    for level in (0.2, 0.1, 0.01, 0.001):
        assert budget_at(budgets, errors, runs, level) == pytest.approx(-math.log(level), rel=1e-5)
    assert budget_at(budgets, errors, runs, 1e-5) == math.inf
    assert budget_at(budgets, errors, runs, 0.9) == 0.0
    with pytest.raises(ValueError, match="level = 0"):
        budget_at(budgets, errors, runs, 0)


def random_errors(rates, runs, seed):
    """Errors that are rarer at larger budgets, in the same runs."""
    uniform = np.random.default_rng(seed).random(runs)
    return uniform < np.array(rates)[:, None]


def test_resamples_draw_runs_with_all_their_budgets(small_ladders, monkeypatch):
    monkeypatch.setattr(needed, "RESAMPLES", 7)
    monkeypatch.setattr(needed, "BLOCK", 3)
    needed._weights.cache_clear()
    wrong = random_errors([0.5, 0.2, 0.1], 40, 0)
    kept = kept_of("one", wrong, (3, 5, 9))
    drawn = np.random.default_rng(0).integers(40, size=(7, 40))
    np.testing.assert_array_equal(
        needed._resampled_errors(kept), reference.resampled_errors(wrong, drawn)
    )
    needed._weights.cache_clear()


def test_rates_and_errors_are_those_of_the_answers(small_ladders):
    kept = make_small(small_ladders)[1]
    expected = np.array([[0, 1, 1, 0], [1, 1, 0, 0]], bool)  # the second one is right
    assert find_contest("corner").instance.pareto_set.tolist() == [0, 1]
    wrong = (kept.answers[kept.which] != expected[1]).any(axis=2)
    np.testing.assert_array_equal(wrong_answers(kept), wrong)
    for each, row in zip(error_rates(kept), wrong, strict=True):
        assert each.value == row.mean()
        assert each.interval == rate_interval(row.sum(), row.size)


def test_a_budget_beyond_the_ladder_is_said_to_be(small_ladders):
    time = find_contest("corner").time
    budgets = tuple(int(np.ceil(each * time)) for each in (1, 2, 4))
    first, last = (f"{budgets[k] / time:.3g}" for k in (0, 2))
    never = kept_of("never", np.ones((3, 200)), budgets)
    always = kept_of("always", np.zeros((3, 200)), budgets)
    assert str(needed_budget(never, 0.1)) == f"more than {last}"
    assert str(needed_budget(always, 0.1)) == f"less than {first}"
    assert needed_ratio(never, always, 0.1) is None
    assert needed_ratio(always, never, 0.1) is None
    assert [is_measurable(always, each) for each in (0.1, 0.05, 0.01)] == [True, True, False]
    near = kept_of("near", random_errors([0.5, 0.3, 0.099], 200, 1), budgets)
    assert f"> {last}]" in str(needed_budget(near, 0.1)) or "more than" in str(
        needed_budget(near, 0.1)
    )


def test_intervals_cover_the_true_budget_and_the_true_ratio(small_ladders):
    """Rates exp(-b) and exp(-b / 1.5) in multiples b of T*: 1.5 times the budget for any rate."""
    time = find_contest("corner").time
    budgets = tuple(int(np.ceil(each * time)) for each in (1, 2, 3, 4.5, 6))
    multiples = np.array(budgets) / time
    rates = {"quick": np.exp(-multiples), "slow": np.exp(-multiples / 1.5)}
    inside = {"budget": 0, "ratio": 0}
    widths = {"paired": [], "independent": []}
    for seed in range(100):
        rng = np.random.default_rng(seed)
        common, *own = rng.normal(size=(4, 400))
        mixed = [math.sqrt(0.7) * common + math.sqrt(0.3) * each for each in own[:2]]
        quick, slow, other = (
            kept_of(name, scipy.stats.norm.cdf(value) < rates[name][:, None], budgets)
            for name, value in (("quick", mixed[0]), ("slow", mixed[1]), ("slow", own[2]))
        )
        low, high = needed_budget(quick, 0.1).measured.interval
        inside["budget"] += low <= -math.log(0.1) <= high
        ratio = needed_ratio(slow, quick, 0.1)
        inside["ratio"] += ratio.interval[0] <= 1.5 <= ratio.interval[1]
        widths["paired"].append(np.ptp(ratio.interval))
        widths["independent"].append(np.ptp(needed_ratio(other, quick, 0.1).interval))
    for name, times in inside.items():
        assert scipy.stats.binomtest(times, 100, 0.95).pvalue > 1e-3, (name, times)
    assert np.mean(widths["paired"]) < np.mean(widths["independent"])


def test_the_same_answers_need_the_same_budget(small_ladders):
    wrong = random_errors([0.5, 0.2, 0.02], 100, 3)
    first, second = (kept_of(name, wrong, (3, 9, 30)) for name in "ab")
    found = needed_ratio(first, second, 0.1)
    assert (found.value, found.interval) == (1.0, (1.0, 1.0))
    assert needed_budget(first, 0.1) == needed_budget(second, 0.1)


@pytest.mark.parametrize("change", ["runs", "seed"])
def test_runs_that_are_not_pairs_are_refused(small_ladders, change):
    first = kept_of("a", np.zeros((2, 50)), (3, 9))
    second = kept_of("b", np.zeros((2, 50 + (change == "runs"))), (3, 9), seed=change == "seed")
    with pytest.raises(ValueError, match="expected as many runs of the same seed"):
        needed_ratio(first, second, 0.1)
