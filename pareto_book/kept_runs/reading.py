"""Read the runs that the arena keeps, and refuse those that are out of date."""

import re
from pathlib import Path

import numpy as np

from pareto_book import paths
from pareto_book.kept_runs import competitions
from pareto_book.kept_runs.archives import archive_name
from pareto_book.kept_runs.competitions import all_competitions, find_instance
from pareto_book.kept_runs.run_files import KeptRuns, read_run_file

__all__ = ["read_all", "read_instance", "same_settings"]

NUMBER = re.compile(r"(?<![A-Za-z_\d])\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def read_all(folder: Path | None = None) -> dict[str, list[KeptRuns]]:
    """Read all kept runs of the arena."""
    return {
        question: [each for name in competition.instances for each in read_instance(name, folder)]
        for question, competition in competitions.COMPETITIONS.items()
    }


def read_instance(instance_name: str, folder: Path | None = None) -> list[KeptRuns]:
    """Read the kept runs on one instance."""
    name = archive_name(instance_name)
    path = (paths.DATA / "arena" if folder is None else folder) / name
    _, kept = read_run_file(path)
    _check_entrants(path, instance_name, kept)
    return kept


def _check_entrants(path, instance_name, kept):
    """Refuse runs whose entrants differ from those that the arena has now."""
    question, entrants, _ = find_instance(instance_name)
    written = {(each.name, each.delta): each.algorithm for each in kept}
    expected = {
        (name, delta): repr(entrant.algorithm.with_delta(delta))
        for name, entrant in entrants.items()
        for delta in all_competitions()[question].risks
        if delta >= entrant.least_risk
    }
    stale = sorted(
        {
            key[0]
            for key in written.keys() | expected.keys()
            if not same_settings(written.get(key, ""), expected.get(key, ""))
        }
    )
    if stale:
        raise ValueError(
            f"{path} is stale: {', '.join(stale)} differ from the arena's entrants; expected their "
            f"runs to be made again: python -m pareto_book arena --on {instance_name!r} "
            f"--only {' '.join(map(repr, stale))}"
        )


def same_settings(first: str, second: str) -> bool:
    """Whether the texts of two algorithms are the same, up to rounding errors of their numbers."""
    if NUMBER.split(first) != NUMBER.split(second):
        return False
    ours, theirs = (np.array(NUMBER.findall(text), float) for text in (first, second))
    return np.allclose(ours, theirs, rtol=1e-9, atol=1e-12)
