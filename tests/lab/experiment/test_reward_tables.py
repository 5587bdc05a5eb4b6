"""Tables of existing rewards, told at once."""

import pandas as pd
import pytest
from references.sessions import CHEAP, told_of

import pareto_lab as lab

NAMES = ["A", "B", "NA", "1"]  # two of which programs tend to misread


def session_of():
    objectives = {"yield": "max", "cost": "min"}
    return lab.Session(CHEAP, arms=NAMES, objectives=objectives, standard_deviation=1.0)


FRAME = pd.DataFrame(
    {
        "day": ["Mon", "Mon", "Tue", "Tue", "Wed"],
        "cost": [1.0, 2.5, 3.0, 4.0, 1e-5],
        "arm": ["NA", "A", "1", "A", "NA"],
        "yield": [0.1, 0.2, 0.3, 0.4, 0.5],
    }
)
TOLD = [[[0.2, 2.5], [0.4, 4.0]], [], [[0.1, 1.0], [0.5, 1e-5]], [[0.3, 3.0]]]


def as_frame(folder):
    return FRAME


def as_mapping(folder):
    return {name: tuple(FRAME[name]) for name in ("yield", "arm", "cost")}


def as_text_of_another_program(folder):
    lines = ["arm , yield, cost, note", 'NA,0.1,1,"late, cold"', "A, 0.2 ,2.5,", "", "1,.3,3e0,"]
    lines += ["A,0.4,4.,x", "NA,0.5,0.00001,"]
    (folder / "days.csv").write_text("\ufeff" + "\r\n".join(lines), encoding="utf-8")
    return str(folder / "days.csv")


@pytest.mark.parametrize("kind", [as_frame, as_mapping, as_text_of_another_program])
def test_rewards_wait_in_the_order_of_the_rows(kind, tmp_path):
    session = session_of()
    session.tell_all(kind(tmp_path))
    assert told_of(session) == TOLD
    assert session.pulls.tolist() == [2, 0, 0, 0]  # three of arm A come first
    assert session.waiting.tolist() == [0, 0, 2, 1]
    assert session.spent == 0
    assert session.ask() == "A"


def test_arms_and_objectives_without_names_have_numbers(tmp_path):
    frame = pd.DataFrame({"arm": [2, 0], 0: [1.0, 2.0], 1: [3.0, 4.0]})
    frame.to_csv(tmp_path / "days.csv", index=False)
    for source in (frame, tmp_path / "days.csv"):
        session = lab.Session(CHEAP, 4, 2, 1.0)
        session.tell_all(source)
        assert session.waiting.tolist() == [0, 0, 1, 0]
        assert session.means[0].tolist() == [2.0, 4.0]


def test_rows_of_arms_asked_for_are_no_longer_outstanding():
    session = session_of()
    assert session.ask_many(4) == ["A", "A", "A", "B"]
    session.tell_all(FRAME)
    assert session.outstanding.tolist() == [1, 1, 0, 0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a line of column names, and a line for each row"),
        ("arm;yield;cost\nA;1.5;2.5\n", "has 0 columns 'arm' among arm;yield;cost"),
        ("arm,yield,cost\nA,1,2\nB,1,2,3,4\n", "line 3 has 5 columns; expected 3: arm"),
        ("arm,yield,cost\n\nA,1,2\nB,1,2\nB\n", "line 5 has 1 columns; expected 3"),
        ("arm,yield,cost\nA,1,2\nB,1_0,2\n", r"reward = \['1_0', 2.0\]; expected real numbers"),
        (f"arm,yield,cost\n{'A' * 200_000},1,2\n", "is not a CSV file in UTF-8: field larger"),
    ],
)
def test_an_invalid_file_is_refused_by_name(text, message, tmp_path):
    path = tmp_path / "days.csv"
    path.write_text(text)
    session = session_of()
    with pytest.raises(ValueError, match=message) as caught:
        session.tell_all(path)
    assert str(path) in str(caught.value)
    assert "reward" not in message or f"row 2 of {path}: " in str(caught.value)
    assert session.waiting.sum() + session.samples == 0
