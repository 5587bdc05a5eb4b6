"""Sessions in which some objectives of a sample were not observed."""

import numpy as np
import pandas as pd
import pytest

import pareto_core as pc
import pareto_lab as lab

NAMES = {"arms": ["A", "B", "C"], "objectives": {"yield": "max", "time": "min"}}
ACCEPTING = [
    pc.Certified(),
    pc.TrackAndStop(threshold="proven"),
    pc.TopTwoIDS(threshold="proven"),
    pc.UniformSampling(threshold="proven"),
    pc.MOBAI(threshold="proven"),
]


def new(algorithm=None, deviation=1.0):
    return lab.Session(algorithm or pc.Certified(), **NAMES, standard_deviation=deviation)


@pytest.mark.parametrize("algorithm", ACCEPTING, ids=repr)
def test_algorithms_with_a_proven_rule_accept_missing_values(algorithm):
    session = new(algorithm)
    session.tell(session.ask(), [30.0, None])
    session.tell(session.ask(), [np.nan, 2.0])
    session.tell(session.ask(), {"time": 2.0})
    assert session.samples == 3
    assert session.status().missing.tolist() == [[0, 1], [1, 0], [1, 0]]
    assert session.recommendation is None


def tables(folder):
    frame = pd.DataFrame({"arm": [*"ABC"], "yield": [1.0, None, 3.0], "time": [4, 5, None]})
    frame.to_csv(folder / "days.csv", index=False)
    return frame.convert_dtypes(), frame.to_dict("list"), folder / "days.csv"


def test_empty_cells_of_a_table_are_missing_values(tmp_path):
    for table in tables(tmp_path):
        session = new()
        assert session.tell_all(table).counted == 3
        assert session.status().missing.tolist() == [[0, 0], [1, 0], [0, 1]]
        with pytest.raises(ValueError, match=r"row 2.*finite numbers"):
            new(pc.TrackAndStop()).tell_all(table)


def test_samples_with_missing_values_have_identifiers_and_are_not_told_twice():
    session = new()
    table = {"arm": ["A", "B"], "yield": [1.0, None], "time": [None, 5.0], "tube": ["t1", "t2"]}
    assert session.tell_all(table, id="tube") == (2, 0)
    assert session.tell_all(table, id="tube") == (0, 2)
    with pytest.raises(ValueError, match="was told before as"):
        session.tell_all({**table, "yield": [1.0, 2.0]}, id="tube")


def test_status_and_report_show_what_is_missing(tmp_path):
    session = new()
    for _ in range(9):
        arm = session.ask()
        session.tell(arm, {"yield": 1.0} if arm == "B" else [2.0, 3.0])
    status = session.status()
    assert status.missing.tolist() == [[0, 0], [0, 3], [0, 0]]
    text = "Missing values: 3, namely 3 of arm B in time."
    assert any(text in each.text and not each.is_warning for each in status.remarks)
    assert status.table["time, missing"].tolist() == [0, 3, 0]
    assert "yield, missing" not in status.table
    assert np.isnan(status.means[1, 1])
    assert status.front == []
    session.report(tmp_path / "mine.html")
    report = (tmp_path / "mine.html").read_text()
    assert report.count("Missing values: 3, namely 3 of arm B in time.") == 1
    assert "No value of a sample is missing because of what it is" in report
    assert "missing time" in report


def test_statements_use_the_values_of_each_objective():
    rewards = {
        "A": [[5.0, None]] * 60 + [[5.0, 1.0]] * 20,
        "B": [[0.0, 9.0]] * 80,
        "C": [[1.0, 8.0]] * 80,
    }
    session = new()
    rows = [(arm, *each) for arm, told in rewards.items() for each in told]
    session.tell_all(pd.DataFrame(rows, columns=["arm", "yield", "time"]))
    counts = np.array([[80, 20], [80, 80], [80, 80]])
    certificate = pc.Certificate(3, 2)
    certificate.update(counts, np.array([[5.0, -1.0], [0.0, -9.0], [1.0, -8.0]]))
    status = session.status()
    np.testing.assert_array_equal(status.boxes[:, 0], certificate.boxes[:, 0])
    assert status.optimal == ["A"]
    assert status.dominated == ["B", "C"]


def test_rewards_imagined_for_arms_with_gaps_have_all_values():
    session = new()
    session.tell("A", [30.0, None])
    session.tell("B", [10.0, 4.0])
    session.tell("C", [None, 6.0])
    imagined = [session._state.run.imagined(arm).tolist() for arm in range(3)]
    assert imagined == [[30.0, 5.0], [10.0, 4.0], [20.0, 6.0]]
    assert len(session.ask_many(4)) == 4
