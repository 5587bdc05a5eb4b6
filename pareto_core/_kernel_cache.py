"""The machine code of kernels, kept from one process to the next and never stale.

Numba's own cache notices an edit of the file that a kernel is in, but not of one that it calls
into, and keeps all signatures of a kernel in one index, which can't be read any more when one
of them names a type of a module that is gone. Here each signature of a kernel is a file of its
own, named by all that decides its content: the kernel's source and all that it imports, the
values that it closes over or finds in its module, the types of its arguments, the processor,
and the versions of Python and Numba.
"""

import dis
import functools
import hashlib
import json
import os
import pickle
import platform
import warnings
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

import numba
import numpy as np
import platformdirs
from numba.core import types
from numba.core.compiler import CompileResult, compile_result
from numba.core.serialize import dumps
from numba.extending import _Intrinsic

from pareto_core._paths import PACKAGE
from pareto_core._sources import closure, edited_since_start, is_installed, stamp

SUFFIX = ".kernel"
PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), np.generic, np.dtype)


class Unkept(Exception):
    """Nobody could tell whether this kernel has changed, so its code is not kept."""


def folder():
    """Where machine code is kept; the environment variable NUMBA_CACHE_DIR names another place."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    return Path(given) if given else platformdirs.user_cache_path("pareto_core") / "kernels"


class KernelCache:
    """What `numba.core.dispatcher.Dispatcher` asks for the machine code of one function.

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
        """Forget what is kept of this function, whatever its signature."""
        for path in folder().glob(f"{self._name()}-*{SUFFIX}"):
            path.unlink(missing_ok=True)

    def load_overload(self, signature, context):
        """Return what was kept for this signature, or None."""
        found = self._description(signature, context.codegen())
        if found is None or not (path := self._path(found)).exists():
            return None
        context.refresh()
        try:
            return self._restored(context, *pickle.loads(_read(path)[1]))
        except Exception as error:
            warnings.warn(
                f"{path} can't be read and is compiled anew ({error})", RuntimeWarning, stacklevel=2
            )
            return None

    def save_overload(self, signature, result):
        """Keep the code that was compiled for this signature."""
        found = self._description(signature, result.codegen)
        lifted = any(not loop.can_cache for loop in result.lifted)
        if found is None or lifted or result.library.has_dynamic_globals:
            return
        try:
            _write(self._path(found), found, dumps(result._reduce()))
            if not KernelCache._pruned:
                KernelCache._pruned = True
                prune()
        except OSError as error:
            warnings.warn(f"{folder()} can't keep kernels ({error})", RuntimeWarning, stacklevel=2)

    def _restored(self, context, *kept):
        return CompileResult._rebuild(context, *kept)

    def _name(self):
        stem = Path(self._function.__code__.co_filename).stem
        return f"{stem}.{self._function.__qualname__}".replace("<locals>.", "")

    def _path(self, description):
        digest = hashlib.sha256(json.dumps(description).encode()).hexdigest()[:32]
        return folder() / f"{self._name()}-{digest}{SUFFIX}"

    def _description(self, signature, codegen):
        """All that decides the machine code; None if that is not to be known."""
        if not self._enabled:
            return None
        try:
            files = set()
            identity = _spell(self._function, files, set())
            sources = closure(*files)
            if edited_since_start(sources):
                return None
            arguments = getattr(signature, "args", signature)
            return {
                "kernel": identity,
                "kind": self._kind,
                "arguments": [_spell_type(kind) for kind in arguments],
                "sources": sorted(str(path) for path in files),
                "package": str(PACKAGE),
                "stamp": stamp(*files),
                "target": repr(codegen.magic_tuple()),
                "versions": [platform.python_version(), numba.__version__],
            }
        except Unkept:
            return None


class InnerCache(KernelCache):
    """The same for code that is only linked into other kernels.

    Parameters
    ----------
    function : function
        The Python function that is compiled.
    library : type
        What restores such code.
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
    """Remove the entries whose sources have changed or are gone, and those that are damaged.

    Those of another copy of the package stay for as long as it is there: what its files import is
    for a process of that copy to say.
    """
    stamps = {}
    for path in folder().glob(f"*{SUFFIX}"):
        try:
            with path.open("rb") as stream:
                header = json.loads(stream.readline())
            if header["package"] != str(PACKAGE) and Path(header["package"]).is_dir():
                continue
            sources = tuple(header["sources"])
            if sources not in stamps:
                stamps[sources] = stamp(*sources)
            if stamps[sources] == header["stamp"]:
                continue
        except (OSError, ValueError, KeyError):
            pass
        path.unlink(missing_ok=True)


def _write(path, description, code):
    """Write an entry whole, so that another process sees all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(f".{os.getpid()}.part")
    try:
        digest = hashlib.sha256(code).digest()
        partial.write_bytes(json.dumps(description).encode() + b"\n" + digest + code)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def _read(path):
    """Description and machine code of an entry.

    Raises
    ------
    ValueError
        If it is damaged.
    """
    header, _, rest = path.read_bytes().partition(b"\n")
    digest, code = rest[:32], rest[32:]
    if hashlib.sha256(code).digest() != digest:
        raise ValueError("its checksum is wrong")
    return json.loads(header), code


def _spell_type(kind):
    """Name the type of an argument so that another type has another name."""
    if isinstance(kind, types.BaseNamedTuple):
        name = f"{kind.instance_class.__module__}.{kind.instance_class.__qualname__}"
        fields = zip(kind.fields, kind, strict=True)
        return f"{name}({', '.join(f'{field}: {_spell_type(each)}' for field, each in fields)})"
    if isinstance(kind, types.BaseTuple):
        return f"({', '.join(_spell_type(each) for each in kind)})"
    if isinstance(kind, types.Callable):
        raise Unkept
    return str(kind)


def _spell(value, files, seen):
    """Describe what a kernel can reach, and collect the files that its functions are in."""
    function = getattr(value, "py_func", value)
    if isinstance(function, FunctionType):
        return _spell_function(function, files, seen)
    if isinstance(value, PLAIN):
        return repr(value)
    if isinstance(value, tuple):
        return f"({', '.join(_spell(each, files, seen) for each in value)})"
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    if hasattr(value, "__qualname__"):  # a class, a builtin
        return f"{getattr(value, '__module__', None)}.{value.__qualname__}"
    if isinstance(value, ModuleType | np.ufunc | types.Type | _Intrinsic):
        return str(getattr(value, "__name__", value))
    raise Unkept


def _spell_function(function, files, seen):
    code = function.__code__
    name = f"{function.__module__}.{function.__qualname__}:{code.co_firstlineno}"
    if code in seen or is_installed(function):
        return name
    if not Path(code.co_filename).is_file():
        raise Unkept
    seen.add(code)
    files.add(Path(code.co_filename).resolve())
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    found = [function.__globals__[each] for each in _names(code) if each in function.__globals__]
    return f"{name}({', '.join(_spell(each, files, seen) for each in (*cells, *found))})"


@functools.cache
def _names(code):
    """Names that a function looks up outside of itself, in a fixed order; not its attributes."""
    inner = [each for each in code.co_consts if isinstance(each, CodeType)]
    own = {each.argval for each in dis.get_instructions(code) if each.opname == "LOAD_GLOBAL"}
    return sorted(own.union(*map(_names, inner)))
