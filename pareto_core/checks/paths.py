"""Where the package finds its data: beside it in the repository, inside it once installed."""

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
DATA = next(path for path in (PACKAGE / "data", PACKAGE.parent / "data") if path.is_dir())


def data_file(name, folder=DATA):
    """Path of a file of ``data/`` that is about to be read.

    The name is appended to the file that the environment variable ``PARETO_DATA_READ_FILE``
    names, if it is set, so that the build knows which data an executed chapter has read.
    """
    told = os.environ.get("PARETO_DATA_READ_FILE")
    if told:
        with open(told, "a", encoding="utf-8") as stream:
            stream.write(f"{name}\n")
    return folder / name
