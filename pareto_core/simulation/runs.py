"""Many seeded runs of one algorithm on one instance.

Run r draws its rewards from ``Generator(PCG64(SeedSequence(seed, spawn_key=(r,))))``, and an
algorithm that makes random decisions draws from a second stream, of the spawn key (r, 0). So run r
is the same whatever the number of workers, the size of the batches, or how often the simulation
was interrupted.
"""

import functools
import os
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_array, check_count, check_path
from pareto_core.checks.environment import progress_bar
from pareto_core.checks.words import Backend
from pareto_core.instances.instance import Instance
from pareto_core.instances.noise import renewed
from pareto_core.instances.registry import as_instance
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.interruption import interruptible
from pareto_core.simulation.preparation import check_request, is_whitened, prepare
from pareto_core.simulation.program import check_program, imported_hash
from pareto_core.simulation.results import Runs
from pareto_core.simulation.run_store import RunStore
from pareto_core.simulation.scheduling import backend_of, batches, check_workers, run_batches

__all__ = [
    "Simulation",
    "run_generator",
    "simulate",
    "simulate_deltas",
]

MOST_RUNS = 10**8


def run_generator(seed: int, run: int) -> np.random.Generator:
    """Random generator of the rewards of one run."""
    return _generator(seed, run)


def decision_generator(seed, run):
    """Random generator of the decisions of an algorithm in one run."""
    return _generator(seed, run, 0)


def _generator(seed, *spawn_key):
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=spawn_key)))


def simulate(
    algorithm: Algorithm,
    instance: Instance | str,
    runs: int,
    seed: int = 0,
    n_jobs: int | None = None,
    max_samples: int = 10**9,
    store: str | os.PathLike | None = None,
    progress: bool = True,
    backend: Backend | None = None,
    store_key: str | None = None,
) -> Runs:
    """Run an algorithm many times on an instance.

    Ctrl-C ends the simulation after the current sample, or after the compilation of a kernel that
    is being compiled. On a Dask cluster, batches that have begun are finished.

    Parameters
    ----------
    algorithm : Algorithm
        Its hyper-parameters. If it assumes rewards of unit variance, the instance is whitened
        first.
    instance : Instance, str or path-like
        Means and noise; a name or a file is loaded by `load_instance`.
    runs : int
        Number of runs, at least 1.
    seed : int, default 0
        Seed; run r draws from the r-th child of its seed sequence.
    n_jobs : int, optional
        Number of threads or processes; by default the number of cores. Results do not depend on
        it. Ignored with Dask, whose workers have their own threads.
    max_samples : int, default 10**9
        A run that has not stopped after this number of samples is cut off, and counts as not
        correct. With the default, ties that would keep every run from stopping are refused.
    store : path-like, optional
        Folder in which finished batches are kept. A simulation that was killed continues from
        them. Batches of different simulations are kept apart.
    progress : bool, default True
        Show a progress bar.
    backend : {"threads", "processes", "dask"}, optional
        Where the batches run: in threads of this process, in processes of this machine, or on a
        running Dask cluster. Its scheduler is named by the environment variable
        ``PARETO_DASK_SCHEDULER``, or else that of the active `distributed.Client`. By default
        threads, and processes for a `PythonAlgorithm`, whose threads could not run in parallel.
        Results and store are the same.
    store_key : str, optional
        Your own name for this version of the algorithm; required with a store if the algorithm is
        not one of the package. Different versions need different names.

    Raises
    ------
    ValueError
        If an argument is out of range, ties would keep every run from stopping, a file of the
        store is damaged, a store needs a ``store_key``, or the Dask cluster cannot be reached, has
        no workers, or has a worker with a different source of this package.
    ImportError
        If ``backend`` is "dask" and `distributed` is not installed.

    See Also
    --------
    simulate_deltas : the same runs at several risks.
    trajectory : a single run, at some times.
    load_instance : instances by name, from a function or a file.

    Examples
    --------
    >>> import pareto_core as pc
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> runs = pc.simulate(pc.TrackAndStop(delta=0.1), instance, runs=2, seed=1, progress=False)
    >>> runs.correct, runs.answers[0]
    (array([ True,  True]), array([ True,  True, False]))
    """
    n_jobs = check_workers(n_jobs, backend)
    simulation = Simulation([algorithm], instance, runs, seed, max_samples, store, store_key)
    return _play(simulation, n_jobs, progress, backend)[0]


def simulate_deltas(
    algorithm: Algorithm,
    instance: Instance | str,
    deltas: ArrayLike,
    runs: int,
    seed: int = 0,
    n_jobs: int | None = None,
    max_samples: int = 10**9,
    store: str | os.PathLike | None = None,
    progress: bool = True,
    backend: Backend | None = None,
    store_key: str | None = None,
) -> list[Runs]:
    """Simulate an algorithm at several risks, at the cost of the smallest risk.

    If the samples of an algorithm do not depend on delta before it stops, a run at a small delta
    passes the stopping times of all larger ones. The results are the same as those of `simulate`
    at each delta, run by run.

    Parameters
    ----------
    algorithm : Algorithm
        Its hyper-parameters; its own ``delta`` is ignored.
    instance : Instance, str or path-like
        Means and noise; a name or a file is loaded by `load_instance`.
    deltas : array_like, shape (n,)
        Risks, each in (0, 1).
    runs, seed, n_jobs, max_samples, store, progress, backend, store_key
        See `simulate`.

    Returns
    -------
    list of Runs
        Runs at each delta, in the order of ``deltas``.

    Raises
    ------
    ValueError
        If the algorithm's sampling depends on delta, or an argument is out of range.

    See Also
    --------
    simulate : one risk.

    Examples
    --------
    >>> import pareto_core as pc
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> runs = pc.simulate_deltas(
    ...     pc.TrackAndStop(), instance, [0.1, 0.01], runs=2, progress=False
    ... )
    >>> [each.algorithm.delta for each in runs]
    [0.1, 0.01]
    >>> bool((runs[0].samples <= runs[1].samples).all())
    True
    """
    instance = as_instance(instance)
    check_request(algorithm, instance)
    if not algorithm.stopping.sampling_ignores_delta:
        raise ValueError(
            f"algorithm = {algorithm!r}; expected one whose sampling does not depend on delta"
        )
    deltas = check_array(deltas, "deltas")
    if deltas.ndim != 1 or deltas.size == 0:
        raise ValueError(f"deltas = {deltas!r}; expected a sequence of numbers")
    order = np.argsort(-deltas, kind="stable")
    algorithms = [algorithm.with_delta(float(deltas[k])) for k in order]
    n_jobs = check_workers(n_jobs, backend)
    simulation = Simulation(algorithms, instance, runs, seed, max_samples, store, store_key)
    results = _play(simulation, n_jobs, progress, backend)
    return [results[k] for k in np.argsort(order)]


def _play(simulation, n_jobs, progress, backend):
    """Make the runs that are not there already, and return all runs."""
    algorithms, instance, runs = simulation.algorithms, simulation.instance, simulation.runs
    description = f"{type(algorithms[0]).__name__} on {instance.name}"
    with progress_bar(runs, description, progress) as bar:
        bar.update(runs - sum(last - first for first, last in simulation.pending))

        def collect(batch, results):
            simulation.collect(batch, results)
            bar.update(batch[1] - batch[0])

        chosen = backend_of(algorithms[0], backend)
        run_batches(simulation.work, simulation.pending, collect, n_jobs, chosen)
    return simulation.results()


class Simulation:
    """A simulation in batches, so that several can run side by side; for arguments see `simulate`.

    The algorithms differ only in when they stop, and are in decreasing order of delta. ``parts``
    has the results of each batch, or None until they are collected or loaded. ``work`` takes a
    batch, and returns for each algorithm a dictionary of columns.
    """

    def __init__(
        self,
        algorithms: Sequence[Algorithm],
        instance: Instance | str,
        runs: int,
        seed: int,
        max_samples: int,
        store: str | os.PathLike | None = None,
        store_key: str | None = None,
    ) -> None:
        check_count(runs, "runs", at_most=MOST_RUNS)
        check_count(seed, "seed", at_least=0)
        check_count(max_samples, "max_samples")
        instance = as_instance(instance)
        preparation = prepare(algorithms, instance, max_samples)
        store = None if store is None else check_path(store, "store")
        self.algorithms, self.instance, self.runs = algorithms, instance, runs
        self.seed, self.max_samples = seed, max_samples
        self._stores = [
            RunStore(store, each, instance, seed, max_samples, store_key)
            for each in (algorithms if store is not None else ())
        ]
        self.parts = {batch: self._load(batch) for batch in batches(runs)}
        self.work = functools.partial(_run_batch, preparation, seed, max_samples, imported_hash())

    def _load(self, batch):
        """Results of a batch for each algorithm; None unless the stores hold all of them."""
        found = [store.load(*batch) for store in self._stores]
        return found if found and all(result is not None for result in found) else None

    @property
    def pending(self) -> list[tuple[int, int]]:
        """Batches without results, in their order."""
        return [batch for batch, results in self.parts.items() if results is None]

    def collect(self, batch: tuple[int, int], results: list[dict]) -> None:
        """Keep the results of a batch, in the store as well."""
        for k, each in enumerate(self._stores):
            each.save(*batch, results[k])
        self.parts[batch] = results

    def results(self) -> list[Runs]:
        """Runs of each algorithm, once all batches have been collected."""
        found = []
        for k, algorithm in enumerate(self.algorithms):
            parts = [part[k] for part in self.parts.values()]
            columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
            if algorithm.samples == "values":
                for name in ("pulls", "means"):
                    columns[name] = columns[name].reshape(-1, *self.instance.means.shape)
            if is_whitened(algorithm, self.instance):
                columns["means"] *= np.sqrt(self.instance.variance)
            found.append(Runs(algorithm, self.instance, self.seed, **columns))
        return found


def _run_batch(preparation, seed, max_samples, program, batch):
    """Runs ``batch[0]`` to ``batch[1] - 1``: one dictionary of columns for each algorithm."""
    check_program(program)
    first = preparation.algorithms[0]
    rows = []
    with interruptible():
        for number in range(*batch):
            try:
                rows.append(_run(preparation, seed, number, max_samples))
            except Exception as error:
                error.add_note(
                    f"in run {number} of {first!r} on {preparation.instance.name}, seed {seed}"
                )
                raise
    return [
        {name: np.array([row[k][name] for row in rows]) for name in rows[0][k]}
        for k in range(len(preparation.algorithms))
    ]


def _run(preparation, seed, number, max_samples):
    """One run, continued from the stopping time of each algorithm to that of the next."""
    levels, judge, source = preparation.shared
    source, rng = renewed(source), run_generator(seed, number)
    first, parameters = levels[0]
    decisions = decision_generator(seed, number)
    run = first.begin(preparation.problem, decisions, parameters)
    rows = []
    stopped = False
    for algorithm, parameters in levels:
        run.go_on_as(algorithm, parameters)
        if stopped and run.stop():
            answer = run.answer()
        else:
            stopped, answer = run.play(source, rng, max_samples)
        rows.append(
            {
                "samples": run.record.time[0],
                "correct": stopped and judge(answer),
                "stopped": stopped,
                "pulls": run.record.counts.copy(),
                "means": run.record.means.copy(),
                "answers": answer,
            }
        )
    return rows
