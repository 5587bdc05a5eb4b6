"""Commands about arms that leave and arrive."""

import json

import pytest

import pareto_core as pc
import pareto_lab as lab
from pareto_lab.__main__ import main


@pytest.fixture(autouse=True)
def session(monkeypatch, tmp_path):
    """A session in the file mine.json, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    session = lab.Session(
        pc.Certified(), arms=["A", "B", "C"], objectives=["yield"], standard_deviation=1.0
    )
    session.tell_all({"arm": ["A", "B", "C"], "yield": [1.0, 2.0, 1.5]})
    session.save("mine.json")
    return session


def test_an_arm_retires(capsys):
    options = ("--reason", "no longer sold", "--still-counts")
    assert main(["session", "retire", "mine.json", "C", *options]) == 0
    assert capsys.readouterr().out == "running; samples asked for: none\n"
    (retired,) = lab.load_session("mine.json").retired
    assert (retired.arm, retired.reason, retired.still_counts) == ("C", "no longer sold", True)
    assert main(["session", "retire", "--json", "mine.json", "A", *options]) == 0
    assert json.loads(capsys.readouterr().out)["used"] == 3
    assert main(["session", "retire", "mine.json", "A", "--reason", "again", "--left-out"]) == 2
    assert capsys.readouterr().err.startswith("error: arm")


def test_an_arm_arrives(capsys):
    command = ("add-arm", "mine.json", "D", "--delta", "0.05")
    assert main(["session", *command, "--not-from-data"]) == 0
    assert capsys.readouterr().out == "running; samples asked for: none\n"
    session = lab.load_session("mine.json")
    assert session.design.arms == ("A", "B", "C", "D")
    assert session.algorithm.delta == 0.05
    assert main(["session", "add-arm", "mine.json", "E", "--made-from-data"]) == 2
    assert capsys.readouterr().err.startswith("error: made_from_data = True, so that the rewards")
    assert main(["session", "add-arm", "--json", "mine.json", "E", "--not-from-data"]) == 0
    assert json.loads(capsys.readouterr().out)["ended_by"] is None
    assert main(["session", "data", "mine.json"]) == 0
    assert len(lab.load_session("mine.json").data()) == 3
