"""Make the answers that the arena keeps, and read those that are up to date."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from pareto_book import paths
from pareto_book.kept_runs.archives import archive_name, kept_before
from pareto_book.kept_runs.budgets.competitions import (
    ENTRANTS,
    LADDERS,
    Contest,
    find_contest,
    playable,
)
from pareto_book.kept_runs.budgets.files import (
    KeptAnswers,
    read_answers,
    write_answers,
)
from pareto_book.kept_runs.making import versions
from pareto_book.kept_runs.reading import same_settings
from pareto_core.checks.arguments import check_choice
from pareto_core.checks.progress import progress_bar
from pareto_core.simulation.runs import Simulation
from pareto_core.simulation.scheduling import check_workers, run_batches

__all__ = ["answers_in_runs", "make_answers", "read_all_answers", "read_instance_answers"]

FOLDER = "budgets"  # of ``data``
MAX_SAMPLES = 10**9  # never reached, because a budget ends each run before


def make_answers(
    instance_name: str,
    only: Sequence[str] | None = None,
    seed: int = 0,
    n_jobs: int | None = None,
    folder: Path | None = None,
    progress: bool = True,
) -> list[KeptAnswers]:
    """Make the runs on one instance, and write their answers into its file."""
    contest = find_contest(instance_name)
    path = (paths.DATA / FOLDER if folder is None else folder) / archive_name(instance_name)
    kept = {each.name: each for each in kept_before(path, seed, read_answers)}
    if only is None:
        chosen = [name for name in ENTRANTS if _is_stale(contest, name, kept.get(name))]
    else:
        chosen = [check_choice(name, "entrant", ENTRANTS) for name in only]
    about = {"instance": instance_name, "seed": seed, "versions": versions()}
    for name in chosen:
        kept[name] = _simulate_entrant(contest, name, seed, n_jobs, progress)
        there = [kept[each] for each in ENTRANTS if each in kept]
        write_answers(path, about, there)
    return [kept[name] for name in ENTRANTS if name in kept]


def _simulate_entrant(contest, name, seed, n_jobs, progress):
    """All answers of one entrant on one instance."""
    algorithms = playable(contest, name)
    n_jobs = check_workers(n_jobs, None)
    answers = []
    with progress_bar(len(algorithms), f"{name} on {contest.name}", progress) as bar:
        for group in _groups(contest, name, algorithms):
            answers.append(_answers(group, contest, seed, n_jobs))
            bar.update(len(group))
    found = np.concatenate(answers)
    distinct, number = np.unique(found.reshape(-1, found.shape[2]), axis=0, return_inverse=True)
    return KeptAnswers(
        contest.name,
        name,
        repr(algorithms[0]),
        tuple(each.budget for each in algorithms),
        seed,
        distinct,
        number.reshape(found.shape[:2]),
    )


def _groups(contest, name, algorithms):
    """Algorithms that one simulated run evaluates: all of them, or one after the other."""
    return [algorithms] if ENTRANTS[name].continues else [[each] for each in algorithms]


def _answers(algorithms, contest, seed, n_jobs):
    """Answers of all runs with each algorithm of a group, shape (m, n, K)."""
    simulation = Simulation(algorithms, contest.instance, contest.runs, seed, MAX_SAMPLES)
    run_batches(simulation.work, simulation.pending, simulation.collect, n_jobs, "threads")
    return np.array([each.answers for each in simulation.results()])


def answers_in_runs(contest: Contest, name: str, runs: Sequence[int], seed: int) -> np.ndarray:
    """Make single runs of an entrant, at all its budgets."""
    found = []
    for group in _groups(contest, name, playable(contest, name)):
        simulation = Simulation(group, contest.instance, 1, seed, MAX_SAMPLES)
        levels = [simulation.work((run, run + 1)) for run in map(int, runs)]
        found += [np.array([level[k]["answers"][0] for level in levels]) for k in range(len(group))]
    return np.array(found)


def read_all_answers(folder: Path | None = None) -> dict[str, list[KeptAnswers]]:
    """Read all kept answers."""
    return {name: read_instance_answers(name, folder) for name in LADDERS}


def read_instance_answers(instance_name: str, folder: Path | None = None) -> list[KeptAnswers]:
    """Read the kept answers on one instance."""
    contest = find_contest(instance_name)
    name = archive_name(instance_name)
    path = (paths.DATA / FOLDER if folder is None else folder) / name
    _, found = read_answers(path)
    kept = {each.name: each for each in found}
    names = dict.fromkeys([*ENTRANTS, *kept])
    stale = [each for each in names if _is_stale(contest, each, kept.get(each))]
    if stale:
        raise ValueError(
            f"{path} is stale: {', '.join(stale)} differ from the arena's entrants; expected their "
            f"runs to be made again: python -m pareto_book budgets --on {instance_name!r}"
        )
    return [kept[each] for each in ENTRANTS]


def _is_stale(contest, name, kept):
    """Whether the kept answers of an entrant are missing, or not those of its settings."""
    if kept is None or name not in ENTRANTS:
        return True
    algorithms = playable(contest, name)
    return not (
        same_settings(kept.algorithm, repr(algorithms[0]))
        and kept.budgets == tuple(each.budget for each in algorithms)
        and kept.which.shape[1] == contest.runs
    )
