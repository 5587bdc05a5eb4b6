"""The table of all rewards told, and a new session that is told it."""

import pandas as pd
import pytest
from references.sessions import CHEAP, state_of

import pareto_lab as lab

NAMES = ["A", "B", "NA", "1"]


def session_of(objectives=("yield", "cost")):
    directions = dict(zip(objectives, ("max", "min"), strict=True))
    return lab.Session(CHEAP, arms=NAMES, objectives=directions, standard_deviation=[0.3, 2.0])


def told_and_withdrawn():
    """A session with every kind of reward."""
    session = session_of()
    session.tell_all({"arm": ["NA", "A", "1"], "yield": [1 / 3, 0.5, 0.25], "cost": [1, 2, 3]})
    session.tell("A", [0.5, 2.0], id="t1")  # of the same values as one before
    session.tell_all(
        {"arm": ["A", "1"], "yield": [0.9, 0.8], "cost": [5.0, 6.0], "tube": ["t2", "007"]},
        id="tube",
    )
    session.withdraw("NA", [1 / 3, 1], instead=[0.7, 1.5], reason="unit; see book")
    session.withdraw(id="t2", reason="mislabelled")
    session.withdraw(number=1, instead=[0.6, 1.5], reason="again")
    return session


def rows_of(frame):
    return frame.drop(columns="told").values.tolist()


EXPECTED = [
    [1, "NA", 1 / 3, 1.0, None, "replaced", "unit; see book"],
    [1, "NA", 0.7, 1.5, None, "replaced", "again"],
    [1, "NA", 0.6, 1.5, None, "waiting", ""],
    [2, "A", 0.5, 2.0, None, "used", ""],
    [3, "1", 0.25, 3.0, None, "waiting", ""],
    [4, "A", 0.5, 2.0, "t1", "used", ""],
    [5, "A", 0.9, 5.0, "t2", "withdrawn", "mislabelled"],
    [6, "1", 0.8, 6.0, "007", "waiting", ""],
]


def test_every_reward_told_has_a_row(tmp_path):
    session = told_and_withdrawn()
    frame = session.data()
    assert list(frame) == ["number", "arm", "yield", "cost", "id", "told", "state", "reason"]
    assert rows_of(frame) == EXPECTED
    assert str(frame["told"].dt.tz) == "UTC"
    session.save(tmp_path / "mine.json")
    pd.testing.assert_frame_equal(lab.load_session(tmp_path / "mine.json").data(), frame)
    frame.to_csv(tmp_path / "data.csv", index=False)
    for table in (frame, tmp_path / "data.csv"):
        new = session_of()
        assert new.tell_all(table) == (5, 0)
        assert state_of(new) == state_of(session)
    told = [row for row in rows_of(frame) if row[-2] in ("used", "waiting")]
    assert [row[1:] for row in rows_of(new.data())] == [row[1:] for row in told]
    assert session_of().data().empty


def test_a_table_of_your_own_with_such_columns_is_not_taken_for_it():
    own = {"arm": ["A", "B"], "yield": [0.1, 0.2], "cost": [1.0, 2.0], "number": [1, 2]}
    own |= {"told": ["Mon", "Tue"], "state": ["ill", "withdrawn"], "id": ["", "t"]}
    session = session_of()
    assert session.tell_all(own).counted == 2
    with pytest.raises(ValueError, match="row 1: id = '' is empty"):
        session_of().tell_all(own, id="id")


def test_columns_are_renamed_if_an_objective_has_their_name():
    session = session_of(("state", "number"))
    session.tell_all({"arm": ["A"] * 4, "state": [1.0] * 4, "number": [2.0] * 4})
    table = session.data()
    assert table["state_"].tolist() == 3 * ["used"] + ["waiting"]
    assert list(table) == ["number_", "arm", "state", "number", "id", "told", "state_", "reason"]
    new = session_of(("state", "number"))
    new.tell_all(table)
    assert new.means[0].tolist() == [1.0, 2.0]
