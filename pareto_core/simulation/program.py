"""Which program runs: the files of the package as they were imported, and an algorithm.

Runs that are kept, or made by the workers of a cluster, are those of one program. What cannot be
told is refused.
"""

import hashlib

from pareto_core._checks import shown
from pareto_core._paths import PACKAGE
from pareto_core.compiling import identity
from pareto_core.loop.algorithm import Algorithm

__all__ = ["package_hash", "program_of"]


def _status():
    """What the file system knows of each file; a file that is replaced or written to differs."""
    found = {}
    for path in PACKAGE.rglob("*.py"):
        status = path.stat()
        found[path] = status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
    return found


_imported = _status()


def package_hash() -> str:
    """Hash of every source file of the package.

    Returns
    -------
    str
        Hexadecimal SHA-256 of the names and contents of the files.

    Raises
    ------
    ValueError
        If a file has changed since the package was imported.
    """
    now = _status()
    changed = sorted(str(path) for path in now | _imported if now.get(path) != _imported.get(path))
    if changed:
        raise ValueError(
            f"{changed[0]} has changed since pareto_core was imported, so nothing tells which "
            "program runs; restart Python"
        )
    digest = hashlib.sha256()
    for path in sorted(now):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(PACKAGE).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def program_of(algorithm: Algorithm, store_key: str | None = None) -> dict[str, str]:
    """Describe the program of an algorithm, so that two programs never have one description.

    Parameters
    ----------
    algorithm : Algorithm
    store_key : str, optional
        The caller's name for the program of the algorithm, instead of what is found in memory.

    Raises
    ------
    ValueError
        If it cannot be told, without a ``store_key``, what the algorithm consists of.
    """
    if store_key is not None:
        if not isinstance(store_key, str) or not store_key:
            raise ValueError(f"store_key = {shown(store_key)}; expected a string that is not empty")
        return {"package": package_hash(), "store_key": store_key}
    try:
        return {"package": package_hash(), "algorithm": identity.digest_of(algorithm)}
    except identity.Unknown as error:
        raise ValueError(
            f"the runs of {type(algorithm).__name__} can't be kept in a store, as nothing would "
            f"tell them later from those of another program: {error}. Expected no store, or "
            'store_key="...", your own name for this version of the algorithm, to be changed '
            "whenever the algorithm changes"
        ) from error
