"""Runs of the arena that are kept as data: what each took, and whether it was right.

There is a file for each instance. A run's number and the seed decide its randomness, so that
each of the runs can be made again, and has to come out the same.
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

__all__ = ["Kept", "file_of", "read_kept", "write_kept"]

FORMAT = 1
COLUMNS = {"samples": np.uint32, "right": np.bool_, "ended": np.bool_}


@dataclasses.dataclass(frozen=True, eq=False)
class Kept:
    """Runs of one entrant on one instance at one risk.

    Attributes
    ----------
    place, name : str
        Names of the instance and of the entrant.
    algorithm : str
        The algorithm with all its hyper-parameters, its risk included.
    delta : float
        Risk.
    seed : int
        Seed of all runs.
    microseconds : float
        Time of a thread that a sample took where the runs were made, drawing it included.
    samples : ndarray of uint32, shape (n,)
        Of the runs 0 to n - 1.
    right, ended : ndarray of bool, shape (n,)
        Whether the answer was right, and whether the run ended by itself; one that was cut off
        is not right.
    """

    place: str
    name: str
    algorithm: str
    delta: float
    seed: int
    microseconds: float
    samples: np.ndarray
    right: np.ndarray
    ended: np.ndarray


def file_of(place: str) -> str:
    """Name of the file of an instance."""
    return "".join(c if c.isalnum() else "_" for c in place.lower()) + ".npz"


def write_kept(path: str | os.PathLike, about: dict, kept: Sequence[Kept]) -> None:
    """Write the runs on one instance into a file.

    Parameters
    ----------
    path : path-like
        File; it is replaced.
    about : dict
        What they were made with: ``place``, ``seed``, ``max_samples`` and versions.
    kept : sequence of Kept
        In the order in which they are to be read.
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


def read_kept(path: str | os.PathLike) -> tuple[dict, list[Kept]]:
    """Read the runs on one instance.

    Parameters
    ----------
    path : path-like
        File that `write_kept` wrote.

    Returns
    -------
    about : dict
        What they were made with.
    kept : list of Kept

    Raises
    ------
    ValueError
        If the file is damaged, or of another version.
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
        Kept(
            about["place"],
            line["name"],
            line["algorithm"],
            line["delta"],
            about["seed"],
            line["microseconds"],
            **{name: each[k] for name, each in parts.items()},
        )
        for k, line in enumerate(lines)
    ]
