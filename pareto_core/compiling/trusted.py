"""Libraries that a version identifies, and which of their functions depend on memory alone."""

import functools
import importlib.metadata
import sys
import sysconfig
from pathlib import Path

from pareto_core.checks.paths import PACKAGE

NUMERIC = {"numpy", "math", "cmath", "numba"}  # modules that a kernel may refer to
LIBRARIES = {"numpy", "numba", "pandas", "scipy"}  # one version is always the same program
PURE = {  # modules of Python whose results depend only on their arguments
    "_abc",
    "_functools",
    "_operator",
    "abc",
    "bisect",
    "builtins",
    "cmath",
    "collections",
    "contextlib",
    "copy",
    "dataclasses",
    "datetime",
    "enum",
    "fractions",
    "functools",
    "heapq",
    "itertools",
    "logging",
    "math",
    "numbers",
    "operator",
    "re",
    "statistics",
    "string",
    "types",
    "typing",
    "warnings",
}
READS = (  # prefixes of names that read files or the state of a library
    "fromfile",
    "genfromtxt",
    "get_printoptions",
    "geterr",
    "load",
    "memmap",
    "now",
    "objmode",
    "open",
    "read",
    "today",
)
STANDARD = [Path(sysconfig.get_paths()[name]) for name in ("stdlib", "platstdlib")]


def is_trusted(module):
    """Whether a loaded module belongs to Python or to one of `LIBRARIES`."""
    root = root_of(module.__name__)
    if root in sys.stdlib_module_names:
        return _is_standard(getattr(module, "__file__", None))
    return root in LIBRARIES


@functools.cache
def _is_standard(file):
    """Whether a file belongs to Python itself; another file may have the same module name."""
    if file is None:
        return True
    parents = Path(file).resolve().parents
    return "site-packages" not in file and any(each.resolve() in parents for each in STANDARD)


def answers_from_memory(module, names):
    """Whether the result of the function at these names depends only on its arguments."""
    root = root_of(module)
    pure = root in PURE or root in LIBRARIES
    return pure and not any(name.startswith(READS) for name in (*module.split("."), *names))


def trusted_name(value, name=None):
    """Module and name of an object in a trusted library; None if it is not in one.

    The name that an object states is not enough, because a decorated function has the name of the
    function that it wraps. An object without a name, such as a distribution of SciPy, is looked up
    under the given ``name``.
    """
    own = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if all(isinstance(each, str) for each in own):
        return own if _has(*own, value) else None
    parts = type(value).__module__.split(".")
    for k in range(len(parts), 0, -1):
        if name is not None and _has(".".join(parts[:k]), name, value):
            return ".".join(parts[:k]), name
    return None


def _has(module, name, value):
    found = sys.modules.get(module)
    if found is None or not is_trusted(found):
        return False
    for part in name.split("."):
        found = getattr(found, part, None)
    return found is value


@functools.cache
def version_of(package):
    """Version of an installed package, or of Python for its standard library."""
    if package in sys.stdlib_module_names:
        return sys.version
    return importlib.metadata.version(package)


def root_of(name):
    """Name of the top-level package of a module."""
    return name.split(".")[0]


def is_own(function):
    """Whether a function is one of this package."""
    named = root_of(function.__module__ or "") == PACKAGE.name
    return named and PACKAGE in Path(function.__code__.co_filename).parents
