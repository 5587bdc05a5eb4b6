"""Path of the data: beside the package in the repository, inside it once installed."""

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
DATA = PACKAGE / "data" if (PACKAGE / "data").is_dir() else PACKAGE.parent / "data"


def data_file(name, folder=DATA):
    """Path of a file of ``data/``, for reading.

    The name is appended to the file that the environment variable ``PARETO_DATA_READ_FILE``
    names, if it is set, so that the build knows which data an executed chapter has read.
    """
    record = os.environ.get("PARETO_DATA_READ_FILE")
    if record:
        with open(record, "a", encoding="utf-8") as stream:
            stream.write(f"{name}\n")
    return folder / name
