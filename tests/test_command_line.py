"""The commands of ``python -m pareto_lab`` but ``session``."""

import json
import subprocess
import sys

import numpy as np
import pytest
from references.algorithms import kinds_for
from references.command_line import error_of, lines_of

import pareto_core
from pareto_core import EGE, load_instance, simulate
from pareto_core.algorithms.registry import algorithm_named, algorithms_by_name
from pareto_core.instances.registry import instance_names
from pareto_core.questions import BEST_ARMS, CONSTRAINED_PARETO_SET, PARETO_SET, PARTITION
from pareto_lab.__main__ import main, script
from pareto_lab.shell import simulating
from pareto_lab.shell.program import print_json


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
    for name in instance_names():
        stands_in = name.startswith("constrained_") or name == "secukinumab"
        assert ("stand-in" in " ".join(by_name[name])) == stands_in


def object_of(capsys, *arguments):
    """The object that a command prints, and nothing else."""
    (line,) = lines_of(main, capsys, *arguments, "--json")
    return json.loads(line)


@pytest.mark.slow
def test_instances_as_json(capsys):
    found = {each["name"]: each for each in object_of(capsys, "instances")["instances"]}
    assert list(found) == [*instance_names()]
    assert list(found["snw"].values())[1:-1] == [{}, 206, 2, 3, False]
    assert found["two_stage_hard"]["parameters"] == {"epsilon": None}
    assert found["two_stage_hard"]["arms"] is None
    assert found["five_arms"]["parameters"]["correlation"] == "0.0"


def test_algorithms_as_json(capsys):
    found = {each["name"]: each for each in object_of(capsys, "algorithms")["algorithms"]}
    assert list(found) == list(algorithms_by_name())
    assert found["EGE"]["question"] == PARETO_SET.name
    expected = {"budget": None, "schedule": "'halving'", "accumulate": "True"}
    assert found["EGE"]["parameters"] == expected


def test_a_run_as_json(capsys):
    found = object_of(capsys, *RUN, "--runs", "4", "--seed", "3", "--jobs", "1")
    runs = simulate(EGE(budget=100), "cov_boost", 4, seed=3, progress=False)
    assert found.pop("seconds") > 0
    assert found == {
        "algorithm": repr(EGE(budget=100)),
        "instance": "cov_boost",
        "question": "pareto_set",
        "seed": 3,
        "summary": runs.summary(),
    }


def test_the_version_is_printed(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["--version"], "pareto-lab")
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"pareto-lab {pareto_core.__version__}\n"


def test_values_that_json_cannot_represent_are_null(capsys):
    print_json({"a": np.array([1.5, np.nan]), 2: -np.inf, "b": np.int64(3), "c": (None, "é")})
    assert capsys.readouterr().out == '{"a": [1.5, null], "2": null, "b": 3, "c": [null, "é"]}\n'


def test_algorithms_are_listed(capsys):
    text = "\n".join(lines_of(main, capsys, "algorithms"))
    for name, kind in algorithms_by_name().items():
        assert f"{name}: {kind.__doc__.splitlines()[0]}" in text
    assert "parameters: budget, schedule='halving', accumulate=True" in text
    for question in (PARETO_SET, BEST_ARMS, CONSTRAINED_PARETO_SET, PARTITION):
        assert text.count(f"question: {question.name}\n") == len(kinds_for(question))


def test_an_algorithm_is_compiled_ahead(monkeypatch, capsys):
    compiled = []
    monkeypatch.setattr(simulating, "compile_algorithm", compiled.append)
    assert main(["compile", "EGE", "--set", "budget=50"]) == 0
    assert compiled == [EGE(budget=50)]
    assert "no default budget" in error_of(main, capsys, "compile", "EGE")


RUN = ("run", "EGE", "cov_boost", "--set", "budget=100")
RUN_APE = ("run", "APE", "cov_boost")


def test_a_run_is_summed_up(capsys):
    lines = lines_of(
        main, capsys, *RUN, "--runs", "9", "--seed", "3", "--set", "schedule=reject", "--jobs", "1"
    )
    instance = load_instance("cov_boost")
    algorithm = EGE(budget=100, schedule="reject")
    runs = simulate(algorithm, instance, 9, seed=3, progress=False)
    row = runs.summary()
    text = " ".join(" ".join(lines).split())
    assert repr(algorithm) in text
    assert "cov_boost, 20 arms, 3 objectives" in text
    assert f"question pareto_set; the true answer has {instance.pareto_set.size} arms" in text
    assert "runs 9, seed 3" in text
    assert f"mean {row['mean']:.1f} (95 % interval {row['mean_low']:.1f} to " in text
    assert f"least {row['min']:.0f}, 25 % {row['q25']:.0f}, median {row['median']:.0f}" in text
    assert f"{(~runs.correct).sum()} of 9, {row['error_rate']:.2%} (95 % interval " in text
    assert f"{row['error_low']:.2%} to {row['error_high']:.2%})" in text
    assert "per sample" in text


def test_a_run_mentions_a_stand_in_where_it_is_one(capsys):
    lines = lines_of(
        main, capsys, "run", "EGE", "snw", "--runs", "1", "--set", "budget=2000", "--jobs", "1"
    )
    text = " ".join(" ".join(lines).split())
    runs = simulate(EGE(budget=2000), load_instance("snw"), 1, progress=False)
    assert "stand-in" not in text
    assert f"samples {runs.samples[0]} quantiles" in text
    command = ("run", "ConstrainedUniformSampling", "constrained_orthant")
    lines = lines_of(main, capsys, *command, "--runs", "1", "--max-samples", "9", "--jobs", "1")
    assert "stand-in stand-in for an instance of Kone et al." in " ".join(" ".join(lines).split())


def test_a_run_on_an_instance_with_parameters_and_on_a_file(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "drugs.csv").write_text("label,response\nA,0.0\nB,9.0\n")
    options = ("--set", "budget=9", "--runs", "1", "--jobs", "1")
    for name, expected in (
        ("one_dominates_all(3)", "one_dominates_all, 3 arms, 2 objectives"),
        ("drugs.csv", "drugs, 2 arms, 1 objective"),
        ("drugs.csv(variance=[4])", "drugs, 2 arms, 1 objective"),
    ):
        text = " ".join(" ".join(lines_of(main, capsys, "run", "EGE", name, *options)).split())
        assert f"instance {expected}" in text


def test_max_samples_cuts_runs_off(capsys):
    arguments = ("--runs", "3", "--max-samples", "7")
    text = " ".join(" ".join(lines_of(main, capsys, *RUN, *arguments)).split())
    assert "mean 7.0" in text
    assert "3 runs did not stop by themselves" in text


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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run", "EGEE", "snw"), "algorithm = 'EGEE'; expected one of APE, "),
        (("run", "Algorithm", "snw"), "algorithm = 'Algorithm'; expected one of APE, "),
        (
            ("run", "EGE", "snow", "--set", "budget=80"),
            "name = 'snow'; expected \"module:function\" or ",
        ),
        (("run", "EGE", "snw"), "EGE has no default budget"),
        (
            ("run", "EGE", "snw", "--delta", "0.1"),
            "parameter of EGE = 'delta'; expected one of",
        ),
        (("run", "EGE", "snw", "--set", "budget"), "--set budget; expected NAME=VALUE"),
        (("run", "EGE", "snw", "--set", "budget=8", "budget=9"), "budget is given twice"),
        (("run", "EGE", "snw", "--set", "budget=[8]"), "budget = [8]; expected an integer"),
        ((*RUN_APE, "--delta", "2"), "delta = 2; expected a number strictly between 0 and 1"),
        ((*RUN, "--runs", "0"), "runs = 0; expected an integer"),
        ((*RUN, "--runs", str(2**61)), f"runs = {2**61}; expected at most 100000000"),
        ((*RUN, "--seed", "-1"), "seed = -1; expected an integer"),
        ((*RUN, "--max-samples", "0"), "max_samples = 0; expected an integer"),
        ((*RUN, "--jobs", "0"), "n_jobs = 0; expected an integer"),
        (("run", "ECAPE", "cov_boost"), "polyhedron = None; expected a Polyhedron"),
        (("run", "EGE", "constrained_orthant", "--set", "budget=50"), "polyhedron = Polyhedron("),
        (("run", "pareto_book.rivals:LinearPAL", "cov_boost"), "features = None; expected "),
        (
            ("run", "pareto_book.rivals:PAL", "sw_llvm"),
            "hyperparameters has 0 entries; expected 2",
        ),
    ],
)
def test_a_wrong_argument_is_named_in_one_line(arguments, message, capsys):
    assert error_of(main, capsys, *arguments).startswith(message)


@pytest.mark.parametrize("arguments", [("walk",), ("run",), (*RUN, "--runs", "many")])
def test_arguments_that_can_t_be_read_exit_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "usage: python -m pareto_lab" in capsys.readouterr().err


def test_help_has_the_name_that_was_typed(capsys, monkeypatch):
    for call, name in ((main, "python -m pareto_lab"), (script, "pareto-lab")):
        monkeypatch.setattr(sys, "argv", ["anything"])
        assert call() == 0
        text = capsys.readouterr().out
        assert text.startswith(f"usage: {name} ")
        assert f"\n  {name} instances\n" in text


@pytest.mark.parametrize(
    "delta", ["1" + 24 * "0", "9" * 5000, "(" * 100_000, "{[]:1}", "nan", "1e400", "True", "1/10"]
)
def test_an_invalid_risk_is_refused_in_one_line(delta, capsys):
    assert error_of(main, capsys, "run", "APE", "cov_boost", "--delta", delta).startswith(
        "delta = "
    )


@pytest.mark.slow
def test_closed_output_is_no_error():
    """As in ``python -m pareto_lab instances | head``."""
    program = [sys.executable, "-m", "pareto_lab", "instances"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


def test_an_interrupted_command_says_so(monkeypatch, capsys):
    def interrupted(json):
        raise KeyboardInterrupt

    monkeypatch.setattr("pareto_lab.__main__.list_instances", interrupted)
    assert main(["instances"]) == 130
    assert capsys.readouterr().err == "interrupted\n"
