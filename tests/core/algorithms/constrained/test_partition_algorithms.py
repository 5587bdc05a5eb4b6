"""e-cAPE, R-CP, two stages and uniform sampling: their runs, and how often they are wrong."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.algorithms import kinds_for
from references.error_rate import assert_rarely_wrong
from references.partition_algorithms import (
    HAND_MADE,
    REGIONS,
    follow,
    noisy_arms,
    parts,
    random_region,
)
from references.runs import run_quietly

from pareto_book.studies.constrained_complexity import two_stage_complexity
from pareto_core import ECAPE, Instance, Polyhedron, TwoStage
from pareto_core.algorithms.constrained.partition_evidence import BONUSES
from pareto_core.geometry.polyhedron import orthant
from pareto_core.questions import PARTITION
from pareto_lab import Session

ALGORITHMS = kinds_for(PARTITION)
EVERY_ALGORITHM = pytest.mark.parametrize("kind", ALGORITHMS)


@pytest.mark.slow
@settings(max_examples=60)
@given(
    noisy_arms(),
    st.sampled_from([0.9, 0.3, 1e-3]),
    st.sampled_from([8.0, 2.0]),
    st.sampled_from(BONUSES),
    st.sampled_from([None, 0.09, 0.01, 1e-4]),
    st.sampled_from([None, 0.25, 0.02, 1e-4]),
)
@EVERY_ALGORITHM
def test_runs_are_those_of_the_plain_loop(kind, drawn, delta, radius, bonus, variance, norm):
    n_arms, d, region, rewards = drawn
    follow(kind(delta, radius, bonus, variance, norm), region, n_arms, d, rewards, most=100)


@pytest.mark.parametrize("name", HAND_MADE)
@EVERY_ALGORITHM
def test_hand_made_cases(kind, name):
    means, expected = HAND_MADE[name]
    session, loop = follow(
        kind(variance_bound=0.09), orthant([0.0, 0.0]), 3, 2, lambda arm: means[arm], most=500
    )
    assert session.finished
    assert loop.answer() == expected


def test_of_tied_arms_the_first_leads():
    # no evidence tells the arms apart: e-cAPE takes the first outside O, and the first of O
    session = Session(ECAPE(), 4, 2, 1.0, polyhedron=orthant([-1.0, -1.0]))
    asked = []
    for _ in range(6):
        asked.append(session.ask())
        session.tell(asked[-1], [0.0, 0.0])
    assert asked == [0, 1, 2, 3, 1, 0]
    assert parts(session._state.run.answer())[0] == [0]


@pytest.mark.slow
def test_without_further_observations_the_run_ends_unfinished():
    rng = np.random.default_rng(0)
    observations = [rng.standard_normal((5, 2)) for _ in range(3)]
    instance = Instance.from_observations(observations, polyhedron=orthant([0.0, 0.0]))
    runs = run_quietly(ECAPE(variance_bound=1.0), instance, 5)
    assert not runs.stopped.any()
    assert (runs.samples <= 15).all()


MEANS = np.array([[1.0, 0.2], [0.0, 1.3], [-0.4, -0.6], [0.3, -0.5]])
EVERYTHING = {
    "no rows": Polyhedron(np.zeros((0, 2)), []),
    "a row of zeros": Polyhedron([[0.0, 0.0]], [1.0]),
    "far away": Polyhedron([[1.0, 1.0]], [1e9]),
}


@pytest.mark.parametrize("name", EVERYTHING)
@EVERY_ALGORITHM
def test_if_all_arms_are_feasible_the_answer_is_the_pareto_set(kind, name):
    runs = run_quietly(kind(), Instance(MEANS, polyhedron=EVERYTHING[name]), 20)
    assert runs.correct.all()
    assert (runs.answers == [2, 2, 1, 1]).all()


@EVERY_ALGORITHM
def test_an_arm_on_the_border_keeps_a_run_going_until_it_is_cut_off(kind):
    instance = Instance([[0.0, 2.0], [2.0, 0.5], [-3.0, -3.0]], polyhedron=orthant([0.0, -9.0]))
    runs = run_quietly(kind(delta=1e-3), instance, 3, max_samples=3000)
    assert (runs.samples == 3000).all()
    assert not runs.stopped.any()
    assert not runs.correct.any()
    assert (runs.answers[:, 1] == 2).all()


def test_a_dominated_arm_on_the_border_stops_only_the_two_stages():
    means = [[2.0, 2.0], [0.0, 0.5], [-3.0, -3.0]]
    instance = Instance(means, polyhedron=orthant([0.0, -9.0]))
    for kind in ALGORITHMS:
        runs = run_quietly(kind(delta=1e-3), instance, 3, max_samples=3000)
        assert (runs.stopped == (kind is not TwoStage)).all()
        assert (runs.correct == runs.stopped).all()


@EVERY_ALGORITHM
def test_equal_arms_keep_a_run_going(kind):
    rewards = np.array([[1.0, 1.0], [1.0, 1.0], [-9.0, 0.0]])
    session, loop = follow(
        kind(variance_bound=0.01), orthant([0.0, 0.0]), 3, 2, lambda arm: rewards[arm], most=150
    )
    assert not session.finished
    assert loop.answer() == ([0], [1], [2])


def random_instances():
    """Random instances of 2 to 6 arms, 1 to 4 objectives and any region, none of them hard."""
    rng, stretch = np.random.default_rng(11), 6.0
    for number in range(104):
        n_arms, d = int(rng.integers(2, 7)), int(rng.integers(1, 5))
        kind = REGIONS[number % len(REGIONS)]
        region = random_region(rng, d, kind).divided_by(np.full(d, 1 / stretch))
        means = stretch * rng.uniform(-0.5, 1.5, (n_arms, d))
        while two_stage_complexity(means, region) > 10.0:
            means = stretch * rng.uniform(-0.5, 1.5, (n_arms, d))
        yield Instance(means, polyhedron=region)


@pytest.mark.statistical
@pytest.mark.slow
@pytest.mark.parametrize(
    "algorithm", [*(kind(0.1) for kind in ALGORITHMS), ECAPE(0.1, bonus="union_bound")]
)
def test_error_rate_is_at_most_delta(algorithm):
    assert_rarely_wrong(algorithm, random_instances(), 20)


@pytest.mark.parametrize("region", [None, "x >= 0", orthant([0.0])])
@EVERY_ALGORITHM
def test_the_dimension_of_the_polyhedron_is_checked(kind, region):
    with pytest.raises(ValueError, match=r"^polyhedron"):
        Session(kind(), 3, 2, 1.0, polyhedron=region)


@EVERY_ALGORITHM
def test_an_instance_without_polyhedron_is_refused(kind):
    with pytest.raises(ValueError, match=r"^polyhedron = None; expected a Polyhedron"):
        run_quietly(kind(), Instance([[1.0, 0.0], [0.0, 1.0]]))
