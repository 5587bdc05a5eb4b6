"""Many seeded runs of one algorithm on one instance.

Run r draws from ``Generator(PCG64(SeedSequence(seed, spawn_key=(r,))))``: it is the
same run whatever the number of workers, the size of the batches, or how often the
simulation was interrupted.
"""

import concurrent.futures
import dataclasses
import functools
import os

import numpy as np
import pandas as pd

from pareto_core._checks import (
    check_array,
    check_choice,
    check_count,
    check_path,
    check_probability,
    shown,
)
from pareto_core.instances.instance import Instance
from pareto_core.instances.noise import make_source
from pareto_core.loop.algorithm import Algorithm, refuse_needless
from pareto_core.loop.run import compile_run
from pareto_core.progress import progress_bar
from pareto_core.simulation.dask_backend import run_on_dask
from pareto_core.simulation.run_store import RunStore
from pareto_core.simulation.statistics import mean_interval, rate_interval

__all__ = ["Runs", "run_generator", "simulate", "simulate_deltas"]

BACKENDS = ("threads", "dask")
BATCHES_OF_A_SIZE = 8  # batches of one run, then as many of two, of three, ...
MOST_RUNS = 10**8
MOST_JOBS = 1024


@dataclasses.dataclass(frozen=True, eq=False)
class Runs:
    """Results of a simulation, one entry per run.

    Attributes
    ----------
    algorithm : Algorithm
        What was run.
    instance : Instance
        What it was run on, before whitening.
    seed : int
        Seed of the simulation.
    samples : ndarray of int, shape (n,)
        Stopping times.
    correct : ndarray of bool, shape (n,)
        Whether the answer is right, exactly, and the run stopped by itself.
    stopped : ndarray of bool, shape (n,)
        Whether the run stopped by itself, rather than at ``max_samples`` or for want of
        recorded observations.
    pulls : ndarray of int, shape (n, K)
        Samples of each arm.
    means : ndarray, shape (n, K, d)
        Average reward of each arm in the end; zero for an arm without samples.
    answers : ndarray, shape (n, K) of bool or int, or (n, d) of int
        Which arms are recommended as (constrained) Pareto optimal; for an algorithm that
        gives reasons what it calls each arm (`questions.OPTIMAL` and so on); or the
        recommended best arm of each objective.
    """

    algorithm: Algorithm
    instance: Instance
    seed: int
    samples: np.ndarray
    correct: np.ndarray
    stopped: np.ndarray
    pulls: np.ndarray
    means: np.ndarray
    answers: np.ndarray

    def summary(self, confidence=0.95):
        """Mean stopping time and error rate, with intervals.

        The interval of the mean is a percentile bootstrap of 2000 resamples; that of
        the error rate is exact (Clopper-Pearson).

        Parameters
        ----------
        confidence : float, default 0.95
            Confidence level of both intervals.

        Returns
        -------
        pandas.Series
            ``runs``, ``mean``, ``mean_low``, ``mean_high``, ``deviation``, the
            quantiles ``min``, ``q25``, ``median``, ``q75``, ``max``, then ``errors``,
            ``error_rate``, ``error_low``, ``error_high`` and ``unfinished``.

        Raises
        ------
        ValueError
            If ``confidence`` is not strictly between 0 and 1.
        """
        check_probability(confidence, "confidence")
        mean_low, mean_high = mean_interval(self.samples, confidence)
        errors = int((~self.correct).sum())
        error_low, error_high = rate_interval(errors, self.correct.size, confidence)
        quantiles = np.quantile(self.samples, [0, 0.25, 0.5, 0.75, 1])
        return pd.Series(
            {
                "runs": self.samples.size,
                "mean": self.samples.mean(),
                "mean_low": mean_low,
                "mean_high": mean_high,
                "deviation": self.samples.std(ddof=1) if self.samples.size > 1 else np.nan,
                **dict(zip(("min", "q25", "median", "q75", "max"), quantiles, strict=True)),
                "errors": errors,
                "error_rate": errors / self.correct.size,
                "error_low": error_low,
                "error_high": error_high,
                "unfinished": int((~self.stopped).sum()),
            }
        )


def run_generator(seed, run):
    """Random generator of one run."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(run,))))


def simulate(
    algorithm,
    instance,
    runs,
    seed=0,
    n_jobs=None,
    max_samples=10**9,
    store=None,
    progress=True,
    backend="threads",
):
    """Run an algorithm many times on an instance.

    Parameters
    ----------
    algorithm : Algorithm
        Its hyper-parameters. If it takes rewards to have unit variance, the instance
        is whitened first.
    instance : Instance
        Means and noise.
    runs : int
        Number of runs, at least 1 and at most 10**8.
    seed : int, default 0
        Seed; run r draws from the r-th child of its seed sequence.
    n_jobs : int, optional
        Threads, at most 1024; all cores by default. Results do not depend on it. Ignored with Dask,
        whose workers bring their own threads.
    max_samples : int, default 10**9
        A run that has not stopped by then is cut off, and counts as not correct.
    store : path-like, optional
        Folder in which finished batches are kept. A simulation that was killed
        continues from them; they are never mistaken for those of another simulation.
    progress : bool, default True
        Show a progress bar.
    backend : {"threads", "dask"}, default "threads"
        Who runs the batches: threads of this process, or a Dask cluster that is already
        there. It is the one whose scheduler the environment variable
        ``PARETO_DASK_SCHEDULER`` names, else that of the active `distributed.Client`.
        Results and store are the same.

    Returns
    -------
    Runs

    Raises
    ------
    ValueError
        If an argument is out of range, the instance has a feasible region that the algorithm
        ignores, a file of the store is damaged, or the Dask cluster
        cannot be reached, has no workers, or one with another source of this package.
    ImportError
        If ``backend`` is "dask" and `distributed` is not installed.
    """
    return _simulate(
        [algorithm], instance, runs, seed, n_jobs, max_samples, store, progress, backend
    )[0]


def simulate_deltas(
    algorithm,
    instance,
    deltas,
    runs,
    seed=0,
    n_jobs=None,
    max_samples=10**9,
    store=None,
    progress=True,
    backend="threads",
):
    """Simulate an algorithm at several risks, for the price of the smallest.

    If what an algorithm samples does not depend on delta, a run at a small one goes
    through the stopping times of all larger ones. The results are those of a `simulate`
    for each delta, run by run.

    Parameters
    ----------
    algorithm : Algorithm
        Its hyper-parameters; its own ``delta`` is not used.
    instance : Instance
        Means and noise.
    deltas : array_like, shape (n,)
        Risks, each in (0, 1).
    runs, seed, n_jobs, max_samples, store, progress, backend
        See `simulate`.

    Returns
    -------
    list of Runs
        One for each delta, in their order.

    Raises
    ------
    ValueError
        If the algorithm's sampling depends on delta, or an argument is out of range.
    """
    _check_request(algorithm, instance)
    if not algorithm.sampling_ignores_delta:
        raise ValueError(
            f"algorithm = {algorithm!r}; expected one whose sampling does not depend on delta"
        )
    deltas = check_array(deltas, "deltas")
    if deltas.ndim != 1 or deltas.size == 0:
        raise ValueError(f"deltas = {deltas!r}; expected a sequence of numbers")
    order = np.argsort(-deltas, kind="stable")
    algorithms = [dataclasses.replace(algorithm, delta=float(deltas[k])) for k in order]
    results = _simulate(
        algorithms, instance, runs, seed, n_jobs, max_samples, store, progress, backend
    )
    return [results[place] for place in np.argsort(order)]


def _simulate(algorithms, instance, runs, seed, n_jobs, max_samples, store, progress, backend):
    """Runs of algorithms that only differ in when they stop, the most patient last."""
    algorithm = algorithms[0]
    _check_request(algorithm, instance)
    check_count(runs, "runs", at_most=MOST_RUNS)
    check_count(seed, "seed", at_least=0)
    check_count(max_samples, "max_samples")
    check_choice(backend, "backend", BACKENDS)
    store = None if store is None else check_path(store, "store")
    n_jobs = os.cpu_count() if n_jobs is None else n_jobs
    check_count(n_jobs, "n_jobs", at_most=MOST_JOBS)
    played = instance.standardised() if algorithm.needs_unit_variance else instance
    stores = (
        []
        if store is None
        else [RunStore(store, each, played, seed, max_samples) for each in algorithms]
    )
    work = functools.partial(_run_batch, algorithms, played, seed, max_samples)
    parts = {batch: _load(stores, batch) for batch in batches(runs)}
    pending = [batch for batch, results in parts.items() if results is None]
    with progress_bar(runs, f"{type(algorithm).__name__} on {instance.name}", progress) as bar:
        bar.update(runs - sum(last - first for first, last in pending))

        def collect(batch, results):
            for k, each in enumerate(stores):
                each.save(*batch, results[k])
            parts[batch] = results
            bar.update(batch[1] - batch[0])

        if backend == "dask" and pending:
            run_on_dask(work, pending, collect)
        else:
            _run_in_threads(work, pending, collect, n_jobs)
    columns = [_concatenated([part[k] for part in parts.values()]) for k in range(len(algorithms))]
    if played is not instance:
        for results in columns:
            results["means"] *= np.sqrt(instance.variance)
    return [
        Runs(each, instance, seed, **results)
        for each, results in zip(algorithms, columns, strict=True)
    ]


def _run_in_threads(work, pending, collect, n_jobs):
    """Run batches in threads of this process; each thread keeps what it has done."""
    if n_jobs == 1:  # in this one, whose time can then be told from that of others
        for batch in pending:
            collect(batch, work(batch))
        return
    with concurrent.futures.ThreadPoolExecutor(n_jobs) as pool:
        try:
            for _ in pool.map(lambda batch: collect(batch, work(batch)), pending):
                pass
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _concatenated(results):
    """One array per column."""
    return {name: np.concatenate([result[name] for result in results]) for name in results[0]}


def batches(runs):
    """Split runs into the units of work, which are also the files of a run store.

    They grow along the way, so that few runs keep all threads busy and many make few
    files; where they begin does not depend on the number of runs.

    Parameters
    ----------
    runs : int
        Number of runs.

    Returns
    -------
    list of tuple of int
        First run of each batch, and the one after its last.
    """
    result = []
    first = 0
    while first < runs:
        last = min(first + 1 + len(result) // BATCHES_OF_A_SIZE, runs)
        result.append((first, last))
        first = last
    return result


def _check_request(algorithm, instance):
    if not isinstance(algorithm, Algorithm):
        raise ValueError(f"algorithm = {shown(algorithm)}; expected an Algorithm")
    if not isinstance(instance, Instance):
        raise ValueError(f"instance = {shown(instance)}; expected an Instance")
    refuse_needless(algorithm, polyhedron=instance.polyhedron)


def _load(stores, batch):
    """Results of a batch for each algorithm; None unless all of them are kept."""
    found = [store.load(*batch) for store in stores]
    return found if found and all(result is not None for result in found) else None


def _run_batch(algorithms, instance, seed, max_samples, batch):
    """Runs ``batch[0]`` to ``batch[1] - 1``: one dictionary of columns for each algorithm."""
    problem = instance.problem
    judge = algorithms[0].question.judge(instance)
    levels = [(each, each.parameters(problem)) for each in algorithms]
    rows = [
        _run(levels, instance, judge, run_generator(seed, run), max_samples)
        for run in range(*batch)
    ]
    return [
        {name: np.array([row[k][name] for row in rows]) for name in rows[0][k]}
        for k in range(len(levels))
    ]


def _run(levels, instance, judge, rng, max_samples):
    """One run, continued from the stopping time of each algorithm to that of the next."""
    source, draw = make_source(instance)
    first = levels[0][0]
    loop = compile_run(first.select, first.stop, first.recommend, draw)
    state = first.state(instance.problem)
    rows = []
    stopped = False
    for algorithm, parameters in levels:
        answer = algorithm.question.empty(instance.n_arms, instance.n_objectives)
        if stopped and algorithm.stop(parameters, state):
            algorithm.recommend(parameters, state, answer)
        else:
            stopped = loop(parameters, state, source, rng, max_samples, answer)
        rows.append(
            {
                "samples": state.record.time[0],
                "correct": stopped and judge(answer),
                "stopped": stopped,
                "pulls": state.record.counts.copy(),
                "means": state.record.means.copy(),
                "answers": answer,
            }
        )
    return rows
