"""The benchmarks, which no test runs, fit the package."""

import runpy

from pareto_book.paths import ROOT

FOLDER = ROOT / "tests/benchmarks"


def test_each_can_be_imported(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    files = sorted(FOLDER.glob("bench_*.py"))
    assert files
    for file in files:
        assert "main" in runpy.run_path(str(file), run_name="imported"), file.name
