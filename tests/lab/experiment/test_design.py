"""Designs: names, directions, units and noise."""

import numpy as np
import pandas as pd
import pytest
from references.sessions import (
    ALGORITHMS,
    CHEAP,
    FEATURES,
    REGION,
    answer_of,
    name_of,
    new_session,
    queues_of_rewards,
)

import pareto_core as pc
import pareto_lab as lab

ARMS = ["A", "B", "C", "D"]
SIGNS = np.array([1.0, -1.0])


def turned(algorithm):
    """The session of `new_session` with names, and a second objective to be minimised."""
    given = {
        "standard_deviation": None if algorithm.noise.is_stated else {"cost": 2.0, "yield": 1.0},
        "features": FEATURES if "features" in algorithm.reads else None,
        "polyhedron": REGION if "polyhedron" in algorithm.reads else None,
        "arms": ARMS,
        "objectives": {"yield": "max", "cost": "min"},
    }
    return lab.Session(algorithm, **given)


def numbers_of(answer):
    """Convert the names of an answer to numbers."""
    parts = [[ARMS.index(each) for each in np.atleast_1d(part)] for part in answer]
    return [part[0] for part in parts] if np.ndim(answer[0]) == 0 else parts


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=name_of)
def test_signs_and_names_do_not_change_a_session(algorithm):
    rewards, session, twin = queues_of_rewards(2), turned(algorithm), new_session(algorithm)
    rng = np.random.default_rng(0)
    while not twin.finished:
        n = int(rng.integers(1, 4))
        asked = twin.ask_many(n)
        assert session.ask_many(n) == [ARMS[arm] for arm in asked]
        for arm in asked or [twin.ask()]:
            reward = rewards[arm, twin.pulls[arm] + twin.waiting[arm]]
            twin.tell(arm, reward)
            session.tell(ARMS[arm], {"cost": -reward[1], "yield": reward[0]})
    assert session.ended_by == "answer"
    assert session.pulls.tolist() == twin.pulls.tolist()
    np.testing.assert_array_equal(session.means, twin.means * SIGNS)
    assert numbers_of(session.recommendation) == answer_of(twin)


def test_the_region_is_in_the_caller_s_signs_and_units():
    region = pc.Polyhedron([[0.0, 1.0], [-1.0, 0.0]], [38.0, 0.0])  # fever up to 38, protection
    session = lab.Session(
        pc.ECAPE(delta=0.1),
        arms=["A", "B", "C"],
        objectives={"protection": "max", "fever": "min"},
        standard_deviation=[1.0, 0.1],
        polyhedron=region,
    )
    means = {"A": [100.0, 37.0], "B": [200.0, 39.0], "C": [50.0, 37.5]}
    while not session.finished:
        arm = session.ask()
        session.tell(arm, means[arm])
    assert [part.tolist() for part in session.recommendation] == [["A"], ["C"], ["B"]]


def test_names_numbers_and_series_may_be_mixed():
    words = {"a": "maximize", "b": "minimise", "c": "maximise", "d": "minimize"}
    prices = pd.Series([4.0, 3.0, 2.0, 1.0], ARMS[::-1])
    session = lab.Session(
        CHEAP, 4, objectives=words, arms=pd.Series(ARMS), costs=prices, standard_deviation=1.0
    )
    assert session.design.directions == ("max", "min", "max", "min")
    assert session.design.arms == tuple(ARMS)
    assert session.design.costs.tolist() == [1.0, 2.0, 3.0, 4.0]
    assert str(session.means[0].tolist()) == "[0.0, 0.0, 0.0, 0.0]"  # without signs
    session = lab.Session(CHEAP, 4, objectives=["yield", "cost"], standard_deviation=1.0)
    session.tell(np.int64(0), pd.Series([2.0, 1.0], ["cost", "yield"]))
    assert session.means[0].tolist() == [1.0, 2.0]
    assert session.design.directions == ("max", "max")
