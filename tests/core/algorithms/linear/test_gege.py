"""GEGE: its rounds, its answers, and how often they are wrong."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.error_rate import assert_rarely_wrong
from references.gege import GEGELoop, follow, linear_rewards, play_round
from references.runs import run_quietly

from pareto_core import EGE, GEGE, Instance, gaps, load_instance
from pareto_lab import Session

ROUNDINGS = ("apportionment", "ceiling")
LENGTHS = ("experiment", "theory")


@pytest.mark.slow
@pytest.mark.compiled
@settings(max_examples=150)
@given(
    linear_rewards(),
    st.sampled_from(LENGTHS),
    st.sampled_from(ROUNDINGS),
    st.sampled_from([0.0, 0.3, 0.5, 1.0]),
    st.sampled_from([0.9, 0.1, 1e-6]),
    st.sampled_from([1e-6, 1e-4, 1e-2, None]),
)
def test_rounds_are_algorithm_3(drawn, lengths, rounding, epsilon, delta, variance_bound):
    features, d, rewards = drawn
    algorithm = GEGE(
        delta, epsilon, lengths=lengths, rounding=rounding, variance_bound=variance_bound
    )
    session = Session(
        algorithm, len(features), d, None if algorithm.noise.is_stated else 1.0, features=features
    )
    follow(session, GEGELoop(algorithm, features, d), rewards, most=3000)


def test_proven_lengths_are_the_printed_ones_at_a_quarter_of_the_risk():
    features = [[1, 0], [0, 1], [-1, -1]]
    instance = Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], features=features)
    proven = run_quietly(GEGE(0.1, lengths="proven"), instance, 3)
    printed = run_quietly(GEGE(0.025, lengths="theory"), instance, 3)
    np.testing.assert_array_equal(proven.pulls, printed.pulls)
    assert (proven.samples > run_quietly(GEGE(0.1, lengths="theory"), instance, 3).samples).all()


@pytest.mark.slow
@settings(max_examples=100)
@given(linear_rewards(), st.sampled_from(ROUNDINGS), st.integers(0, 60))
def test_rounds_with_a_budget_are_algorithm_2(drawn, rounding, spare):
    features, d, rewards = drawn
    h = np.linalg.matrix_rank(features)
    least = int(h * max(np.ceil(np.log2(h)), 1))
    algorithm = GEGE(budget=least + spare, rounding=rounding)
    session = Session(
        algorithm, len(features), d, None if algorithm.noise.is_stated else 1.0, features=features
    )
    follow(session, GEGELoop(algorithm, features, d), rewards)
    assert session.finished
    if rounding == "apportionment":
        assert session.samples == least + spare


def linear_instance(rng, least_gap, variance=None):
    """Random linear instance, its smallest gap at least ``least_gap`` standard deviations."""
    while True:
        n_arms, h, d = (int(rng.integers(*bounds)) for bounds in ((5, 21), (2, 6), (1, 4)))
        features = rng.standard_normal((n_arms, h))
        features /= np.linalg.norm(features, axis=1, keepdims=True)
        means = features @ rng.standard_normal((h, d))
        if gaps(means).min() >= least_gap:
            return Instance(means, variance=variance, features=features)


@pytest.mark.slow
@pytest.mark.parametrize("n_arms", [2, 3, 4, 5, 6, 7, 8, 9, 13, 16])
def test_canonical_features_and_an_even_budget_make_it_halving(n_arms):
    sizes = [n_arms]
    while sizes[-1] > 2:
        sizes.append((sizes[-1] + 1) // 2)
    budget = len(sizes) * int(np.lcm.reduce(sizes))
    means = np.random.default_rng(n_arms).standard_normal((n_arms, 2))
    instance = Instance(means, features=np.eye(n_arms))
    gege = run_quietly(GEGE(budget=budget), instance, runs=40)
    ege = run_quietly(EGE(budget, accumulate=False), instance, runs=40)
    assert (gege.pulls == ege.pulls).all()
    assert (gege.answers == ege.answers).all()
    assert (gege.samples == budget).all() and (ege.samples == budget).all()


@pytest.mark.parametrize(
    ("samples", "choices"),
    [
        (90, {"delta": 0.1}),  # 2 * 16 * ln(16.449)
        (164, {"delta": 0.01}),
        (6987, {"delta": 0.1, "lengths": "theory"}),  # 32 * 1.75 * 2 * 16 * ln(3 * 16.449)
        (70, {"delta": 0.1, "lengths": "theory", "variance_bound": 0.01}),
        (2, {"delta": 0.1, "lengths": "theory", "variance_bound": 1e-9}),
        (2, {"budget": 2}),
    ],
)
def test_clear_cases_take_one_round_of_the_known_length(samples, choices):
    features = [[3, 0], [-3, 0], [0, 1.0]]
    instance = Instance([[99.0, 99.0], [-99.0, -99.0], [33.0, 33.0]], features=features)
    runs = run_quietly(GEGE(**choices), instance, runs=3)
    assert (runs.samples == samples).all()
    assert runs.correct.all()


@pytest.mark.parametrize(
    ("means", "rounds"),
    [
        ([[0.25, 0.0], [0.0, 0.25]], 1),  # optimal arms leave from 1/4 on, then from 1/8 on
        ([[0.2499, 0.0], [0.0, 0.2499]], 2),
        ([[0.125, 0.125], [0.0, 0.0]], 1),  # the other ones from 1/8 on, then from 1/16 on
        ([[0.0, 0.0], [0.1249, 0.1249]], 2),
    ],
)
def test_arms_leave_as_soon_as_their_gaps_are_large_enough(means, rounds):
    algorithm = GEGE(lengths="theory", variance_bound=1e-9)  # one sample of each arm a round
    session = Session(algorithm, 2, 2, features=np.eye(2))
    for _ in range(rounds):
        assert not session.finished
        play_round(session, lambda arm: means[arm])
    assert session.finished and session.samples == 2 * rounds


def test_a_run_cut_off_within_a_round_answers_all_active_arms():
    means = np.array([[5.0, 0.0], [0.0, 5.0], [-9.0, -9.0], [0.1, 5.1]])
    instance = Instance(means, variance=[1e-9] * 2, features=np.eye(4))
    algorithm = GEGE(variance_bound=1.0)
    first_round = 4 * 16 * np.log(np.pi**2 / 0.6)
    for most, answer in ((5, [0, 1, 2, 3]), (int(first_round) + 2, [0, 1, 3])):
        runs = run_quietly(algorithm, instance, max_samples=most)
        assert runs.samples[0] == most and not runs.stopped[0]
        assert np.flatnonzero(runs.answers[0]).tolist() == answer


@pytest.mark.slow
def test_an_arm_without_further_observations_ends_the_run():
    observations = [np.full((size, 1), float(size)) for size in (300, 7, 300)]
    instance = Instance.from_observations(observations, features=np.eye(3))
    runs = run_quietly(GEGE(budget=60, variance_bound=1.0), instance, runs=2)
    assert not runs.stopped.any()
    assert (runs.pulls == [10, 7, 0]).all()
    assert runs.answers.all()


def test_runs_on_ties_end_if_epsilon_forgives_them():
    features = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.5]])
    instance = Instance(features @ [[1.0, 0.0], [0.0, 1.0]], features=features)
    for lengths in LENGTHS:
        exact = run_quietly(GEGE(lengths=lengths), instance, runs=5, max_samples=10**8)
        assert not exact.stopped.any() and not exact.correct.any()
        assert (exact.samples == 10**8).all() and (exact.pulls.sum(axis=1) == 10**8).all()
        assert exact.answers[:, :2].all()
    forgiving = run_quietly(GEGE(epsilon=0.5, lengths="theory"), instance, runs=20)
    assert forgiving.stopped.all()
    assert (forgiving.answers == [True, True, True, False]).all()


def test_rounds_too_long_to_count_are_cut_off():
    instance = Instance([[0.0], [1e-12]], features=np.eye(2))
    runs = run_quietly(GEGE(variance_bound=1e30, lengths="theory"), instance, max_samples=1000)
    assert runs.samples[0] == 1000 and not runs.stopped[0]
    tie = Instance([[0.0], [0.0]], features=np.eye(2))
    assert run_quietly(GEGE(delta=1e-12), tie, max_samples=2**62).samples[0] == 2**62


def test_the_lengths_of_the_program_ignore_the_noise_so_whitening_small_noise_shortens_runs():
    noc = load_instance("noc")  # of variance 1/4: whitened, its gaps are twice as large
    programs = [run_quietly(GEGE(variance_bound=v), noc, runs=30).samples for v in (0.25, 1.0)]
    assert (programs[0] == programs[1]).all()
    assert run_quietly(GEGE(), noc, runs=30).samples.mean() < programs[0].mean() / 2


@pytest.mark.statistical
@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_the_printed_lengths_control_the_error_rate(rounding):
    rng = np.random.default_rng(11)
    instances = (linear_instance(rng, 0.02) for _ in range(100))
    algorithm = GEGE(delta=0.1, lengths="theory", rounding=rounding)
    assert_rarely_wrong(algorithm, instances, 20, n_jobs=1)


@pytest.mark.statistical
@pytest.mark.parametrize("epsilon", [0.25, 1.0])
def test_the_printed_lengths_answer_all_optimal_arms_and_none_below_epsilon(epsilon):
    def is_right(instance, answer):
        forgiven = np.append(instance.pareto_set, np.flatnonzero(gaps(instance.means) <= epsilon))
        return np.isin(instance.pareto_set, answer).all() and np.isin(answer, forgiven).all()

    rng = np.random.default_rng(12)
    instances = (linear_instance(rng, 0.0) for _ in range(100))
    algorithm = GEGE(delta=0.1, epsilon=epsilon, lengths="theory")
    assert_rarely_wrong(algorithm, instances, 20, is_right, n_jobs=1)


@pytest.mark.parametrize(("h", "least"), [(2, 2), (3, 6), (4, 8), (5, 15), (8, 24)])
def test_budget_must_reach_all_dimensions_in_each_round(h, least):
    features = np.vstack([np.eye(h), -np.eye(h)])
    with pytest.raises(ValueError, match=f"^budget = {least - 1}; expected at least {least}"):
        Session(GEGE(budget=least - 1), 2 * h, 1, 1.0, features=features)
    Session(GEGE(budget=least), 2 * h, 1, 1.0, features=features)


def test_features_must_be_given_and_not_all_zero():
    with pytest.raises(ValueError, match=r"^features = None"):
        Session(GEGE(), 3, 2, 1.0)
    with pytest.raises(ValueError, match=r"^features = None"):
        run_quietly(GEGE(), Instance([[0.0], [1.0]]))
    with pytest.raises(ValueError, match=r"^features are all zero"):
        Session(GEGE(), 3, 2, 1.0, features=np.zeros((3, 2)))
