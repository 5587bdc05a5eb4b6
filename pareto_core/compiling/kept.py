"""Machine code of kernels, kept on disk if its content is certain.

Numba's own cache checks only the modification time of the file that defines a kernel. Here each
signature of a kernel has its own file. Its name is a digest of what this process would compile
(`identity`), the types of the arguments, the processor, and the relevant versions and settings.
Paths and times of source files do not count, so a second copy of the package finds the code of the
first. Kernels whose content is uncertain are compiled in each process, with one warning.
"""

import functools
import hashlib
import json
import os
import pickle
import platform
import stat
import sys
import threading
import time
import uuid
import warnings
from pathlib import Path

import llvmlite
import numba
import numpy as np
import platformdirs
from numba.core import types
from numba.core.compiler import CompileResult, compile_result
from numba.core.serialize import dumps

from pareto_core.compiling import identity

SUFFIX = ".kernel"
UNUSED = 30 * 86400  # seconds without use after which an entry is removed
SETTINGS = ("BOUNDSCHECK", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "OPT", "SLP_VECTORIZE")
SIMPLE = (
    types.Number,
    types.Boolean,
    types.NoneType,
    types.UnicodeType,
    types.Record,
    types.NPDatetime,
    types.NPTimedelta,
    types.NumPyRandomGeneratorType,
)

_told = set()  # reasons that this process has warned of
_telling = threading.Lock()


class KernelNotKept(RuntimeWarning):
    """A kernel is compiled in each process; the message gives the reason."""


def folder():
    """Folder of the machine code: ``NUMBA_CACHE_DIR``, or one in the user's cache."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    if given:
        return Path(given).expanduser().absolute()
    return platformdirs.user_cache_path("pareto_core") / "kernels"


class KernelCache:
    """Cache of the machine code of one function, for `numba.core.dispatcher.Dispatcher`.

    Parameters
    ----------
    function : function
        The Python function that is compiled.
    """

    _pruned = False  # by this process
    _kind = "called from Python"

    def __init__(self, function):
        self._function = function
        self._enabled = True

    @property
    def cache_path(self):
        """Folder of all entries."""
        return str(folder())

    def enable(self):
        """Keep code from now on."""
        self._enabled = True

    def disable(self):
        """Neither look for code nor keep any from now on."""
        self._enabled = False

    def flush(self):
        """Remove the entries of this function for all signatures."""
        for path in folder().glob(f"{self._name()}-*{SUFFIX}"):
            path.unlink(missing_ok=True)

    def load_overload(self, signature, context):
        """Return the kept code for this signature, or None."""
        path = self._path(signature, context.codegen())
        if path is None or not path.exists():
            return None
        context.refresh()
        try:
            found = self._restored(context, *pickle.loads(_read(path)))
        except Exception as error:
            _tell(f"{path} can't be read and is compiled anew ({error})")
            return None
        _mark_as_used(path)
        return found

    def save_overload(self, signature, result):
        """Keep the code compiled for this signature."""
        path = self._path(signature, result.codegen)
        lifted = any(not loop.can_cache for loop in result.lifted)
        if path is None or lifted or result.library.has_dynamic_globals:
            return
        try:
            _write(path, dumps(result._reduce()))
            if not KernelCache._pruned:
                KernelCache._pruned = True
                prune()
        except OSError as error:
            _tell(f"{folder()} can't keep kernels ({error})")

    def _restored(self, context, *kept):
        return CompileResult._rebuild(context, *kept)

    def _name(self):
        return f"{self._function.__module__}.{self._function.__name__}"

    def _path(self, signature, codegen):
        """File of a signature; None, after a warning, if its code must not be kept."""
        arguments = getattr(signature, "args", signature)
        try:
            digest, objection = identity.identify_kernel(self._function)
            spelled = None if objection else [spell_type(kind) for kind in arguments]
        except identity.Unknown as error:
            objection = str(error)
        if objection is not None:
            code = self._function.__code__
            message = f"{self._name()} is compiled in each process, as {objection}"
            _tell(message, objection, (code.co_filename, code.co_firstlineno))
            return None
        if not self._enabled or not _is_private(folder()):
            return None
        description = {
            "kernel": digest,
            "kind": self._kind,
            "arguments": spelled,
            "target": repr(codegen.magic_tuple()),
            "settings": {name: repr(getattr(numba.config, name, None)) for name in SETTINGS},
            "versions": _versions(),
        }
        name = hashlib.sha256(json.dumps(description).encode()).hexdigest()[:32]
        return folder() / f"{self._name()}-{name}{SUFFIX}"


class InnerCache(KernelCache):
    """Cache of the code of a function that is only linked into other kernels.

    Parameters
    ----------
    function : function
        The Python function that is compiled.
    library : type
        Class that restores such code.
    """

    _kind = "linked into kernels"

    def __init__(self, function, library):
        super().__init__(function)
        self._library = library

    def _restored(self, context, code, description, environment, signature, *rest):
        objectmode, lifted, annotation, reload_init, environments = rest
        codegen = context.codegen()
        library = self._library.restored(codegen, code[0], code[2])
        entry = context.get_executable(library, description, environment)
        for each in environments:
            codegen.set_env(each.env_name, each)
        return compile_result(
            target_context=context,
            typing_context=context.typing_context,
            library=library,
            environment=environment,
            entry_point=entry,
            fndesc=description,
            type_annotation=annotation,
            signature=signature,
            objectmode=objectmode,
            lifted=lifted,
            reload_init=reload_init,
            referenced_envs=environments,
        )


def prune():
    """Remove entries that no process has used for a month."""
    for path in folder().glob(f"*{SUFFIX}"):
        try:
            if path.stat().st_mtime < time.time() - UNUSED:
                path.unlink()
        except OSError:
            continue  # another process was quicker


@functools.cache
def _is_private(path):
    """Whether only this user can write to a folder, which is created if missing; warn otherwise.

    Entries are unpickled, so anyone who can write to the folder could run any program here.
    """
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = path.resolve()
        folders = [(each, each.stat()) for each in (path, *path.parents)]
    except OSError as error:
        _tell(f"{path} can't keep kernels ({error})")
        return False
    for each, status in folders:
        if _may_be_changed_by_others(status, is_above=each != path):
            _tell(
                f"{path} is not used to keep kernels, as others may write to {each} (owner "
                f"{status.st_uid}, mode {stat.S_IMODE(status.st_mode):o}); expected a folder of "
                "your own with mode 700, named by NUMBA_CACHE_DIR"
            )
            return False
    return True


def _may_be_changed_by_others(status, is_above=False):
    """Whether other users can write to a file or folder, or replace a folder below it."""
    if not hasattr(os, "getuid"):
        return False
    writable = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    if is_above and status.st_mode & stat.S_ISVTX:
        writable = 0  # only the owner of a file in such a folder can replace it
    return bool(writable) or status.st_uid not in (os.getuid(), 0)


def _tell(message, reason=None, where=(__file__, 0)):
    """Warn once per process and reason, with a line of a file."""
    with _telling:
        if (reason or message) in _told:
            return
        _told.add(reason or message)
    warnings.warn_explicit(message, KernelNotKept, *where)


def _mark_as_used(path):
    try:
        if path.stat().st_mtime < time.time() - UNUSED / 30:
            os.utime(path)
    except OSError:
        pass  # another process removed it


def _write(path, code):
    """Write an entry atomically, so that no process reads a part of it."""
    partial = path.with_suffix(f".{uuid.uuid4().hex}.part")
    try:
        with open(partial, "xb", opener=_privately) as stream:
            stream.write(hashlib.sha256(path.name.encode() + code).digest() + code)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def _privately(path, flags):
    return os.open(path, flags, 0o600)


def _read(path):
    """Machine code of an entry.

    Raises
    ------
    ValueError
        If the entry is damaged, or other users may write to it.
    """
    with path.open("rb") as stream:
        if _may_be_changed_by_others(os.fstat(stream.fileno())):
            raise ValueError("others may write to it")
        content = stream.read()
    digest, code = content[:32], content[32:]
    if hashlib.sha256(path.name.encode() + code).digest() != digest:
        raise ValueError("its checksum is wrong")
    return code


@functools.cache
def _versions():
    """Versions of Python, the libraries and the files of this room."""
    files = sorted(Path(__file__).parent.glob("*.py"))
    own = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    versions = platform.python_version(), numba.__version__, llvmlite.__version__, np.__version__
    return [sys.implementation.name, *versions, own]


_versions()  # before any of these files can be edited


def spell_type(kind):
    """Name the type of an argument so that different types have different names.

    Raises
    ------
    identity.Unknown
        If another process could have another type of this name.
    """
    from pareto_core.compiling.lending import Lent  # plain Numba may do without

    if isinstance(kind, Lent):
        return f"lent {spell_type(kind.content)}"
    if isinstance(kind, types.BaseNamedTuple):
        _refuse_stranger(kind.instance_class)
        name = f"{kind.instance_class.__module__}.{kind.instance_class.__qualname__}"
        fields = zip(kind.fields, kind, strict=True)
        return f"{name}({', '.join(f'{field}: {spell_type(each)}' for field, each in fields)})"
    if isinstance(kind, types.BaseTuple):
        return f"({', '.join(spell_type(each) for each in kind)})"
    if isinstance(kind, types.Array):
        spell_type(kind.dtype)
        return str(kind)
    if isinstance(kind, types.Optional):
        return f"optional {spell_type(kind.type)}"
    if isinstance(kind, SIMPLE):
        return str(kind)
    raise identity.Unknown(f"an argument has the type {kind}, which has no exact description")


def _refuse_stranger(kind):
    """Refuse the class of a NamedTuple that another process cannot import."""
    found = getattr(sys.modules.get(kind.__module__), kind.__qualname__, None)
    if found is not kind or kind.__module__ == "__main__":
        raise identity.Unknown(f"its argument {kind.__qualname__} is not a class of a module")
