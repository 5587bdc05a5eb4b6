"""Racing: its rounds, its answers, and runs that are cut off."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.racing import PAIRS, RacingLoop, noisy_rewards, recorded
from references.runs import follow, run_quietly

from pareto_core import Racing
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
