"""The sparse cover after the race: its rounds, its graph, and its answers."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.racing import PAIRS, RacingCoverLoop, noisy_rewards, recorded
from references.runs import follow, run_quietly

from pareto_core import RacingCover
from pareto_core.algorithms.pareto.racing import RADII


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
