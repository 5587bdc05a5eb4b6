"""Tables of existing rewards, told at once."""

import numpy as np
import pandas as pd
import pytest
from references.sessions import CHEAP, new_session, one_at_a_time, queues_of_rewards, told_of, used

import pareto_core as pc
import pareto_lab as lab

NAMES = ["A", "B", "NA", "1"]  # two of which programs tend to misread


def session_of(algorithm=CHEAP):
    return lab.Session(
        algorithm, arms=NAMES, objectives={"yield": "max", "cost": "min"}, standard_deviation=1.0
    )


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


def as_categories(folder):
    return FRAME.assign(arm=pd.Categorical(FRAME["arm"])).set_index("day")


def as_mapping(folder):
    return {name: tuple(FRAME[name]) for name in ("yield", "arm", "cost")}


def as_file(folder):
    FRAME.to_csv(folder / "days.csv", index=False)
    return folder / "days.csv"


def as_text_of_another_program(folder):
    lines = ["arm , yield, cost, note", 'NA,0.1,1,"late, cold"', "A, 0.2 ,2.5,", "", "1,.3,3e0,"]
    lines += ["A,0.4,4.,x", "NA,0.5,0.00001,"]
    (folder / "days.csv").write_text("\ufeff" + "\r\n".join(lines), encoding="utf-8")
    return str(folder / "days.csv")


def as_spreadsheets_write_it(folder):
    lines = ["arm;cost;yield;note, late or not", "NA;1;0,1;late, cold", "A;2,5;0,2;", "1;3;,3;"]
    lines += ["A;4,0;0,4;x", "NA;1e-5;0,5;"]
    (folder / "days.csv").write_text("\ufeff" + "\r\n".join(lines), encoding="utf-8")
    return str(folder / "days.csv")


def as_names_of_columns_decide(folder):
    """Commas divide all lines alike, too."""
    lines = ["arm;cost;yield;note, 2", "NA;1;.1;a, b", "A;2.5;.2;,", "1;3;.3;,", "A;4;.4;,"]
    (folder / "days.csv").write_text("\n".join([*lines, "NA;1e-5;.5;,"]), encoding="utf-8")
    return folder / "days.csv"


def as_quoted_names_and_decimals_in_groups(folder):
    lines = ['arm;cost;yield;"note; ""a, b"""', "NA;1,000;0,100;", "A;2,500;0,200;"]
    lines += ["1;3,000;0,300;", "A;4,000;0,400;x", "NA;1e-5;0,500;"]
    (folder / "days.csv").write_text("\n".join(lines), encoding="utf-8")
    return folder / "days.csv"


KINDS = [as_frame, as_categories, as_mapping, as_file, as_text_of_another_program]
KINDS += [as_spreadsheets_write_it, as_names_of_columns_decide]
KINDS += [as_quoted_names_and_decimals_in_groups]


@pytest.mark.parametrize("kind", KINDS)
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


@pytest.mark.parametrize("algorithm", [CHEAP, pc.APE(), pc.ECAPE(), pc.GEGE(budget=20)])
def test_old_rewards_are_used_like_new_ones(algorithm):
    """Earlier rewards of any arms do not change the run, sample by sample."""
    rewards, rng = queues_of_rewards(4), np.random.default_rng(4)
    alone, session = one_at_a_time(new_session(algorithm), rewards), new_session(algorithm)
    old = rng.permutation(np.repeat(np.arange(4), [3, 0, 7, 2])).tolist()
    taken = np.zeros(4, int)
    table = {"arm": old, "0": [], "1": []}
    for arm in old:
        table["0"].append(rewards[arm, taken[arm], 0])
        table["1"].append(rewards[arm, taken[arm], 1])
        taken[arm] += 1
    session.tell_all(table)
    while not session.finished:
        arm = session.ask()
        session.tell(arm, rewards[arm, taken[arm]])
        taken[arm] += 1
    assert used(session) == used(alone)


def test_rows_of_arms_asked_for_are_no_longer_outstanding():
    session = session_of()
    assert session.ask_many(4) == ["A", "A", "A", "B"]
    session.tell_all(FRAME)
    assert session.outstanding.tolist() == [1, 1, 0, 0]
    assert session.spent == 4


def test_after_the_end_only_outstanding_rewards_are_accepted():
    session = lab.Session(pc.Racing(variance_bound=1.0), 3, 1)
    session.ask_many(7)
    for arm in range(3):
        session.tell(arm, [1000.0 * arm])
    assert session.finished
    with pytest.raises(RuntimeError, match="finished"):
        session.tell_all({"arm": [0, 0, 0, 1], "0": [1.0] * 4})
    assert session.waiting.sum() == 0
    session.tell_all({"arm": [1, 0, 0], "0": [1.0] * 3})
    assert session.waiting.tolist() == [2, 1, 0]


def changed(**columns):
    return FRAME.assign(**columns)


BAD_TABLES = [
    (None, "frame = None; expected a DataFrame, a mapping of columns, or the path"),
    ([["A", 1.0, 2.0]], "frame = .*; expected a DataFrame"),
    ({}, "frame has 0 columns 'arm' among"),
    ({"arm": "A", "yield": 1.0, "cost": 2.0}, "frame has 'A' as 'arm'; expected a value for each"),
    (
        {"arm": ["A", "B"], "yield": pd.Series([1, 2], index=[1, 0]), "cost": pd.Series([1, 2])},
        "frame has series of different indices; expected one index",
    ),
    ({"arm": ["A"], "yield": [1.0, 2.0], "cost": [2.0]}, "frame = .*is not a table"),
    ({"arm": [], "yield": [], "cost": []}, "frame has no rows; expected at least one"),
    (FRAME.drop(columns="arm"), "frame has 0 columns 'arm' among day, cost, yield; expected the"),
    (FRAME.drop(columns="cost"), "frame has 0 columns 'cost' among .*arm, yield, cost, each once"),
    (FRAME.rename(columns={"day": "cost"}), "frame has 2 columns 'cost' among"),
    (changed(arm=["A", "B", "NA", "1", "C"]), "row 5: arm = 'C'; expected one of A, B, NA, 1"),
    (changed(arm=["A", "b", "NA", "1", "A"]), "row 2: arm = 'b'.*mean 'B'"),
    (changed(arm=["A", "B", None, "1", "A"]), "row 3: arm = (None|nan); expected"),
    (changed(cost=[1.0, 2.0, 3.0, 4.0, np.nan]), r"row 5: reward = \[0.5, nan\]; expected 2 fin"),
    (changed(cost=["1", "2", "3", "4", "5"]), r"row 1: reward = \[0.1, '1'\]; expected real"),
    (changed(cost=pd.array([1, 2, None, 4, 5])), r"row 3: reward = .*; expected 2 finite numbers"),
    (changed(cost=pd.Timestamp("2024-01-01")), r"row 1: reward = .*; expected real numbers"),
]


@pytest.mark.parametrize(("frame", "message"), BAD_TABLES)
def test_an_invalid_table_is_refused_as_a_whole(frame, message):
    session = session_of()
    with pytest.raises(ValueError, match=f"(?s)^{message}"):
        session.tell_all(frame)
    assert session.waiting.sum() + session.samples == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a line of column names, and a line for each row"),
        ("arm,yield,cost\n", "expected a line of column names, and a line for each row"),
        ("arm|yield|cost\nA|1|2\n", r"has 0 columns 'arm' among arm\|yield\|cost"),
        ("arm;yield;cost\nA;1,5;2.5\n", "has numbers with commas, as 1,5, and with points, as 2.5"),
        ("arm;yield;cost\nA;1,500;2\n", "the number 1,500, which may be 1.500 or 1500"),
        ("arm;yield;cost\nA;1.234,5;2\n", "with commas, as 1.234,5, and with points, as 1.234,5"),
        ("arm;yield, mg;cost\nA;1,5;2\n", "has 0 columns 'yield' among arm, yield, mg, cost"),
        ("arm,yield,cost\nA,1,2\nB,1,2,3,4\n", "line 3 has 5 columns; expected 3: arm"),
        ("arm;yield;cost\n\nA;1;2\n;1;2\nB\n", "line 5 has 1 columns; expected 3"),
        ('arm,yield,cost\nA,1,2\nB,"1,5",2\n', r"reward = \['1,5', 2.0\]; expected real numbers"),
        ("arm,yield,cost\nA,1,2\nB,1_0,2\n", r"reward = \['1_0', 2.0\]; expected real numbers"),
        ("arm,yield,cost\nA,1,2\nB,,2\n", r"reward = \[nan, 2.0\]; expected 2 finite numbers"),
        ("arm,yield,cost\nA,1,2\nb,1,2\n", "arm = 'b'; expected one of A"),
        ("arm,yield,cost,cost\nA,1,2,3\n", "has 2 columns 'cost' among"),
        (f"arm,yield,cost\n{'A' * 200_000},1,2\n", "is not a CSV file in UTF-8: field larger"),
        ("\0\0\0\n\0", "frame of .* has"),
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


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError):
        session_of().tell_all(tmp_path / "days.csv")
