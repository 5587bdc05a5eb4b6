"""Adaptive Pareto Exploration: its choices and its answers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.error_rate import assert_rarely_wrong
from references.pareto import success_condition_1
from references.racing import APELoop, follow, noisy_rewards, recorded
from references.runs import run_quietly

from pareto_core import APE, Instance, Racing, gaps
from pareto_core.confidence.bonuses import BONUSES
from pareto_lab import Session

MEANS = [[1.0, 0.2], [0.0, 1.3], [-0.4, -0.6], [0.3, -0.5]]
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


@pytest.mark.parametrize("kind", BONUSES)
@pytest.mark.parametrize("leader", LEADERS)
@pytest.mark.parametrize("pull", PULLS)
def test_runs_on_unit_variance_are_those_of_the_plain_loop(kind, leader, pull):
    algorithm = APE(bonus=kind, leader=leader, pull=pull)
    rng = np.random.default_rng(3)
    means = 2 * np.array(MEANS)

    def rewards(arm):
        return means[arm] + rng.standard_normal(2)

    assert follow(algorithm, APELoop(4, 2, algorithm), rewards, most=2000).finished


def small_instances(seed, count):
    """Random instances of 2 to 8 arms in 1 to 3 objectives, none with very small gaps."""
    rng = np.random.default_rng(seed)
    while count:
        shape = (int(rng.integers(2, 9)), int(rng.integers(1, 4)))
        instance = Instance(rng.standard_normal(shape), variance=rng.uniform(0.05, 0.5, shape[1]))
        if (gaps(instance.means_standardised) ** -2).sum() < 30:
            count -= 1
            yield instance


@pytest.mark.statistical
@pytest.mark.parametrize(
    ("leader", "pull", "epsilon"),
    [("open", "rarer", 0.0), ("open", "both", 0.3), ("weakest", "rarer", 0.0)],
)
def test_success_condition_1_fails_with_probability_at_most_delta(leader, pull, epsilon):
    def is_right(instance, answer):
        return success_condition_1(instance.means_standardised, answer, epsilon)

    algorithm = APE(0.1, epsilon, bonus="mixture", leader=leader, pull=pull)
    assert_rarely_wrong(algorithm, small_instances(5, 100), 20, is_right)


@pytest.mark.statistical
@pytest.mark.parametrize("k", [1, 3])
def test_k_arms_are_almost_optimal_and_otherwise_the_front_is_complete(k):
    def is_right(instance, answer):
        below = gaps(instance.means)
        below[instance.pareto_set] = 0.0
        is_complete = np.isin(instance.pareto_set, answer).all()
        return bool((below[answer] <= 0.2).all() and (len(answer) >= k or is_complete))

    algorithm = APE(0.1, 0.2, k, "mixture", variance_bound=0.5)
    assert_rarely_wrong(algorithm, small_instances(6, 100), 20, is_right)


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
