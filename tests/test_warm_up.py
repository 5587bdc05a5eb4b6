"""Kernels compiled ahead: short calls, by processes that report what fails."""

import concurrent.futures

import pytest

import pareto_core as pc
from pareto_core import warm_up
from pareto_core.algorithms.registry import algorithms_by_name


@pytest.mark.slow
def test_every_algorithm_that_chapters_run_has_a_short_task_and_no_task_is_repeated(monkeypatch):
    asked, algorithms = [], set()

    def simulate(algorithm, instance, runs, max_samples, **options):
        algorithms.add(type(algorithm).__name__)
        assert runs == 1
        assert max_samples <= 100
        asked.append(f"{algorithm} on {instance.noise} {instance.polyhedron}")

    monkeypatch.setattr(pc, "simulate", simulate)
    for number in range(len(warm_up.TASKS)):
        before = len(asked)
        warm_up._call(number)
        assert len(asked) <= before + 1
    assert len(set(asked)) == len(asked)
    assert set(algorithms_by_name()) > warm_up.SELDOM
    assert algorithms == set(algorithms_by_name()) - warm_up.SELDOM


def test_a_task_that_fails_is_reported(monkeypatch):
    """In threads instead of processes, which would not see what is put in place here."""

    def fail():
        raise ZeroDivisionError("a kernel")

    threads = lambda n_jobs, context: concurrent.futures.ThreadPoolExecutor(n_jobs)  # noqa: E731
    monkeypatch.setattr(concurrent.futures, "ProcessPoolExecutor", threads)
    done = []
    monkeypatch.setattr(warm_up, "TASKS", [lambda: done.append(True), fail])
    with pytest.raises(ZeroDivisionError, match="a kernel"):
        warm_up.warm_up(2)
    assert done == [True]


@pytest.mark.parametrize("n_jobs", [0, 1.5, None])
def test_number_of_processes_must_be_a_count(n_jobs):
    with pytest.raises(ValueError, match=rf"^n_jobs = {n_jobs}; expected"):
        warm_up.warm_up(n_jobs)
