"""Finished batches of a simulation, kept in files.

A batch is written under a temporary name and then renamed, so a killed simulation leaves only
complete batches, and the next simulation removes its temporary files. The first line of a file is
the SHA-256 of the file's name and of the rest. A file that does not match its checksum is refused
by name, and not replaced.
"""

import hashlib
import io
import json
import os
import uuid
from pathlib import Path

import filelock
import numpy as np

from pareto_core.loop.algorithm import describe
from pareto_core.simulation.program import program_of


class RunStore:
    """Batches of one simulation, in a folder that is named by all that its results depend on.

    That includes its program; an algorithm of the caller's own needs a ``store_key``.
    """

    def __init__(self, folder, algorithm, instance, seed, max_samples, store_key=None):
        description = {
            "program": program_of(algorithm, store_key),
            "algorithm": type(algorithm).__name__,
            "parameters": algorithm.hyper_parameters(),
            **described_instance(instance),
            "seed": seed,
            "max_samples": max_samples,
        }
        text = json.dumps(description, indent=1, sort_keys=True, default=describe)
        self.folder = Path(folder) / hashlib.sha256(text.encode()).hexdigest()[:24]
        self.folder.mkdir(parents=True, exist_ok=True)
        self._lock = filelock.FileLock(self.folder / ".lock")
        self._remove_half_written()
        self._write("simulation.json", text.encode())

    def load(self, first, last):
        """Results of the runs ``first`` to ``last - 1``, or None if they are not in the store."""
        path = self.folder / self._name(first, last)
        if not path.exists():
            return None
        digest, _, content = path.read_bytes().partition(b"\n")
        if digest != self._checksum(path.name, content):
            raise ValueError(
                f"{path} is damaged: its name and content do not match its checksum; "
                "remove it to run this batch again"
            )
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            return dict(arrays)

    def save(self, first, last, result):
        """Keep the results of the runs ``first`` to ``last - 1``."""
        buffer = io.BytesIO()
        np.savez(buffer, **result)
        name, content = self._name(first, last), buffer.getvalue()
        self._write(name, self._checksum(name, content) + b"\n" + content)

    @staticmethod
    def _name(first, last):
        return f"runs-{first:09d}-{last:09d}.batch"

    def _checksum(self, name, content):
        """Checksum of the content, its batch and, by the folder's name, its simulation."""
        digest = hashlib.sha256(f"{self.folder.name}/{name}\n".encode())
        digest.update(content)
        return digest.hexdigest().encode()

    def _write(self, name, content):
        partial = self.folder / f".{name}.{uuid.uuid4().hex}"
        with self._lock, open(partial, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())  # else a power failure could leave the name without content
            partial.replace(self.folder / name)

    def _remove_half_written(self):
        """Remove temporary files of killed simulations; a running one holds the lock to write."""
        with self._lock:
            for partial in self.folder.glob(".*.*"):
                partial.unlink()


def described_instance(instance):
    """What the runs on an instance depend on, as it was given, for JSON and for comparisons."""
    return {
        "means": instance.means.tolist(),
        "objectives": list(instance.objectives),  # an algorithm may have a setting for each
        "variance": instance.variance.tolist(),
        "covariance": _lists(instance.covariance),
        "noise": instance.noise,
        "observations": _lists(instance.observations),
        "features": _lists(instance.features),
        "polyhedron": None if instance.polyhedron is None else repr(instance.polyhedron),
    }


def _lists(arrays):
    """Nested lists of an array or a sequence of arrays, for JSON."""
    return None if arrays is None else [array.tolist() for array in arrays]
