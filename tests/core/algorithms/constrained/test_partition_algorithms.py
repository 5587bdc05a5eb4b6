"""e-cAPE, R-CP, two stages and uniform sampling: their runs, sample by sample."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.partition_algorithms import (
    HAND_MADE,
    follow,
    noisy_arms,
    parts,
)

from pareto_core import (
    ECAPE,
    ConstrainedUniformSampling,
    Instance,
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


@pytest.mark.parametrize("region", [None, "x >= 0", orthant([0.0])])
@EVERY_ALGORITHM
def test_the_dimension_of_the_polyhedron_is_checked(kind, region):
    with pytest.raises(ValueError, match=r"^polyhedron"):
        Session(kind(), 3, 2, 1.0, polyhedron=region)


@EVERY_ALGORITHM
def test_an_instance_without_polyhedron_is_refused(kind):
    with pytest.raises(ValueError, match=r"^polyhedron = None; expected a Polyhedron"):
        run_quietly(kind(), Instance([[1.0, 0.0], [0.0, 1.0]]))
