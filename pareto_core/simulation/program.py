"""Identify the program that runs: the imported files of the package.

Runs in a store, and runs of the workers of a cluster or in other processes, belong to one program.
"""

import hashlib

from pareto_core.checks.arguments import shown
from pareto_core.checks.environment import PACKAGE
from pareto_core.loop.algorithm import Algorithm

__all__ = ["check_program", "imported_hash", "package_hash", "program_of"]


def _contents():
    """Digest of each source file of the package."""
    return {
        path.relative_to(PACKAGE).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(PACKAGE.rglob("*.py"))
    }


_imported = _contents()


def package_hash() -> str:
    """`imported_hash`, unless a file has changed since, which leaves open what program runs."""
    now = _contents()
    changed = sorted(name for name in now | _imported if now.get(name) != _imported.get(name))
    if changed:
        raise ValueError(
            f"{PACKAGE / changed[0]} has changed since pareto_core was imported, so it is unclear "
            "which program runs; restart Python"
        )
    return imported_hash()


def imported_hash() -> str:
    """Hash of the names and contents of the source files when the package was imported."""
    return hashlib.sha256(repr(_imported).encode()).hexdigest()


def program_of(algorithm: Algorithm, store_key: str | None = None) -> dict[str, str]:
    """What a store calls the program of an algorithm: one of the package, or named by a key."""
    if store_key is not None:
        if not isinstance(store_key, str) or not store_key:
            raise ValueError(f"store_key = {shown(store_key)}; expected a string that is not empty")
        return {"package": package_hash(), "store_key": store_key}
    if not _is_of_the_package(algorithm):
        raise ValueError(
            f"the runs of {type(algorithm).__name__} can't be kept in a store without a name for "
            'its version; expected no store, or store_key="...", a name of your own, to be '
            "changed whenever the algorithm changes"
        )
    return {"package": package_hash()}


def _is_of_the_package(algorithm):
    """Whether an algorithm, and each algorithm among its parameters, is one of the package."""
    parts = (algorithm, *algorithm.hyper_parameters().values())
    algorithms = [each for each in parts if isinstance(each, Algorithm)]
    return all(type(each).__module__.split(".")[0] == PACKAGE.name for each in algorithms)


def check_program(expected: str) -> None:
    """Refuse the batch of a process that has imported other files."""
    if imported_hash() != expected:
        raise ValueError(
            f"a file of {PACKAGE} has changed since pareto_core was imported, so that another "
            "process runs a different program; restart Python"
        )
