"""Many seeded runs."""

import collections
import dataclasses
import itertools
import os
import subprocess
import sys

import cloudpickle
import numpy as np
import pytest

from pareto_book.paths import ROOT
from pareto_book.rivals import TTPFTS
from pareto_core import (
    APE,
    EGE,
    Instance,
    TrackAndStop,
    UniformSampling,
    load_instance,
    simulate,
    simulate_deltas,
    trajectory,
)
from pareto_core.simulation import preparation
from pareto_core.simulation.results import Runs
from pareto_core.simulation.runs import repeat_run, run_generator
from pareto_core.simulation.scheduling import batches

INSTANCE = Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], variance=[1.0, 4.0])
ALGORITHM = TrackAndStop(delta=0.1)
COLUMNS = ("samples", "correct", "stopped", "pulls", "means", "answers")


def run(runs=50, **settings):
    return simulate(ALGORITHM, INSTANCE, runs, progress=False, **settings)


@pytest.mark.parametrize("n_jobs", [2, 5, None])
def test_results_do_not_depend_on_the_number_of_jobs(n_jobs):
    one, other = run(n_jobs=1), run(n_jobs=n_jobs)
    for column in COLUMNS:
        np.testing.assert_array_equal(getattr(one, column), getattr(other, column))


def test_a_run_is_the_same_however_many_there_are():
    few, many = run(runs=7), run(runs=61)
    for column in COLUMNS:
        np.testing.assert_array_equal(getattr(few, column), getattr(many, column)[:7])


def test_batches_are_a_partition_that_grows_and_does_not_depend_on_the_number_of_runs():
    for runs in (1, 7, 20, 2000):
        parts = batches(runs)
        assert parts[0][0] == 0
        assert parts[-1][1] == runs
        assert all(left[1] == right[0] for left, right in itertools.pairwise(parts))
        assert parts[:-1] == batches(100_000)[: len(parts) - 1]
    assert len(batches(20)) > 10
    assert len(batches(10**6)) < 5000


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
    assert len(parts) <= 200


def test_results_fit_together():
    runs = run()
    assert runs.samples.shape == runs.correct.shape == runs.stopped.shape == (50,)
    assert runs.pulls.shape == runs.answers.shape == (50, 3)
    np.testing.assert_array_equal(runs.pulls.sum(axis=1), runs.samples)
    right = (runs.answers == [True, True, False]).all(axis=1)
    np.testing.assert_array_equal(runs.correct, right & runs.stopped)
    assert runs.instance is INSTANCE
    assert runs.algorithm is ALGORITHM


def test_the_instance_is_whitened():
    whitened = simulate(ALGORITHM, INSTANCE.standardised(), 50, progress=False)
    np.testing.assert_array_equal(run().pulls, whitened.pulls)


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


@pytest.mark.parametrize("n", [1, 20, 2000])
def test_error_interval_without_errors_is_the_rule_of_the_exact_binomial(n):
    summary = made_up([5] * n, errors=0).summary()
    assert summary["error_low"] == 0
    assert summary["error_high"] == pytest.approx(1 - 0.025 ** (1 / n), rel=1e-9)


def test_error_interval_with_errors_is_clopper_pearson():
    # at the ends of the interval, 3 errors of 40 or more (or less) have probability 2.5 %
    from scipy.stats import binom

    summary = made_up([5] * 40, errors=3).summary()
    assert summary["error_rate"] == 3 / 40
    assert binom.sf(2, 40, summary["error_low"]) == pytest.approx(0.025, rel=1e-6)
    assert binom.cdf(3, 40, summary["error_high"]) == pytest.approx(0.025, rel=1e-6)


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


def test_one_run_has_no_interval_of_its_mean():
    summary = run(runs=1).summary()
    assert np.isnan([summary["mean_low"], summary["mean_high"], summary["deviation"]]).all()


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("runs", [0, -1, 2.5, True, "3", None]),
        ("seed", [-1, 0.5, True, None]),
        ("n_jobs", [0, -1, 1.5, True]),
        ("max_samples", [0, -5, 1e6, True]),
    ],
)
def test_bad_numbers_are_refused(name, values):
    for value in values:
        with pytest.raises(ValueError, match=f"^{name} = {value!r}"):
            simulate(ALGORITHM, INSTANCE, **{"runs": 5, "progress": False, name: value})


def test_invalid_algorithms_and_instances_are_refused():
    for algorithm in (TrackAndStop, "TrackAndStop", None):
        with pytest.raises(ValueError, match=r"^algorithm = "):
            simulate(algorithm, INSTANCE, 5)
    for instance in (INSTANCE.means, 3, None):
        with pytest.raises(ValueError, match=r"^instance = "):
            simulate(ALGORITHM, instance, 5)


MEMORY = """
import resource
from pareto_core import APE, Instance, TrackAndStop, UniformSampling, simulate, simulate_deltas
close = Instance([[1e-6], [0.0]])  # never stops
def peak(samples):
    simulate(TrackAndStop(), close, 1, n_jobs=1, max_samples=samples, progress=False)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # kB
print(peak(10_000), peak(1_500_000))
"""


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss has another unit elsewhere")
def test_memory_of_a_run_does_not_grow_with_its_samples():
    done = subprocess.run(
        [sys.executable, "-c", MEMORY], cwd=ROOT, env=os.environ, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    short, long = map(int, done.stdout.split())
    # one number per sample would be 12,000 kB
    assert long - short < 4000


DELTAS = [1e-3, 0.3, 1e-6, 0.3]


@pytest.mark.slow
@pytest.mark.parametrize(
    "algorithm", [TrackAndStop(), TrackAndStop(check_every=7, tracking="C"), UniformSampling()]
)
def test_several_risks_at_once_are_the_runs_of_each(algorithm):
    results = simulate_deltas(algorithm, INSTANCE, DELTAS, 30, seed=3, progress=False)
    for delta, runs in zip(DELTAS, results, strict=True):
        alone = dataclasses.replace(algorithm, delta=delta)
        expected = simulate(alone, INSTANCE, 30, seed=3, progress=False)
        assert runs.algorithm == alone
        for column in COLUMNS:
            np.testing.assert_array_equal(getattr(runs, column), getattr(expected, column))


def test_several_risks_end_where_the_samples_do():
    limit = 60
    results = simulate_deltas(ALGORITHM, INSTANCE, DELTAS, 30, max_samples=limit, progress=False)
    for delta, runs in zip(DELTAS, results, strict=True):
        alone = dataclasses.replace(ALGORITHM, delta=delta)
        expected = simulate(alone, INSTANCE, 30, max_samples=limit, progress=False)
        for column in COLUMNS:
            np.testing.assert_array_equal(getattr(runs, column), getattr(expected, column))
    assert not results[2].stopped.all()


def test_several_risks_share_the_stores_of_each(tmp_path, monkeypatch):
    settings = {"store": tmp_path, "progress": False}
    alone = simulate(dataclasses.replace(ALGORITHM, delta=0.3), INSTANCE, 12, **settings)
    results = simulate_deltas(ALGORITHM, INSTANCE, DELTAS, 12, **settings)
    np.testing.assert_array_equal(results[1].samples, alone.samples)
    monkeypatch.setattr("pareto_core.loop.run.compile_run", None)  # running would fail
    again = simulate_deltas(ALGORITHM, INSTANCE, DELTAS, 12, **settings)
    for runs, expected in zip(again, results, strict=True):
        np.testing.assert_array_equal(runs.pulls, expected.pulls)
    few = simulate(dataclasses.replace(ALGORITHM, delta=1e-6), INSTANCE, 12, **settings)
    np.testing.assert_array_equal(few.pulls, results[2].pulls)


@pytest.mark.parametrize("algorithm", [APE(), UniformSampling(budget=30)])
def test_several_risks_need_a_sampling_that_ignores_them(algorithm):
    with pytest.raises(ValueError, match="sampling does not depend on delta"):
        simulate_deltas(algorithm, INSTANCE, DELTAS, 3)


@pytest.mark.parametrize("deltas", [[], 0.1, [[0.1]], [0.1, 2.0], [0.1, np.nan], ["a"], None])
def test_several_risks_must_be_probabilities(deltas):
    with pytest.raises(ValueError, match="delta"):
        simulate_deltas(ALGORITHM, INSTANCE, deltas, 3)


def test_means_are_in_the_units_of_the_instance():
    instance = Instance([[100.0, 0.0], [0.0, 0.3]], variance=[25.0, 0.01])
    runs = simulate(TrackAndStop(delta=0.01), instance, 50, progress=False)
    error = (runs.means - instance.means) / np.sqrt(instance.variance)
    assert np.abs(error * np.sqrt(runs.pulls[:, :, None])).max() < 5


@pytest.mark.parametrize(
    ("name", "value", "most"),
    [("runs", 2**61, 10**8), ("runs", 10**30, 10**8), ("n_jobs", 10**9, 1024)],
)
def test_excessive_numbers_are_refused(name, value, most):
    arguments = {"runs": 1, "progress": False, name: value}
    with pytest.raises(ValueError, match=f"^{name} = {value}; expected at most {most}"):
        simulate(UniformSampling(budget=9), Instance([[0.0], [1.0]]), **arguments)


@pytest.mark.parametrize("algorithm", [UniformSampling(budget=9), UniformSampling(), APE()])
def test_a_feasible_region_that_would_be_ignored_is_refused(algorithm):
    instance = load_instance("constrained_orthant")
    with pytest.raises(ValueError, match=r"^polyhedron = .*which does not use it"):
        simulate(algorithm, instance, 1, progress=False)
    if algorithm.sampling_ignores_delta:
        with pytest.raises(ValueError, match=r"^polyhedron = .*which does not use it"):
            simulate_deltas(algorithm, instance, [0.1], 1, progress=False)


def test_unused_features_are_accepted():
    instance = Instance([[0.0], [1.0]], features=[[1.0], [2.0]])
    assert simulate(UniformSampling(budget=9), instance, 1, progress=False).samples == [9]


def test_with_a_budget_the_noise_need_not_be_whitened():
    instance = Instance([[0.2, 0.3], [0.9, 0.8]], noise="bernoulli")
    runs = simulate(UniformSampling(budget=400), instance, 3, progress=False)
    assert runs.correct.all()
    assert not UniformSampling(budget=400).needs_unit_variance
    assert UniformSampling().needs_unit_variance


def test_an_instance_may_be_named():
    name = "one_dominates_all(3, lead=2.0)"
    both = name, load_instance(name)
    for column in (
        [simulate(ALGORITHM, each, 2, progress=False).samples for each in both],
        [simulate_deltas(ALGORITHM, each, [0.1], 2, progress=False)[0].samples for each in both],
        [repeat_run(ALGORITHM, each, 1)["samples"] for each in both],
        [trajectory(ALGORITHM, each, [9]).counts for each in both],
    ):
        np.testing.assert_array_equal(*column)
    assert simulate(ALGORITHM, name, 1, progress=False).instance.name == "one_dominates_all"


@pytest.mark.parametrize("value", [3, None, [[0.0], [1.0]]])
def test_values_that_are_neither_instances_nor_names_are_refused(value):
    with pytest.raises(ValueError, match=r"^instance = .*; expected an Instance"):
        simulate(ALGORITHM, value, 1)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_instance_is_prepared_once(n_jobs, monkeypatch):
    calls = collections.Counter()

    def count(owner, name):
        function = getattr(owner, name)

        def counted(*arguments):
            calls[name] += 1
            return function(*arguments)

        monkeypatch.setattr(owner, name, counted)

    count(Instance, "standardised")
    count(Instance, "_check")
    count(TrackAndStop, "parameters")
    count(preparation, "make_source")
    instance = Instance([[1.0, 0.0], [0.0, 1.0]], variance=[1.0, 4.0])
    calls.clear()
    simulate_deltas(TrackAndStop(), instance, [0.1, 0.01], 9, n_jobs=n_jobs, progress=False)
    assert calls == {"standardised": 1, "_check": 1, "parameters": 2, "make_source": 1}


def test_a_preparation_is_made_anew_in_another_process():
    prepared = preparation.prepare([ALGORITHM], INSTANCE)
    copy = cloudpickle.loads(cloudpickle.dumps(prepared))
    assert "shared" in vars(prepared)
    assert "shared" not in vars(copy)
    assert repr(copy.shared.levels) == repr(prepared.shared.levels)


@pytest.mark.parametrize("algorithm", [EGE(budget=2), UniformSampling(budget=2), TTPFTS(budget=2)])
def test_a_budget_below_the_number_of_arms_is_refused(algorithm):
    with pytest.raises(ValueError, match=r"^budget = 2; expected at least"):
        simulate(algorithm, INSTANCE, 1, progress=False)


@pytest.mark.parametrize("algorithm", [ALGORITHM, APE(), UniformSampling(budget=9)])
@pytest.mark.parametrize("most", [1, 2])
def test_runs_cut_off_before_each_arm_has_a_sample_are_not_correct(algorithm, most):
    runs = simulate(algorithm, INSTANCE, 3, max_samples=most, progress=False)
    assert (runs.samples == most).all()
    assert not runs.stopped.any()
    assert not runs.correct.any()
    assert (runs.pulls.sum(axis=1) == most).all()


def test_runs_are_shown_in_one_line():
    instance = Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], name="three")
    runs = simulate(EGE(budget=1200), instance, runs=2, progress=False)
    begin, end = repr(runs).split(" on 'three': ")
    assert begin.startswith("<2 runs of EGE(budget=1200, ")
    assert end == "1,200 samples on average, 100% correct>"
    cut = simulate(ALGORITHM, INSTANCE, 3, max_samples=2, progress=False)
    assert repr(cut).endswith("0% correct, 3 unfinished>")
