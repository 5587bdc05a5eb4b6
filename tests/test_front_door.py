"""What a visitor reads first, README, and the pages that it leads to: commands, code and links."""

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
    commands = commands_of(USING, "pareto-lab")
    assert commands[0] == ["algorithms"]
    assert [each[:2] for each in commands[1:]] == [
        ["session", each] for each in ("new", "ask", "tell", "report")
    ]
    for command in commands:
        assert lab(command) == 0
    assert (tmp_path / "report.html").exists()
    capsys.readouterr()
