"""GEGE: its rounds, its answers, and how often they are wrong."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.gege import GEGELoop, follow, linear_rewards, play_round
from references.runs import run_quietly

from pareto_core import GEGE, Instance
from pareto_lab import Session

ROUNDINGS = ("apportionment", "ceiling")
LENGTHS = ("experiment", "theory")


@pytest.mark.slow
@pytest.mark.compiled
@settings(max_examples=250)
@given(
    linear_rewards(),
    st.sampled_from(LENGTHS),
    st.sampled_from(ROUNDINGS),
    st.sampled_from([0.0, 0.3, 0.5, 1.0]),
    st.sampled_from([0.9, 0.1, 1e-6]),
    st.sampled_from([1e-6, 1e-4, 1e-2, None]),
    st.one_of(st.none(), st.integers(0, 60)),
)
def test_rounds_are_algorithms_2_and_3(drawn, lengths, rounding, epsilon, delta, bound, spare):
    """With a budget of ``spare`` samples more than the least, or without one."""
    features, d, rewards = drawn
    algorithm = GEGE(delta, epsilon, lengths=lengths, rounding=rounding, variance_bound=bound)
    if spare is not None:
        h = np.linalg.matrix_rank(features)
        budget = int(h * max(np.ceil(np.log2(h)), 1)) + spare
        algorithm = GEGE(budget=budget, rounding=rounding)
    deviation = None if algorithm.noise.is_stated else 1.0
    session = Session(algorithm, len(features), d, deviation, features=features)
    follow(session, GEGELoop(algorithm, features, d), rewards, most=3000)
    if spare is not None:
        assert session.finished
        assert session.samples == budget or rounding == "ceiling"


def test_proven_lengths_are_the_printed_ones_at_a_quarter_of_the_risk():
    features = [[1, 0], [0, 1], [-1, -1]]
    instance = Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], features=features)
    proven = run_quietly(GEGE(0.1, lengths="proven"), instance, 3)
    printed = run_quietly(GEGE(0.025, lengths="theory"), instance, 3)
    np.testing.assert_array_equal(proven.pulls, printed.pulls)
    assert (proven.samples > run_quietly(GEGE(0.1, lengths="theory"), instance, 3).samples).all()


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


@pytest.mark.slow
def test_an_arm_without_further_observations_ends_the_run():
    observations = [np.full((size, 1), float(size)) for size in (300, 7, 300)]
    instance = Instance.from_observations(observations, features=np.eye(3))
    runs = run_quietly(GEGE(budget=60, variance_bound=1.0), instance, runs=2)
    assert not runs.stopped.any()
    assert (runs.pulls == [10, 7, 0]).all()
    assert runs.answers.all()


def test_rounds_too_long_to_count_are_cut_off():
    instance = Instance([[0.0], [1e-12]], features=np.eye(2))
    runs = run_quietly(GEGE(variance_bound=1e30, lengths="theory"), instance, max_samples=1000)
    assert runs.samples[0] == 1000 and not runs.stopped[0]
    tie = Instance([[0.0], [0.0]], features=np.eye(2))
    assert run_quietly(GEGE(delta=1e-12), tie, max_samples=2**62).samples[0] == 2**62


@pytest.mark.parametrize(("h", "least"), [(2, 2), (3, 6), (4, 8), (5, 15), (8, 24)])
def test_budget_must_reach_all_dimensions_in_each_round(h, least):
    features = np.vstack([np.eye(h), -np.eye(h)])
    with pytest.raises(ValueError, match=f"^budget = {least - 1}; expected at least {least}"):
        Session(GEGE(budget=least - 1), 2 * h, 1, 1.0, features=features)
    Session(GEGE(budget=least), 2 * h, 1, 1.0, features=features)
