"""Racing: its rounds, its answers, and runs that are cut off."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.error_rate import assert_rarely_wrong
from references.pareto import success_condition_1
from references.racing import PAIRS, RacingLoop, follow, noisy_rewards, recorded
from references.runs import run_quietly

from pareto_core import Instance, Racing
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


@pytest.mark.slow
@pytest.mark.parametrize("pairs", PAIRS)
@pytest.mark.parametrize("radius", RADII)
def test_runs_on_unit_variance_are_algorithm_1(radius, pairs):
    algorithm = Racing(delta=0.2, epsilon=0.5, radius=radius, pairs=pairs)
    rng = np.random.default_rng(7)
    means = rng.standard_normal((5, 2))
    session = follow(
        algorithm,
        RacingLoop(5, 2, algorithm),
        lambda arm: means[arm] + rng.standard_normal(2),
        most=10_000,
    )
    assert session.finished


def small_instances(seed, count, make):
    """Random instances of 2 to 8 arms in 1 to 3 objectives."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        yield make(rng, (int(rng.integers(2, 9)), int(rng.integers(1, 4))))


def gaussian(rng, shape):
    return Instance(0.5 * rng.standard_normal(shape), variance=rng.uniform(0.02, 0.1, shape[1]))


def bernoulli(rng, shape):
    return Instance(rng.uniform(size=shape), noise="bernoulli")


@pytest.mark.statistical
@pytest.mark.parametrize(
    ("make", "bound", "radius", "pairs", "epsilon"),
    [
        (gaussian, 0.1, "hoeffding", "sum", 0.4),
        pytest.param(
            *(gaussian, 0.1, "hoeffding", "root_sum_square", 0.2), marks=pytest.mark.thorough
        ),
        (bernoulli, 0.25, "hoeffding", "root_sum_square", 0.3),
        pytest.param(
            *(gaussian, None, "empirical", "root_sum_square", 0.5), marks=pytest.mark.thorough
        ),
        (gaussian, None, "empirical", "root_sum_square", 0.0),
    ],
)
def test_success_condition_1_fails_with_probability_at_most_delta(
    make, bound, radius, pairs, epsilon
):
    def is_right(instance, answer):
        means = instance.means if bound else instance.means_standardised
        return success_condition_1(means, answer, epsilon)

    algorithm, instances = Racing(0.1, epsilon, radius, pairs, bound), small_instances(3, 120, make)
    stopped = assert_rarely_wrong(algorithm, instances, 20, is_right, max_samples=8_000)
    assert stopped == 2400 or (epsilon == 0 and stopped >= 2000)


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
