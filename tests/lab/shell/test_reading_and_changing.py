"""Commands that correct, continue, show and plan a session, and what they print as JSON."""

import json
import re
import shlex

import numpy as np
import pytest
from references import command_line
from references.sessions import told_of

import pareto_core as pc
import pareto_lab as lab
from pareto_book.paths import ROOT
from pareto_lab.__main__ import _parser, main
from pareto_lab.experiment import session_file
from pareto_lab.shell.parser import EXAMPLES

COMMANDS = [
    ("ask",),
    ("tell-all", "more.csv"),
    ("status",),
    ("plan", "--means", "means.csv", "--runs", "2", "--jobs", "1"),
]


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    """An empty folder, in which commands run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def session(folder):
    """A session with used and waiting rewards, in the file mine.json."""
    session = lab.Session(
        pc.UniformSampling(),
        arms=["A", "B", "C"],
        objectives={"protection": "max", "fever": "min"},
        standard_deviation=[1.0, 0.5],
        costs=[1.0, 2.0, 1.0],
        budget=60,
    )
    rows = {"arm": ["A", "B", "C", "A"], "protection": [9.0, 3.0, 8.0, 8.5]}
    session.tell_all({**rows, "fever": [37.0, 40.0, 36.5, 37.5], "id": [*"rstu"]}, id="id")
    session.ask()
    session.save("mine.json")
    (folder / "more.csv").write_text("arm,fever,protection\nC,39.5,2.5\nB,36.5,7.75\n")
    (folder / "means.csv").write_text("arm,fever,protection\nC,36.5,8\nA,37,9\nB,40,3\n")
    return session


def run(capsys, *arguments, status=0):
    """What a command prints."""
    command, *rest = arguments
    assert main(["session", command, "mine.json", *rest]) == status
    return capsys.readouterr().out


def error_of(capsys, *arguments):
    command, *rest = arguments
    return command_line.error_of(main, capsys, "session", command, "mine.json", *rest)


def object_of(capsys, *arguments, status=0):
    """The object that a command prints, and nothing else."""
    text = run(capsys, *arguments, "--json", status=status)
    assert text.count("\n") == 1
    return json.loads(text)


STATE = {"ended_by", "used", "waiting", "outstanding", "spent", "budget", "withdrawn"}


def test_each_command_that_prints_has_its_object(session, capsys):
    assert object_of(capsys, "ask") == {"arms": ["C"], "ended_by": None}
    found = object_of(capsys, "tell-all", "more.csv")
    assert (found.pop("counted"), found.pop("skipped")) == (2, 0)
    assert found == {
        "ended_by": None,
        "used": 5,
        "waiting": 1,
        "outstanding": {},
        "spent": 1.0,
        "budget": 60.0,
        "withdrawn": 0,
    }
    assert set(object_of(capsys, "raise-budget", "70")) == STATE
    assert object_of(capsys, "withdraw", "--id", "s")["withdrawn"] == 1
    assert object_of(capsys, "report", "--html", "r.html") == {"file": "r.html"}
    reward = (*object_of(capsys, "ask")["arms"], "3", "40", "--id", "v")
    found = [object_of(capsys, "tell", *reward) for _ in range(2)]
    assert [(each["counted"], each["skipped"]) for each in found] == [(1, 0), (0, 1)]


def test_the_object_of_the_status(session, capsys):
    found = object_of(capsys, "status", "--delta", "0.2", "--rule", "pairs")
    status = session.status(0.2, "pairs")
    assert set(found) == STATE | {"algorithm", "question", "delta", "rule", "arms", "answer"} | {
        "is_final",
        "remarks",
    }
    assert (found["delta"], found["rule"], found["answer"]) == (0.2, "pairs", ["A", "C"])
    arms = {each["arm"]: each for each in found["arms"]}
    assert [arms[name]["statement"] for name in "ABC"] == status.statements.tolist()
    assert arms["A"]["means"] == {"protection": 8.75, "fever": 37.25}
    np.testing.assert_allclose(arms["B"]["intervals"]["fever"], status.boxes[1, 1])
    assert not found["is_final"]


def test_what_is_certain_comes_first(session, capsys):
    table = {"arm": ["A", "B"] * 30, "protection": [8.5, 3.0] * 30, "fever": [37.0, 40.0] * 30}
    session.tell_all(table, repeat=True)
    session.save("mine.json")
    line, *rest = run(capsys, "status").splitlines()
    assert line == "certain    dominated B; open A, C (risk 0.1, rule joint)"
    assert rest[0].startswith("algorithm  UniformSampling(")


@pytest.mark.parametrize(
    "which", [("--row", "1"), ("--id", "r"), ("--told", "A", "fever=37.0", "protection=9")]
)
def test_a_reward_is_withdrawn(which, session, capsys):
    run(capsys, "withdraw", *which, "--instead", "protection=8", "fever=37", "--reason", "scale")
    restored = lab.load_session("mine.json")
    assert told_of(restored)[0] == [[8.0, 37.0], [8.5, 37.5]]
    assert restored.withdrawn[0].reason == "scale"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("withdraw", "--told", "A"), "reward has no value for 'protection'"),
        (("withdraw", "--row", "1", "--instead", "1"), "instead = [1.0]; expected 2 finite"),
        (("raise-budget", "much"), "budget = 'much'; expected a finite number"),
        (("plan", "--means", "none.csv"), "[Errno 2] No such file or directory: 'none.csv'"),
        (("status", "--rule", "none"), "rule = 'none'; expected one of"),
        (("status", "--delta", "2"), "delta = 2; expected"),
    ],
)
def test_invalid_arguments_are_named_in_one_line(arguments, message, session, capsys, folder):
    before = (folder / "mine.json").read_text()
    assert error_of(capsys, *arguments).startswith(message)
    assert (folder / "mine.json").read_text() == before


def test_a_plan(session, capsys, folder):
    before = (folder / "mine.json").read_text()
    options = ("--runs", "3", "--jobs", "1", "--means", "means.csv", "--max-samples", "200")
    text = run(capsys, "plan", *options)
    means = [[9.0, 37.0], [3.0, 40.0], [8.0, 36.5]]
    expected = session.plan(means, 3, max_samples=200, n_jobs=1)
    assert text == f"{expected}\n"
    found = object_of(capsys, "plan", *options)
    assert found["budget"] == 60
    assert [row["until"] for row in found["until"]] == expected.table["until"].tolist()
    assert found["until"][0]["samples_median"] == expected.table["samples_median"][0]
    assert (folder / "mine.json").read_text() == before


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_locked_file_is_named_by_commands_that_write(command, session, capsys, monkeypatch):
    monkeypatch.setattr(session_file, "MOST_WAIT", 0.05)
    with session_file.locked("mine.json"):
        if command[0] in ("status", "plan"):
            run(capsys, *command)
            return
        message = error_of(capsys, *command)
        assert message.startswith("mine.json is locked: another program has held ")
        assert message.endswith("for 0.05 seconds; expected it to finish; nothing was written")


def commands_of(page):
    """The commands of sessions on a page, or in the help, each as a list of words."""
    text = EXAMPLES if page == "help" else (ROOT / page).read_text(encoding="utf-8")
    text = re.sub(r"(\{0\}|python -m pareto_lab|pareto-lab) session", "session", text)
    lines = text.replace("\\\n", " ").splitlines()
    return [
        shlex.split(each, comments=True) for each in lines if re.match(r"\s*session [a-z]", each)
    ]


def test_printed_commands_can_be_read():
    pages = "help", "notebooks/own_experiment.md", "notebooks/using.md"
    found = [words for page in pages for words in commands_of(page)]
    assert {each[1] for each in found} >= {"new", "ask", "tell", "tell-all", "status", "report"}
    for arguments in found:
        _parser("pareto-lab").parse_args(arguments)


@pytest.mark.slow
@pytest.mark.parametrize("page", ["help", "notebooks/own_experiment.md"])
def test_printed_commands_work(page, capsys, folder):
    """One after the other, as printed."""
    (folder / "results.csv").write_text("tube,arm,protection,fever\ns42,C,12.5,37\ns43,A,11,36\n")
    (folder / "guess.csv").write_text("arm,protection,fever\nA,12,36\nB,3,39\nC,12,37.5\n")
    commands = commands_of(page)
    assert commands[0][1] == "new" and len(commands) > 8
    for arguments in commands:
        if "--runs" in arguments:
            arguments[-1] = "1"
        assert main(arguments) == 0, capsys.readouterr().err
    assert (folder / "report.html").exists()


def test_an_arm_retires_and_another_arrives(capsys):
    session = lab.Session(pc.Certified(), arms=[*"ABC"], n_objectives=1, standard_deviation=1.0)
    session.save("mine.json")
    options = ("--reason", "no longer sold", "--still-counts")
    assert run(capsys, "retire", "C", *options) == "running; samples asked for: none\n"
    (retired,) = lab.load_session("mine.json").retired
    assert (retired.arm, retired.reason, retired.still_counts) == ("C", "no longer sold", True)
    assert error_of(capsys, "retire", "A", "--reason", "x", "--left-out").startswith("still_counts")
    assert object_of(capsys, "add-arm", "D", "--delta", "0.05", "--not-from-data")["used"] == 0
    session = lab.load_session("mine.json")
    assert (session.design.arms, session.algorithm.delta) == ((*"ABCD",), 0.05)
    error = error_of(capsys, "add-arm", "E", "--made-from-data")
    assert error.startswith("made_from_data = True, so that the rewards")
