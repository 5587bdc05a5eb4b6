"""Explanations of the verdict on each arm."""

import math

import numpy as np
import pytest
from references.partition_algorithms import REGIONS, follow, parts, random_region

from pareto_core import APE, ECAPE, ConstrainedUniformSampling, RacingCP, TwoStage
from pareto_core.algorithms.constrained.partition_evidence import BONUSES
from pareto_core.geometry.polyhedron import orthant
from pareto_lab import Session, explain

ALGORITHMS = (ECAPE, RacingCP, TwoStage, ConstrainedUniformSampling)


def table_of(session, loop):
    """Compare `explain` with the plain loop; return the table."""
    table = explain(session)
    inside, outside = loop.cases()
    cases = inside | outside
    everyone, front = range(session.n_arms), loop.O
    assert table["arm"].tolist() == list(everyone)
    assert table["feasible"].tolist() == [i in loop.F for i in everyone]
    np.testing.assert_allclose(table["case"], [cases[i] for i in everyone], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(
        table["margin"], [loop.gamma(i) for i in everyone], rtol=1e-9, atol=1e-9
    )
    for i in everyone:
        leads = {j: loop.m_low(i, j) for j in front if j != i}
        assert table["lead"][i] == pytest.approx(max(leads.values(), default=-math.inf))
        rival = table["rival"][i]
        assert rival == -1 if not leads else leads[rival] == pytest.approx(max(leads.values()))
    named = ("optimal", "dominated", "infeasible")
    calls = dict(zip(named, parts(session._state.run.answer()), strict=True))
    assert all(i in calls[table["called"][i]] for i in everyone)
    assert table["sure"].tolist() == (table["case"] > 0).tolist()
    return table


@pytest.mark.slow
@pytest.mark.parametrize("bonus", BONUSES)
@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize("kind", [ECAPE, ConstrainedUniformSampling])
@pytest.mark.parametrize("most", [6, 7, 60])
def test_the_numbers_are_those_of_the_plain_loop(kind, region, bonus, most):
    rng = np.random.default_rng(REGIONS.index(region))
    means = rng.uniform(-0.3, 1.3, (6, 2))

    def rewards(arm):
        return means[arm] + 0.1 * rng.standard_normal(2)

    algorithm = kind(0.3, 2.0, bonus, variance_bound=0.01)
    session, loop = follow(algorithm, random_region(rng, 2, region), 6, 2, rewards, most)
    table = table_of(session, loop)
    assert table["sure"].all() or not session.finished


@pytest.mark.parametrize("kind", ALGORITHMS)
def test_the_reasons_at_the_end(kind):
    means = [[1.0, 3.0], [3.0, 1.0], [0.5, 0.5], [9.0, -2.0]]
    session, _ = follow(
        kind(variance_bound=0.01), orthant([0.0, 0.0]), 4, 2, lambda arm: means[arm], most=999
    )
    table = explain(session)
    assert table["called"].tolist() == ["optimal", "optimal", "dominated", "infeasible"]
    assert table["sure"].all()
    assert table["feasible"].tolist() == [True, True, True, False]
    assert table["rival"][[0, 1]].tolist() == [1, 0]
    assert table["rival"][2] in (0, 1)
    assert table["lead"][2] > 0 > table["lead"][[0, 1]].max()


@pytest.mark.parametrize("kind", ALGORITHMS)
def test_explaining_changes_nothing(kind):
    rng = np.random.default_rng(5)
    means = np.array([[1.0, 2.0], [2.0, 1.0], [0.5, 0.5], [0.1, -0.3]])
    sessions = [
        Session(kind(variance_bound=0.1), 4, 2, polyhedron=orthant([0.0, 0.0])) for _ in range(2)
    ]
    while not sessions[0].finished and sessions[0].samples < 300:
        arm = sessions[0].ask()
        assert sessions[1].ask() == arm
        reward = means[arm] + 0.3 * rng.standard_normal(2)
        for session in sessions:
            session.tell(arm, reward)
        if sessions[0].samples >= 4:
            explain(sessions[0])
        assert sessions[0].finished == sessions[1].finished


def test_lengths_are_in_standard_deviations():
    session = Session(ECAPE(), 2, 1, standard_deviation=10.0, polyhedron=orthant([20.0]))
    session.tell(0, [70.0])
    session.tell(1, [0.0])
    radius = math.sqrt(8 * math.log((1 + math.log(2)) / 0.1))
    assert explain(session)["margin"].tolist() == pytest.approx([5 - radius, 2 - radius])


@pytest.mark.parametrize("session", [None, "session", Session(APE(), 3, 2, 1.0), ECAPE()])
def test_only_sessions_with_partitions_are_explained(session):
    with pytest.raises(
        ValueError, match=r"(?s)^session = .*; expected a Session whose algorithm answers"
    ):
        explain(session)


def test_each_arm_needs_a_sample():
    session = Session(ECAPE(), 3, 1, 1.0, polyhedron=orthant([0.0]))
    session.tell(0, [1.0])
    with pytest.raises(ValueError, match="session has no sample of arm 1"):
        explain(session)
