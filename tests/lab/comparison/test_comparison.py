"""A comparison against the same simulations by hand, and its tables."""

import dataclasses
import itertools

import numpy as np
import pytest
from references.arms import BARE, COINS, COLUMNS, CORNER, InTurn

from pareto_core import (
    APE,
    EGE,
    MOBAI,
    TrackAndStop,
    UniformSampling,
    load_instance,
    simulate,
)
from pareto_core.questions import PARETO_SET
from pareto_core.simulation.statistics import mean_interval, ratio_interval
from pareto_lab import compare
from pareto_lab.comparison.arguments import named_instances
from pareto_lab.comparison.lower_bounds import fewest_samples, time_of

DELTAS = [0.1, 0.01]
ALGORITHMS = {
    "ape": APE(),
    "patient": UniformSampling(check_every=10),
    "eager": UniformSampling(),
    "budget": EGE(budget=60),
}
ERRORS = ("errors", "error_rate", "error_low", "error_high", "unfinished")
RUNS, SEED = 12, 5


def compared(algorithms=ALGORITHMS, instances=CORNER, deltas=DELTAS, runs=RUNS, **settings):
    return compare(algorithms, instances, deltas, runs, SEED, progress=False, **settings)


@pytest.fixture(scope="module")
def table():
    return compared(instances={"here": CORNER, "there": CORNER.standardised()})


def assert_same_runs(found, expected):
    for column in COLUMNS:
        np.testing.assert_array_equal(getattr(found, column), getattr(expected, column))


@pytest.mark.slow
def test_runs_are_those_of_simulate_by_instance_then_algorithm_then_risk(table):
    keys = []
    for instance, (name, algorithm) in itertools.product(("here", "there"), ALGORITHMS.items()):
        for delta in [None] if name == "budget" else DELTAS:
            alone = algorithm if delta is None else dataclasses.replace(algorithm, delta=delta)
            expected = simulate(alone, CORNER, RUNS, SEED, progress=False)
            found = table.runs[instance, name, delta]
            assert found.algorithm == alone
            np.testing.assert_array_equal(found.samples, expected.samples)
            if instance == "here":
                assert_same_runs(found, expected)
            keys.append((instance, name, delta))
    assert list(table.runs) == list(table.microseconds) == keys


@pytest.mark.slow
def test_a_row_of_the_frame_agrees_with_its_runs(table):
    assert len(table.frame) == len(table.runs) == 14
    for (key, runs), line in zip(table.runs.items(), table.frame.to_dict("records"), strict=True):
        row = runs.summary()
        delta = line["delta"] if key[2] is not None else None
        assert (line["instance"], line["algorithm"], delta) == key
        assert line["question"] == "pareto_set"
        assert line["runs"] == RUNS
        for column, entry in (("", "mean"), ("_low", "mean_low"), ("_high", "mean_high")):
            assert line[f"samples{column}"] == row[entry]
        assert [line[each] for each in ERRORS] == [row[each] for each in ERRORS]
        assert line["characteristic_time"] == time_of(CORNER, PARETO_SET)
        bound = fewest_samples(line["characteristic_time"], delta)
        assert line["over_the_bound"] == pytest.approx(row["mean"] / bound, nan_ok=True)
        assert np.isnan(line["over_the_bound"]) == (key[1] == "budget")


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{}, {"n_jobs": 1}, {"backend": "processes"}])
def test_plain_python_meets_compiled_algorithms(settings):
    table = compared({"mine": InTurn(), "ape": APE()}, runs=3, **settings)
    samples = [runs.samples.tolist() for key, runs in table.runs.items() if key[1] == "mine"]
    assert samples == [3 * [150], 3 * [1500]]
    ape = table.runs["corner", "ape", 0.1]
    assert_same_runs(ape, simulate(APE(0.1), CORNER, 3, SEED, progress=False))


def test_each_algorithm_has_its_own_risk_by_default():
    table = compared({"one": APE(delta=0.2), "two": APE(delta=0.05)}, deltas=None, runs=3)
    assert list(table.runs) == [("corner", "one", 0.2), ("corner", "two", 0.05)]
    assert table.differences()["delta"].tolist() == [0.05]


def test_coins_are_played_with_a_bound_on_their_variance():
    found = compared([APE()], COINS, [0.1], 4).runs["coins", "APE", 0.1]
    assert_same_runs(found, simulate(APE(variance_bound=0.25), COINS, 4, SEED, progress=False))


def test_different_questions_have_different_bounds():
    table = compared([APE(), MOBAI()], BARE, None, 2)
    assert table.frame["question"].tolist() == ["pareto_set", "best_arm_per_objective"]
    assert len(table.times) == table.frame["characteristic_time"].nunique() == 2


def test_the_time_of_a_sample_is_that_of_a_thread_at_work(table):
    assert table.frame["microseconds"].between(1e-3, 1e4).all()
    shared = table.frame[table.frame["algorithm"] == "eager"].groupby("instance")["microseconds"]
    assert (shared.nunique() == 1).all()
    assert compared({"ape": APE()}, runs=1).frame["microseconds"].isna().all()


@pytest.mark.slow
def test_a_store_is_filled_and_used(tmp_path, monkeypatch, table):
    compared(runs=5, store=tmp_path)
    before = len(list(tmp_path.rglob("*.batch")))
    resumed = compared(store=tmp_path)
    assert len(list(tmp_path.rglob("*.batch"))) > before
    monkeypatch.setattr("pareto_core.simulation.runs.renewed", None)  # running would fail
    again = compared(store=tmp_path)
    for (_, name, delta), runs in again.runs.items():
        assert_same_runs(runs, table.runs["here", name, delta])
        assert_same_runs(runs, resumed.runs["corner", name, delta])
    assert again.frame["microseconds"].isna().all()


@pytest.mark.parametrize(
    ("arguments", "settings", "message"),
    [
        (([], CORNER), {}, "algorithms = .*; expected at least one"),
        ((APE(), CORNER), {}, "algorithms = APE.*; expected a dict or a sequence"),
        (([APE(), APE(0.05)], CORNER), {}, "algorithms: 2 are called 'APE'; expected diff"),
        (({1: APE()}, CORNER), {}, "algorithms has the name 1; expected a str"),
        (({"mine": "APE"}, CORNER), {}, "algorithm 'mine' .*: algorithm = 'APE'; expected an Algo"),
        (([APE()], [CORNER, CORNER]), {}, "instances: 2 are called 'corner'"),
        (([APE()], [3]), {}, "instances has the name 3; expected a str"),
        (([TrackAndStop()], [CORNER, COINS]), {}, "algorithm 'TrackAndStop' cannot play .*'coins'"),
        (([APE()], CORNER, 0.1), {}, "deltas = 0.1; expected "),
        (([APE()], CORNER, ["many"]), {}, r"deltas = \['many'\]; expected real"),
        (([APE()], CORNER), {"seed": -1}, "seed = -1; expected an integer"),
        (([APE()], CORNER), {"backend": "cloud"}, "backend = 'cloud'; expected one of"),
    ],
)
def test_invalid_arguments_are_refused_before_any_work(arguments, settings, message, tmp_path):
    with pytest.raises(ValueError, match=f"^{message}"):
        compare(*arguments, store=tmp_path, **settings)
    assert not list(tmp_path.iterdir())


def test_differences_are_from_the_first_algorithm_or_a_given_one(table):
    lines = table.differences()
    assert len(lines) == 2 * 3 * 2
    assert set(lines["first"]) == {"ape"}
    assert lines["delta"].tolist() == 6 * DELTAS  # of a budget, from both risks of the other
    line = lines.iloc[2]
    first, second = (table.runs["here", name, 0.1] for name in ("ape", "eager"))
    assert (line["second"], line["instance"], line["delta"]) == ("eager", "here", 0.1)
    assert line["difference"] == pytest.approx((first.samples - second.samples).mean())
    assert line["ratio"] == pytest.approx(first.samples.mean() / second.samples.mean())
    ends = line[["difference_low", "difference_high"]].tolist()
    assert ends == pytest.approx(mean_interval(first.samples - second.samples))
    ends = line[["ratio_low", "ratio_high"]].tolist()
    assert ends == pytest.approx(ratio_interval(first.samples, second.samples, paired=True))
    cut_off = dataclasses.replace(second, stopped=np.arange(RUNS) > 1)
    pair = {("here", "ape", 0.1): first, ("here", "eager", 0.1): cut_off}
    assert dataclasses.replace(table, runs=pair).differences()["unfinished"].tolist() == [2]
    other = table.differences("budget")
    assert other["delta"].tolist() == 6 * DELTAS
    np.testing.assert_array_equal(
        other["difference"][:2], -lines[lines["second"] == "budget"]["difference"][:2]
    )
    with pytest.raises(ValueError, match=r"^first = 'nobody'; expected one of"):
        table.differences("nobody")


def test_a_notebook_shows_the_frame_and_a_terminal_the_differences_too(table):
    assert table._repr_html_() == table.frame._repr_html_()
    rows, differences = str(table).split("\n\n")
    row, line = table.frame.iloc[0], table.differences().iloc[0]
    samples = map("{:.5g}".format, row[["samples", "samples_low"]])
    shown = ("here", "ape", "0.1", str(row["runs"]), *samples)
    assert tuple(rows.splitlines()[1].split()[:6]) == shown
    shown = ("here", "ape", line["second"], "0.1", f"{line['ratio']:.5g}")
    assert tuple(differences.splitlines()[1].split()[:5]) == shown
    assert "\n\n" not in str(compared({"ape": APE()}, runs=1))


# Instances by name


def test_instances_are_named_by_keys_or_else_by_their_own_names():
    assert list(named_instances("snw")) == ["snw"]
    assert named_instances(CORNER) == {"corner": CORNER}
    found = named_instances([CORNER, "snw"])
    assert list(found) == ["corner", "snw"]
    assert (found["snw"].means == load_instance("snw").means).all()
    assert named_instances({"mine": CORNER, "again": CORNER}) == {"mine": CORNER, "again": CORNER}
    assert list(named_instances("one_dominates_all(3)")) == ["one_dominates_all(3)"]
