"""The rivals: which versions they were first timed in, and what is installed of them."""

import importlib.metadata
import platform
from pathlib import Path

# What a reader installs in an environment of its own; this project does not depend on them.
RIVALS = {
    "clarabel": "0.11.1",
    "cvxpy": "1.9.3",
    "daqp": "0.11.0",
    "highspy": "1.15.1",
    "quadprog": "0.1.14",
    "vopy": "0.2.0",
}


def version(name):
    """Version of a package that is installed, else None."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def check_installed(names):
    """Check that all these rivals are installed.

    Raises
    ------
    ValueError
        If one is missing.
    """
    missing = [name for name in names if version(name) is None]
    if missing:
        wanted = " ".join(f"{name}=={RIVALS[name]}" for name in missing)
        raise ValueError(
            f"not installed: {', '.join(missing)}; expected, in an environment of its own, "
            f"pip install {wanted}, or --installed to go without"
        )


def our_versions():
    """What our own times depend on, in words."""
    ours = "pareto-core", "numpy", "numba", "scipy"
    versions = [f"{name} {version(name)}" for name in ours]
    return ", ".join([*versions, f"Python {platform.python_version()}"])


def processor():
    """Name of the machine's processor."""
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
