"""Racing and the sparse cover after it: rounds, graphs, answers, and runs that are cut off."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.racing import PAIRS, RacingCoverLoop, RacingLoop, noisy_rewards, recorded
from references.runs import follow, run_quietly

from pareto_core import Racing, RacingCover
from pareto_core.algorithms.pareto.racing import RADII
from pareto_lab import Session


@pytest.mark.slow
@settings(max_examples=100)
@given(
    noisy_rewards(),
    st.sampled_from(sorted(RADII)),
    st.sampled_from(PAIRS),
    st.sampled_from([0.0, 0.2, 1.0]),
    st.sampled_from([0.9, 0.3, 0.01, 1e-8]),
    st.integers(1, 3),
)
def test_runs_are_algorithm_1(drawn, radius, pairs, epsilon, delta, round_length):
    n_arms, d, unit, rewards = drawn
    algorithm = Racing(
        delta=delta,
        epsilon=unit * epsilon,
        radius=radius,
        pairs=pairs,
        variance_bound=(0.3 * unit) ** 2,
        round_length=round_length,
    )
    follow(algorithm, RacingLoop(n_arms, d, algorithm), rewards, most=300)


def test_an_arm_with_few_observations_ends_the_race_for_all():
    instance = recorded([20, 5, 20], [[0.0], [0.01], [0.02]], 0.1)
    runs = run_quietly(Racing(variance_bound=0.01, round_length=2), instance, runs=3)
    assert not runs.stopped.any()
    assert (runs.pulls == [8, 5, 6]).all()  # the third round ends with a half, the fourth early


def test_a_run_cut_off_within_a_round_answers_the_settled_arms():
    session = Session(Racing(radius="hoeffding"), 4, 1, 1.0)
    for _ in range(4 + 1):  # the last arm leaves after one round
        arm = session.ask()
        session.tell(arm, [[0.0, 0.9, 1.0, -9.0][arm]])
    assert session.pulls.tolist() == [2, 1, 1, 1]
    assert session._state.run.answer().tolist() == [0, 1, 2]


@pytest.mark.slow
@settings(max_examples=80)
@given(
    noisy_rewards(),
    st.sampled_from(sorted(RADII)),
    st.sampled_from(PAIRS),
    st.sampled_from([0.2, 1.0, 3.0]),
    st.sampled_from([0.1, 0.5, 2.0]),
    st.sampled_from([0.3, 1e-8]),
    st.integers(1, 3),
)
def test_runs_are_algorithms_1_to_3(drawn, radius, pairs, epsilon, ratio, delta, round_length):
    n_arms, d, unit, rewards = drawn
    algorithm = RacingCover(
        delta=delta,
        epsilon=unit * epsilon,
        tolerance=unit * epsilon * ratio,
        radius=radius,
        pairs=pairs,
        variance_bound=(0.1 * unit) ** 2,
        round_length=round_length,
    )
    follow(algorithm, RacingCoverLoop(n_arms, d, algorithm), rewards, most=300)


def test_without_further_observations_the_winners_are_covered_as_far_as_known():
    # the race is over after a few rounds; 40 observations leave the pair 0 and 1 open
    means = [[0.0, 2.0], [0.3, 1.7], [0.35, 1.65], [3.0, 0.0], [-3.0, -3.0]]
    instance = recorded([40] * 5, means, 0.1)
    algorithm = RacingCover(epsilon=0.6, tolerance=0.001, variance_bound=0.01)
    runs = run_quietly(algorithm, instance, runs=20)
    assert not runs.stopped.any()
    assert (runs.pulls.max(axis=1) == 40).all()
    assert (runs.answers[:, [0, 3]]).all()
    assert not runs.answers[:, 4].any()
    # arms 1 and 2 are known to be close, so one of them covers the other
    assert (runs.answers[:, [1, 2]].sum(axis=1) == 1).all()
