"""Fixed proportions with a budget, compared with plain Python and with the theory."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.fixed_budget import Static, largest_remainders

import pareto_core as pc
from pareto_book.studies.static_sampling import StaticSampling, static_counts

INSTANCE = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
PROPORTIONS = (0.5, 2.0, 1.5)
COLUMNS = ("samples", "correct", "pulls", "means", "answers")


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.integers(0, 9), min_size=2, max_size=8).filter(any),
    st.integers(0, 300),
)
def test_counts_are_those_of_largest_remainders(proportions, more):
    budget = len(proportions) + more
    counts = static_counts(budget, proportions)
    assert counts.sum() == budget
    assert counts.min() >= 1
    exact = 1 + more * np.array(proportions) / sum(proportions)
    assert np.abs(counts - exact).max() < 1
    assert sorted(counts - exact) == pytest.approx(
        sorted(np.array(largest_remainders(budget, proportions)) - exact), abs=1e-9
    )


@settings(max_examples=20, deadline=None)
@given(st.lists(st.floats(1e-12, 1e12), min_size=2, max_size=8), st.integers(0, 10**6))
def test_badly_scaled_proportions_use_up_the_budget(proportions, more):
    counts = static_counts(len(proportions) + more, proportions)
    assert counts.sum() == len(proportions) + more
    assert counts.min() >= 1


@pytest.mark.parametrize("budget", [3, 4, 37])
def test_runs_are_those_in_plain_python(budget):
    counts = largest_remainders(budget, PROPORTIONS)
    ours = pc.simulate(StaticSampling(budget, PROPORTIONS), INSTANCE, 4, progress=False)
    plain = pc.simulate(Static(counts), INSTANCE, 4, progress=False, backend="threads")
    for name in COLUMNS:
        np.testing.assert_array_equal(getattr(ours, name), getattr(plain, name))
    assert ours.pulls.tolist() == [counts] * 4


@pytest.mark.slow
def test_the_optimal_proportions_err_less_than_equal_ones_where_errors_are_rare():
    instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-3.0, -3.0], [-0.5, 0.8], [-9.0, -9.0]])
    optimum = pc.characteristic_time(instance.means)
    budget = int(6 * optimum.time)
    errors = [
        1 - pc.simulate(each, instance, 2000, progress=False, n_jobs=1).correct.mean()
        for each in (
            StaticSampling(budget, tuple(optimum.weights)),
            pc.UniformSampling(budget=budget),
        )
    ]
    assert errors[0] < 0.5 * errors[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, PROPORTIONS), "budget = 0"),
        ((10, 0.5), "proportions = 0.5"),
        ((10, (1.0,)), "proportions = "),
        ((10, (1.0, -1.0)), r"proportions\[1\] = -1"),
        ((10, (0.0, 0.0)), "proportions are all zero"),
    ],
)
def test_bad_parameters_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        StaticSampling(*arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [((2, PROPORTIONS), "budget = 2"), ((10, (1.0, 1.0)), "proportions has shape")],
)
def test_what_does_not_fit_the_arms_is_refused_when_a_run_begins(arguments, message):
    with pytest.raises(ValueError, match=message):
        pc.simulate(StaticSampling(*arguments), INSTANCE, 1, progress=False)
