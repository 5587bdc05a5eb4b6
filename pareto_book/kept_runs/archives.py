"""Files of arrays, with a text that states what they are."""

import io
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from pareto_core.checks.arguments import check_path, shown

__all__ = ["archive_name", "kept_before", "read_archive", "write_archive"]

FORMAT = 1


def archive_name(instance_name: str) -> str:
    """Name of the file that holds what is kept of an instance."""
    return "".join(c if c.isalnum() else "_" for c in instance_name.lower()) + ".npz"


def write_archive(path: str | os.PathLike, about: dict, arrays: dict[str, np.ndarray]) -> None:
    """Write arrays to a file, which is replaced as a whole if it exists."""
    buffer = io.BytesIO()
    text = json.dumps({"format": FORMAT, **about}, indent=1)
    np.savez_compressed(buffer, about=np.array(text), **arrays)
    path = Path(check_path(path, "path"))
    half = path.with_suffix(".half")
    half.write_bytes(buffer.getvalue())
    half.replace(path)


def read_archive(
    path: str | os.PathLike, content: str, parse: Callable[[dict, dict], tuple]
) -> tuple:
    """Read a file that `write_archive` wrote."""
    if not Path(path).exists():
        raise ValueError(f"{path} does not exist; expected {content}")
    try:
        buffer = io.BytesIO(Path(path).read_bytes())
        with np.load(buffer, allow_pickle=False) as arrays:
            found = dict(arrays)
        about = json.loads(str(found.pop("about")))
        if (version := about.pop("format")) == FORMAT:
            return parse(about, found)
    except (EOFError, IndexError, KeyError, OSError, ValueError, zipfile.BadZipFile) as error:
        raise ValueError(f"{path} is damaged: {error}; expected {content}") from error
    raise ValueError(f"{path} has format {shown(version)}; expected {content}, format {FORMAT}")


def kept_before(path: Path, seed: int, read: Callable[[Path], tuple[dict, list]]) -> list:
    """What a file holds, to which runs of the same seed can be added."""
    if not path.exists():
        return []
    about, kept = read(path)
    if about["seed"] != seed:
        raise ValueError(f"seed = {seed}; expected {about['seed']}, the seed of the runs in {path}")
    return kept
