"""The lines of the arena are those of `simulate`, and their first runs can be repeated."""

import numpy as np
import pytest
from references.kept_runs import SMALL

import pareto_core as pc
from pareto_book import paths
from pareto_book.__main__ import main
from pareto_book.kept_runs import competitions, fixed_budget, making, reading
from pareto_book.kept_runs.commands import DIFFERENT
from pareto_book.kept_runs.making import make_cases, repeat_case
from pareto_book.kept_runs.reading import path_of_cases, read_all, read_cases, write_cases

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def small_arena(monkeypatch, tmp_path):
    """Three entrants on one instance, with few runs, also with two budgets."""
    monkeypatch.setattr(competitions, "COMPETITIONS", {"Pareto set": SMALL})
    monkeypatch.setattr(competitions, "ORACLE_COMPETITIONS", {})
    monkeypatch.setattr(competitions, "runs_needed", lambda samples, _: 7 if samples < 120 else 6)
    ladders = {"corner": (SMALL.instances["corner"], (1, 2))}
    monkeypatch.setattr(fixed_budget, "LADDERS", ladders)
    monkeypatch.setattr(fixed_budget, "RUNS", 6)
    monkeypatch.setattr(making, "PILOT_RUNS", 2)
    monkeypatch.setattr(paths, "DATA", tmp_path)
    (tmp_path / "book").mkdir()
    made = (reading.algorithms_on, fixed_budget.find_contest)
    for each in made:
        each.cache_clear()
    yield
    for each in made:
        each.cache_clear()


def test_lines_are_those_of_simulate():
    cases = make_cases("corner", n_jobs=1)
    instance = SMALL.instances["corner"]()
    for each in cases:
        algorithm = SMALL.entrants[each.name].algorithm.with_delta(each.level)
        found = pc.simulate(algorithm, instance, each.runs, progress=False)
        assert each.algorithm == repr(algorithm)
        assert each.mean == found.samples.mean()
        assert each.sd == np.std(found.samples, ddof=1)
        assert (each.errors, each.unfinished) == ((~found.correct).sum(), 0)
        assert each.first.replace("x", "").split() == [str(n) for n in found.samples[:5]]
        racing = SMALL.entrants["racing"].algorithm.with_delta(each.level)
        beside = pc.simulate(racing, instance, 6, progress=False).samples
        if each.runs == 6:
            assert each.correlation == pytest.approx(np.corrcoef(found.samples, beside)[0, 1])
    limited = [each for each in cases if each.name == "APE at large risks"]
    assert [(each.level, each.runs) for each in limited] == [(0.1, 5), (0.01, 5)]
    assert {each.runs for each in cases if each not in limited} == {6, 7}
    read = read_all()["Pareto set"]
    assert [(each[:4], each.mean, each.first) for each in read] == [
        (each[:4], each.mean, each.first) for each in cases
    ]
    write_cases(each._replace(mean=-1.0) for each in read)
    make_cases("corner", only=["uniform"], n_jobs=1)
    assert {each.name for each in read_cases() if each.mean > 0} == {"uniform"}
    assert len(read_cases()) == len(cases)
    make_cases("corner", only=["racing"], n_jobs=1)  # the first entrant
    assert all(each.mean > 0 for each in read_cases())


def test_runs_with_a_budget_are_kept_and_repeated():
    for each in make_cases("corner, budget", n_jobs=1):
        assert each.runs == 6
        assert each.mean <= each.level
        assert repeat_case(each).is_same


def test_the_command_makes_and_checks_and_a_changed_entrant_is_refused(tmp_path, capsys):
    assert main(["arena", "--on", "corner", "--jobs", "1", "--store", str(tmp_path / "s")]) == 0
    assert main(["arena", "--check", "4"]) == 0
    assert "4 cases were repeated, 0 came out differently" in capsys.readouterr().out
    write_cases(each._replace(first="1 2 3 4 5") for each in read_cases())
    assert main(["arena", "--check", "4"]) == DIFFERENT
    assert "kept: 1 2 3 4 5" in capsys.readouterr().err
    text = path_of_cases().read_text(encoding="utf-8")
    path_of_cases().write_text(text.replace("Racing(", "Race("), encoding="utf-8")
    with pytest.raises(ValueError, match="on corner racing differ"):
        read_all()
