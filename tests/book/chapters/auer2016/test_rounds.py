"""Rounds of Algorithm 1, and the wait of an optimal arm."""

from itertools import pairwise

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.chapters.auer2016.rounds import RacingRound, rewards_of_run, rounds_of_run
from pareto_book.chapters.auer2016.six_arms import longest_wait


def test_a_run_ends_with_its_answer_and_samples_active_arms_only():
    instance = pc.Instance([[3.0, 0.0], [0.0, 3.0], [-3.0, -3.0]])
    race = list(rounds_of_run(pc.Racing(radius="hoeffding"), instance, seed=1))
    assert race[-1].accepted.tolist() == [True, True, False]
    assert [each.samples for each in race] == list(range(1, len(race) + 1))
    for before, after in pairwise(race):
        assert (after.active == before.staying).all()


def test_the_estimates_of_a_run_are_averages_of_its_rewards():
    instance = pc.Instance([[3.0, 0.0], [0.0, 3.0], [-3.0, -3.0]])
    race = list(rounds_of_run(pc.Racing(radius="hoeffding"), instance, seed=1))
    rewards = np.array([each for each, _ in zip(rewards_of_run(instance, 1), race, strict=False)])
    assert (np.round(rewards, 3) == rewards).all()
    last = race[-1].active
    np.testing.assert_allclose(race[-1].means[last], rewards.mean(axis=0)[last])


def a_round(sure, remaining, means, radius=0.5):
    """A round in which nobody is accepted."""
    none, shape = np.zeros(3, bool), np.shape(means)
    sure, remaining = np.array(sure, bool), np.array(remaining, bool)
    return RacingRound(
        1, np.full(shape, radius), np.array(means), remaining, remaining, sure, none, none
    )


def test_the_longest_wait_is_that_of_the_arm_that_is_needed():
    means = [[2.0, 2.0], [1.7, 1.7], [9.0, -9.0]]
    everyone = [True, True, True]
    race = [a_round([0, 0, 0], everyone, means)]
    race += [a_round([1, 0, 0], everyone, means)] * 2
    wait = longest_wait(race)
    assert wait == (0, 2, 3, [1])
    with pytest.raises(ValueError, match="no arm waits"):
        longest_wait(race[:1])


def test_an_arm_that_is_certainly_not_below_is_not_waited_for():
    means = [[2.0, 2.0], [9.0, 1.7], [-9.0, -9.0]]
    assert longest_wait([a_round([1, 0, 0], [True, True, False], means)]).needed_for == []
