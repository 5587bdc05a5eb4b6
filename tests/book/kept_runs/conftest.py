"""The small arena, in place of the book's."""

import pytest
from references.kept_runs import SMALL

from pareto_book.kept_runs import competitions, making


@pytest.fixture
def small_arena(monkeypatch, tmp_path):
    """Three entrants on one instance, with few runs; returns the folder of its files."""
    monkeypatch.setattr(competitions, "COMPETITIONS", {"Pareto set": SMALL})
    monkeypatch.setattr(competitions, "ORACLE_COMPETITIONS", {})
    monkeypatch.setattr(making, "PILOT_RUNS", 2)
    monkeypatch.setattr(making, "runs_needed", lambda samples, short: 4 if samples < 120 else 3)
    return tmp_path
