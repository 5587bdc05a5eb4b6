"""The command ``compare`` of ``python -m pareto_lab``; ``shell`` has the tests of the other."""

import json

import pytest
from references.command_line import error_of, lines_of

import pareto_core
from pareto_core import APE, EGE
from pareto_lab import compare
from pareto_lab.__main__ import main

ON = ("--on", "cov_boost", "--runs", "3", "--max-samples", "400", "--jobs", "1")
COMPARE = ("compare", "EGE", "budget=100", "EGE", "budget=80", "schedule=reject", "APE")


@pytest.mark.slow
def test_algorithms_are_compared(capsys, tmp_path):
    options = ("--seed", "2", "--deltas", "0.1", "0.01", "--store", str(tmp_path / "store"))
    arguments = (*COMPARE, *ON, *options)
    lines = lines_of(main, capsys, *arguments)
    algorithms = {
        "EGE budget=100": EGE(100),
        "EGE budget=80 schedule=reject": EGE(80, "reject"),
        "APE": APE(),
    }
    place, deltas = "cov_boost", [0.1, 0.01]
    table = compare(algorithms, place, deltas, 3, 2, max_samples=400, progress=False)

    def without_times(lines):
        return [line[:82] for line in lines]

    assert without_times(lines) == without_times(str(table).splitlines())
    assert max(map(len, lines)) <= 96
    assert [*(tmp_path / "store").glob("*/*.batch")] != []
    assert without_times(lines_of(main, capsys, *arguments)) == without_times(lines)


def test_a_comparison_as_json(capsys):
    (line,) = lines_of(main, capsys, *COMPARE, *ON, "--json")
    found = json.loads(line)
    algorithms = {"EGE budget=100": EGE(100), "EGE budget=80 schedule=reject": EGE(80, "reject")}
    algorithms["APE"] = APE()
    table = compare(algorithms, "cov_boost", runs=3, max_samples=400, progress=False)
    assert [row["samples"] for row in found["rows"]] == table.frame["samples"].tolist()
    assert found["rows"][0]["delta"] is None and found["rows"][2]["delta"] == 0.1
    differences = [row["difference"] for row in found["differences"]]
    assert differences == table.differences()["difference"].tolist()


def test_the_version_is_printed(capsys):
    with pytest.raises(SystemExit):
        main(["--version"], "pareto-lab")
    assert capsys.readouterr().out == f"pareto-lab {pareto_core.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("compare", "APE", "APE", *ON), "APE is given twice; expected different algorithms"),
        (("compare", "delta=1", *ON), "delta=1 comes first; expected the name of an algorithm"),
        (
            ("compare", "APE", "ECAPE", "--on", "cov_boost"),
            "algorithm 'ECAPE' cannot play instance 'cov_boost': polyhedron = None; expected",
        ),
    ],
)
def test_a_wrong_argument_is_named_in_one_line(arguments, message, capsys):
    assert error_of(main, capsys, *arguments).startswith(message)


def test_without_arguments_the_help_names_the_commands(capsys):
    text = "\n".join(lines_of(main, capsys))
    assert "compare" in text and "session" in text
