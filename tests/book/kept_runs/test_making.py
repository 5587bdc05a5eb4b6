"""The lines of the arena are those of `simulate`, and their first runs can be repeated."""

import numpy as np
import pytest
from references.kept_runs import SMALL

import pareto_core as pc
from pareto_book.__main__ import main
from pareto_book.kept_runs import fixed_budget
from pareto_book.kept_runs.commands import DIFFERENT
from pareto_book.kept_runs.making import make_cases, repeat_case
from pareto_book.kept_runs.reading import path_of_cases, read_all, read_cases, write_cases

pytestmark = pytest.mark.slow


def test_lines_are_those_of_simulate(small_arena):
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


def test_some_are_made_anew_and_the_others_stay(small_arena):
    make_cases("corner", n_jobs=1)
    write_cases(each._replace(mean=-1.0) for each in read_cases())
    make_cases("corner", only=["uniform"], n_jobs=1)
    cases = read_cases()
    assert len(cases) == 10
    assert {each.name for each in cases if each.mean > 0} == {"uniform"}


def test_runs_with_a_budget_are_kept_and_repeated(small_arena):
    fixed_budget.find_contest.cache_clear()
    cases = make_cases("corner, budget", n_jobs=1)
    fixed_budget.find_contest.cache_clear()
    assert {each.runs for each in cases} == {6}
    for each in cases:
        assert each.mean <= each.level
        assert repeat_case(each).is_same
    fixed_budget.find_contest.cache_clear()


def test_the_command_makes_and_checks_and_a_changed_entrant_is_refused(small_arena, capsys):
    assert main(["arena", "--on", "corner", "--jobs", "1", "--store", str(small_arena / "s")]) == 0
    assert main(["arena", "--check", "4"]) == 0
    assert "4 cases were repeated, 0 came out differently" in capsys.readouterr().out
    write_cases(each._replace(first="1 2 3 4 5") for each in read_cases())
    assert main(["arena", "--check", "4"]) == DIFFERENT
    assert "kept: 1 2 3 4 5" in capsys.readouterr().err
    text = path_of_cases().read_text(encoding="utf-8")
    path_of_cases().write_text(text.replace("Racing(", "Race("), encoding="utf-8")
    with pytest.raises(ValueError, match="on corner racing differ"):
        read_all()
