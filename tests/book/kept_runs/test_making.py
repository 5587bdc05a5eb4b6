"""Runs of the arena are those of `simulate`; changing some does not change the others."""

import dataclasses

import numpy as np
import pytest
from references.kept_runs import SMALL, make_small

import pareto_core as pc
from pareto_book.kept_runs import making
from pareto_book.kept_runs.competitions import RISKS, runs_needed
from pareto_book.kept_runs.making import make_runs, measure_times
from pareto_book.kept_runs.reading import read_instance
from pareto_book.kept_runs.run_files import read_run_file, write_run_file


@pytest.mark.slow
def test_kept_runs_are_those_of_simulate(small_arena):
    kept = make_small(small_arena)
    instance = SMALL.instances["corner"]()
    assert [each.name for each in kept[:4]] == ["racing"] * len(RISKS)
    for each in kept:
        algorithm = SMALL.entrants[each.name].algorithm.with_delta(each.delta)
        found = pc.simulate(algorithm, instance, each.samples.size, progress=False)
        assert each.algorithm == repr(algorithm)
        np.testing.assert_array_equal(each.samples, found.samples)
        np.testing.assert_array_equal(each.right, found.correct)
        assert each.samples.size == (4 if found.samples[:2].mean() < 120 else 3)
        assert each.microseconds > 0
    assert {each.delta for each in kept if each.name == "APE at large risks"} == {0.1, 0.01}
    assert {each.samples.size for each in kept} == {3, 4}


@pytest.mark.slow
def test_only_the_named_entrants_are_run_again(small_arena):
    make_small(small_arena)
    path = small_arena / "corner.npz"
    about, before = read_run_file(path)
    marked = [dataclasses.replace(each, microseconds=7.0) for each in before]
    write_run_file(path, about, marked)
    after = make_small(small_arena, only=["racing"])
    assert [each.name for each in after] == [each.name for each in before]
    assert {each.name for each in after if each.microseconds == 7.0} == {
        "uniform",
        "APE at large risks",
    }


@pytest.mark.slow
def test_an_interrupted_call_resumes(small_arena, monkeypatch):
    first = make_small(small_arena)
    monkeypatch.setattr(making, "simulate", refuse_new_batches(making.simulate))
    for ours, theirs in zip(make_small(small_arena), first, strict=True):
        np.testing.assert_array_equal(ours.samples, theirs.samples)


def refuse_new_batches(simulate):
    def from_store(algorithm, instance, runs, **settings):
        simulation = pc.simulation.runs.Simulation(
            [algorithm],
            instance,
            runs,
            settings["seed"],
            settings["max_samples"],
            settings["store"],
            settings["store_key"],
        )
        assert simulation.pending == []
        return simulate(algorithm, instance, runs, **settings)

    return from_store


@pytest.mark.slow
def test_a_file_with_runs_of_a_different_seed_is_refused(small_arena):
    make_small(small_arena)
    with pytest.raises(ValueError, match="seed = 1; expected 0, the seed of"):
        make_small(small_arena, seed=1)


@pytest.mark.slow
def test_measuring_times_does_not_change_the_runs(small_arena, monkeypatch):
    before = make_small(small_arena)
    monkeypatch.setattr(making, "_microseconds", lambda entrant, *rest: len(entrant.assumes) + 0.5)
    measure_times("corner", small_arena)
    after = read_instance("corner", small_arena)
    assert {each.microseconds for each in after} == {
        len(entrant.assumes) + 0.5 for entrant in SMALL.entrants.values()
    }
    for old, new in zip(before, after, strict=True):
        assert (old.name, old.delta, old.algorithm) == (new.name, new.delta, new.algorithm)
        np.testing.assert_array_equal(old.samples, new.samples)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"instance_name": "unknown"}, "instance = 'unknown'"),
        ({"only": ["unknown"]}, "entrant = 'unknown'"),
        ({"seed": -1}, "seed"),
    ],
)
def test_bad_arguments_are_refused(small_arena, options, message):
    arguments = {"instance_name": "corner", "store": small_arena, "folder": small_arena, **options}
    with pytest.raises(ValueError, match=message):
        make_runs(**arguments)


def test_more_expensive_entrants_have_fewer_runs():
    assert [runs_needed(samples) for samples in (9_999, 10_000, 999_999, 10**6)] == [
        1000,
        200,
        200,
        50,
    ]
