"""Arms that are added while an experiment runs."""

import numpy as np
import pytest
from references.sessions import everything_of

import pareto_core as pc
import pareto_lab as lab

NAMES = ["A", "B", "C"]
OBJECTIVES = {"yield": "max", "price": "min"}
TABLE = {
    "arm": ["A", "B", "C"] * 40,
    "yield": [3.0, 0.0, 0.0] * 40,
    "price": [1.0, 0.0, 2.0] * 40,
    "tube": [f"t{k}" for k in range(120)],
}


def first_session(**options):
    settings = {"arms": NAMES, "objectives": OBJECTIVES, "units": {"price": "€"}}
    settings |= {"standard_deviation": [1.0, 2.0], "costs": {"A": 1, "B": 2, "C": 3}}
    algorithm = pc.Certified(pc.TrackAndStop(), delta=0.05)
    return lab.Session(algorithm, **{**settings, **options})


def go_on(session, seed):
    rng = np.random.default_rng(seed)
    means = {"A": [3.0, 1.0], "B": [0.0, 0.0], "C": [0.0, 2.0], "D": [4.0, -2.0], "E": [9.0, -9.0]}
    while not session.finished:
        arm = session.ask()
        session.tell(arm, means[arm] + rng.standard_normal(2) * [1.0, 2.0])


@pytest.mark.slow
def test_an_arm_arrives_and_everything_else_remains(tmp_path):
    session = first_session(budget=3000)
    session.tell_all(TABLE, id="tube")
    session.withdraw("A", [3.0, 1.0], [2.5, 1.5], "mistyped")
    spent, outstanding = session.spent, session.outstanding.tolist()
    session.add_arm("D", made_from_data=False, delta=0.02, cost=2.0)
    assert session.design.arms == (*NAMES, "D") and session.n_arms == 4
    assert (session.spent, session.outstanding.tolist()) == (spent, [*outstanding, 0])
    assert session.algorithm.delta == 0.02
    assert session.algorithm.algorithm.costs == (1.0, 2.0, 3.0, 2.0)
    assert session.predecessors == [(("A", "B", "C"), 0.05, 120)]
    assert session.status().samples.tolist() == [40, 40, 40, 0]
    assert session.tell_all(TABLE | {"tube": ["new", *TABLE["tube"][1:]]}, id="tube", repeat=True)
    session.save(tmp_path / "session.json")
    assert everything_of(lab.load_session(tmp_path / "session.json")) == everything_of(session)
    go_on(session, 0)
    assert session.recommendation.tolist() == ["D"]
    session.add_arm("E", made_from_data=False, cost=1.0)
    go_on(session, 2)
    assert session.recommendation.tolist() == ["E"]
    session.save(tmp_path / "session.json")
    assert everything_of(lab.load_session(tmp_path / "session.json")) == everything_of(session)
    assert "at least 0.83" in session.status(0.1).remarks[-1].text  # 0.05, 0.02 and 0.1


def test_an_arm_arrives_after_another_was_retired(tmp_path):
    algorithm = pc.Certified(pc.APE(), rule="joint_subsets")
    session = lab.Session(algorithm, arms=NAMES, objectives=OBJECTIVES, standard_deviation=1.0)
    session.tell_all(TABLE)
    session.retire("A", "sold out", still_counts=False)
    session.add_arm("D", made_from_data=False)
    assert [each.arm for each in session.retired] == ["A"]
    go_on(session, 0)
    assert "A" not in session.recommendation and "D" in session.recommendation
    session.save(tmp_path / "session.json")
    assert everything_of(lab.load_session(tmp_path / "session.json")) == everything_of(session)


def test_an_arm_arrives_with_its_features():
    features = [[1.0, 0.0], [0.0, 1.0]]
    session = lab.Session(pc.GEGE(budget=20), 2, 2, 1.0, features)
    session.add_arm(made_from_data=False, features=[0.5, 0.5])
    assert session.design.features.tolist() == [*features, [0.5, 0.5]]
