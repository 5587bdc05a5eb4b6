"""Compare algorithms on instances, from the same seeds."""

import os
from collections.abc import Iterable, Mapping

from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_count, shown
from pareto_core.checks.environment import progress_bar
from pareto_core.checks.words import Backend
from pareto_core.loop.algorithm import Algorithm
from pareto_core.simulation.scheduling import check_workers, run_batches
from pareto_lab.comparison.arguments import (
    OneInstance,
    by_name,
    checked_deltas,
    delta_of,
    named_instances,
)
from pareto_lab.comparison.cases import cases_of, simulate_cases
from pareto_lab.comparison.comparison import Comparison
from pareto_lab.comparison.lower_bounds import time_of

__all__ = ["compare"]


def compare(
    algorithms: Mapping[str, Algorithm] | Iterable[Algorithm],
    instances: OneInstance | Mapping[str, OneInstance] | Iterable[OneInstance],
    deltas: ArrayLike | None = None,
    runs: int = 100,
    seed: int = 0,
    n_jobs: int | None = None,
    max_samples: int = 10**9,
    store: str | os.PathLike | None = None,
    progress: bool = True,
    backend: Backend | None = None,
    store_key: Mapping[str, str] | None = None,
) -> Comparison:
    """Compare algorithms on instances, from the same seeds.

    The runs of an algorithm on an instance are those of `pareto_core.simulate`. If rewards are
    Bernoulli, the parameter ``variance_bound`` of an algorithm is 1/4 unless it is given.

    Parameters
    ----------
    algorithms : dict of str to Algorithm, or sequence of Algorithm
        By name, or named by their classes.
    instances : Instance or str, dict of str to these, or sequence of these
        Instances, or anything that `load_instance` loads.
    deltas : sequence of float, optional
        Risks at which each algorithm is played; by default its own. An algorithm with a budget
        instead of a risk is played once.
    runs : int, default 100
        Runs of each algorithm on each instance at each risk.
    seed, n_jobs, max_samples, store, progress, backend
        See `simulate`. All simulations share the threads, the processes or the cluster, and the
        progress bar.
    store_key : dict of str to str, optional
        Your own names for versions of your own algorithms, by the names of the algorithms;
        required for them with a store, see `simulate`.

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError
        If an argument is out of range, or an algorithm cannot run on an instance, which is checked
        before any run; or if `simulate` raises it.
    ImportError
        If ``backend`` is "dask" and `distributed` is not installed.

    Examples
    --------
    >>> import pareto_core as pc
    >>> import pareto_lab as lab
    >>> arms = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], name="corner")
    >>> algorithms = {"APE": pc.APE(), "proven": pc.APE(bonus="mixture")}
    >>> table = lab.compare(algorithms, arms, deltas=[0.1, 0.01], runs=20)
    >>> table.frame[["instance", "algorithm", "delta", "runs"]]
      instance algorithm  delta  runs
    0   corner       APE   0.10    20
    1   corner       APE   0.01    20
    2   corner    proven   0.10    20
    3   corner    proven   0.01    20
    >>> bool((table.differences("proven")["ratio_low"] > 1).all())
    True
    """
    check_count(runs, "runs")
    check_count(seed, "seed", at_least=0)
    check_count(max_samples, "max_samples")
    n_jobs = check_workers(n_jobs, backend)
    named = by_name(algorithms, "algorithms", lambda each: type(each).__name__)
    _check_store_key(store_key, named)
    cases = cases_of(named, named_instances(instances), checked_deltas(deltas))
    with progress_bar(runs * len(cases), "comparison", progress) as bar:
        times = _times(cases, n_jobs)
        results = simulate_cases(
            cases, runs, seed, n_jobs, max_samples, store, backend, bar, store_key
        )
    levels = [
        ((case.instance_name, case.algorithm_name, delta_of(level.algorithm)), level, cost)
        for case, (found, cost) in zip(cases, results, strict=True)
        for level in found
    ]
    return Comparison(
        {key: level for key, level, _ in levels}, times, {key: cost for key, _, cost in levels}
    )


def _check_store_key(store_key, algorithms):
    if store_key is None:
        return
    if not isinstance(store_key, Mapping) or not set(store_key) <= set(algorithms):
        raise ValueError(
            f"store_key = {shown(store_key)}; expected a dictionary with names among "
            f"{', '.join(map(repr, algorithms))}"
        )


def _times(cases, n_jobs):
    """Characteristic times by instance and question."""
    asked = {
        (case.instance_name, case.levels[0].question.name): (
            case.instance,
            case.levels[0].question,
        )
        for case in cases
    }
    times = dict.fromkeys(asked)
    run_batches(lambda key: time_of(*asked[key]), list(asked), times.__setitem__, n_jobs, "threads")
    return times
