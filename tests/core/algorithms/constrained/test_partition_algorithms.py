"""e-cAPE, R-CP, two stages and uniform sampling: their runs, sample by sample."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.partition_algorithms import (
    HAND_MADE,
    REGIONS,
    follow,
    noisy_arms,
    parts,
    random_region,
)

from pareto_core import (
    ECAPE,
    ConstrainedUniformSampling,
    Instance,
    Polyhedron,
    RacingCP,
    TwoStage,
    simulate,
)
from pareto_core.algorithms.constrained.partition_evidence import BONUSES
from pareto_core.geometry.polyhedron import orthant
from pareto_lab import Session

ALGORITHMS = (ECAPE, RacingCP, TwoStage, ConstrainedUniformSampling)
EVERY_ALGORITHM = pytest.mark.parametrize("kind", ALGORITHMS)


def run_quietly(algorithm, instance, runs=1, **settings):
    return simulate(algorithm, instance, runs, progress=False, **settings)


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


@pytest.mark.slow
@pytest.mark.parametrize("bonus", BONUSES)
@pytest.mark.parametrize("region", REGIONS)
@EVERY_ALGORITHM
def test_finished_runs_are_those_of_the_plain_loop(kind, region, bonus):
    rng = np.random.default_rng(REGIONS.index(region))
    algorithm = kind(0.3, 2.0, bonus, variance_bound=0.01)
    means = rng.uniform(-0.3, 1.3, (5, 3))

    def rewards(arm):
        return means[arm] + 0.1 * rng.standard_normal(3)

    session, _ = follow(algorithm, random_region(rng, 3, region), 5, 3, rewards, most=400)
    assert session.samples >= 5


@pytest.mark.parametrize("name", HAND_MADE)
@EVERY_ALGORITHM
def test_hand_made_cases(kind, name):
    means, expected = HAND_MADE[name]
    session, loop = follow(
        kind(variance_bound=0.09), orthant([0.0, 0.0]), 3, 2, lambda arm: means[arm], most=500
    )
    assert session.finished
    assert loop.answer() == expected


def test_a_leader_without_a_challenger_is_sampled_alone():
    # all arms are surely infeasible but arm 2
    means = [[-9.0, 0.0], [0.0, -9.0], [-0.1, 1.0]]
    session = Session(ECAPE(variance_bound=0.09), 3, 2, polyhedron=orthant([0.0, 0.0]))
    asked = []
    while not session.finished:
        asked.append(session.ask())
        session.tell(asked[-1], means[asked[-1]])
    assert set(asked[3:]) == {2}
    assert parts(session.recommendation) == ([], [], [0, 1, 2])


def test_leader_and_challenger_are_both_sampled_before_the_evidence_is_weighed():
    means = [[1.0, 1.0], [1.1, 1.1], [9.0, -9.0]]
    session = Session(ECAPE(variance_bound=0.01), 3, 2, polyhedron=orthant([0.0, 0.0]))
    asked = []
    while not session.finished:
        asked.append(session.ask())
        session.tell(asked[-1], means[asked[-1]])
    assert asked[:3] == [0, 1, 2]
    assert asked[3:] == [0, 1] * (len(asked[3:]) // 2)


def test_racing_waits_for_the_dominating_arm_to_be_surely_feasible():
    means = [[0.85, 0.85], [0.15, 0.55], [0.4, 0.3], [0.55, 0.15]]
    region, pulls = Polyhedron([[1.0, 0.0]], [0.9]), {}
    for kind in (ECAPE, RacingCP):
        algorithm = kind(radius_constant=2.0, variance_bound=0.01)
        session, _ = follow(algorithm, region, 4, 2, lambda arm: means[arm], most=500)
        assert parts(session.recommendation) == ([0], [1, 2, 3], [])
        pulls[kind] = session.pulls.tolist()
    assert pulls[RacingCP] == [pulls[RacingCP][0]] * 4
    assert sum(pulls[ECAPE]) < 0.6 * sum(pulls[RacingCP])


def test_of_tied_arms_the_first_leads():
    # no evidence tells the arms apart: e-cAPE takes the first outside O, and the first of O
    session = Session(ECAPE(), 4, 2, 1.0, polyhedron=orthant([-1.0, -1.0]))
    asked = []
    for _ in range(6):
        asked.append(session.ask())
        session.tell(asked[-1], [0.0, 0.0])
    assert asked == [0, 1, 2, 3, 1, 0]
    assert parts(session._state.run.answer())[0] == [0]


@pytest.mark.parametrize("most", [1, 2, 3, 4, 5, 7])
@EVERY_ALGORITHM
def test_cut_off(kind, most):
    instance = Instance([[1.0, 1.0], [0.3, 0.2], [-1.0, 2.0]], polyhedron=orthant([0.0, 0.0]))
    runs = run_quietly(kind(), instance, 3, max_samples=most)
    assert (runs.samples == most).all()
    assert not runs.stopped.any()
    assert not runs.correct.any()
    assert most >= 3 or (runs.answers == 0).all()
    assert most > 3 or (runs.pulls == [1, 1, 1])[:, :most].all()


@pytest.mark.slow
def test_without_further_observations_the_run_ends_unfinished():
    rng = np.random.default_rng(0)
    observations = [rng.standard_normal((5, 2)) for _ in range(3)]
    instance = Instance.from_observations(observations, polyhedron=orthant([0.0, 0.0]))
    runs = run_quietly(ECAPE(variance_bound=1.0), instance, 5)
    assert not runs.stopped.any()
    assert (runs.samples <= 15).all()


@pytest.mark.parametrize("region", [None, "x >= 0", orthant([0.0])])
@EVERY_ALGORITHM
def test_the_dimension_of_the_polyhedron_is_checked(kind, region):
    with pytest.raises(ValueError, match=r"^polyhedron"):
        Session(kind(), 3, 2, 1.0, polyhedron=region)


@EVERY_ALGORITHM
def test_an_instance_without_polyhedron_is_refused(kind):
    with pytest.raises(ValueError, match=r"^polyhedron = None; expected a Polyhedron"):
        run_quietly(kind(), Instance([[1.0, 0.0], [0.0, 1.0]]))
