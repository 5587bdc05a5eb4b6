"""Many seeded runs of one algorithm on one instance.

Run r draws from ``Generator(PCG64(SeedSequence(seed, spawn_key=(r,))))``: it is the
same run whatever the number of workers, the size of the batches, or how often the
simulation was interrupted.
"""

import concurrent.futures
import dataclasses
import os

import numpy as np
import pandas as pd
from scipy import stats

from pareto_core._checks import check_count, check_probability
from pareto_core.algorithms.base import Algorithm, compile_run
from pareto_core.instances import Instance
from pareto_core.noise import make_source
from pareto_core.progress import progress_bar
from pareto_core.run_store import RunStore

__all__ = ["Runs", "mean_interval", "run_generator", "simulate"]

BATCHES_OF_A_SIZE = 8  # batches of one run, then as many of two, of three, ...
RESAMPLES = 2000  # of the bootstrap


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
        Whether the answer is the Pareto set, exactly, and the run stopped by itself.
    stopped : ndarray of bool, shape (n,)
        Whether the run stopped by itself, rather than at ``max_samples`` or for want of
        recorded observations.
    pulls : ndarray of int, shape (n, K)
        Samples of each arm.
    answers : ndarray of bool, shape (n, K)
        Recommended arms.
    """

    algorithm: Algorithm
    instance: Instance
    seed: int
    samples: np.ndarray
    correct: np.ndarray
    stopped: np.ndarray
    pulls: np.ndarray
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
        error = stats.binomtest(errors, self.correct.size).proportion_ci(confidence, "exact")
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
                "error_low": error.low,
                "error_high": error.high,
                "unfinished": int((~self.stopped).sum()),
            }
        )


def mean_interval(values, confidence=0.95):
    """Percentile-bootstrap interval of a mean: (low, high); NaN for a single value."""
    values = np.asarray(values, dtype=float)
    if values.size < 2:
        return np.nan, np.nan
    interval = stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=RESAMPLES,
        batch=100,
        confidence_level=confidence,
        method="percentile",
        rng=np.random.default_rng(0),
    ).confidence_interval
    return float(interval.low), float(interval.high)


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
        Number of runs, at least 1.
    seed : int, default 0
        Seed; run r draws from the r-th child of its seed sequence.
    n_jobs : int, optional
        Threads; all cores by default. Results do not depend on it.
    max_samples : int, default 10**9
        A run that has not stopped by then is cut off, and counts as not correct.
    store : path-like, optional
        Folder in which finished batches are kept. A simulation that was killed
        continues from them; they are never mistaken for those of another simulation.
    progress : bool, default True
        Show a progress bar.

    Returns
    -------
    Runs

    Raises
    ------
    ValueError
        If an argument is out of range, or a file of the store is damaged.
    """
    _check_request(algorithm, instance)
    check_count(runs, "runs")
    check_count(seed, "seed", at_least=0)
    check_count(max_samples, "max_samples")
    n_jobs = check_count(os.cpu_count() if n_jobs is None else n_jobs, "n_jobs")
    played = instance.standardised() if algorithm.needs_unit_variance else instance
    kept = None if store is None else RunStore(store, algorithm, played, seed, max_samples)
    with (
        concurrent.futures.ThreadPoolExecutor(n_jobs) as pool,
        progress_bar(runs, f"{type(algorithm).__name__} on {instance.name}", progress) as bar,
    ):

        def work(batch):
            result = _run_batch(algorithm, played, batch, seed, max_samples, kept)
            bar.update(batch[1] - batch[0])
            return result

        try:
            parts = list(pool.map(work, batches(runs)))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return Runs(algorithm, instance, seed, **columns)


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
        raise ValueError(f"algorithm = {algorithm!r}; expected an Algorithm")
    if not isinstance(instance, Instance):
        raise ValueError(f"instance = {instance!r}; expected an Instance")


def _run_batch(algorithm, instance, batch, seed, max_samples, kept):
    """Runs ``batch[0]`` to ``batch[1] - 1``: read from the store, or run and kept there."""
    if kept is not None and (found := kept.load(*batch)) is not None:
        return found
    first, last = batch
    shape = (last - first, instance.n_arms)
    result = {
        "samples": np.empty(shape[0], np.int64),
        "correct": np.empty(shape[0], np.bool_),
        "stopped": np.empty(shape[0], np.bool_),
        "pulls": np.empty(shape, np.int64),
        "answers": np.zeros(shape, np.bool_),
    }
    parameters = algorithm.parameters(instance.problem)
    truth = np.isin(np.arange(instance.n_arms), instance.pareto_set)
    for i, run in enumerate(range(first, last)):
        source, draw = make_source(instance)
        loop = compile_run(algorithm.select, algorithm.stop, algorithm.recommend, draw)
        state = algorithm.state(instance.problem)
        answer = result["answers"][i]
        rng = run_generator(seed, run)
        result["stopped"][i] = loop(parameters, state, source, rng, max_samples, answer)
        result["samples"][i] = state.record.time[0]
        result["pulls"][i] = state.record.counts
        result["correct"][i] = result["stopped"][i] and (answer == truth).all()
    if kept is not None:
        kept.save(first, last, result)
    return result
