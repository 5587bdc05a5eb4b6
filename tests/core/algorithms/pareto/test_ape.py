"""Adaptive Pareto Exploration: its choices, its bookkeeping, and its answers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.error_rate import assert_rarely_wrong
from references.pareto import success_condition_1
from references.racing import APELoop, bonus, follow, noisy_rewards, recorded
from references.seeds import MORE

from pareto_core import APE, Instance, Racing, gaps, simulate
from pareto_core.algorithms.pareto.ape import HIGH, LOW, MIDDLE
from pareto_core.confidence.bonuses import BONUSES
from pareto_lab import Session

MEANS = [[1.0, 0.2], [0.0, 1.3], [-0.4, -0.6], [0.3, -0.5]]
LEADERS = ("open", "weakest")
PULLS = ("rarer", "both")


def run_quietly(algorithm, instance, runs=1, **settings):
    return simulate(algorithm, instance, runs, progress=False, **settings)


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


@pytest.mark.slow
@pytest.mark.parametrize("kind", BONUSES)
@pytest.mark.parametrize("decimals", [15, 0])
@pytest.mark.parametrize(("n_arms", "d", "prior"), [(2, 1, 0), (6, 2, 3), (15, 3, 0)])
@MORE
def test_the_least_numbers_are_those_of_all_pairs(kind, decimals, n_arms, d, prior, times):
    algorithm = APE(delta=1e-9, bonus=kind, variance_bound=4.0, prior_samples=prior)
    pair_bonus = bonus(kind, algorithm.delta, n_arms, d)
    session = Session(algorithm, n_arms, d, None if algorithm.noise.is_stated else 1.0)
    rng = np.random.default_rng(n_arms)
    means, arms = rng.standard_normal((n_arms, d)), np.arange(n_arms)
    for _ in range(200 * times):
        arm = session.ask()
        session.tell(arm, np.round(means[arm] + rng.standard_normal(d), decimals))
        if session.samples < n_arms:
            continue
        state, counts = session._state.run.run.state, session.pulls
        estimates = session.means * (counts / (counts + prior))[:, None]
        excess = (estimates[:, None] - estimates).max(axis=2)
        width = 2.0 * np.array([[pair_bonus(n, m) for m in counts] for n in counts])
        for which, sign in ((LOW, -1), (MIDDLE, 0), (HIGH, 1)):
            value = excess + sign * width
            np.fill_diagonal(value, np.inf)
            least, rival = state.least[which], state.rival[which]
            np.testing.assert_allclose(least, value.min(axis=1), rtol=1e-9, atol=1e-9)
            np.testing.assert_allclose(value[arms, rival], least, rtol=1e-9, atol=1e-9)
            value[arms, rival] = np.inf
            assert (least <= state.rest[which]).all()
            assert (state.rest[which] <= value.min(axis=1) + 1e-9).all()


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
