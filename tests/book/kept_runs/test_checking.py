"""Kept runs are repeated, each with the same result."""

import dataclasses

import numpy as np
import pytest
from references.kept_runs import SMALL, make_small

import pareto_core as pc
from pareto_book.kept_runs.checking import _choose, _group_by_samples, repeat_share
from pareto_book.kept_runs.competitions import RISKS
from pareto_book.kept_runs.reading import read_all


def repeat(kept, share, seed=0, **options):
    return repeat_share(kept, share, np.random.default_rng(seed), progress=False, **options)


@pytest.mark.slow
def test_repeated_runs_are_identical(small_arena):
    kept = make_small(small_arena)
    runs = sum(each.samples.size for each in kept)
    found = repeat(kept, 0.999)
    assert round(0.999 * runs) <= len(found) <= runs
    assert all(each.is_identical for each in found)
    assert len({(each.kept.name, each.kept.delta, each.run) for each in found}) == len(found)


@pytest.mark.slow
def test_a_run_that_differs_is_reported_by_number(small_arena):
    kept = make_small(small_arena)
    samples = kept[0].samples.copy()
    samples[1] += 1
    kept[0] = dataclasses.replace(kept[0], samples=samples)
    found = repeat(kept, 0.999)
    (different,) = [each for each in found if not each.is_identical]
    assert str(different).startswith("racing on corner at 0.1, run 1: ")


@pytest.mark.slow
def test_the_share_is_that_of_the_chosen_entrants(small_arena):
    kept = make_small(small_arena)
    seen = set()
    for seed in range(8):
        found = repeat(kept, 0.4, seed, most_entrants=1)
        (name,) = {each.kept.name for each in found}
        number = round(0.4 * sum(each.samples.size for each in kept if each.name == name))
        assert number <= len(found) < number + len(RISKS)
        seen.add(name)
    assert seen == set(SMALL.entrants)


@pytest.mark.slow
def test_a_run_shared_by_all_risks_is_simulated_once(small_arena, monkeypatch):
    kept = [each for each in make_small(small_arena) if each.name == "uniform"]
    asked = []
    work = pc.simulation.runs._run_batch
    monkeypatch.setattr(
        pc.simulation.runs, "_run_batch", lambda *rest: asked.append(rest[-1]) or work(*rest)
    )
    found = repeat(kept, 0.999)
    assert sorted(asked) == [(run, run + 1) for run in range(4)]
    assert len(found) == sum(each.samples.size for each in kept)


@pytest.mark.slow
def test_short_runs_are_preferred_and_uniform_choice_reaches_all(small_arena):
    """Runs at the first risk are short; each of the others takes a thousand times as long."""
    short, *others = [each for each in make_small(small_arena) if each.name == "racing"]
    long = [dataclasses.replace(each, microseconds=1000 * each.microseconds) for each in others]
    kept = [short, *long]

    groups = _group_by_samples(kept)
    total = sum(each.samples.size for each in kept)

    def chosen(prefer_short):
        """Risks and numbers of the runs that are chosen with a hundred seeds."""
        return [
            (level.delta, run)
            for seed in range(100)
            for group, runs in zip(
                groups,
                _choose(groups, round(0.2 * total), np.random.default_rng(seed), prefer_short),
                strict=True,
            )
            for run in runs
            for level in group.kept
            if run < level.samples.size
        ]

    preferred, uniform = chosen(True), chosen(False)
    assert np.mean([delta == short.delta for delta, _ in preferred]) > 0.95
    expected = short.samples.size / total
    assert np.mean([delta == short.delta for delta, _ in uniform]) == pytest.approx(
        expected, abs=0.1
    )
    assert len(set(uniform)) == total


@pytest.mark.parametrize("share", [0.0, 1.0, -1.0, "all"])
def test_a_bad_share_is_refused(share):
    with pytest.raises(ValueError, match="share"):
        repeat_share([], share, np.random.default_rng(0))


@pytest.mark.parametrize("number", [0, -1, 1.5, "all"])
def test_a_bad_number_of_entrants_is_refused(number):
    with pytest.raises(ValueError, match="most_entrants"):
        repeat_share([], 0.5, np.random.default_rng(0), most_entrants=number)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("most_entrants", [4, pytest.param(None, marks=pytest.mark.thorough)])
def test_a_hundredth_of_the_kept_runs_is_identical(most_entrants):
    """Of a few entrants, chosen anew each time: others come with other tests and the chapter."""
    kept = [each for runs in read_all().values() for each in runs]
    found = repeat(kept, 0.01, None, prefer_short=True, most_entrants=most_entrants)
    different = [str(each) for each in found if not each.is_identical]
    assert len(different) <= 0.02 * len(found), different
