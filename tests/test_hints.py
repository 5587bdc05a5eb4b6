"""What a type checker says of the package's hints."""

import subprocess
import sys
from pathlib import Path

import pytest

from pareto_book.paths import ROOT

FILES = Path(__file__).parent / "hints"


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
