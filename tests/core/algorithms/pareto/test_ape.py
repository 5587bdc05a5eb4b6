"""Adaptive Pareto Exploration: its choices and its answers."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.racing import APELoop, noisy_rewards, recorded
from references.runs import follow, run_quietly

from pareto_core import APE, Instance, Racing
from pareto_core.confidence.bonuses import BONUSES
from pareto_lab import Session

LEADERS = ("open", "weakest")
PULLS = ("rarer", "both")


@pytest.mark.slow
@settings(max_examples=80)
@given(
    noisy_rewards(),
    st.sampled_from(sorted(BONUSES)),
    st.sampled_from(LEADERS),
    st.sampled_from(PULLS),
    st.sampled_from([0.0, 0.2, 1.0]),
    st.sampled_from([None, 1, 2, 100]),
    st.sampled_from([0.9, 0.3, 1e-8]),
    st.sampled_from([0, 1, 7]),
)
def test_runs_are_those_of_the_plain_loop(drawn, kind, leader, pull, epsilon, k, delta, prior):
    n_arms, d, unit, rewards = drawn
    algorithm = APE(delta, unit * epsilon, k, kind, leader, pull, (0.3 * unit) ** 2, prior)
    follow(algorithm, APELoop(n_arms, d, algorithm), rewards, most=150)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [APE, Racing])
def test_without_further_observations_the_answer_contains_all_possibly_optimal_arms(kind):
    # arms 0 and 1 are too close for 30 observations, arm 2 is good elsewhere, arm 3 nowhere
    means = [[1.0, 0.0], [1.02, 0.02], [-1.0, 1.0], [-3.0, -3.0]]
    instance = recorded([30, 30, 30, 30], means, 0.1)
    runs = run_quietly(kind(variance_bound=0.01), instance, runs=20)
    assert not runs.stopped.any()
    assert (runs.pulls[:, :2] == 30).any(axis=1).all()
    assert (runs.answers == [True, True, True, False]).all()


def test_the_weakest_case_is_not_settled_yet():
    instance = Instance([[1.0, 1.0], [1.0, 1.0], [0.0, 0.0], [0.5, 0.3]])
    algorithm = APE(epsilon=0.3, leader="weakest")
    assert run_quietly(algorithm, instance, runs=20, max_samples=5000).stopped.all()


def test_all_arms_may_be_optimal_before_each_has_been_sampled():
    session = Session(APE(), 3, 2, 1.0)
    assert session._state.run.answer().tolist() == [0, 1, 2]
    session.tell(session.ask(), [0.0, 0.0])
    assert session._state.run.answer().tolist() == [0, 1, 2]
