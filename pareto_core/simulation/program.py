"""Identify the program that runs: the imported files of the package, and an algorithm.

Runs in a store, and runs of the workers of a cluster, belong to one program. An algorithm whose
code cannot be identified is refused.
"""

import hashlib
import uuid

from pareto_core.checks.arguments import shown
from pareto_core.checks.paths import PACKAGE
from pareto_core.compiling import identity
from pareto_core.loop.algorithm import Algorithm

__all__ = [
    "check_program",
    "imported_hash",
    "is_of_the_package",
    "package_hash",
    "program_of",
    "signed",
]


PROCESS = uuid.uuid4().hex


def _contents():
    """Digest of each source file of the package."""
    return {
        path.relative_to(PACKAGE).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(PACKAGE.rglob("*.py"))
    }


_imported = _contents()


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
    now = _contents()
    changed = sorted(name for name in now | _imported if now.get(name) != _imported.get(name))
    if changed:
        raise ValueError(
            f"{PACKAGE / changed[0]} has changed since pareto_core was imported, so it is unclear "
            "which program runs; restart Python"
        )
    return hashlib.sha256(repr(now).encode()).hexdigest()


def imported_hash() -> str:
    """Hash of every source file of the package as it was when the package was imported."""
    return hashlib.sha256(repr(_imported).encode()).hexdigest()


def program_of(algorithm: Algorithm, store_key: str | None = None) -> dict[str, str]:
    """Describe the program of an algorithm, so that different programs have different descriptions.

    Parameters
    ----------
    algorithm : Algorithm
    store_key : str, optional
        The caller's name for the program of the algorithm, which replaces the digest of its code.

    Raises
    ------
    ValueError
        If the code of the algorithm cannot be identified and there is no ``store_key``.
    """
    if store_key is not None:
        if not isinstance(store_key, str) or not store_key:
            raise ValueError(f"store_key = {shown(store_key)}; expected a string that is not empty")
        return {"package": package_hash(), "store_key": store_key}
    try:
        return {"package": package_hash(), "algorithm": identity.digest_of(algorithm)}
    except identity.Unknown as error:
        raise ValueError(
            f"the runs of {type(algorithm).__name__} can't be kept in a store, as they could "
            f"not be told from those of another program: {error}. Expected no store, or "
            'store_key="...", your own name for this version of the algorithm, to be changed '
            "whenever the algorithm changes"
        ) from error


def signed(algorithm: Algorithm) -> tuple[str, str | None]:
    """Return an identifier of this process and the digest of an algorithm, None if unknown.

    Algorithms of the package need no digest, as they are the same wherever the package is.
    """
    if is_of_the_package(algorithm):
        return PROCESS, None
    try:
        return PROCESS, identity.digest_of(algorithm)
    except identity.Unknown:
        return PROCESS, None


def is_of_the_package(algorithm: Algorithm) -> bool:
    """Whether an algorithm, and each algorithm among its parameters, is one of the package."""
    parts = (algorithm, *algorithm.hyper_parameters().values())
    algorithms = [each for each in parts if isinstance(each, Algorithm)]
    return all(type(each).__module__.split(".")[0] == PACKAGE.name for each in algorithms)


def check_program(algorithm: Algorithm, origin: tuple[str, str | None]) -> None:
    """Check that an algorithm is the same in this process as in the process that sent it.

    A process that imports the algorithm's module anew may read a file that has changed, and lacks
    values that were changed after the import.

    Raises
    ------
    ValueError
        If the algorithm differs.
    """
    process, digest = origin
    if process == PROCESS or digest is None:
        return
    if identity.digest_of(algorithm) != digest:
        raise ValueError(
            f"{type(algorithm).__name__} is a different program in another process, which imports "
            "its module anew: a file, a value of a module or an attribute of a class has changed "
            'since it was imported; expected backend="threads", or n_jobs=1'
        )
