"""EGE: its two schedules, round by round, and its answers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.gege import EGELoop, follow
from references.racing import noisy_rewards

from pareto_core import EGE, Instance, simulate
from pareto_lab import Session

SCHEDULES = [("halving", True), ("halving", False), ("reject", True)]


def least_budget(n_arms, schedule):
    return n_arms * int(np.ceil(np.log2(n_arms))) if schedule == "halving" else n_arms + 1


@pytest.mark.slow
@settings(max_examples=150)
@given(noisy_rewards(9), st.sampled_from(SCHEDULES), st.integers(0, 150))
def test_rounds_are_the_plain_algorithm(drawn, choice, spare):
    n_arms, d, _, rewards = drawn
    algorithm = EGE(least_budget(n_arms, choice[0]) + spare, *choice)
    session = Session(algorithm, n_arms, d, 1.0)
    follow(session, EGELoop(algorithm, n_arms, d), rewards)
    assert session.finished
    assert session.samples <= algorithm.budget


def test_within_a_round_the_answer_contains_all_active_arms():
    instance = Instance([[5.0], [0.0], [-9.0], [4.0]], variance=[1e-9])
    assert Session(EGE(40), 4, 1, 1.0)._state.run.answer().tolist() == [0, 1, 2, 3]
    for most, answer in ((14, [0, 1, 2, 3]), (19, [0, 1, 2, 3]), (20, [0, 3]), (39, [0, 3])):
        runs = simulate(EGE(40), instance, 1, max_samples=most, progress=False)
        assert runs.samples[0] == most and not runs.stopped[0]
        assert np.flatnonzero(runs.answers[0]).tolist() == answer


def test_the_schedule_of_rejections_is_exact():
    session = Session(EGE(112, "reject"), 5, 1, 1.0)
    follow(session, EGELoop(session.algorithm, 5, 1), lambda arm: [arm])


@pytest.mark.parametrize("schedule", ["halving", "reject"])
@pytest.mark.parametrize("n_arms", [2, 3, 4, 5, 8, 9])
def test_budget_must_suffice_for_a_first_round(n_arms, schedule):
    least = least_budget(n_arms, schedule)
    with pytest.raises(ValueError, match=f"^budget = {least - 1}; expected at least {least}"):
        Session(EGE(least - 1, schedule), n_arms, 1, 1.0)
    assert Session(EGE(least, schedule), n_arms, 1, 1.0).ask() == 0
