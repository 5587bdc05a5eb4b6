"""Kept answers are those of `simulate`; changing some does not change the others."""

import dataclasses

import numpy as np
import pytest
from references.fixed_budget import make_small

import pareto_core as pc
from pareto_book import paths
from pareto_book.__main__ import main
from pareto_book.kept_runs.archives import archive_name
from pareto_book.kept_runs.budgets import making
from pareto_book.kept_runs.budgets.checking import repeat_answers
from pareto_book.kept_runs.budgets.competitions import (
    ENTRANTS,
    LADDERS,
    BudgetEntrant,
    find_contest,
    playable,
)
from pareto_book.kept_runs.budgets.files import read_answers, write_answers
from pareto_book.kept_runs.budgets.making import read_all_answers, read_instance_answers
from pareto_book.kept_runs.commands import DIFFERENT


@pytest.mark.slow
def test_kept_answers_are_those_of_simulate(small_ladders):
    kept = make_small(small_ladders)
    contest = find_contest("corner")
    assert [each.name for each in kept] == list(ENTRANTS)
    for each in kept:
        assert each.which.shape == (len(each.budgets), 30)
        for level, budget in enumerate(each.budgets):
            algorithm = ENTRANTS[each.name].make(budget)
            found = pc.simulate(algorithm, contest.instance, 30, progress=False, n_jobs=1)
            np.testing.assert_array_equal(each.answers[each.which[level]], found.answers)
    by_name = {each.name: each for each in kept}
    assert by_name["uniform"].budgets == contest.budgets
    assert len(by_name["EGE-SH"].budgets) < len(contest.budgets)  # the first is too small


def test_budgets_are_multiples_of_the_characteristic_time(small_ladders):
    contest = find_contest("corner")
    time = pc.characteristic_time(contest.instance.means, 1e-7).time
    assert contest.time == pytest.approx(time, rel=1e-6)
    assert contest.budgets == tuple(int(np.ceil(each * time)) for each in (0.15, 1, 2))


def test_only_what_is_missing_or_named_is_made(small_ladders, monkeypatch):
    asked = []
    simulate = making._simulate_entrant
    monkeypatch.setattr(
        making, "_simulate_entrant", lambda *rest: asked.append(rest[1]) or simulate(*rest)
    )
    make_small(small_ladders, only=["uniform"])
    make_small(small_ladders)
    make_small(small_ladders)
    assert asked == ["uniform", "EGE-SR", "EGE-SH", "TopTwoIDS"]
    make_small(small_ladders, only=["EGE-SH"])
    assert asked[4:] == ["EGE-SH"]
    kept = read_all_answers(small_ladders)["corner"]
    assert [each.name for each in kept] == list(ENTRANTS)


@pytest.mark.parametrize("change", ["settings", "budgets", "runs", "entrants"])
def test_answers_that_are_out_of_date_are_refused(small_ladders, monkeypatch, change):
    make_small(small_ladders)
    if change == "settings":
        other = BudgetEntrant(lambda budget: pc.EGE(budget=budget, accumulate=False))
        monkeypatch.setitem(ENTRANTS, "EGE-SH", other)
    elif change == "entrants":
        monkeypatch.delitem(ENTRANTS, "EGE-SH")
    else:
        value = {"budgets": {"multiples": (0.15, 1, 3)}, "runs": {"runs": 31}}[change]
        LADDERS["corner"] = LADDERS["corner"]._replace(**value)
    find_contest.cache_clear()
    with pytest.raises(ValueError, match=r"corner\.npz is stale: .*EGE-SH.* --on 'corner'"):
        read_instance_answers("corner", small_ladders)


def test_another_seed_and_unknown_names_are_refused(small_ladders):
    make_small(small_ladders, only=["uniform"])
    with pytest.raises(ValueError, match="seed = 1"):
        make_small(small_ladders, seed=1)
    with pytest.raises(ValueError, match="entrant"):
        make_small(small_ladders, only=["nobody"])
    with pytest.raises(ValueError, match="instance"):
        find_contest("nowhere")


def altered(kept):
    """The same with another answer in one run at one budget."""
    which = np.array(kept.which)
    which[1, 3] = (which[1, 3] + 1) % len(kept.answers)
    return dataclasses.replace(kept, which=which)


@pytest.mark.slow
def test_repeated_runs_are_identical_and_a_different_one_is_named(small_ladders):
    kept = {"corner": make_small(small_ladders)}
    found = repeat_answers(kept, 60, np.random.default_rng(0))
    assert all(each.is_identical for each in found)
    assert {each.kept.name for each in found} == set(ENTRANTS)
    pairs = {(each.kept.name, each.run, each.level) for each in found}
    assert len(pairs) == len(found) >= 60
    changed = altered(kept["corner"][0])
    found = repeat_answers({"corner": [changed]}, 1000, np.random.default_rng(0))
    (different,) = [each for each in found if not each.is_identical]
    assert (different.run, different.level) == (3, 1)
    assert str(different).startswith(f"uniform on corner, budget {changed.budgets[1]}, run 3: ")


def test_runs_are_repeated_of_few_entrants_where_asked(small_ladders):
    kept = {"corner": make_small(small_ladders)}
    for seed in range(5):
        found = repeat_answers(kept, 20, np.random.default_rng(seed), most_entrants=1)
        assert len({each.kept.name for each in found}) == 1
    for arguments, name in (((0,), "number"), ((5, None, 0), "most_entrants")):
        with pytest.raises(ValueError, match=name):
            repeat_answers(kept, arguments[0], np.random.default_rng(0), *arguments[2:])


@pytest.mark.slow
def test_the_command_makes_and_checks_answers(small_ladders, monkeypatch, capsys):
    monkeypatch.setattr(paths, "DATA", small_ladders)
    (small_ladders / "budgets").mkdir()
    assert main(["budgets", "--jobs", "1"]) == 0
    assert "corner: 330 answers of 4 entrants" in capsys.readouterr().out
    assert main(["budgets", "--check", "50"]) == 0
    assert "0 came out differently" in capsys.readouterr().out
    path = small_ladders / "budgets" / "corner.npz"
    about, kept = read_answers(path)
    write_answers(path, about, [altered(each) for each in kept])
    assert main(["budgets", "--check", "2000"]) == DIFFERENT
    assert "kept are" in capsys.readouterr().err


# The book's own


@pytest.mark.slow
@pytest.mark.parametrize("name", ENTRANTS)
def test_an_entrant_continues_its_shorter_runs_if_it_says_so(name):
    """Then what it has sampled with a budget is what it has sampled then with a larger one."""
    contest = find_contest("five arms")
    algorithms = playable(contest, name)[:2]
    if not ENTRANTS[name].continues:
        return
    assert pc.simulate(algorithms[0], contest.instance, 3, progress=False).samples.max() == (
        algorithms[0].budget
    )
    kinds = making._groups(contest, name, algorithms)
    assert kinds == [algorithms]
    together = making.answers_in_runs(contest, name, range(3), 5)
    alone = [
        pc.simulate(each, contest.instance, 3, seed=5, progress=False).answers
        for each in algorithms
    ]
    np.testing.assert_array_equal(together[:2], alone)


def test_every_file_belongs_to_an_instance_and_is_small():
    folder = paths.DATA / "budgets"
    assert {each.name for each in folder.iterdir()} == {archive_name(name) for name in LADDERS}
    assert sum(each.stat().st_size for each in folder.iterdir()) < 2_000_000


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("most_entrants", [3, pytest.param(None, marks=pytest.mark.thorough)])
def test_kept_answers_come_out_again(most_entrants):
    number = 100 if most_entrants else 2000
    found = repeat_answers(read_all_answers(), number, np.random.default_rng(), most_entrants)
    different = [str(each) for each in found if not each.is_identical]
    assert len(different) <= 0.02 * len(found), different
