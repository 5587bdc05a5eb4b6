"""Read the kept runs, and refuse those of entrants that have changed."""

import csv
import functools
import itertools
import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from pareto_book import paths
from pareto_book.kept_runs import competitions, fixed_budget
from pareto_book.kept_runs.cases import KeptCase

NUMBER = re.compile(r"(?<![A-Za-z_\d])\d+(?:\.\d+)?(?:e[+-]?\d+)?")
HEAD = """\
# The arena: every algorithm on every instance that it is meant for. A line for each case: an
# instance, an entrant, and a level, which is its risk, or its budget if the question is
# "{budget}". Runs are those of pareto_core.simulate with seed 0; mean and sd are those of
# their numbers of samples, errors counts those that ended with a wrong answer, unfinished those
# that were cut off. correlation: with the samples of the first entrant on the instance at this
# level. microseconds: of a thread for a sample. first: samples of the first five runs, x if the
# answer is wrong, + if the run was cut off. Made by python -m pareto_book arena.
"""


def path_of_cases() -> Path:
    """Path of the kept runs."""
    return paths.DATA / "book" / "arena.csv"


def write_cases(cases: Iterable[KeptCase]) -> None:
    """Write the kept runs."""
    with path_of_cases().open("w", encoding="utf-8", newline="") as file:
        file.write(HEAD.format(budget=fixed_budget.QUESTION))
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(KeptCase._fields)
        for each in cases:
            short = each._replace(
                sd=f"{each.sd:.7g}",
                correlation=f"{each.correlation:.4g}",
                level=f"{each.level:g}",
                microseconds=f"{each.microseconds:.3g}",
            )
            writer.writerow(short)


def read_cases() -> list[KeptCase]:
    """Read the kept runs, also those of entrants that have changed."""
    if not path_of_cases().exists():
        return []
    with path_of_cases().open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return [_case(row) for row in rows]


def _case(row):
    return KeptCase(**{name: kind(row[name]) for name, kind in KeptCase.__annotations__.items()})


@functools.cache
def algorithms_on(question: str, instance_name: str) -> dict[tuple[str, float], str]:
    """Texts of the algorithms that the arena has on an instance, by name and level."""
    if question == fixed_budget.QUESTION:
        found = fixed_budget.entrants_of(instance_name)
        return {key: repr(algorithm) for key, algorithm in found.items()}
    _, entrants, _ = competitions.find_instance(instance_name)
    return {
        (name, delta): repr(entrant.algorithm.with_delta(delta))
        for name, entrant in entrants.items()
        for delta in competitions.all_competitions()[question].risks
        if delta >= entrant.least_risk
    }


def read_all() -> dict[str, list[KeptCase]]:
    """Read the kept runs by question, and refuse those of entrants that have changed."""
    found = {}
    cases = itertools.groupby(read_cases(), lambda each: (each.question, each.instance))
    for (question, instance), group in cases:
        there = list(group)
        _check_entrants(question, instance, there)
        found.setdefault(question, []).extend(there)
    return found


def _check_entrants(question, instance, cases):
    written = {(each.name, each.level): each.algorithm for each in cases}
    expected = algorithms_on(question, instance)
    stale = sorted(
        {
            key[0]
            for key in written.keys() | expected.keys()
            if not same_settings(written.get(key, ""), expected.get(key, ""))
        }
    )
    if stale:
        raise ValueError(
            f"{path_of_cases()} is stale: on {instance} {', '.join(stale)} differ from the arena's "
            f"entrants; expected their runs to be made again: python -m pareto_book arena "
            f"--on {instance!r} --only {' '.join(map(repr, stale))}"
        )


def same_settings(first: str, second: str) -> bool:
    """Whether the texts of two algorithms are the same, up to rounding errors of their numbers."""
    if NUMBER.split(first) != NUMBER.split(second):
        return False
    ours, theirs = (np.array(NUMBER.findall(text), float) for text in (first, second))
    return np.allclose(ours, theirs, rtol=1e-9, atol=1e-12)


def read_instance(instance_name: str) -> list[KeptCase]:
    """Read the kept runs on one instance at risks, and refuse those of changed entrants."""
    question, _, _ = competitions.find_instance(instance_name)
    key = question, instance_name
    found = [each for each in read_cases() if (each.question, each.instance) == key]
    _check_entrants(*key, found)
    return found
