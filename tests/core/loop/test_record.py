"""The record of all observations, some of whose values may be missing."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from hypothesis.extra.numpy import arrays

import pareto_core as pc
from pareto_core.loop.record import empty_record, observe

VALUES = some.one_of(some.just(np.nan), some.floats(-1e6, 1e6), some.sampled_from([0.0, 3.0]))


def recorded(rewards, arms, n_arms=2):
    record = empty_record(pc.Problem(n_arms, rewards.shape[1]))
    for arm, reward in zip(arms, rewards, strict=True):
        observe(record, arm, 1, reward, np.zeros(reward.size))
    return record


@settings(max_examples=60)
@given(some.data())
def test_missing_values_are_left_out_of_counts_means_and_scatter(data):
    rewards = data.draw(arrays(float, (data.draw(some.integers(1, 12)), 3), elements=VALUES))
    arms = np.arange(len(rewards)) % 2
    record = recorded(rewards, arms)
    assert record.counts.tolist() == np.bincount(arms, minlength=2).tolist()
    assert record.time[0] == len(rewards)
    for k in range(2):
        for c in range(3):
            column = rewards[arms == k, c]
            told = column[~np.isnan(column)]
            assert record.observed[k, c] == told.size
            mean = told.mean() if told.size else 0.0
            size = np.abs(told).max(initial=1.0)
            assert record.means[k, c] == pytest.approx(mean, abs=1e-9 * size)
            spread = ((told - mean) ** 2).sum()
            assert record.scatter[k, c] == pytest.approx(spread, rel=1e-6, abs=1e-6 * size**2)


def test_estimates_wait_for_a_value_in_every_objective():
    run = pc.Certified().begin(pc.Problem(2, 2), np.random.default_rng(0))
    for arm, reward in ((0, [1.0, np.nan]), (1, [2.0, 3.0])):
        observe(run.record, arm, 1, np.array(reward), np.zeros(2))
    assert run.estimates() is None
    observe(run.record, 0, 1, np.array([np.nan, 5.0]), np.zeros(2))
    assert run.estimates().tolist() == [[1.0, 5.0], [2.0, 3.0]]


def test_an_algorithm_in_python_sees_the_observed_values():
    class InTurn(pc.PythonAlgorithm):
        def select(self, record, memory):
            return record.observed.sum(axis=1).argmin()

        def stop(self, record, memory):
            return record.time >= 6

        def recommend(self, record, memory):
            return pc.pareto_set(record.means)

    run = InTurn().begin(pc.Problem(2, 2), np.random.default_rng(0))
    observe(run.record, 0, 1, np.array([1.0, 1.0]), np.zeros(2))
    observe(run.record, 1, 1, np.array([1.0, np.nan]), np.zeros(2))
    assert run.select() == (1, 1)
    with pytest.raises(ValueError, match="read-only"):
        run._view.observed[0, 0] = 7
