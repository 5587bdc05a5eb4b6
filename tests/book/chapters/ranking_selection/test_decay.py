"""Probabilities of a wrong Pareto set under fixed shares, against direct simulation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pareto_core as pc
from pareto_book.chapters.ranking_selection.decay import (
    decay_rate,
    error_probabilities_of_shares,
    is_wrong,
    whole_counts,
)
from pareto_book.records.measurements import Measurement, rate_of
from pareto_core import pareto_set

INSTANCES = {
    "six arms": pc.load_instance("six_arms"),
    "line": pc.Instance([[0.0], [0.5], [1.0]]),
    "three objectives": pc.Instance([[1.0, 0.2, 0.1], [0.0, 1.0, 0.3], [-0.3, 0.1, 0.0]]),
}


@pytest.mark.parametrize("name", INSTANCES)
def test_draws_are_judged_by_their_pareto_sets(name):
    instance = INSTANCES[name]
    noise = np.random.default_rng(0).normal(size=(3000, *instance.means.shape))
    draws = instance.means + 0.5 * noise
    expected = [list(pareto_set(each)) != list(instance.pareto_set) for each in draws]
    assert 0 < sum(expected) < 3000
    assert is_wrong(draws, instance.pareto_set).tolist() == expected


@pytest.mark.parametrize("name", INSTANCES)
def test_probabilities_agree_with_direct_simulation(name):
    instance = INSTANCES[name]
    shares = np.arange(1.0, instance.n_arms + 1)
    shares /= shares.sum()
    cost = pc.transport_cost(instance.means_standardised, shares).value
    budget = 4.0 / cost
    (found,) = error_probabilities_of_shares(instance, shares, [budget], 20_000, 1)
    noise = np.random.default_rng(2).normal(size=(100_000, *instance.means.shape))
    deviations = np.sqrt(instance.variance) * noise / np.sqrt(budget * shares)[:, None]
    direct = rate_of(is_wrong(instance.means + deviations, instance.pareto_set))
    assert found.interval[0] < direct.interval[1]
    assert direct.interval[0] < found.interval[1]
    if name != "three objectives":  # where an arm has more ways out than there are proposals
        assert found.interval[1] / found.interval[0] < 1.2


def test_two_arms_have_a_normal_tail():
    """One objective and a gap of one: the difference of the averages is Gaussian."""
    from scipy.stats import norm

    budgets = [20.0, 100.0, 200.0]
    found = error_probabilities_of_shares(pc.Instance([[0.0], [1.0]]), [1, 3], budgets, 20_000, 0)
    for budget, chance in zip(budgets, found, strict=True):
        deviation = np.sqrt(4 / budget + 4 / (3 * budget))
        assert chance.interval[0] < norm.sf(1 / deviation) < chance.interval[1]


def test_the_rate_is_the_fall_of_the_logarithm():
    chances = [Measurement(np.exp(-x), (0.9 * np.exp(-x), 1.1 * np.exp(-x)), 9) for x in (1, 3)]
    rate = decay_rate([10.0, 14.0], chances)
    assert rate.value == pytest.approx(0.5)
    assert rate.interval[0] < 0.5 < rate.interval[1] < 0.55


@pytest.mark.parametrize("draws", [0, 1.5])
def test_a_wrong_number_of_draws_is_named(draws):
    with pytest.raises(ValueError, match="draws"):
        error_probabilities_of_shares(INSTANCES["line"], [1, 1, 1], [10], draws, 0)


@given(
    st.lists(st.floats(1e-9, 1.0), min_size=1, max_size=8),
    st.integers(8, 10_000),
)
def test_whole_counts_are_close_to_the_shares(shares, budget):
    counts = whole_counts(shares, budget)
    assert counts.sum() == budget
    assert (counts >= 1).all()
    assert (counts == np.round(counts)).all()
    exact = budget * np.array(shares) / np.sum(shares)
    assert (np.abs(counts - exact) <= len(shares)).all()
    if (exact >= 1).all():
        assert (np.abs(counts - exact) < 1).all()
