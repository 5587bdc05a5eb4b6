"""The decorators of compiled functions, and where their machine code is kept.

Numba keeps machine code beside the digest of the file that defines a function, and does not notice
a change in another file whose functions it calls. Therefore code is kept in a folder whose name is
the digest of all that it could contain: the module, the modules that it imports, directly or not,
and the versions of the libraries. No entry of such a folder is ever out of date.

Only imports at the top of a file are followed, to modules of the same package or folder and of this
package. Nothing is kept for a function of a notebook, or one that is defined in another function.
"""

import contextlib
import functools
import hashlib
import importlib.metadata
import os
import re
import sys
import threading
import time
import types
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
import platformdirs
from numba.core.caching import FunctionCache

from pareto_core.compiling.bitcode import COMPILER

__all__ = ["folder", "inner", "is_kept", "kernel", "part", "part_with_kernels", "with_kernels"]

OPTIONS = {
    "error_model": "numpy",
    "nogil": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": COMPILER,
}
PACKAGE = Path(__file__).resolve().parents[1]
VERSIONS = (
    numba.__version__,
    importlib.metadata.version("llvmlite"),
    np.__version__,
    sys.version,
)
COMPILING = f"{PACKAGE.name}.compiling.bitcode"  # with `lending`: defines how all are compiled
IMPORT = re.compile(r"^(?:from|import) +([\w.]+)(?: +import +(\([^)]*\)|.*))?", re.MULTILINE)
UNUSED = 30 * 86400  # seconds without use after which a folder of code is removed
Function = TypeVar("Function", bound=Callable)

_setting = threading.Lock()  # of what Numba reads when a function is decorated
_kept_as = weakref.WeakKeyDictionary()  # kernels whose code is kept, each with a name of its own


def folder() -> Path:
    """Folder of all machine code: ``NUMBA_CACHE_DIR``, or one in the user's cache."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    if given:
        return Path(given).expanduser().absolute()
    return platformdirs.user_cache_path("pareto_core") / "kernels"


def kernel(function: Function) -> Function:
    """Compile a function with Numba, without the GIL and with IEEE division.

    The machine code of a function of a module is kept for later processes, until that module
    changes, or one that it imports of its package or of this one. A function that is defined in
    a notebook or in another function is compiled in each process.

    Examples
    --------
    >>> import pareto_core as pc
    >>> @pc.kernel
    ... def in_turn(parameters, state):
    ...     return state.record.time[0] % state.record.counts.size
    >>> callable(in_turn)
    True
    """
    return _compiled(function, _digest_for(function))


def inner(function: Function) -> Function:
    """Compile a function as `kernel` does, and let LLVM copy it into those that call it.

    For the steps of a hot loop, each with one caller or two.
    """
    return _compiled(function, _digest_for(function), forceinline=True)


def part(function):
    """Compile a function into every kernel that calls it, before types are known.

    For small steps, and for those around large kernels: Numba compiles each kernel again with all
    the code that it calls, which takes most of the time.
    """
    return _inlined(function, _digest_for(function))


def with_kernels(function, **kernels):
    """Kernel of a function, in which these names of its module mean these kernels or constants.

    So one function serves several algorithms: it calls steps that differ, of which its module only
    has the names. The code is kept if that of all these kernels is.
    """
    return _compiled(*_bound(function, kernels))


def part_with_kernels(function, **kernels):
    """The same as a part of the kernels that call it."""
    return _inlined(*_bound(function, kernels))


def _bound(function, kernels):
    """A function with its own meaning of some names, and the digest of what it may contain."""
    names = {name: _name_of(each) for name, each in sorted(kernels.items())}
    digest = _digest_for(function)
    if digest is not None:
        digest = None if None in names.values() else _hash((digest, names))
    namespace = {**function.__globals__, **kernels}
    made = types.FunctionType(function.__code__, namespace, function.__name__)
    made.__doc__, made.__module__ = function.__doc__, function.__module__
    made.__qualname__ = f"{function.__name__}_{digest}"  # also its name in machine code
    return made, digest


def is_kept(kernel: Callable) -> bool:
    """Whether there is machine code of a kernel that `with_kernels` has made."""
    name = _kept_as.get(kernel)
    return name is not None and any((folder() / name.split()[0]).glob("*/*.nbi"))


class _Code(FunctionCache):
    """Kept code of a kernel: compiled anew if it cannot be read, not kept if the disk is full."""

    def load_overload(self, sig, target_context):
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # whatever reading a pickle may raise
            with contextlib.suppress(OSError):
                self.flush()
            return None

    def save_overload(self, sig, data):
        with contextlib.suppress(OSError):  # a full disk
            super().save_overload(sig, data)


def _compiled(function, digest, **options):
    """Compile a function, and keep its code in the folder of this digest, if there is one."""
    if numba.config.DISABLE_JIT:
        return function
    path = None if digest is None else _ready(folder() / digest)
    with _setting:
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(path or before)  # Numba reads it once, here
        try:
            made = numba.njit(**OPTIONS, **options)(function)
            if path is not None:
                made._cache = _Code(function)
        finally:
            numba.config.CACHE_DIR = before
    if path is not None:
        _kept_as[made] = f"{digest} {function.__qualname__}"
    return made


def _inlined(function, digest):
    """Compile a function into those that call it."""
    made = numba.njit(inline="always", error_model="numpy")(function)
    if digest is not None:
        _kept_as[made] = f"{digest} {function.__qualname__}"
    return made


def _digest_for(function):
    """Digest of what a function may contain; None if no code of it is kept."""
    is_typed = not os.path.isfile(function.__code__.co_filename)
    if is_typed or "<locals>" in function.__qualname__:
        return None
    return _digest_of(function.__module__)


def _name_of(thing):
    """Name of a kernel that no other has, or None if its code is not kept; text of a constant."""
    is_constant = isinstance(thing, bool | int | float)
    return repr(thing) if is_constant else _kept_as.get(thing)


@functools.cache
def _ready(path):
    """Make a folder, or note that it is used; None if it is not possible to write there."""
    try:
        if not path.exists():
            path.mkdir(mode=0o700, parents=True)
            _prune(path.parent)
        os.utime(path)
    except OSError:
        return None
    return path


def _prune(kept):
    """Remove the files of folders that no process has used for a month."""
    for file in kept.glob("*/*/*.nb?"):
        used = file.parents[1].stat().st_mtime
        if used < time.time() - UNUSED:
            file.unlink(missing_ok=True)


@functools.cache
def _digest_of(module):
    """Digest of a module, and of all that its code may contain; None if no code is kept."""
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None or module == "__main__":
        return None
    base = Path(file).resolve().parents[module.count(".") + (Path(file).stem == "__init__")]
    package, sources = module.partition(".")[0], {}
    if _file_of(base, module, package) != Path(file).resolve():
        return None  # another name than that of its file
    _collect(base, module, package, sources)
    _collect(base, COMPILING, package, sources)
    return _hash((VERSIONS, sorted(sources.items())))


def _hash(content: Any) -> str:
    return hashlib.sha256(repr(content).encode()).hexdigest()[:16]


def _collect(base, module, package, sources):
    """Digest a module, and what it imports of its own package or folder and of this package."""
    digest, imported = _read(base, module, package)
    sources[module] = digest
    for name in imported:
        if name not in sources:
            _collect(base, name, package, sources)


@functools.cache
def _read(base, module, package):
    """Digest of a module, and those that it imports of its package or folder and of this one."""
    text = _file_of(base, module, package).read_text(encoding="utf-8")
    imported = []
    for found, names in IMPORT.findall(text):
        imported += [found, *(f"{found}.{name}" for name in re.findall(r"\w+", names))]
    return _hash(text), tuple(name for name in imported if _file_of(base, name, package))


@functools.cache
def _file_of(base, module, package):
    """File of a module of its package or folder, or of this package; None for all others."""
    own = module.partition(".")[0]
    is_near = own == package or "site-packages" not in base.parts
    root = PACKAGE.parent if own == PACKAGE.name else base if is_near else None
    if root is not None:
        path = root.joinpath(*module.split("."))
        for file in (path.with_name(f"{path.name}.py"), path / "__init__.py"):
            if file.is_file():
                return file
    return None
