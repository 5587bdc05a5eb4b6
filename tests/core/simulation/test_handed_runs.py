"""Results that one execution of a chapter hands to the next, and requests that it does not."""

import dataclasses

import numpy as np
import pytest

from pareto_core import Instance, TrackAndStop, UniformSampling, simulate, simulate_deltas
from pareto_core.simulation import handed_runs

INSTANCE = Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], variance=[4.0, 0.25])
ALGORITHM = TrackAndStop(delta=0.1)
COLUMNS = ("samples", "correct", "stopped", "pulls", "means", "answers")
REQUEST = {"runs": 12, "seed": 3, "max_samples": 500}


@pytest.fixture
def file(tmp_path, monkeypatch):
    """File to which results are written; `read_from` has it read."""
    path = tmp_path / "chapter.runs"
    monkeypatch.setenv("PARETO_RUNS_TO", str(path))
    handed_runs._read.cache_clear()
    return path


@pytest.fixture
def read_from(monkeypatch):
    """A function after which nothing can be simulated but what a file holds."""

    def read(path):
        monkeypatch.setenv("PARETO_RUNS_FROM", str(path))
        monkeypatch.delenv("PARETO_RUNS_TO")
        monkeypatch.setattr("pareto_core.simulation.runs._run", None)

    return read


def run(algorithm=ALGORITHM, instance=INSTANCE, **changes):
    return simulate(algorithm, instance, **{**REQUEST, **changes}, n_jobs=2, progress=False)


def assert_equal(first, second):
    for column in COLUMNS:
        np.testing.assert_array_equal(getattr(first, column), getattr(second, column))
        assert getattr(first, column).dtype == getattr(second, column).dtype


def test_results_of_an_equal_request_are_taken(file, read_from):
    plain = run()
    read_from(file)
    for _ in range(2):  # taking them changes nothing
        assert_equal(run(), plain)


def test_results_at_several_risks_are_taken(file, read_from):
    def levels():
        return simulate_deltas(ALGORITHM, INSTANCE, [0.01, 0.1], 5, progress=False)

    before = levels()
    read_from(file)
    for first, second in zip(before, levels(), strict=True):
        assert_equal(first, second)


@pytest.mark.parametrize(
    "changes",
    [
        {"seed": 4},
        {"runs": 13},
        {"max_samples": 501},
        {"algorithm": dataclasses.replace(ALGORITHM, delta=0.2)},
        {"algorithm": UniformSampling(delta=0.1)},
        {"instance": Instance(INSTANCE.means + 1e-12, variance=INSTANCE.variance)},
        {"instance": dataclasses.replace(INSTANCE, variance=np.ones(2))},
        {"instance": dataclasses.replace(INSTANCE, noise="uniform")},
    ],
    ids=lambda changes: str(*changes),
)
def test_a_different_request_is_simulated(file, read_from, changes):
    run()
    read_from(file)
    with pytest.raises(TypeError, match="NoneType"):
        run(**changes)


def test_an_algorithm_from_outside_the_package_is_simulated(file, read_from):
    class Ours(UniformSampling):
        pass

    run(Ours(delta=0.1))
    assert not file.exists()


def test_a_simulation_with_a_store_is_not_handed_on(file, tmp_path):
    run(store=tmp_path / "store")
    assert not file.exists()


def test_without_a_file_everything_is_simulated(tmp_path, monkeypatch, file):
    before = run()
    monkeypatch.setenv("PARETO_RUNS_FROM", str(tmp_path / "missing"))
    assert_equal(run(), before)
