"""Runs that are made to be kept, and made again."""

import dataclasses

import numpy as np
import pytest

import pareto_core as pc
from pareto_book import paths
from pareto_book.__main__ import main
from pareto_book.kept_runs import season
from pareto_book.kept_runs.commands import DIFFERENT
from pareto_book.kept_runs.field import GAMES, RISKS, Entrant, Game, runs_needed
from pareto_book.kept_runs.kept_runs import file_of, read_kept, write_kept
from pareto_book.kept_runs.repetition import repeat_share
from pareto_book.kept_runs.season import find_place, make_runs, read_all

SMALL = Game(
    {
        "racing": Entrant(pc.Racing(), "a theorem"),
        "uniform": Entrant(pc.UniformSampling(), "nothing"),
        "careless": Entrant(pc.APE(), "nothing", least_risk=1e-3),
    },
    {"corner": lambda: pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], name="corner")},
)


@pytest.fixture
def small(monkeypatch, tmp_path):
    """A field of three entrants on one instance, with few runs, in a folder of its own."""
    monkeypatch.setattr(season, "GAMES", {"Pareto set": SMALL})
    monkeypatch.setattr(season, "PILOT", 2)
    monkeypatch.setattr(season, "runs_needed", lambda samples: 4 if samples < 120 else 3)
    return tmp_path


def made(folder, **options):
    return make_runs("corner", folder / "store", folder=folder, n_jobs=1, **options)


def test_kept_runs_are_those_of_simulate(small):
    kept = made(small)
    instance = SMALL.places["corner"]()
    assert [each.name for each in kept[:4]] == ["racing"] * len(RISKS)
    for each in kept:
        algorithm = SMALL.entrants[each.name].algorithm.with_delta(each.delta)
        found = pc.simulate(algorithm, instance, each.samples.size, progress=False)
        assert each.algorithm == repr(algorithm)
        np.testing.assert_array_equal(each.samples, found.samples)
        np.testing.assert_array_equal(each.right, found.correct)
        assert each.samples.size == (4 if found.samples[:2].mean() < 120 else 3)
        assert each.microseconds > 0
    assert {each.delta for each in kept if each.name == "careless"} == {0.1, 0.01}
    assert {each.samples.size for each in kept} == {3, 4}


def test_some_are_made_and_the_others_stay(small):
    made(small)
    path = small / "corner.npz"
    about, before = read_kept(path)
    marked = [dataclasses.replace(each, microseconds=7.0) for each in before]
    write_kept(path, about, marked)
    after = made(small, only=["racing"])
    assert [each.name for each in after] == [each.name for each in before]
    assert {each.name for each in after if each.microseconds == 7.0} == {"uniform", "careless"}


def test_a_killed_season_goes_on(small, monkeypatch):
    first = made(small)
    monkeypatch.setattr(season, "simulate", refuse_new_batches(season.simulate))
    for ours, theirs in zip(made(small), first, strict=True):
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
        )
        assert simulation.pending == []
        return simulate(algorithm, instance, runs, **settings)

    return from_store


def test_runs_of_another_seed_are_not_mixed(small):
    made(small)
    with pytest.raises(ValueError, match="seed = 1; expected 0"):
        made(small, seed=1)


def again(kept, share, seed=0, **options):
    return repeat_share(kept, share, np.random.default_rng(seed), progress=False, **options)


def test_every_run_comes_out_again(small):
    kept = made(small)
    runs = sum(each.samples.size for each in kept)
    found = again(kept, 0.999)
    assert round(0.999 * runs) <= len(found) <= runs
    assert all(each.is_same for each in found)
    assert len({(each.kept.name, each.kept.delta, each.run) for each in found}) == len(found)


def test_a_run_that_is_not_the_kept_one_is_named(small):
    kept = made(small)
    samples = kept[0].samples.copy()
    samples[1] += 1
    kept[0] = dataclasses.replace(kept[0], samples=samples)
    found = again(kept, 0.999)
    (different,) = [each for each in found if not each.is_same]
    assert str(different).startswith("racing on corner at 0.1, run 1: ")


def test_a_share_of_the_runs_of_fewer_entrants(small):
    kept = made(small)
    seen = set()
    for seed in range(20):
        found = again(kept, 0.4, seed, most_entrants=1)
        (name,) = {each.kept.name for each in found}
        number = round(0.4 * sum(each.samples.size for each in kept if each.name == name))
        assert number <= len(found) < number + len(RISKS)
        seen.add(name)
    assert seen == set(SMALL.entrants)


def test_a_run_that_serves_all_risks_is_made_once(small, monkeypatch):
    kept = [each for each in made(small) if each.name == "uniform"]
    asked = []
    work = pc.simulation.runs._run_batch
    monkeypatch.setattr(
        pc.simulation.runs, "_run_batch", lambda *rest: asked.append(rest[-1]) or work(*rest)
    )
    found = again(kept, 0.999)
    assert sorted(asked) == [(run, run + 1) for run in range(4)]
    assert len(found) == sum(each.samples.size for each in kept)


@pytest.mark.slow
def test_short_runs_are_chosen_more_often_and_none_is_left_out(small):
    """Those of the first risk are short; of all others each takes a thousand times as long."""
    short, *others = [each for each in made(small) if each.name == "racing"]
    long = [dataclasses.replace(each, microseconds=1000 * each.microseconds) for each in others]
    kept = [short, *long]

    def chosen(**options):
        parts = [again(kept, 0.2, seed, **options) for seed in range(100)]
        return [(each.kept.delta, each.run) for part in parts for each in part]

    preferred, any_ = chosen(prefer_short=True), chosen()
    total = sum(each.samples.size for each in kept)
    assert np.mean([delta == short.delta for delta, _ in preferred]) > 0.95
    expected = short.samples.size / total
    assert np.mean([delta == short.delta for delta, _ in any_]) == pytest.approx(expected, abs=0.1)
    assert len(set(any_)) == total


def test_kept_runs_are_read_in_the_order_of_the_field(small):
    made(small)
    found = read_all(small)["Pareto set"]
    assert list(dict.fromkeys(each.name for each in found)) == list(SMALL.entrants)


def test_a_changed_entrant_is_stale_by_name(small, monkeypatch):
    made(small)
    other = {**SMALL.entrants, "racing": Entrant(pc.Racing(radius="hoeffding"), "a theorem")}
    monkeypatch.setattr(season, "GAMES", {"Pareto set": SMALL._replace(entrants=other)})
    with pytest.raises(ValueError, match=r"corner\.npz is stale: racing differ.*--only 'racing'"):
        read_all(small)


def with_oracle(weights):
    oracle = Entrant(pc.OraclePosterior(tuple(weights.tolist())), "nothing", least_risk=0.1)
    return SMALL._replace(entrants={"oracle": oracle})


def test_the_last_bit_of_a_weight_is_not_stale(small, monkeypatch):
    weights = np.array([0.5, 0.3, 0.2])
    monkeypatch.setattr(season, "GAMES", {"Pareto set": with_oracle(weights)})
    made(small)
    monkeypatch.setattr(season, "GAMES", {"Pareto set": with_oracle(weights * (1 + 1e-14))})
    assert len(read_all(small)["Pareto set"]) == 1
    moved = weights + np.array([1e-6, 0.0, -1e-6])
    monkeypatch.setattr(season, "GAMES", {"Pareto set": with_oracle(moved)})
    with pytest.raises(ValueError, match="stale: oracle"):
        read_all(small)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"place": "nowhere"}, "place = 'nowhere'"),
        ({"only": ["nobody"]}, "entrant = 'nobody'"),
        ({"seed": -1}, "seed"),
    ],
)
def test_bad_arguments_are_refused(small, options, message):
    arguments = {"place": "corner", "store": small, "folder": small, **options}
    with pytest.raises(ValueError, match=message):
        make_runs(**arguments)


@pytest.mark.parametrize("share", [0.0, 1.0, -1.0, "all"])
def test_a_bad_share_is_refused(share):
    with pytest.raises(ValueError, match="share"):
        repeat_share([], share, np.random.default_rng(0))


@pytest.mark.parametrize("number", [0, -1, 1.5, "all"])
def test_a_bad_number_of_entrants_is_refused(number):
    with pytest.raises(ValueError, match="most_entrants"):
        repeat_share([], 0.5, np.random.default_rng(0), most_entrants=number)


def test_how_many_runs_are_enough():
    assert [runs_needed(samples) for samples in (9_999, 10_000, 999_999, 10**6)] == [
        1000,
        200,
        200,
        50,
    ]


@pytest.mark.slow
def test_the_field_is_kept_whole_and_small():
    kept = read_all()
    for question, game in GAMES.items():
        lines = {(each.place, each.name, each.delta) for each in kept[question]}
        assert lines == {
            (place, name, delta)
            for place in game.places
            for name, entrant in find_place(place)[1].items()
            for delta in RISKS
            if delta >= entrant.least_risk
        }
        for each in kept[question]:
            entrant = game.entrants[each.name]
            assert each.samples[each.ended].max(initial=0) <= entrant.most_samples
            assert (each.samples[~each.ended] == entrant.most_samples).all(), each.name
            assert each.samples.size >= runs_needed(each.samples[:20].mean()), each.name
    folder = paths.DATA / "arena"
    assert {path.name for path in folder.iterdir()} == {
        file_of(place) for game in GAMES.values() for place in game.places
    }
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 5_000_000


@pytest.mark.slow
@pytest.mark.compiled
def test_proven_entrants_err_at_most_as_promised():
    """All risks, with a correction for the number of entrants that are looked at."""
    kept = [each for runs in read_all().values() for each in runs]
    entrants = {place: find_place(place)[1] for place in {each.place for each in kept}}
    proven = [each for each in kept if "theorem" in entrants[each.place][each.name].promise]
    assert len(proven) > 50
    for each in proven:
        wrong = int((each.ended & ~each.right).sum())
        excess = pc.simulation.statistics.rate_interval(wrong, each.samples.size, 1 - 1e-5)[0]
        assert excess <= each.delta, (each.name, each.place, each.delta, wrong)


@pytest.mark.slow
@pytest.mark.compiled
def test_a_hundredth_of_the_kept_runs_comes_out_again():
    kept = [each for runs in read_all().values() for each in runs]
    found = repeat_share(kept, 0.01, np.random.default_rng(), prefer_short=True, progress=False)
    different = [str(each) for each in found if not each.is_same]
    assert len(different) <= 0.02 * len(found), different


def test_times_are_measured_again_and_runs_stay(small, monkeypatch):
    before = made(small)
    monkeypatch.setattr(season, "_microseconds", lambda entrant, *rest: len(entrant.assumes) + 0.5)
    season.measure_times("corner", small)
    after = season.read_place("corner", small)
    assert {each.microseconds for each in after} == {
        len(entrant.assumes) + 0.5 for entrant in SMALL.entrants.values()
    }
    for old, new in zip(before, after, strict=True):
        assert (old.name, old.delta, old.algorithm) == (new.name, new.delta, new.algorithm)
        np.testing.assert_array_equal(old.samples, new.samples)


def test_from_the_shell(small, monkeypatch, capsys):
    monkeypatch.setattr(paths, "DATA", small)
    (small / "arena").mkdir()
    monkeypatch.setattr("pareto_book.kept_runs.commands.GAMES", {"Pareto set": SMALL})
    assert main(["arena", "--on", "corner", "--jobs", "1", "--store", str(small / "store")]) == 0
    assert "corner: " in capsys.readouterr().out
    assert main(["arena", "--check", "0.5"]) == 0
    assert "0 came out differently" in capsys.readouterr().out
    assert main(["arena", "--times", "--on", "corner"]) == 0
    assert main(["arena", "--check", "0.5"]) == 0
    path = small / "arena" / "corner.npz"
    about, kept = read_kept(path)
    write_kept(path, about, [dataclasses.replace(each, samples=each.samples + 1) for each in kept])
    assert main(["arena", "--check", "0.5"]) == DIFFERENT
    assert "kept are" in capsys.readouterr().err
