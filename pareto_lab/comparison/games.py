"""The games: each algorithm on each instance, all their batches side by side, with their time."""

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
from pareto_core.simulation.runs import Simulation
from pareto_core.simulation.scheduling import backend_of, run_batches
from pareto_lab.comparison.rules import check_meeting, delta_of, fitted

__all__ = ["Game", "draw_up", "play"]


class Game(NamedTuple):
    """One algorithm on one instance, at all the risks that a single run goes through."""

    place: str  # name of the instance
    name: str  # of the algorithm
    instance: Instance
    levels: tuple[Algorithm, ...]  # the algorithm at falling risks


def draw_up(
    algorithms: Mapping[str, Algorithm],
    instances: Mapping[str, Instance],
    deltas: list[float] | None,
) -> list[Game]:
    """All games of a comparison, refused if one of them cannot be played.

    Parameters
    ----------
    algorithms : dict of str to Algorithm
        By name.
    instances : dict of str to Instance
        By name.
    deltas : list of float or None
        Risks, falling; None for that of each algorithm.

    Returns
    -------
    list of Game
        By instance, then by algorithm, then from the largest risk to the smallest.

    Raises
    ------
    ValueError
        If an algorithm cannot play an instance; names both.
    """
    games = []
    for place, instance in instances.items():
        for name, given in algorithms.items():
            algorithm = fitted(given, instance)
            check_meeting(name, algorithm, place, instance)
            games += [Game(place, name, instance, levels) for levels in _levels(algorithm, deltas)]
    return games


def _levels(algorithm, deltas):
    """The algorithm at all risks, those together that one run can go through."""
    if deltas is None or delta_of(algorithm) is None:
        return [(algorithm,)]
    levels = tuple(algorithm.with_delta(delta) for delta in deltas)
    return [levels] if algorithm.sampling_ignores_delta else [(level,) for level in levels]


def play(
    games: Sequence[Game],
    runs: int,
    seed: int,
    n_jobs: int | None,
    max_samples: int,
    store: str | os.PathLike | None,
    backend: str | None,
    bar: tqdm,
    store_key: Mapping[str, str] | None = None,
) -> list[tuple]:
    """Play all games, their batches side by side.

    Parameters
    ----------
    games : list of Game
        What is to be played.
    runs, seed, n_jobs, max_samples, store, backend
        See `simulate`.
    bar : tqdm.tqdm
        Advanced by each run of each game.
    store_key : dict of str to str, optional
        For algorithms that a store refuses, by name; see `simulate`.

    Returns
    -------
    list of tuple
        For each game the `Runs` of its levels, and the microseconds of a thread that a sample
        took, drawing it included; NaN on a cluster, and where at most one batch was left to run.
    """
    keys = store_key or {}
    simulations = [
        Simulation(each.levels, each.instance, runs, seed, max_samples, store, keys.get(each.name))
        for each in games
    ]
    pending = [[(k, batch) for batch in each.pending] for k, each in enumerate(simulations)]
    bar.update(runs * len(games) - sum(map(_size, itertools.chain(*pending))))
    costs = [[] for _ in games]

    def collect(task, found):
        results, seconds = found
        simulations[task[0]].collect(task[1], results)
        costs[task[0]].append((seconds, results[-1]["samples"].sum()))
        bar.update(_size(task))

    work = functools.partial(_timed, [each.work for each in simulations])
    places = [backend_of(game.levels[0], backend) for game in games]

    def run(tasks):
        for place in dict.fromkeys(places):
            here = [task for task in tasks if places[task[0]] == place]
            run_batches(work, here, collect, n_jobs, place)

    run([tasks.pop(0) for tasks in pending if tasks])
    for cost in costs:
        cost.clear()  # kernels were compiled, or loaded
    run(list(itertools.chain(*pending)))
    return [
        (each.results(), _microseconds(cost) if place != "dask" else np.nan)
        for each, cost, place in zip(simulations, costs, places, strict=True)
    ]


def _size(task):
    """Number of runs."""
    _, (first, last) = task
    return last - first


def _timed(works, task):
    """Results of a batch of one of the games, and the seconds that its thread worked."""
    k, batch = task
    begin = time.thread_time()
    results = works[k](batch)
    return results, time.thread_time() - begin


def _microseconds(cost):
    """Mean time of a sample; NaN without any."""
    seconds, samples = np.sum(cost, axis=0) if cost else (0, 0)
    return float(1e6 * seconds / samples) if samples else np.nan
