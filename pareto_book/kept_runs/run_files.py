"""The files of kept runs: the samples of each run, and whether its answer was right.

There is one file per instance. The number of a run and the seed determine its randomness, so each
run can be repeated, and the repetition has to give the same result.
"""

import dataclasses
import io
import json
import os
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from pareto_core.checks.arguments import check_path, shown

__all__ = ["KeptRuns", "file_name", "read_run_file", "write_run_file"]

FORMAT = 1
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


def file_name(instance_name: str) -> str:
    """Name of the file with the runs on an instance."""
    return "".join(c if c.isalnum() else "_" for c in instance_name.lower()) + ".npz"


def write_run_file(path: str | os.PathLike, about: dict, kept: Sequence[KeptRuns]) -> None:
    """Write the runs on one instance to a file.

    Parameters
    ----------
    path : path-like
        The file, which is replaced if it exists.
    about : dict
        ``place`` (the name of the instance), ``question``, ``seed`` and ``versions``.
    kept : sequence of KeptRuns
        In the order in which `read_run_file` returns them.
    """
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
    text = json.dumps({"format": FORMAT, **about, "lines": lines}, indent=1)
    columns = {
        name: np.concatenate([getattr(each, name) for each in kept]).astype(kind)
        for name, kind in COLUMNS.items()
    }
    buffer = io.BytesIO()
    np.savez_compressed(buffer, about=np.array(text), **columns)
    path = Path(check_path(path, "path"))
    half = path.with_suffix(".half")
    half.write_bytes(buffer.getvalue())
    half.replace(path)


def read_run_file(path: str | os.PathLike) -> tuple[dict, list[KeptRuns]]:
    """Read the runs on one instance.

    Parameters
    ----------
    path : path-like
        A file written by `write_run_file`.

    Returns
    -------
    about : dict
        As `write_run_file` takes it.
    kept : list of KeptRuns

    Raises
    ------
    ValueError
        If the file is damaged, or has a different format version.
    """
    try:
        content = io.BytesIO(Path(path).read_bytes())
        with np.load(content, allow_pickle=False) as arrays:
            about = json.loads(str(arrays["about"]))
            columns = {name: arrays[name] for name in COLUMNS}
        lines = about.pop("lines")
        ends = np.cumsum([line["runs"] for line in lines])
        whole = all(each.size == ends[-1] for each in columns.values())
    except (EOFError, IndexError, KeyError, OSError, ValueError, zipfile.BadZipFile) as error:
        raise ValueError(f"{path} is damaged: {error}; expected runs of the arena") from error
    if about.pop("format") != FORMAT or not whole:
        raise ValueError(f"{path} = {shown(about)}; expected runs of the arena, format {FORMAT}")
    parts = {name: np.split(each, ends[:-1]) for name, each in columns.items()}
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
