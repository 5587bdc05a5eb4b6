"""Make the runs that the arena keeps."""

import dataclasses
import hashlib
import os
import platform
import time
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from pareto_book import paths
from pareto_book.kept_runs.archives import archive_name, kept_before
from pareto_book.kept_runs.competitions import all_competitions, find_instance, runs_needed
from pareto_book.kept_runs.reading import read_instance
from pareto_book.kept_runs.run_files import KeptRuns, read_run_file, write_run_file
from pareto_core.checks.arguments import check_choice
from pareto_core.checks.words import Backend
from pareto_core.simulation.runs import repeat_run, simulate, simulate_deltas
from pareto_lab.comparison.arguments import right_answers

__all__ = ["make_runs", "measure_times"]

PILOT_RUNS = 20  # their mean number of samples determines how many runs are kept
TIMED_RUNS = 3  # they measure the time of a sample


def make_runs(
    instance_name: str,
    store: str | os.PathLike,
    only: Sequence[str] | None = None,
    seed: int = 0,
    n_jobs: int | None = None,
    backend: Backend | None = None,
    folder: Path | None = None,
) -> list[KeptRuns]:
    """Make the runs on one instance, and write them into its file."""
    question, entrants, instance = find_instance(instance_name)
    chosen = list(entrants) if only is None else list(only)
    for name in chosen:
        check_choice(name, "entrant", entrants)
    path = _path(instance_name, folder)
    before = kept_before(path, seed, read_run_file)
    settings = {"seed": seed, "n_jobs": n_jobs, "store": store, "backend": backend}
    settings["store_key"] = _program_of_rivals()
    found = []
    for name, entrant in entrants.items():
        if name in chosen:
            found += _simulate_entrant(instance_name, name, entrant, instance, settings)
        else:
            found += [each for each in before if each.name == name]
    write_run_file(path, _about(question, instance_name, seed), found)
    return found


def _program_of_rivals():
    """Hash of the sources of the rivals, which `simulate` takes for a reader's own algorithms."""
    files = sorted((paths.ROOT / "pareto_book" / "rivals").glob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def _path(instance_name, folder):
    return (paths.DATA / "arena" if folder is None else folder) / archive_name(instance_name)


def _about(question, instance_name, seed):
    """What a file states about its runs."""
    return {
        "question": question,
        "place": instance_name,  # the key that the kept files have
        "seed": seed,
        "versions": versions(),
    }


def versions():
    """Versions on which the last bit of a number depends."""
    return {
        "pareto-core": metadata.version("pareto-core"),
        "numpy": metadata.version("numpy"),
        "numba": metadata.version("numba"),
        "machine": platform.machine(),
    }


def _simulate_entrant(instance_name, name, entrant, instance, settings):
    """All runs of one entrant on one instance; ``settings`` are those of `simulate`."""
    algorithm, seed = entrant.algorithm, settings["seed"]
    competition = all_competitions()[find_instance(instance_name)[0]]
    settings = {**settings, "max_samples": entrant.max_samples}
    deltas = [delta for delta in competition.risks if delta >= entrant.least_risk]
    groups = [deltas] if algorithm.sampling_ignores_delta else [[delta] for delta in deltas]
    found = {}
    for group in groups:
        pilot = _runs_by_risk(algorithm, instance, group, PILOT_RUNS, settings)
        runs = {
            delta: runs_needed(each.samples.mean(), competition.short)
            for delta, each in pilot.items()
        }
        for number in sorted(set(runs.values())):
            part = [delta for delta in group if runs[delta] >= number]
            found |= _runs_by_risk(algorithm, instance, part, number, settings)
    microseconds = _microseconds(entrant, deltas[0], instance, seed)
    return [
        KeptRuns(
            instance_name,
            name,
            repr(each.algorithm),
            delta,
            seed,
            microseconds,
            each.samples,
            each.stopped & right_answers(each.algorithm, instance, each.correct, each.answers),
            each.stopped,
        )
        for delta, each in found.items()
    ]


def _runs_by_risk(algorithm, instance, deltas, number, settings):
    if algorithm.sampling_ignores_delta:
        found = simulate_deltas(algorithm, instance, deltas, number, **settings)
    else:
        found = [
            simulate(algorithm.with_delta(delta), instance, number, **settings) for delta in deltas
        ]
    return dict(zip(deltas, found, strict=True))


def _microseconds(entrant, delta, instance, seed):
    """Processor time per sample."""
    algorithm = entrant.algorithm.with_delta(delta)
    repeat_run(algorithm, instance, 0, seed, max_samples=1)  # compiles or loads the kernels
    begin, samples = time.thread_time(), 0
    for run in range(TIMED_RUNS):
        samples += int(repeat_run(algorithm, instance, run, seed, entrant.max_samples)["samples"])
    return 1e6 * (time.thread_time() - begin) / samples


def measure_times(instance_name: str, folder: Path | None = None) -> list[KeptRuns]:
    """Measure the time of a sample again, without changing the kept runs."""
    kept = read_instance(instance_name, folder)
    _, entrants, instance = find_instance(instance_name)
    microseconds = {
        name: _microseconds(entrants[name], max(each.delta for each in kept), instance, seed)
        for name, seed in {each.name: each.seed for each in kept}.items()
    }
    path = _path(instance_name, folder)
    about, _ = read_run_file(path)
    found = [dataclasses.replace(each, microseconds=microseconds[each.name]) for each in kept]
    write_run_file(path, about, found)
    return found
