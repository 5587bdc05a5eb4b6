"""Many seeded runs."""

import dataclasses
import re

import cloudpickle
import numpy as np
import pytest
from references.runs import assert_same_runs

from pareto_book.rivals import TTPFTS, FrankWolfe
from pareto_core import (
    APE,
    EGE,
    Certified,
    Instance,
    TopTwoIDS,
    TrackAndStop,
    UniformSampling,
    load_instance,
    simulate,
    simulate_deltas,
    trajectory,
)
from pareto_core.simulation import preparation
from pareto_core.simulation.results import Runs
from pareto_core.simulation.runs import run_generator
from pareto_core.simulation.scheduling import batches

INSTANCE = Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], variance=[1.0, 4.0])
ALGORITHM = TrackAndStop(delta=0.1)


def run(runs=50, **settings):
    return simulate(ALGORITHM, INSTANCE, runs, progress=False, **settings)


@pytest.mark.parametrize("n_jobs", [2, 5, None])
def test_results_do_not_depend_on_the_number_of_jobs(n_jobs):
    assert_same_runs(run(n_jobs=n_jobs), run(n_jobs=1))


def test_a_run_is_the_same_however_many_there_are():
    assert_same_runs(run(runs=61), run(runs=7))


def test_seeds_and_runs_differ():
    assert (run(seed=0).samples != run(seed=1).samples).any()
    assert len(set(run().samples.tolist())) > 10


def test_each_run_has_its_own_child_of_the_seed():
    child = np.random.SeedSequence(3).spawn(6)[5]
    expected = np.random.Generator(np.random.PCG64(child)).standard_normal(4)
    np.testing.assert_array_equal(run_generator(3, 5).standard_normal(4), expected)


@pytest.mark.parametrize("runs", [1, 7, 8, 9, 100, 2000])
def test_batches_cover_all_runs_and_begin_where_those_of_more_runs_do(runs):
    parts = batches(runs)
    assert [run for first, last in parts for run in range(first, last)] == list(range(runs))
    more = batches(5000)
    assert [first for first, _ in parts] == [first for first, _ in more[: len(parts)]]
    assert len(parts) <= 200 and len(batches(20)) > 10


def test_max_samples_cuts_a_run_off_and_it_counts_as_wrong():
    whole = run(runs=20)
    limit = int(np.median(whole.samples))
    cut = run(runs=20, max_samples=limit)
    np.testing.assert_array_equal(cut.samples, np.minimum(whole.samples, limit))
    np.testing.assert_array_equal(cut.stopped, whole.samples <= limit)
    np.testing.assert_array_equal(cut.correct, whole.correct & cut.stopped)
    assert cut.summary()["unfinished"] == (whole.samples > limit).sum() > 0


def made_up(samples, errors):
    n = len(samples)
    correct = np.arange(n) >= errors
    return Runs(
        ALGORITHM, INSTANCE, 0, np.array(samples), correct, np.ones(n, bool), None, None, None
    )


def test_summary_describes_the_stopping_times():
    samples = np.arange(1, 102)
    summary = made_up(samples, errors=2).summary()
    assert summary["runs"] == 101
    assert summary["mean"] == 51
    assert summary["deviation"] == pytest.approx(np.sqrt(101 * 102 / 12), rel=1e-12)
    quantiles = [summary[name] for name in ("min", "q25", "median", "q75", "max")]
    assert quantiles == [1, 26, 51, 76, 101]
    assert summary["errors"] == 2
    assert summary["unfinished"] == 0


def refused(name, values, message=None):
    """A row for each value: the argument and the words of the refusal."""
    return [({name: each}, message or f"^{name} = {re.escape(repr(each))}") for each in values]


REGION = load_instance("constrained_orthant")
IGNORED = r"^polyhedron = .*which does not use it"
REFUSED = [
    *refused("runs", [0, -1, 2.5, True, "3", None]),
    *refused("seed", [-1, 0.5, True, None]),
    *refused("n_jobs", [0, -1, 1.5, True]),
    *refused("max_samples", [0, -5, 1e6, True]),
    *refused("runs", [2**61, 10**30], f"^runs = .*; expected at most {10**8}"),
    *refused("n_jobs", [10**9], "^n_jobs = .*; expected at most 1024"),
    *refused("algorithm", [TrackAndStop, "TrackAndStop", None], "^algorithm = "),
    *refused("instance", [INSTANCE.means, 3, None], "^instance = .*; expected an Instance"),
    *refused("backend", ["Dask", "process", 2]),
    *(
        ({"algorithm": each}, "^budget = 2; expected at least")
        for each in (EGE(budget=2), UniformSampling(budget=2), TTPFTS(budget=2))
    ),
    *(
        ({"algorithm": each, "instance": REGION}, IGNORED)
        for each in (UniformSampling(budget=9), UniformSampling(), APE())
    ),
]


@pytest.mark.parametrize(("changed", "message"), REFUSED)
def test_a_simulation_refuses(changed, message):
    request = {"algorithm": ALGORITHM, "instance": INSTANCE, "runs": 5, "progress": False}
    with pytest.raises(ValueError, match=f"(?s){message}"):
        simulate(**request | changed)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        *refused("deltas", [[], 0.1, [[0.1]], [0.1, 2.0], [0.1, np.nan], ["a"], None], "delta"),
        ({"algorithm": APE()}, "sampling does not depend on delta"),
        ({"algorithm": Certified(APE())}, "sampling does not depend on delta"),
        ({"algorithm": UniformSampling(budget=30)}, "sampling does not depend on delta"),
        ({"algorithm": UniformSampling(), "instance": REGION}, IGNORED),
    ],
)
def test_several_risks_refuse(changed, message):
    request = {"algorithm": ALGORITHM, "instance": INSTANCE, "deltas": [0.1], "runs": 3}
    with pytest.raises(ValueError, match=message):
        simulate_deltas(**request | changed)


DELTAS = [1e-3, 0.3, 1e-6, 0.3]
SHARED = [
    TrackAndStop(),
    TrackAndStop(check_every=7, tracking="C"),
    TrackAndStop(threshold="proven"),
    UniformSampling(),
    TopTwoIDS(),
    FrankWolfe(threshold="proven"),
    Certified(TrackAndStop()),
    pytest.param(Certified(TopTwoIDS()), marks=pytest.mark.thorough),
]


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("most", [10**8, 60])  # samples, which end some runs
@pytest.mark.parametrize("algorithm", SHARED, ids=str)
def test_several_risks_at_once_are_the_runs_of_each(algorithm, most):
    request = {"runs": 12, "seed": 3, "max_samples": most, "progress": False}
    results = simulate_deltas(algorithm, INSTANCE.standardised(), DELTAS, **request)
    for delta, runs in zip(DELTAS, results, strict=True):
        alone = algorithm.with_delta(delta)
        assert runs.algorithm == alone
        assert_same_runs(runs, simulate(alone, INSTANCE.standardised(), **request))


def test_several_risks_share_the_stores_of_each(tmp_path, monkeypatch):
    settings = {"store": tmp_path, "progress": False}
    alone = simulate(dataclasses.replace(ALGORITHM, delta=0.3), INSTANCE, 12, **settings)
    results = simulate_deltas(ALGORITHM, INSTANCE, DELTAS, 12, **settings)
    np.testing.assert_array_equal(results[1].samples, alone.samples)
    monkeypatch.setattr("pareto_core.loop.run.compile_run", None)  # running would fail
    again = simulate_deltas(ALGORITHM, INSTANCE, DELTAS, 12, **settings)
    for runs, expected in zip(again, results, strict=True):
        assert_same_runs(runs, expected)
    few = simulate(dataclasses.replace(ALGORITHM, delta=1e-6), INSTANCE, 12, **settings)
    np.testing.assert_array_equal(few.pulls, results[2].pulls)


def test_means_are_in_the_units_of_the_instance():
    instance = Instance([[100.0, 0.0], [0.0, 0.3]], variance=[25.0, 0.01])
    runs = simulate(TrackAndStop(delta=0.01), instance, 50, progress=False)
    error = (runs.means - instance.means) / np.sqrt(instance.variance)
    assert np.abs(error * np.sqrt(runs.pulls[:, :, None])).max() < 5


def test_an_instance_may_be_named():
    name = "one_dominates_all(3, lead=2.0)"
    both = name, load_instance(name)
    for column in (
        [simulate(ALGORITHM, each, 2, progress=False).samples for each in both],
        [simulate_deltas(ALGORITHM, each, [0.1], 2, progress=False)[0].samples for each in both],
        [trajectory(ALGORITHM, each, [9]).counts for each in both],
    ):
        np.testing.assert_array_equal(*column)
    assert simulate(ALGORITHM, name, 1, progress=False).instance.name == "one_dominates_all"


def test_a_preparation_is_made_anew_in_another_process():
    prepared = preparation.prepare([ALGORITHM], INSTANCE)
    copy = cloudpickle.loads(cloudpickle.dumps(prepared))
    assert "shared" in vars(prepared)
    assert "shared" not in vars(copy)
    assert repr(copy.shared.levels) == repr(prepared.shared.levels)


def test_runs_are_shown_in_one_line():
    instance = Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], name="three")
    runs = simulate(EGE(budget=1200), instance, runs=2, progress=False)
    begin, end = repr(runs).split(" on 'three': ")
    assert begin.startswith("<2 runs of EGE(budget=1200, ")
    assert end == "1,200 samples on average, 100% correct>"
    cut = simulate(ALGORITHM, INSTANCE, 3, max_samples=2, progress=False)
    assert repr(cut).endswith("0% correct, 3 unfinished>")
