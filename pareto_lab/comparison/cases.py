"""The cases of a comparison, each one algorithm on one instance; all batches run side by side."""

import functools
import itertools
import os
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from pareto_core.instances.instance import Instance
from pareto_core.loop.algorithm import Algorithm
from pareto_core.simulation.results import Runs
from pareto_core.simulation.runs import Simulation
from pareto_core.simulation.scheduling import backend_of, run_batches
from pareto_lab.comparison.arguments import check_case, delta_of, fitted


class Case(NamedTuple):
    """One algorithm on one instance, at all the risks that a single run goes through."""

    instance_name: str
    algorithm_name: str
    instance: Instance
    levels: tuple[Algorithm, ...]  # the algorithm at decreasing risks


def cases_of(
    algorithms: Mapping[str, Algorithm],
    instances: Mapping[str, Instance],
    deltas: list[float] | None,
) -> list[Case]:
    """List the cases of a comparison, after checking all of them."""
    cases = []
    for instance_name, instance in instances.items():
        for algorithm_name, given in algorithms.items():
            algorithm = fitted(given, instance)
            check_case(algorithm_name, algorithm, instance_name, instance)
            cases += [
                Case(instance_name, algorithm_name, instance, levels)
                for levels in _levels(algorithm, deltas)
            ]
    return cases


def _levels(algorithm, deltas):
    """The algorithm at all risks; risks that one run can go through are in one tuple."""
    if deltas is None or delta_of(algorithm) is None:
        return [(algorithm,)]
    levels = tuple(algorithm.with_delta(delta) for delta in deltas)
    return [levels] if algorithm.stopping.sampling_ignores_delta else [(level,) for level in levels]


def simulate_cases(
    cases: Sequence[Case],
    runs: int,
    seed: int,
    n_jobs: int | None,
    max_samples: int,
    store: str | os.PathLike | None,
    backend: str | None,
    bar: tqdm,
    store_key: Mapping[str, str] | None = None,
) -> list[tuple[list[Runs], float]]:
    """Simulate all cases, their batches side by side."""
    keys = store_key or {}
    simulations = [
        Simulation(
            case.levels,
            case.instance,
            runs,
            seed,
            max_samples,
            store,
            keys.get(case.algorithm_name),
        )
        for case in cases
    ]
    pending = [[(k, batch) for batch in each.pending] for k, each in enumerate(simulations)]
    bar.update(runs * len(cases) - sum(map(_size, itertools.chain(*pending))))
    costs = [[] for _ in cases]

    def collect(task, found):
        results, seconds = found
        simulations[task[0]].collect(task[1], results)
        costs[task[0]].append((seconds, results[-1]["samples"].sum()))
        bar.update(_size(task))

    work = functools.partial(_timed, [each.work for each in simulations])
    backends = [backend_of(case.levels[0], backend) for case in cases]

    def run(tasks):
        for each in dict.fromkeys(backends):
            chosen = [task for task in tasks if backends[task[0]] == each]
            run_batches(work, chosen, collect, n_jobs, each)

    run([tasks.pop(0) for tasks in pending if tasks])
    for cost in costs:
        cost.clear()  # the first batch includes the time to compile or load kernels
    run(list(itertools.chain(*pending)))
    return [
        (simulation.results(), np.nan if each == "dask" else _microseconds(cost))
        for simulation, cost, each in zip(simulations, costs, backends, strict=True)
    ]


def _size(task):
    """Number of runs of a task: the number of a case, and a batch."""
    _, (first, last) = task
    return last - first


def _timed(works, task):
    """Results of a batch of one of the cases, and the seconds that its thread worked."""
    k, batch = task
    begin = time.thread_time()
    results = works[k](batch)
    return results, time.thread_time() - begin


def _microseconds(cost):
    """Mean time of a sample; NaN without samples."""
    seconds, samples = np.sum(cost, axis=0) if cost else (0, 0)
    return float(1e6 * seconds / samples) if samples else np.nan
