"""The files of kept answers: what each run answered at each budget.

There is one file per instance. Each distinct answer is written once, and each run has the number
of its answer. The number of a run and the seed determine its randomness, so each run can be
repeated, and the repetition has to give the same answer.
"""

import dataclasses
import os
from collections.abc import Sequence

import numpy as np

from pareto_book.kept_runs.archives import read_archive, write_archive

__all__ = ["KeptAnswers", "read_answers", "write_answers"]


@dataclasses.dataclass(frozen=True, eq=False)
class KeptAnswers:
    """Answers of one entrant on one instance, at several budgets.

    Attributes
    ----------
    instance, name : str
        Names of the instance and of the entrant.
    algorithm : str
        The algorithm with all its hyper-parameters, at the smallest of the budgets.
    budgets : tuple of int, length m
        Budgets, ascending.
    seed : int
        Seed of all runs.
    answers : ndarray of bool, shape (a, K)
        Distinct answers: which arms are named.
    which : ndarray of int, shape (m, n)
        Row of ``answers`` with the answer at each budget in each of the runs 0 to n - 1.
    """

    instance: str
    name: str
    algorithm: str
    budgets: tuple[int, ...]
    seed: int
    answers: np.ndarray
    which: np.ndarray

    def wrong(self, optimal: np.ndarray) -> np.ndarray:
        """Whether each answer is wrong."""
        return (self.answers != optimal).any(axis=1)[self.which]


def write_answers(path: str | os.PathLike, about: dict, kept: Sequence[KeptAnswers]) -> None:
    """Write the answers on one instance to a file."""
    answers, which = _numbered(kept)
    lines = [
        {
            "name": each.name,
            "algorithm": each.algorithm,
            "budgets": list(each.budgets),
            "runs": each.which.shape[1],
        }
        for each in kept
    ]
    kind = np.uint8 if len(answers) <= 256 else np.uint16 if len(answers) <= 65536 else np.uint32
    arrays = {
        "answers": np.packbits(answers, axis=1),
        "which": np.concatenate([each.ravel() for each in which]).astype(kind),
    }
    write_archive(path, {**about, "arms": answers.shape[1], "lines": lines}, arrays)


def _numbered(kept):
    """All distinct answers, the most frequent one first, and their numbers in each run."""
    rows = np.concatenate([each.answers for each in kept])
    distinct, number = np.unique(rows, axis=0, return_inverse=True)
    ends = np.cumsum([len(each.answers) for each in kept])[:-1]
    numbers = np.split(number.ravel(), ends)
    which = [number[each.which] for number, each in zip(numbers, kept, strict=True)]
    times = np.bincount(np.concatenate([each.ravel() for each in which]), minlength=len(distinct))
    order = np.argsort(-times, kind="stable")[: np.count_nonzero(times)]
    rank = np.empty(len(distinct), np.int64)
    rank[order] = np.arange(len(order))
    return distinct[order], [rank[each] for each in which]


def read_answers(path: str | os.PathLike) -> tuple[dict, list[KeptAnswers]]:
    """Read the answers on one instance."""
    return read_archive(path, "answers of the arena", _answers)


def _answers(about, arrays):
    """What `read_answers` returns."""
    lines, which = about.pop("lines"), arrays["which"]
    answers = np.unpackbits(arrays["answers"], axis=1, count=about.pop("arms")).astype(bool)
    shapes = [(len(line["budgets"]), line["runs"]) for line in lines]
    ends = np.cumsum([budgets * runs for budgets, runs in shapes])
    if which.size != ends[-1] or which.max() >= len(answers):
        raise ValueError(f"{ends[-1]} answers are stated, but the arrays of the file do not match")
    parts = np.split(which, ends[:-1])
    return about, [
        KeptAnswers(
            about["instance"],
            line["name"],
            line["algorithm"],
            tuple(line["budgets"]),
            about["seed"],
            answers,
            part.reshape(shape),
        )
        for line, shape, part in zip(lines, shapes, parts, strict=True)
    ]
