"""What a visitor reads first, README, and the pages that it leads to: commands, code and links."""

import json
import re
import shlex

import matplotlib as mpl
import pytest

mpl.use("agg")

from pareto_book.paths import ROOT
from pareto_lab.__main__ import main as lab

README, USING = "README.md", "notebooks/using.md"


@pytest.fixture(autouse=True)
def in_an_empty_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


def code_of(page, language):
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", [README, "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_to_files_lead_to_files(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    linked = re.findall(r"\]\((?!https?:)([^)#]+)\)|(?:src|srcset)=\"([^\"]+)\"", text)
    assert [name for pair in linked for name in pair if name and not (ROOT / name).exists()] == []


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("page", [README, USING])
def test_the_code_works(page, capsys):
    (code,) = code_of(page, "python")
    exec(code.replace("runs=200", "runs=4"), {})
    assert re.match(r"\d+\.\d+ [01]\.\d+\n", capsys.readouterr().out)


def commands_of(page, program):
    """Commands of a program on a page, each as a list of words."""
    lines = "\n".join(code_of(page, "shell")).replace("\\\n", " ").splitlines()
    words = [shlex.split(line, comments=True) for line in lines]
    return [each[1:] for each in words if each and each[0] == program]


@pytest.mark.compiled
@pytest.mark.slow
def test_the_printed_commands_work(capsys, tmp_path):
    """With a fixed budget, the answers are neither all wrong nor all right."""
    own = "mymodule:MyAlgorithm"
    commands = [each for each in commands_of(USING, "pareto-lab") if own not in each]
    assert [each[0] for each in commands[:5]] == ["instances", "algorithms", *["compare"] * 3]
    assert [each[:2] for each in commands][5:] == [
        ["session", each] for each in ("new", "ask", "tell", "report")
    ]
    for command in commands:
        if command[0] != "compare":
            assert lab(command) == 0
            continue
        assert capsys.readouterr() and lab([*command, "--json"]) == 0
        for row in json.loads(capsys.readouterr().out)["rows"]:
            assert row["error_rate"] < 0.5
            assert row["errors"] > 0 or row["delta"] is not None
    assert (tmp_path / "report.html").exists()
    capsys.readouterr()
