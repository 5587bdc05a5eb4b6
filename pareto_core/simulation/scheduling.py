"""Batches of one or several simulations, in threads, in processes, or on a cluster."""

import concurrent.futures
from collections.abc import Callable, Sequence

from pareto_core.checks.arguments import check_choice, check_count
from pareto_core.checks.environment import available_cores
from pareto_core.loop.algorithm import Algorithm, is_python
from pareto_core.loop.interruption import END, follow, interruptible, new_flag
from pareto_core.simulation.dask_backend import run_on_dask
from pareto_core.simulation.process_backend import run_in_processes

__all__ = ["backend_of", "batches", "check_workers", "run_batches"]

BACKENDS = ("threads", "processes", "dask")
MOST_JOBS = 1024
BATCHES_OF_A_SIZE = 8  # batches of one run, then the same number of two, of three, ...


def batches(runs: int) -> list[tuple[int, int]]:
    """Split runs into batches, the files of a run store, that grow from the first: few files."""
    result = []
    first = 0
    while first < runs:
        last = min(first + 1 + len(result) // BATCHES_OF_A_SIZE, runs)
        result.append((first, last))
        first = last
    return result


def check_workers(n_jobs: int | None, backend: str | None) -> int:
    """Return the number of threads or processes, by default the number of cores."""
    if backend is not None:
        check_choice(backend, "backend", BACKENDS)
    n_jobs = available_cores() if n_jobs is None else n_jobs
    return check_count(n_jobs, "n_jobs", at_most=MOST_JOBS)


def backend_of(algorithm: Algorithm, backend: str | None) -> str:
    """The given backend, or else processes for an algorithm in plain Python, and threads."""
    if backend is not None:
        return backend
    return "processes" if is_python(algorithm) else "threads"


def run_batches(
    work: Callable, pending: Sequence[tuple[int, int]], collect: Callable, n_jobs: int, backend: str
) -> None:
    """Run batches, and collect the results of each, possibly by several threads at once."""
    if backend == "dask" and pending:
        run_on_dask(work, pending, collect)
    elif n_jobs == 1 or len(pending) == 1:
        # In this thread, so that its time can be measured
        with interruptible():
            for batch in pending:
                collect(batch, work(batch))
    elif backend == "processes":
        run_in_processes(work, pending, collect, n_jobs)
    else:
        _run_in_threads(work, pending, collect, n_jobs)


def _run_in_threads(work, pending, collect, n_jobs):
    """Run batches in threads of this process; each thread collects its own results."""
    flag = new_flag()
    with concurrent.futures.ThreadPoolExecutor(
        n_jobs, initializer=follow, initargs=(flag,)
    ) as pool:
        try:
            futures = [
                pool.submit(lambda batch: collect(batch, work(batch)), batch) for batch in pending
            ]
            for future in concurrent.futures.as_completed(futures):
                future.result()
        except BaseException:
            flag[0] = END  # of runs in the other threads, after their next sample
            pool.shutdown(wait=False, cancel_futures=True)
            raise
