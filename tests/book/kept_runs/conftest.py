"""The small arena, in place of the book's."""

import pytest
from references.kept_runs import SMALL

from pareto_book import paths
from pareto_book.kept_runs import competitions, fixed_budget, making, reading


@pytest.fixture
def small_arena(monkeypatch, tmp_path):
    """Three entrants on one instance, with few runs, also with two budgets; returns a folder."""
    monkeypatch.setattr(competitions, "COMPETITIONS", {"Pareto set": SMALL})
    monkeypatch.setattr(competitions, "ORACLE_COMPETITIONS", {})
    ladders = {"corner": (SMALL.instances["corner"], (1, 2))}
    monkeypatch.setattr(fixed_budget, "LADDERS", ladders)
    monkeypatch.setattr(fixed_budget, "RUNS", 6)
    monkeypatch.setattr(making, "PILOT_RUNS", 2)
    monkeypatch.setattr(
        competitions, "runs_needed", lambda samples, short: 7 if samples < 120 else 6
    )
    monkeypatch.setattr(paths, "DATA", tmp_path)
    (tmp_path / "book").mkdir()
    reading.algorithms_on.cache_clear()
    yield tmp_path
    reading.algorithms_on.cache_clear()
