"""How kernels are compiled, and where their machine code is kept.

Numba reuses machine code as long as the file of the compiled function is
unchanged; an edit of a function that it *calls*, in another file, goes
unnoticed. A stale kernel is a wrong number, so the folder of the cache is
named by a hash of the whole package: any edit starts an empty cache.
"""

import hashlib
import os
from pathlib import Path

import numba
import platformdirs

_PACKAGE = Path(__file__).resolve().parent


def package_hash():
    """Hash of every source file of the package.

    Returns
    -------
    str
        Hexadecimal SHA-256 over the names and contents of the files.
    """
    digest = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(_PACKAGE).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def _cache_folder():
    base = (
        os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_path("pareto_core") / "kernels"
    )
    return Path(base) / package_hash()[:16]


numba.config.CACHE_DIR = str(_cache_folder())


def _named(compiled, function):
    """Give a compiled function an identity that lasts.

    The cache of a kernel that closes over others goes by their identities, which Numba makes
    up anew in each process; so the next process would not find what this one has compiled.
    """
    if hasattr(compiled, "_set_uuid") and "<locals>" not in function.__qualname__:
        compiled._set_uuid(f"{function.__module__}.{function.__qualname__}")
    return compiled


def kernel(function):
    """Decorator of every compiled function: cached, without the GIL, IEEE division."""
    compiled = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    return _named(compiled, function)


def part(function):
    """Decorator of a small step, compiled into every kernel that calls it.

    Numba counts references to all arrays that a call hands over, at a few nanoseconds
    each: more than a step like one comparison of two arms takes.
    """
    return _named(numba.njit(inline="always", error_model="numpy")(function), function)
