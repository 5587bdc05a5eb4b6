"""The command line of sessions, and several writers of one file."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from references import command_line

import pareto_core as pc
import pareto_lab as lab
from pareto_book.paths import ROOT
from pareto_lab.__main__ import main
from pareto_lab.experiment import session_file

NEW = ("UniformSampling", "--set", "budget=6", "--arms", "A", "B", "C")
NEW += ("--objectives", "protection=max", "fever=min", "--units", "fever=°C")
NEW += ("--standard-deviation", "1")


@pytest.fixture
def path(tmp_path):
    """Path of the session file."""
    return str(tmp_path / "mine.json")


def lines_of(capsys, *arguments):
    return command_line.lines_of(main, capsys, "session", *arguments)


def error_of(capsys, *arguments):
    return command_line.error_of(main, capsys, "session", *arguments)


def test_a_whole_experiment(capsys, path, tmp_path):
    assert lines_of(capsys, "new", path, *NEW, "--costs", "1", "2.5", "1", "--budget", "50") == []
    assert lines_of(capsys, "ask", path) == ["A"]
    assert lines_of(capsys, "ask", path) == ["A"]
    assert lines_of(capsys, "ask", path, "-n", "2") == ["A", "B"]
    line = "running; samples asked for: A (1), B (1)"
    assert lines_of(capsys, "tell", path, "A", "12", "-1e-5") == [line]
    assert lines_of(capsys, "tell", path, "B", "fever=-4", "protection=+3.5") == [
        "running; samples asked for: A (1)"
    ]
    table = tmp_path / "rest.csv"
    table.write_text("arm,protection,fever\nB,2,3\nC,3,4\nC,1,2\n")
    assert lines_of(capsys, "tell-all", path, str(table)) == [
        "3 rows counted, 0 skipped that were told before",
        "running; samples asked for: A (1)",
    ]
    text = "\n".join(lines_of(capsys, "status", path))
    for part in (
        "algorithm  UniformSampling(",
        "question   pareto_set\n",
        "samples    1 used, 4 waiting, 1 outstanding\n",
        "cost       4.5 of 50\n",
        "state      running; samples asked for: A (1)\n",
        "answer     none yet, because some arms have no reward\n",
        "samples  protection  protection, low  protection, high  fever  fever, low",
        "C      open looks dominated by A, B        2           2 ",
    ):
        assert part in text, text
    assert lines_of(capsys, "tell", path, "A", "12", "0") == ["ended: the algorithm has stopped"]
    lines = lines_of(capsys, "status", path)
    assert "answer     A, B" in lines
    assert main(["session", "ask", path]) == 3
    assert capsys.readouterr() == ("", "")
    assert error_of(capsys, "tell", path, "A", "1", "2").startswith("the session is finished")
    session = lab.load_session(path)
    assert session.means.tolist() == [[12.0, -5e-06], [2.75, -0.5], [2.0, 3.0]]
    assert session.spent == 4.5


def test_your_own_algorithm(capsys, path):
    numbers = ("--arms", "2", "--objectives", "1", "--standard-deviation", "1")
    lines_of(capsys, "new", path, "references.arms:InTurn", *numbers)
    error = error_of(capsys, "ask", path)
    assert error.startswith(f"{path} can't be restored: algorithm = 'InTu")
    assert "if InTurn is a class of your own, name it" in error and "--own" in error
    own = ("--own", "references.arms:InTurn")
    assert lines_of(capsys, "ask", *own, path) == ["0"]
    assert lines_of(capsys, "tell", *own, path, "0", "1") == ["running; samples asked for: none"]
    assert lines_of(capsys, "status", *own, path)[1] == "algorithm  InTurn(delta=0.1)"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("new", "{}", *NEW), "{} exists already; expected a new name"),
        (("new", "{}2", *NEW, "--bounds", "0", "1", "2"), "--bounds [0.0, 1.0, 2.0]; expected LOW"),
        (("new", "{}2", *NEW, "--units", "fever"), "--units fever; expected NAME=VALUE"),
        (("new", "{}2", *NEW, "--objectives", "x", "x"), "--objectives x x; expected distinct"),
        (("ask", "{}2"), "[Errno 2] No such file or directory: '{}2'"),
        (("ask", "--own", "nowhere:A", "{}"), "algorithm = 'nowhere:A' can't be imported"),
        (("tell", "{}", "A", "1", "fever=2"), "reward = [1.0, 'fever=2']; expected real numbers"),
        (("tell", "{}", "A", "fever=2", "fever=3"), "reward = fever=2 fever=3; expected each"),
        (("tell-all", "{}", "{}.csv"), "[Errno 2] No such file or directory: '{}.csv'"),
    ],
)
def test_invalid_arguments_are_named_in_one_line(arguments, message, capsys, path):
    lines_of(capsys, "new", path, *NEW)
    before = Path(path).read_bytes()
    filled = [each.replace("{}", path) for each in arguments]
    assert error_of(capsys, *filled).startswith(message.replace("{}", path))
    assert Path(path).read_bytes() == before
    assert not Path(f"{path}2").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("tell", "mine.json", "A"),
        ("withdraw", "mine.json", "--row", "1", "--id", "r"),
        ("retire", "mine.json", "C", "--reason", "x"),
    ],
)
def test_unreadable_arguments_exit_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        main(["session", *arguments])
    assert caught.value.code == 2
    assert "usage: python -m pareto_lab session" in capsys.readouterr().err


def test_a_full_disk_loses_nothing(capsys, path, monkeypatch):
    lines_of(capsys, "new", path, *NEW)
    lines_of(capsys, "tell", path, "A", "1", "2")
    before = Path(path).read_bytes()

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    report = Path(path).with_suffix(".html")
    report.write_text("as before", encoding="utf-8")
    for command in (
        ("tell", path, "A", "3", "4"),
        ("ask", path),
        ("report", path, "--html", str(report)),
    ):
        assert error_of(capsys, *command) == "[Errno 28] No space left on device"
    monkeypatch.undo()
    assert Path(path).read_bytes() == before
    assert report.read_text(encoding="utf-8") == "as before"
    lines_of(capsys, "tell", path, "A", "3", "4")
    assert lab.load_session(path).means[0].tolist() == [2.0, 3.0]


# Forks of a process that has imported everything start without delay. Each asks and tells until it
# is killed or done, and writes to a file which numbered rewards it has certainly told.
WRITERS = """
import contextlib, io, os, random, signal, sys, time
from pareto_lab.__main__ import main

def command(*words):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert main(["session", *words]) == 0
    return printed.getvalue().split()

def write(path, told, numbers):
    for number in numbers:
        (arm,) = command("ask", path, "-n", "1")
        command("tell", path, arm, f"{number * 1e-6!r}")
        os.write(told, f"{number} ".encode())

def start(path, told, numbers):
    child = os.fork()
    if child:
        return child
    try:
        write(path, told, numbers)
        os._exit(0)
    finally:
        os._exit(1)

def ending(child):
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

path, said = sys.argv[1:]
told = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
command("new", path, "UniformSampling", "--arms", "A", "B", "C", "--objectives", "x",
        "--standard-deviation", "1")
write(path, told, [999_999])  # loads the kernels
"""
TWO = (
    WRITERS
    + """
both = [start(path, told, range(first, first + 40)) for first in (0, 1000)]
assert [ending(child) for child in both] == [0, 0]
"""
)
KILLS = 20
KILLED = (
    WRITERS
    + f"""
begin = time.monotonic()
assert ending(start(path, told, range(10))) == 0
duration = time.monotonic() - begin
delays = random.Random(0)
for k in range({KILLS}):
    child = start(path, told, range(1000 * (k + 1), 1000 * (k + 2)))
    time.sleep(k and delays.uniform(0, duration / 2))  # the first is killed at once
    os.kill(child, signal.SIGKILL)
    assert ending(child) == -signal.SIGKILL
"""
)


def numbers_after(program, path, tmp_path):
    """Numbers of the rewards that writers have certainly told, and of those in the session file."""
    command = [sys.executable, "-c", program, path, str(tmp_path / "said")]
    done = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    session = lab.load_session(path)
    found = [round(each[0] * 1e6) for rewards in session._state.rewards for each in rewards]
    assert len(set(found)) == len(found)
    return [int(word) for word in (tmp_path / "said").read_text().split()], sorted(found)


@pytest.mark.slow
def test_two_writers_wait_for_each_other(path, tmp_path):
    said, found = numbers_after(TWO, path, tmp_path)
    assert found == sorted(said) == [*range(40), *range(1000, 1040), 999_999]
    assert said != found  # they wrote in turn
    assert sorted(os.listdir(tmp_path)) == [".mine.json.lock", "mine.json", "said"]


@pytest.mark.slow
def test_kills_at_random_times_lose_nothing(path, tmp_path, capsys):
    said, found = numbers_after(KILLED, path, tmp_path)
    assert set(said) <= set(found)
    unsaid = {number // 1000 for number in set(found) - set(said)}
    assert len(unsaid) == len(found) - len(said)  # at most the last of each
    assert len(said) > KILLS / 2
    assert {number // 1000 for number in said} < set(range(KILLS + 1)) | {999}  # not of all
    lines_of(capsys, "ask", path)
    assert sorted(os.listdir(tmp_path)) == [".mine.json.lock", "mine.json", "said"]
    assert json.loads((tmp_path / "mine.json").read_text())["version"] == session_file.VERSION


def test_every_option_takes_negative_numbers_in_any_notation(capsys, path):
    start = ("Certified", "--set", "variance=unknown", "--arms", "A", "B", "--objectives", "x", "y")
    unknown = ("--set", "rule=pairs", "--standard-deviation", "unknown")
    lines_of(capsys, "new", path, *start, *unknown)
    assert lab.load_session(path).algorithm == pc.Certified(rule="pairs", variance="unknown")
    lines_of(capsys, "tell", path, "A", "-1e-3", "-.5e1", "--id", "s1")
    lines_of(capsys, "withdraw", path, "--told", "A", "-1e-3", "-5", "--instead", "-2e-3", "2.0")
    assert lab.load_session(path).data()["x"].tolist() == [-0.001, -0.002]
    lines_of(capsys, "new", f"{path}2", "APE", *start[3:], "--bounds", "-1e-3", "1")
    assert lab.load_session(f"{path}2").design.bounds == (-0.001, 1.0)
    assert error_of(capsys, "tell", path, "B", "-inf", "1").startswith("reward = [-inf, 1.0]; exp")
