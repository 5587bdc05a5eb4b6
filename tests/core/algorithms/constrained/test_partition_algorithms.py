"""e-cAPE, R-CP, two stages and uniform sampling: their runs, and how often they are wrong."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.algorithms import kinds_for
from references.partition_algorithms import follow, noisy_arms
from references.runs import plain

from pareto_core import ECAPE
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


def test_of_tied_arms_the_first_leads():
    # no evidence tells the arms apart: e-cAPE takes the first outside O, and the first of O
    session = Session(ECAPE(), 4, 2, 1.0, polyhedron=orthant([-1.0, -1.0]))
    asked = []
    for _ in range(6):
        asked.append(session.ask())
        session.tell(asked[-1], [0.0, 0.0])
    assert asked == [0, 1, 2, 3, 1, 0]
    assert plain(session._state.run.answer())[0] == [0]
