"""The commands of ``python -m pareto_lab``; `shell` has the tests of ``session``."""

import subprocess
import sys

import numpy as np
import pytest
from references.algorithms import kinds_for
from references.command_line import error_of, lines_of

from pareto_core import EGE
from pareto_core.algorithms.registry import algorithms_by_name
from pareto_core.questions import BEST_ARMS, CONSTRAINED_PARETO_SET, PARETO_SET, PARTITION
from pareto_lab.__main__ import main, script
from pareto_lab.shell import listing
from pareto_lab.shell.program import print_json


def test_algorithms_are_listed(capsys):
    text = "\n".join(lines_of(main, capsys, "algorithms"))
    for name, kind in algorithms_by_name().items():
        assert f"{name}: {kind.__doc__.splitlines()[0]}" in text
    assert "parameters: budget, schedule='halving', accumulate=True" in text
    for question in (PARETO_SET, BEST_ARMS, CONSTRAINED_PARETO_SET, PARTITION):
        assert text.count(f"question: {question.name}\n") == len(kinds_for(question))


def test_an_algorithm_is_compiled_ahead(monkeypatch, capsys):
    compiled = []
    monkeypatch.setattr(listing, "compile_algorithm", compiled.append)
    for settings in (["budget=80", "schedule=reject"], ["budget=8_0", "schedule='reject'"]):
        assert main(["compile", "EGE", *settings]) == 0
        assert compiled.pop() == EGE(80, "reject")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("EGEE",), "algorithm = 'EGEE'; expected one of APE, "),
        (("Algorithm",), "algorithm = 'Algorithm'; expected one of APE, "),
        (("EGE",), "EGE has no default budget"),
        (("EGE", "delta=1"), "parameter of EGE = 'delta'; expected one of"),
        (("EGE", "budget=9", "budget=9"), "budget is given twice"),
        (("EGE", "budget=[8]"), "budget = [8]; expected an integer"),
        (("EGE", "budget"), "--set budget; expected NAME=VALUE"),
        *(
            (("APE", f"delta={delta}"), "delta = ")
            for delta in ("2", "9" * 5000, "(" * 100_000, "{[]:1}", "nan", "1e400", "True", "1/10")
        ),
    ],
)
def test_a_wrong_argument_is_named_in_one_line(arguments, message, capsys):
    assert error_of(main, capsys, "compile", *arguments).startswith(message)


def test_help_has_the_name_that_was_typed(capsys, monkeypatch):
    for call, name in ((main, "python -m pareto_lab"), (script, "pareto-lab")):
        monkeypatch.setattr(sys, "argv", ["anything"])
        assert call() == 0
        text = capsys.readouterr().out
        assert text.startswith(f"usage: {name} ")
        assert f"\n  {name} algorithms\n" in text


def test_values_that_json_cannot_represent_are_null(capsys):
    print_json({"a": np.array([1.5, np.nan]), 2: -np.inf, "b": np.int64(3), "c": (None, "é")})
    assert capsys.readouterr().out == '{"a": [1.5, null], "2": null, "b": 3, "c": [null, "é"]}\n'


@pytest.mark.slow
def test_closed_output_is_no_error():
    """As in ``python -m pareto_lab algorithms | head``."""
    program = [sys.executable, "-m", "pareto_lab", "algorithms"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1
