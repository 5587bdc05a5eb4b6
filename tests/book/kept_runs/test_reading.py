"""Kept runs are read in order, are complete, and are refused if an entrant has changed."""

import numpy as np
import pytest
from references.kept_runs import SMALL, make_small

import pareto_core as pc
from pareto_book import paths
from pareto_book.kept_runs import competitions
from pareto_book.kept_runs.archives import archive_name
from pareto_book.kept_runs.competitions import all_competitions, find_instance, runs_needed
from pareto_book.kept_runs.entrants import Entrant
from pareto_book.kept_runs.reading import read_all, read_instance
from pareto_book.rivals import OraclePosterior


@pytest.mark.slow
def test_kept_runs_are_read_in_the_order_of_the_entrants(small_arena):
    make_small(small_arena)
    found = read_all(small_arena)["Pareto set"]
    assert list(dict.fromkeys(each.name for each in found)) == list(SMALL.entrants)


@pytest.mark.slow
def test_the_error_names_the_entrants_that_have_changed(small_arena, monkeypatch):
    make_small(small_arena)
    other = {**SMALL.entrants, "racing": Entrant(pc.Racing(radius="hoeffding"), "a theorem")}
    monkeypatch.setattr(
        competitions, "COMPETITIONS", {"Pareto set": SMALL._replace(entrants=other)}
    )
    with pytest.raises(ValueError, match=r"corner\.npz is stale: racing differ.*--only 'racing'"):
        read_all(small_arena)


def with_oracle(weights):
    oracle = Entrant(OraclePosterior(tuple(weights.tolist())), "nothing", least_risk=0.1)
    return SMALL._replace(entrants={"oracle": oracle})


def test_rounding_errors_of_weights_are_ignored(small_arena, monkeypatch):
    weights = np.array([0.5, 0.3, 0.2])
    monkeypatch.setattr(competitions, "COMPETITIONS", {"Pareto set": with_oracle(weights)})
    make_small(small_arena)
    monkeypatch.setattr(
        competitions, "COMPETITIONS", {"Pareto set": with_oracle(weights * (1 + 1e-14))}
    )
    assert len(read_all(small_arena)["Pareto set"]) == 1
    moved = weights + np.array([1e-6, 0.0, -1e-6])
    monkeypatch.setattr(competitions, "COMPETITIONS", {"Pareto set": with_oracle(moved)})
    with pytest.raises(ValueError, match="stale: oracle"):
        read_all(small_arena)


@pytest.mark.slow
def test_the_runs_of_all_entrants_are_kept_in_small_files():
    for competition in all_competitions().values():
        kept = [each for name in competition.instances for each in read_instance(name)]
        lines = {(each.instance, each.name, each.delta) for each in kept}
        assert lines == {
            (instance, name, delta)
            for instance in competition.instances
            for name, entrant in find_instance(instance)[1].items()
            for delta in competition.risks
            if delta >= entrant.least_risk
        }
        for each in kept:
            entrant = competition.entrants[each.name]
            assert each.samples[each.ended].max(initial=0) <= entrant.max_samples
            assert (each.samples[~each.ended] == entrant.max_samples).all(), each.name
            needed = runs_needed(each.samples[:20].mean(), competition.short)
            assert each.samples.size >= needed, each.name
    folder = paths.DATA / "arena"
    assert {path.name for path in folder.iterdir()} == {
        archive_name(name)
        for competition in all_competitions().values()
        for name in competition.instances
    }
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 5_000_000


@pytest.mark.slow
@pytest.mark.compiled
def test_proven_entrants_do_not_exceed_their_risk():
    """At all risks, with a confidence level that accounts for the number of tests."""
    kept = [each for runs in read_all().values() for each in runs]
    entrants = {name: find_instance(name)[1] for name in {each.instance for each in kept}}
    proven = [each for each in kept if "theorem" in entrants[each.instance][each.name].promise]
    assert len(proven) > 50
    for each in proven:
        wrong = int((each.ended & ~each.right).sum())
        excess = pc.simulation.statistics.rate_interval(wrong, each.samples.size, 1 - 1e-5)[0]
        assert excess <= each.delta, (each.name, each.instance, each.delta, wrong)
