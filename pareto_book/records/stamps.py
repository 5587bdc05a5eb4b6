"""What an executed chapter was made from, by what, and where.

The driver writes a stamp beside each executed notebook; the scorecard page shows them.
"""

import importlib.metadata
import json
import os
import platform
from pathlib import Path

import psutil

from pareto_book import paths

PROFILES = ("fast", "full")  # how many runs a chapter makes
VERSIONS_OF = ("matplotlib", "numba", "numpy", "pandas", "scipy", "seaborn")


def executed_path(chapter, profile):
    """Path of the executed notebook of a chapter."""
    return paths.BUILD / "executed" / profile / f"{chapter}.ipynb"


def stamp_path(notebook):
    """Path of the stamp of an executed notebook."""
    return notebook.with_suffix(".json")


def rows_path(notebook):
    """Path of the scorecard rows that an executed notebook made."""
    return notebook.with_suffix(".csv")


def figures_path(notebook):
    """Folder of the figures that an executed notebook saved."""
    return notebook.with_suffix("")


def make_stamp(inputs, executed, seconds, n_jobs):
    """Stamp of an execution."""
    return {
        "inputs": inputs,
        "executed": executed,
        "seconds": round(seconds, 1),
        "n_jobs": n_jobs,
        "python": platform.python_version(),
        "versions": {name: importlib.metadata.version(name) for name in VERSIONS_OF},
        "machine": {
            "system": f"{platform.system()} {platform.machine()}",
            "processor": _processor(),
            "cores": os.cpu_count(),
            "memory_bytes": psutil.virtual_memory().total,
        },
    }


def write_atomically(target, content):
    """Write a file so that it is at no time half written."""
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.part")
    temporary.write_bytes(content)
    temporary.replace(target)


def read_stamp(chapter, profile):
    """Stamp of an executed chapter."""
    path = stamp_path(executed_path(chapter, profile))
    if not path.exists():
        raise ValueError(
            f"chapter = {chapter!r}, profile = {profile!r}; expected one that has been executed, "
            f"but there is no {path}"
        )
    return json.loads(path.read_text(encoding="utf-8"))


def published_profile(chapter):
    """Profile of the copy of a chapter that the book has, or None if it has none."""
    notebook = paths.CHAPTERS / f"{chapter}.ipynb"
    stamp = stamp_path(notebook)
    if not notebook.exists() or not stamp.exists():
        return None
    return json.loads(stamp.read_text(encoding="utf-8"))["inputs"]["profile"]


def _processor():
    """Name of the processor as well as the system tells it."""
    description = Path("/proc/cpuinfo")
    if description.exists():
        for line in description.read_text(encoding="utf-8", errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()
