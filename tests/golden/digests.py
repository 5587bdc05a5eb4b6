"""Short digests of arrays, and the machine on which numbers were made."""

import hashlib
import importlib.metadata

import llvmlite.binding
import numpy as np

LIBRARIES = ("llvmlite", "numba", "numpy", "scipy")


def bits(*arrays):
    """Eight digits that change with any bit of the arrays, or with their shapes."""
    digest = hashlib.sha256()
    for array in arrays:
        plain = np.ascontiguousarray(array)
        if plain.dtype.kind in "bi":
            plain = plain.astype(np.int64)
        digest.update(f"{plain.dtype.str} {plain.shape}".encode())
        digest.update(plain.tobytes())
    return digest.hexdigest()[:8]


def machine():
    """What bits may depend on."""
    versions = {name: importlib.metadata.version(name) for name in LIBRARIES}
    return {"processor": llvmlite.binding.get_host_cpu_name(), **versions}
