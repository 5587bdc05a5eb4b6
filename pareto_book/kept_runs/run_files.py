"""The files of kept runs: the samples of each run, and whether its answer was right.

There is one file per instance. The number of a run and the seed determine its randomness, so each
run can be repeated, and the repetition has to give the same result.
"""

import dataclasses
import os
from collections.abc import Sequence

import numpy as np

from pareto_book.kept_runs.archives import read_archive, write_archive

__all__ = ["KeptRuns", "read_run_file", "write_run_file"]

COLUMNS = {"samples": np.uint32, "right": np.bool_, "ended": np.bool_}


@dataclasses.dataclass(frozen=True, eq=False)
class KeptRuns:
    """Runs of one entrant on one instance at one risk.

    Attributes
    ----------
    instance, name : str
        Names of the instance and of the entrant.
    algorithm : str
        The algorithm with all its hyper-parameters, including its risk.
    delta : float
        Risk.
    seed : int
        Seed of all runs.
    microseconds : float
        Processor time per sample on the machine that made the runs, including the draw of the
        reward.
    samples : ndarray of uint32, shape (n,)
        Number of samples of each of the runs 0 to n - 1.
    right, ended : ndarray of bool, shape (n,)
        Whether the answer was right, and whether the algorithm stopped; the answer of a run that
        was cut off does not count as right.
    """

    instance: str
    name: str
    algorithm: str
    delta: float
    seed: int
    microseconds: float
    samples: np.ndarray
    right: np.ndarray
    ended: np.ndarray


def write_run_file(path: str | os.PathLike, about: dict, kept: Sequence[KeptRuns]) -> None:
    """Write the runs on one instance to a file."""
    lines = [
        {
            "name": each.name,
            "algorithm": each.algorithm,
            "delta": each.delta,
            "microseconds": round(each.microseconds, 3),
            "runs": each.samples.size,
        }
        for each in kept
    ]
    columns = {
        name: np.concatenate([getattr(each, name) for each in kept]).astype(kind)
        for name, kind in COLUMNS.items()
    }
    write_archive(path, {**about, "lines": lines}, columns)


def read_run_file(path: str | os.PathLike) -> tuple[dict, list[KeptRuns]]:
    """Read the runs on one instance."""
    return read_archive(path, "runs of the arena", _runs)


def _runs(about, columns):
    """What `read_run_file` returns."""
    lines = about.pop("lines")
    ends = np.cumsum([line["runs"] for line in lines])
    if any(columns[name].size != ends[-1] for name in COLUMNS):
        raise ValueError(f"{ends[-1]} runs are stated, but the columns have a different length")
    parts = {name: np.split(columns[name], ends[:-1]) for name in COLUMNS}
    return about, [
        KeptRuns(
            about["place"],  # the key of the instance's name in all kept files
            line["name"],
            line["algorithm"],
            line["delta"],
            about["seed"],
            line["microseconds"],
            **{name: each[k] for name, each in parts.items()},
        )
        for k, line in enumerate(lines)
    ]
