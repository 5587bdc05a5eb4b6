"""The commands of ``python -m pareto_lab``; `shell` has the tests of ``session``."""

import json
import subprocess
import sys

import numpy as np
import pytest
from references.algorithms import kinds_for
from references.command_line import error_of, lines_of

import pareto_core
from pareto_core import APE, EGE
from pareto_core.algorithms.registry import algorithm_named, algorithms_by_name
from pareto_core.instances.registry import instance_names
from pareto_core.questions import BEST_ARMS, CONSTRAINED_PARETO_SET, PARETO_SET, PARTITION
from pareto_lab import compare
from pareto_lab.__main__ import main, script
from pareto_lab.shell import listing
from pareto_lab.shell.program import print_json

EGES = ("compare", "EGE", "budget=100", "EGE", "budget=80", "schedule=reject", "APE")
FEW = ("--runs", "3", "--max-samples", "400", "--jobs", "1")
ON = ("--on", "cov_boost", *FEW)
BUDGET = ("compare", "EGE", "budget=100")


def object_of(capsys, *arguments):
    """The object that a command prints, and nothing else."""
    (line,) = lines_of(main, capsys, *arguments, "--json")
    return json.loads(line)


# Lists


@pytest.mark.slow
def test_instances_are_listed(capsys):
    lines = lines_of(main, capsys, "instances")
    assert [line.split()[0] for line in lines] == ["name", *instance_names()]
    by_name = {line.split()[0]: line.split() for line in lines}
    assert by_name["cov_boost"][1:5] == ["20", "3", "no", "no"]
    assert by_name["snw"][1:5] == ["206", "2", "3", "no"]
    assert by_name["secukinumab"][1:5] == ["5", "2", "no", "yes"]
    assert by_name["two_stage_hard"][1:] == ["-", "-", "-", "-", "epsilon"]
    assert by_name["five_arms"][1:6] == ["5", "2", "no", "no", "correlation=0.0;"]
    assert max(map(len, lines)) <= 140
    for line in lines[1:]:
        name = line.split()[0]
        assert ("stand-in" in line) == (name.startswith("constrained_") or name == "secukinumab")


def test_algorithms_are_listed(capsys):
    text = "\n".join(lines_of(main, capsys, "algorithms"))
    for name, kind in algorithms_by_name().items():
        assert f"{name}: {kind.__doc__.splitlines()[0]}" in text
    assert "parameters: budget, schedule='halving', accumulate=True" in text
    for question in (PARETO_SET, BEST_ARMS, CONSTRAINED_PARETO_SET, PARTITION):
        assert text.count(f"question: {question.name}\n") == len(kinds_for(question))


# Runs


@pytest.mark.slow
def test_algorithms_are_compared(capsys, tmp_path):
    options = ("--seed", "2", "--deltas", "0.1", "0.01", "--store", str(tmp_path / "store"))
    algorithms = {
        "EGE budget=100": EGE(100),
        "EGE budget=80 schedule=reject": EGE(80, "reject"),
        "APE": APE(),
    }
    settings = {"max_samples": 400, "progress": False}
    table = compare(algorithms, "cov_boost", [0.1, 0.01], 3, 2, **settings)
    for _ in range(2):  # the second time from the store
        assert lines_of(main, capsys, *EGES, *ON, *options) == str(table).splitlines()
    assert [*(tmp_path / "store").glob("*/*.batch")] != []


def test_a_comparison_as_json(capsys):
    found = object_of(capsys, *EGES, *ON)
    algorithms = {"EGE budget=100": EGE(100), "EGE budget=80 schedule=reject": EGE(80, "reject")}
    algorithms["APE"] = APE()
    table = compare(algorithms, "cov_boost", runs=3, max_samples=400, progress=False)
    assert [row["samples"] for row in found["rows"]] == table.frame["samples"].tolist()
    assert found["rows"][0]["delta"] is None and found["rows"][2]["delta"] == 0.1
    differences = [row["difference"] for row in found["differences"]]
    assert differences == table.differences()["difference"].tolist()


def test_instances_may_have_parameters(capsys):
    names = ["one_dominates_all(3)", "one_dominates_all(4)"]
    found = object_of(capsys, "compare", "EGE", "budget=9", "--on", *names, *FEW)
    assert [row["instance"] for row in found["rows"]] == names


def test_an_algorithm_is_compiled_ahead(monkeypatch, capsys):
    compiled = []
    monkeypatch.setattr(listing, "compile_algorithm", compiled.append)
    assert main(["compile", "EGE", "budget=50"]) == 0
    assert compiled == [EGE(budget=50)]
    assert "no default budget" in error_of(main, capsys, "compile", "EGE")


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (["budget=80"], EGE(80)),
        (["budget=80", "schedule=reject"], EGE(80, "reject")),
        (["budget=80", "schedule='reject'"], EGE(80, "reject")),
        (["budget=8_0", "accumulate=False"], EGE(80, accumulate=False)),
    ],
)
def test_values_are_literals_or_else_strings(settings, expected):
    assert algorithm_named("EGE", settings) == expected


# Refusals


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("compare", "EGEE", *ON), "algorithm = 'EGEE'; expected one of APE, "),
        (("compare", "Algorithm", *ON), "algorithm = 'Algorithm'; expected one of APE, "),
        ((*BUDGET, "--on", "snow"), "name = 'snow'; expected \"module:function\" or "),
        (("compare", "EGE", *ON), "EGE has no default budget"),
        (("compare", "EGE", "delta=1", *ON), "parameter of EGE = 'delta'; expected one of"),
        ((*BUDGET, "budget=9", *ON), "budget is given twice"),
        (("compare", "EGE", "budget=[8]", *ON), "budget = [8]; expected an integer"),
        (("compare", "APE", "APE", *ON), "APE is given twice; expected different algorithms"),
        (("compare", "delta=1", *ON), "delta=1 comes first; expected the name of an algorithm"),
        ((*BUDGET, *ON, "--runs", "0"), "runs = 0; expected an integer"),
        ((*BUDGET, *ON, "--runs", str(2**61)), f"runs = {2**61}; expected at most 100000000"),
        ((*BUDGET, *ON, "--seed", "-1"), "seed = -1; expected an integer"),
        ((*BUDGET, *ON, "--max-samples", "0"), "max_samples = 0; expected an integer"),
        ((*BUDGET, *ON, "--jobs", "0"), "n_jobs = 0; expected an integer"),
        (
            ("compare", "APE", "ECAPE", *ON),
            "algorithm 'ECAPE' cannot play instance 'cov_boost': polyhedron = None; expected",
        ),
        (
            (*BUDGET, "--on", "constrained_orthant"),
            "algorithm 'EGE budget=100' cannot play instance 'constrained_orthant': polyhedron = ",
        ),
        (("compile", "EGE", "budget"), "--set budget; expected NAME=VALUE"),
        *(
            (("compare", "APE", f"delta={delta}", *ON), "delta = ")
            for delta in ("2", "9" * 5000, "(" * 100_000, "{[]:1}", "nan", "1e400", "True", "1/10")
        ),
    ],
)
def test_a_wrong_argument_is_named_in_one_line(arguments, message, capsys):
    assert error_of(main, capsys, *arguments).startswith(message)


@pytest.mark.parametrize(
    "arguments", [("walk",), ("compare",), ("compare", "APE"), (*BUDGET, *ON, "--runs", "many")]
)
def test_arguments_that_can_t_be_read_exit_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "usage: python -m pareto_lab" in capsys.readouterr().err


# The program


def test_the_version_is_printed(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["--version"], "pareto-lab")
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"pareto-lab {pareto_core.__version__}\n"


def test_help_has_the_name_that_was_typed(capsys, monkeypatch):
    for call, name in ((main, "python -m pareto_lab"), (script, "pareto-lab")):
        monkeypatch.setattr(sys, "argv", ["anything"])
        assert call() == 0
        text = capsys.readouterr().out
        assert text.startswith(f"usage: {name} ")
        assert f"\n  {name} instances\n" in text


def test_values_that_json_cannot_represent_are_null(capsys):
    print_json({"a": np.array([1.5, np.nan]), 2: -np.inf, "b": np.int64(3), "c": (None, "é")})
    assert capsys.readouterr().out == '{"a": [1.5, null], "2": null, "b": 3, "c": [null, "é"]}\n'


@pytest.mark.slow
def test_the_package_is_a_program():
    command = [sys.executable, "-m", "pareto_lab", *BUDGET, "--on", "nowhere"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("error: name = 'nowhere'")
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_closed_output_is_no_error():
    """As in ``python -m pareto_lab instances | head``."""
    program = [sys.executable, "-m", "pareto_lab", "instances"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


def test_an_interrupted_command_says_so(monkeypatch, capsys):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr("pareto_lab.__main__.list_instances", interrupted)
    assert main(["instances"]) == 130
    assert capsys.readouterr().err == "interrupted\n"
