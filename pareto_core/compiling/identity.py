"""What a function or an algorithm consists of, read from memory: exactly, or not at all.

Machine code and runs are kept from one process to the next under a digest of all that decides
them. Source files are no help: a file may have changed since it was imported, and a value that
a function reads need not stand in any file. So the digest is of what this process would run: the
bytecode of a function, and the values that it finds in its cells, its defaults and its module, of
functions among them again their bytecode. What cannot be described exactly (an arbitrary object,
an attribute of a reader's module that is passed on as a whole) is `Unknown`, with the reason, and
nothing is kept under a guess.

What is installed has a version, and is not followed; the parts of it that read files or ask the
system are refused, as their answer is not in memory. Nor are the package's
own functions that are not compiled, in the description of an algorithm: the hash of its files
stands for them.
"""

import builtins
import dis
import enum
import functools
import hashlib
import importlib.metadata
import inspect
import math
import sys
import types
import weakref
from pathlib import Path

import numba
import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.extending import _Intrinsic

from pareto_core._paths import PACKAGE

__all__ = ["Unknown", "digest_of", "identify_kernel"]

PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))
NUMERIC = {"numpy", "math", "cmath", "numba"}  # modules that a kernel may refer to
PURE = NUMERIC | {  # modules of Python itself whose answers depend on nothing but their arguments
    "_operator",
    "abc",
    "bisect",
    "builtins",
    "collections",
    "contextlib",
    "copy",
    "dataclasses",
    "decimal",
    "enum",
    "fractions",
    "functools",
    "heapq",
    "itertools",
    "numbers",
    "operator",
    "re",
    "statistics",
    "string",
    "types",
    "typing",
    "warnings",
}
READS = ("fromfile", "genfromtxt", "load", "memmap", "objmode", "open", "read")  # begin like this
DYNAMIC = {"__import__", "compile", "eval", "exec", "globals", "input", "open"}
INSTALLED = {"site-packages", "dist-packages"}
CHANGED = "a value that it reads has changed since it was compiled"
EMPTY_CELL = "an empty cell"
GENERATED = {"__init__", "__repr__", "__eq__", "__hash__", "__setattr__", "__delattr__"}

WRAPPERS = (
    property,
    staticmethod,
    classmethod,
    functools.cached_property,
    functools.partial,
    type(functools.cache(len)),
    types.MethodType,
)

_compiled = weakref.WeakKeyDictionary()  # digest of a function when it was first compiled


class Unknown(ValueError):
    """It cannot be told what something consists of; the message says why."""


def identify_kernel(function):
    """Describe a function that is about to be compiled.

    The digest must not change for as long as the process lives, as machine code made before
    would then be linked with what is made now.

    Parameters
    ----------
    function : function
        The Python function of a kernel.

    Returns
    -------
    digest : str
    objection : str or None
        Why its machine code must not be kept, although the digest is exact.

    Raises
    ------
    Unknown
        If there is no exact description of it.
    """
    walk = Walk(compiling=True)
    return walk.digest(function), walk.objection


def digest_of(algorithm):
    """Digest of all that decides what an algorithm does: its classes, and its own attributes.

    Raises
    ------
    Unknown
        If there is no exact description of it.
    """
    return _hash(Walk(compiling=False).describe(algorithm))


class Walk:
    """One walk through all that something refers to.

    Parameters
    ----------
    compiling : bool
        Whether functions are about to be compiled; their digests are remembered then.

    Attributes
    ----------
    objection : str or None
        The first reason found why machine code must not be kept.
    """

    def __init__(self, compiling):
        self._compiling = compiling
        self._in_kernel = compiling
        self._digests = {}  # of functions
        self._functions = []  # that are being described, each called by the one before
        self._outermost = math.inf  # place among them of the first that one inside calls again
        self._within = []  # objects and classes that are being described
        self.objection = None

    def digest(self, function):
        """Digest of one function, and of all functions that it reaches."""
        if function in self._functions:
            place = self._functions.index(function)
            self._outermost = min(self._outermost, place)
            return f"recursion {len(self._functions) - place}"
        if function not in self._digests:
            place = len(self._functions)
            self._functions.append(function)
            found = _hash(self._describe_function(function))
            self._functions.pop()
            if self._outermost < place:  # its description depends on what calls it
                self._object(f"{_name(function)} and what it calls call each other")
            else:
                self._outermost = math.inf
                self._check(function, found)
            self._digests[function] = found
        return self._digests[function]

    def _check(self, function, digest):
        """Check that the function was not compiled when it had a different digest."""
        if self._compiling:
            _compiled.setdefault(function, digest)
        if _compiled.get(function, digest) != digest:
            _compiled[function] = CHANGED  # for good: nobody knows which code has which value
            raise Unknown(f"{_name(function)}: {CHANGED}")

    def describe(self, value):
        """Describe a value that decides what something does."""
        if isinstance(value, np.generic):
            return f"{value.dtype} {value.tobytes().hex()}"
        if isinstance(value, enum.Enum):
            return f"{_name(type(value))} {value.name} {value.value!r}"
        if type(value) in PLAIN:
            return f"{type(value).__name__} {value!r}"
        for kinds, describe in DESCRIPTIONS:
            if isinstance(value, kinds):
                return describe(self, value)
        return self._describe_object(value)

    def _object(self, reason):
        self.objection = self.objection or reason

    def _describe_dispatcher(self, value):
        function = value.py_func
        inlined = value.targetoptions.get("inline") == "always"
        late = bool(value.overloads) and function not in _compiled and not inlined
        if late and not _is_own(function) and type(value).__module__.startswith("numba."):
            raise Unknown(
                f"{_name(function)} was compiled by numba.njit before its values were looked at; "
                "expected pareto_core.kernel"
            )
        options = {name: repr(each) for name, each in value.targetoptions.items()}
        outside, self._in_kernel = self._in_kernel, True
        try:
            return f"compiled {sorted(options.items())} {self.digest(function)}"
        finally:
            self._in_kernel = outside

    def _describe_function(self, function):
        code, own = function.__code__, _is_own(function)
        where = function.__module__, function.__qualname__
        parts = [*where, _describe_code(code)]
        if not own:
            self._object_to(function)
        parts += [self.describe(_contents(cell)) for cell in function.__closure__ or ()]
        parts.append(self.describe(function.__defaults__))
        parts.append(self.describe(function.__kwdefaults__))
        if vars(function):
            parts.append(self.describe(vars(function)))
        for name, attribute in _looked_up(code):
            parts.append(f"{name}: {self._describe_global(function, name, attribute)}")
        return "\n".join(parts)

    def _object_to(self, function):
        """Object to a reader's function that is more than a plain function of a module."""
        name, module = _name(function), sys.modules.get(function.__module__)
        found = getattr(module, function.__qualname__, None)
        if function.__module__ == "__main__":
            self._object(f"{name} is not in a module: it was typed or run as a script")
        elif function.__closure__ is not None:
            self._object(f"{name} closes over values of another function")
        elif function.__defaults__ or function.__kwdefaults__:
            self._object(f"{name} has default arguments")
        elif getattr(found, "py_func", found) is not function:
            self._object(f"{name} is not what its module has under that name")

    def _describe_global(self, function, name, attribute):
        if name not in function.__globals__:
            if name in DYNAMIC or not hasattr(builtins, name):
                raise Unknown(f"{_name(function)} uses {name}, which is not to be described")
            return "builtin"
        value = function.__globals__[name]
        if not isinstance(value, types.ModuleType):
            return self.describe(value)
        if _root(value.__name__) not in NUMERIC:
            self._object(f"{_name(function)} refers to the module {value.__name__}")
        if _is_installed(value) or _root(value.__name__) == PACKAGE.name:
            return _installed(value.__name__, attribute)
        inner = getattr(value, attribute, None) if attribute else None
        if inner is None or isinstance(inner, types.ModuleType):
            raise Unknown(f"{_name(function)} refers to the module {value.__name__} as a whole")
        return f"{value.__name__}.{attribute} {self.describe(inner)}"

    def _describe_plain_function(self, function):
        """Describe a function that is not compiled; a kernel can't call it."""
        if _has_installed_name(function):
            return _installed(function.__module__, function.__qualname__)
        if _is_own(function) and not self._in_kernel:
            return _name(function)
        return f"function {self.digest(function)}"

    def _describe_builtin(self, value):
        if not isinstance(getattr(value, "__self__", None), types.ModuleType | None):
            raise Unknown(f"{value!r}, a method of an object")
        if _has_installed_name(value):
            return _installed(value.__module__, value.__qualname__)
        return f"{getattr(value, '__module__', None)}.{getattr(value, '__qualname__', value)}"

    def _describe_intrinsic(self, value):
        if not _is_own(value._defn):
            self._object(f"{value._name} is an intrinsic")
        return f"intrinsic {self.digest(value._defn)}"

    def _describe_array(self, value):
        if value.dtype.hasobject:
            raise Unknown(f"an array of objects, {value!r}")
        layout = value.flags.c_contiguous, value.flags.f_contiguous, value.flags.writeable
        return f"{value.dtype!r} {value.shape} {layout} {_hash(value.tobytes())}"

    def _describe_tuple(self, value):
        kind = _name(type(value)) if hasattr(value, "_fields") else ""
        return f"{kind}({', '.join(self.describe(each) for each in value)})"

    def _describe_list(self, value):
        self._object("it reads a list")
        return f"[{', '.join(self._inside(value, each) for each in value)}]"

    def _describe_set(self, value):
        return f"{{{', '.join(sorted(self.describe(each) for each in value))}}}"

    def _describe_dict(self, value):
        self._object("it reads a dictionary")
        pairs = (f"{self.describe(key)}: {self._inside(value, value[key])}" for key in value)
        return f"{{{', '.join(pairs)}}}"

    def _inside(self, outer, value):
        """Describe a part of something that might contain itself."""
        if any(outer is each for each in self._within):
            raise Unknown(f"{type(outer).__name__} contains itself")
        self._within.append(outer)
        try:
            return self.describe(value)
        finally:
            self._within.pop()

    def _describe_class(self, kind):
        if _has_installed_name(kind):
            return _installed(kind.__module__, kind.__qualname__)
        if any(kind is each for each in self._within):
            return f"class {_name(kind)}"
        if issubclass(kind, tuple) and hasattr(kind, "_fields"):
            self._object_to_class(kind)
            return f"{_name(kind)} {kind._fields}"
        self._object(f"it refers to the class {_name(kind)}")
        bases = [self.describe(base) for base in kind.__bases__]
        entries = [
            f"{name}: {self._inside(kind, value)}"
            for name, value in vars(kind).items()
            if not _is_unread(kind, name, value)
        ]
        return f"class {_name(kind)} {bases} {entries}"

    def _object_to_class(self, kind):
        found = getattr(sys.modules.get(kind.__module__), kind.__qualname__, None)
        if found is not kind or kind.__module__ == "__main__":
            self._object(f"{_name(kind)} is not a class of a module")

    def _describe_wrapped(self, value):
        """What decorators of methods leave of a function."""
        if isinstance(value, property):
            parts = value.fget, value.fset, value.fdel
        elif isinstance(value, functools.partial):
            parts = value.func, value.args, value.keywords
        elif isinstance(value, types.MethodType):
            parts = value.__func__, value.__self__
        else:
            parts = (getattr(value, "__wrapped__", None) or value.func,)
        return f"{type(value).__name__} {[self.describe(each) for each in parts]}"

    def _describe_module(self, value):
        if _is_installed(value):
            return _installed(value.__name__)
        raise Unknown(f"the module {value.__name__} as a whole")

    def _describe_object(self, value):
        """Describe an object by its class and its attributes, if that is all there is of it."""
        kind = type(value)
        if _has_installed_name(value):
            return _installed(value.__module__, value.__qualname__)
        if _has_installed_name(kind) or not hasattr(value, "__dict__"):
            raise Unknown(f"{_name(kind)}, an object that nothing describes exactly")
        inside = {name: each for name, each in vars(value).items() if not _is_cached(kind, name)}
        attributes = {name: self._inside(value, _as_python(each)) for name, each in inside.items()}
        return f"{self.describe(kind)} {sorted(attributes.items())}"


DESCRIPTIONS = (
    (Dispatcher, Walk._describe_dispatcher),
    (_Intrinsic, Walk._describe_intrinsic),
    (types.FunctionType, Walk._describe_plain_function),
    (types.BuiltinFunctionType | np.ufunc | numba.types.Type | np.dtype, Walk._describe_builtin),
    (np.ndarray, Walk._describe_array),
    (tuple, Walk._describe_tuple),
    (list, Walk._describe_list),
    (frozenset | set, Walk._describe_set),
    (dict | types.MappingProxyType, Walk._describe_dict),
    (type, Walk._describe_class),
    (WRAPPERS, Walk._describe_wrapped),
    (types.ModuleType, Walk._describe_module),
)


def _as_python(value):
    """A number of NumPy as one of Python's, as which algorithms use it."""
    return value.item() if isinstance(value, np.generic) else value


def _contents(cell):
    try:
        return cell.cell_contents
    except ValueError:
        return EMPTY_CELL


@functools.cache
def _describe_code(code):
    """Describe bytecode with its constants, without the lines that it was written in."""
    constants = [_describe_constant(each) for each in code.co_consts]
    parts = (
        code.co_argcount,
        code.co_posonlyargcount,
        code.co_kwonlyargcount,
        code.co_flags,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_cellvars,
        code.co_code.hex(),
        getattr(code, "co_exceptiontable", b"").hex(),
        constants,
    )
    return _hash(repr(parts))


def _describe_constant(value):
    if isinstance(value, types.CodeType):
        return _describe_code(value)
    if isinstance(value, tuple):
        return tuple(_describe_constant(each) for each in value)
    if isinstance(value, frozenset):
        return sorted(map(repr, value))
    return f"{type(value).__name__} {value!r}"


@functools.cache
def _looked_up(code):
    """Names that a function looks up outside of itself, each with the attribute it takes of it."""
    instructions = list(dis.get_instructions(code))
    found = set()
    for instruction, following in zip(instructions, [*instructions[1:], None], strict=True):
        if instruction.opname == "IMPORT_NAME":
            raise Unknown(f"{code.co_qualname} imports {instruction.argval} when it is called")
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            takes = following is not None and following.opname in ("LOAD_ATTR", "LOAD_METHOD")
            found.add((instruction.argval, following.argval if takes else ""))
    inner = [each for each in code.co_consts if isinstance(each, types.CodeType)]
    return sorted(found.union(*map(_looked_up, inner)))


def _installed(module, name=""):
    """Describe what an installed module has under a name, if it answers from memory alone."""
    root = _root(module)
    reads = any(part.startswith(READS) for part in name.split("."))
    if reads or (root in sys.stdlib_module_names and root not in PURE):
        raise Unknown(f"it uses {module}{name and '.'}{name}, whose answer may not be in memory")
    return f"{module}.{name} {_version(root)}"


@functools.cache
def _installed_file(name):
    return bool(INSTALLED & set(Path(name).parts))


def _is_installed(module):
    """Whether a module comes with Python or an installed package other than this one."""
    if module is None or _root(module.__name__) in (PACKAGE.name, "__main__"):
        return False
    if _root(module.__name__) in sys.stdlib_module_names:
        return True
    return _installed_file(getattr(module, "__file__", None) or "")


def _has_installed_name(value):
    """Whether an object is what an installed module has under the object's own name.

    That it names such a module is not enough: a decorated function bears the name of another.
    """
    module = sys.modules.get(getattr(value, "__module__", None))
    name = getattr(value, "__qualname__", None)
    return name is not None and _is_installed(module) and getattr(module, name, None) is value


def _is_own(function):
    """Whether a function is one of this package."""
    named = _root(function.__module__ or "") == PACKAGE.name
    return named and PACKAGE in Path(function.__code__.co_filename).parents


def _is_unread(kind, name, value):
    """Whether an entry of a class decides nothing that a run does.

    Python keeps notes of its own there, and a dataclass makes methods from its fields.
    """
    note = name.startswith("__") and not isinstance(value, (types.FunctionType, *WRAPPERS))
    made = hasattr(kind, "__dataclass_fields__") and name in GENERATED
    return note or made or name in ("__init__", "_abc_impl") or inspect.ismemberdescriptor(value)


def _is_cached(kind, name):
    return isinstance(inspect.getattr_static(kind, name, None), functools.cached_property)


@functools.cache
def _version(package):
    """Version of an installed package; that of Python stands for its own library."""
    if package in sys.stdlib_module_names:
        return sys.version
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return getattr(sys.modules.get(package), "__version__", "")


def _root(name):
    return name.split(".")[0]


def _name(thing):
    return f"{thing.__module__}.{thing.__qualname__}"


def _hash(text):
    content = text if isinstance(text, bytes) else text.encode()
    return hashlib.sha256(content).hexdigest()
