"""Commands of sessions that measure one objective at a time."""

import json

import pytest

import pareto_lab as lab
from pareto_lab.__main__ import main

NEW = ("SeparateTopTwo", "--set", "threshold=proven", "--arms", "A", "B 2", "--objectives")
NEW += ("x=max", "y=min", "--standard-deviation", "1", "--costs", "10", "1")


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    """An empty folder, in which commands run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys, command, *rest, status=0):
    """What a command prints."""
    assert main(["session", command, "mine.json", *rest]) == status
    printed, error = capsys.readouterr()
    return error if status else printed


def test_an_experiment_that_measures_one_objective_at_a_time(capsys):
    run(capsys, "new", *NEW)
    assert run(capsys, "ask") == "A\tx\n"
    assert run(capsys, "ask", "-n", "2") == "A\ty\nB 2\tx\n"
    assert run(capsys, "tell", "A", "x", "0.5").startswith(
        "running; samples asked for: A y (1), B 2 x (1)"
    )
    run(capsys, "tell", "B 2", "x=-1e-2")
    found = json.loads(run(capsys, "status", "--json"))
    assert found["outstanding"] == {"A": {"y": 1}}
    assert found["arms"][1]["means"] == {"x": -0.01, "y": None}
    assert json.loads(run(capsys, "ask", "--json"))["arms"] == [["A", "y"]]
    session = lab.load_session("mine.json")
    assert session.spent == 21.0 and session.waiting.tolist() == [[0, 0], [1, 0]]


def test_values_of_pairs_are_withdrawn(capsys):
    run(capsys, "new", *NEW)
    run(capsys, "tell", "A", "x", "5")
    run(capsys, "withdraw", "--told", "A", "x", "5", "--instead", "0.5", "--reason", "point")
    run(capsys, "withdraw", "--row", "1", "--instead", "0.25")
    session = lab.load_session("mine.json")
    assert session.means[0, 0] == 0.25
    assert [each.instead for each in session.withdrawn] == [(0.5,), (0.25,)]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("A", "5"), "expected OBJECTIVE VALUE"),
        (("A", "x", "5", "6"), "expected OBJECTIVE VALUE"),
        (("A", "z", "5"), "expected ('A', 'x')"),
        (("C", "x", "5"), "expected ('A', 'x')"),
        (("A", "x", "five"), "expected real numbers"),
    ],
)
def test_other_words_are_refused(words, message, capsys):
    run(capsys, "new", *NEW)
    assert message in run(capsys, "tell", *words, status=2)
    assert lab.load_session("mine.json").samples == 0
