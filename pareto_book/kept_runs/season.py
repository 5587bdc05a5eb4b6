"""Make the runs that the arena keeps, and read them."""

import dataclasses
import os
import platform
import re
import time
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

import numpy as np

from pareto_book import paths
from pareto_book.kept_runs.field import GAMES, RISKS, runs_needed
from pareto_book.kept_runs.kept_runs import Kept, file_of, read_kept, write_kept
from pareto_core.checks.arguments import check_choice
from pareto_core.checks.words import Backend
from pareto_core.loop.algorithm import Algorithm
from pareto_core.simulation.runs import repeat_run, simulate, simulate_deltas
from pareto_lab.comparison.arguments import fitted, right_answers

__all__ = ["make_runs", "measure_times", "read_all", "read_place"]

PILOT = 20  # runs, by which the others are counted
TIMED = 3  # runs, by which a sample's time is measured
NUMBER = re.compile(r"(?<![A-Za-z_\d])\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def find_place(place):
    """Question, entrants and instance of a place of the arena.

    Raises
    ------
    ValueError
        If there is none of this name.
    """
    places = {name: question for question, game in GAMES.items() for name in game.places}
    question = places[check_choice(place, "place", places)]
    game, instance = GAMES[question], GAMES[question].places[place]()
    entrants = {
        name: entrant._replace(algorithm=_player(entrant.algorithm, instance))
        for name, entrant in game.entrants.items()
        if (place, name) not in game.absent
    }
    return question, entrants, instance


def _player(algorithm, instance):
    """The algorithm for this instance."""
    made = algorithm if isinstance(algorithm, Algorithm) else algorithm(instance)
    return fitted(made, instance)


def make_runs(
    place: str,
    store: str | os.PathLike,
    only: Sequence[str] | None = None,
    seed: int = 0,
    n_jobs: int | None = None,
    backend: Backend | None = None,
    folder: Path | None = None,
) -> list[Kept]:
    """Make the runs on one instance, and keep them as data.

    Parameters
    ----------
    place : str
        Name of the instance.
    store : path-like
        Folder of finished batches, from which a season that was killed goes on.
    only : sequence of str, optional
        Names of entrants; the runs of all others stay as they are kept. All by default.
    seed, n_jobs, backend
        See `simulate`.
    folder : path-like, optional
        Where the files of kept runs are; ``data/arena`` by default.

    Returns
    -------
    list of Kept
        All runs on the instance that are kept now.

    Raises
    ------
    ValueError
        If a name is unknown, or runs of another seed are kept.
    """
    question, entrants, instance = find_place(place)
    chosen = list(entrants) if only is None else list(only)
    for name in chosen:
        check_choice(name, "entrant", entrants)
    path = (paths.DATA / "arena" if folder is None else folder) / file_of(place)
    before = _kept_before(path, seed)
    found = []
    for name, entrant in entrants.items():
        if name in chosen:
            found += _play(place, name, entrant, instance, seed, n_jobs, backend, store)
        else:
            found += [each for each in before if each.name == name]
    write_kept(path, _about(question, place, seed), found)
    return found


def _kept_before(path, seed):
    if not path.exists():
        return []
    about, kept = read_kept(path)
    if about["seed"] != seed:
        raise ValueError(f"seed = {seed}; expected {about['seed']}, of the runs in {path}")
    return kept


def _about(question, place, seed):
    """What the runs were made with."""
    return {
        "question": question,
        "place": place,
        "seed": seed,
        "versions": versions(),
    }


def versions():
    """Versions of what decides the last bit of a number."""
    return {
        "pareto-core": metadata.version("pareto-core"),
        "numpy": metadata.version("numpy"),
        "numba": metadata.version("numba"),
        "machine": platform.machine(),
    }


def _play(place, name, entrant, instance, seed, n_jobs, backend, store):
    """All runs of one entrant on one instance."""
    algorithm = entrant.algorithm
    deltas = [delta for delta in RISKS if delta >= entrant.least_risk]
    groups = [deltas] if algorithm.sampling_ignores_delta else [[delta] for delta in deltas]
    settings = {
        "seed": seed,
        "n_jobs": n_jobs,
        "max_samples": entrant.most_samples,
        "store": store,
        "backend": backend,
    }
    found = {}
    for group in groups:
        pilot = _runs(algorithm, instance, group, PILOT, settings)
        runs = {delta: runs_needed(each.samples.mean()) for delta, each in pilot.items()}
        for number in sorted(set(runs.values())):
            part = [delta for delta in group if runs[delta] >= number]
            found |= _runs(algorithm, instance, part, number, settings)
    cost = _microseconds(entrant, deltas[0], instance, seed)
    return [
        Kept(
            place,
            name,
            repr(each.algorithm),
            delta,
            seed,
            cost,
            each.samples,
            each.stopped & right_answers(each.algorithm, instance, each.correct, each.answers),
            each.stopped,
        )
        for delta, each in found.items()
    ]


def _runs(algorithm, instance, deltas, number, settings):
    """Runs by risk."""
    if algorithm.sampling_ignores_delta:
        found = simulate_deltas(algorithm, instance, deltas, number, **settings)
    else:
        found = [
            simulate(algorithm.with_delta(delta), instance, number, **settings) for delta in deltas
        ]
    return dict(zip(deltas, found, strict=True))


def _microseconds(entrant, delta, instance, seed):
    """Time of a thread for a sample."""
    algorithm = entrant.algorithm.with_delta(delta)
    repeat_run(algorithm, instance, 0, seed, max_samples=1)  # kernels are compiled, or loaded
    begin, samples = time.thread_time(), 0
    for run in range(TIMED):
        samples += int(repeat_run(algorithm, instance, run, seed, entrant.most_samples)["samples"])
    return 1e6 * (time.thread_time() - begin) / samples


def measure_times(place: str, folder: Path | None = None) -> list[Kept]:
    """Measure anew what a sample takes, and leave the runs as they are kept.

    For algorithms that have become faster, or slower, without changing their runs.

    Parameters
    ----------
    place : str
        Name of the instance.
    folder : path-like, optional
        Where the files of kept runs are; ``data/arena`` by default.

    Returns
    -------
    list of Kept
        All runs on the instance, with the new times.

    Raises
    ------
    ValueError
        If the name is unknown, or the kept runs are damaged or stale.
    """
    kept = read_place(place, folder)
    _, entrants, instance = find_place(place)
    costs = {
        name: _microseconds(entrants[name], max(each.delta for each in kept), instance, seed)
        for name, seed in {each.name: each.seed for each in kept}.items()
    }
    path = (paths.DATA / "arena" if folder is None else folder) / file_of(place)
    about, _ = read_kept(path)
    found = [dataclasses.replace(each, microseconds=costs[each.name]) for each in kept]
    write_kept(path, about, found)
    return found


def read_all(folder: Path | None = None) -> dict[str, list[Kept]]:
    """All runs that are kept, by question.

    Parameters
    ----------
    folder : path-like, optional
        Where the files are; ``data/arena`` by default.

    Returns
    -------
    dict of str to list of Kept
        In the order of the arena's field.

    Raises
    ------
    ValueError
        If a file is damaged, or was made by entrants that have changed since.
    """
    return {
        question: [each for place in game.places for each in read_place(place, folder)]
        for question, game in GAMES.items()
    }


def read_place(place: str, folder: Path | None = None) -> list[Kept]:
    """The runs on one instance; see `read_all`.

    Parameters
    ----------
    place : str
        Name of the instance.
    folder : path-like, optional
        Where the files are.

    Returns
    -------
    list of Kept
    """
    name = file_of(place)
    path = paths.data_file(f"arena/{name}") if folder is None else folder / name
    _, kept = read_kept(path)
    _check_entrants(path, place, kept)
    return kept


def _check_entrants(path, place, kept):
    """Refuse runs of entrants that are not, or not any more, in the field."""
    _, entrants, _ = find_place(place)
    there = {(each.name, each.delta): each.algorithm for each in kept}
    wanted = {
        (name, delta): repr(entrant.algorithm.with_delta(delta))
        for name, entrant in entrants.items()
        for delta in RISKS
        if delta >= entrant.least_risk
    }
    stale = sorted(
        {
            name
            for name, delta in there.keys() | wanted.keys()
            if not _alike(there.get((name, delta), ""), wanted.get((name, delta), ""))
        }
    )
    if stale:
        raise ValueError(
            f"{path} is stale: {', '.join(stale)} differ from the arena's field; expected runs of "
            f"it: python -m pareto_book arena --on {place!r} --only {' '.join(map(repr, stale))}"
        )


def _alike(first, second):
    """Whether two algorithms are written alike, up to rounding errors of their numbers.

    An oracle's weights are computed, and not on every machine to the same last bit.
    """
    if NUMBER.split(first) != NUMBER.split(second):
        return False
    ours, theirs = (np.array(NUMBER.findall(text), float) for text in (first, second))
    return np.allclose(ours, theirs, rtol=1e-9, atol=1e-12)
