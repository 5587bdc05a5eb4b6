"""What an editor shows: every public function says what it takes and returns."""

import inspect
import subprocess
import sys
from pathlib import Path

import pytest
from public_names import callables_of, documented, names_of_the_door

from pareto_book.paths import ROOT

FILES = Path(__file__).parent / "hints"
PUBLIC = names_of_the_door() | documented()


def without_hints(function):
    """Parameters without a type, and "return" if it is not said what comes back."""
    signature = inspect.signature(function)
    parameters = [
        each for each in signature.parameters.values() if each.name not in ("self", "cls")
    ]
    missing = [each.name for each in parameters if each.annotation is each.empty]
    return missing + ["return"] * (signature.return_annotation is signature.empty)


@pytest.mark.compiled
def test_everything_public_is_annotated():
    missing = {
        f"{name} {member}".strip(): names
        for name, value in PUBLIC.items()
        for member, function in callables_of(value).items()
        if (names := without_hints(function))
    }
    assert missing == {}


@pytest.mark.slow
def test_mypy_accepts_typical_use_and_finds_what_is_wrong():
    typical, wrong = FILES / "typical_use.py", FILES / "wrong_use.py"
    command = [sys.executable, "-m", "mypy", "--config-file", ROOT / "pyproject.toml"]
    done = subprocess.run(
        [*command, typical, wrong], cwd=ROOT, capture_output=True, text=True, check=False
    )
    found = [line.split(":")[:2] for line in done.stdout.splitlines() if ": error: " in line]
    lines = wrong.read_text().splitlines()
    expected = [str(number) for number, line in enumerate(lines, 1) if line.endswith("# wrong")]
    assert [number for _, number in found] == expected, done.stdout + done.stderr
    assert {(ROOT / file).name for file, _ in found} == {wrong.name}
