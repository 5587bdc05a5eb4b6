"""Descriptions of values that refer to no other values."""

import builtins
import hashlib
import sys
import types

import numba
import numpy as np

from pareto_core.compiling.trusted import answers_from_memory, root_of, trusted_name, version_of

PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), range, slice)
DYNAMIC = {"__import__", "compile", "eval", "exec", "globals", "input", "open"}


class Unknown(ValueError):
    """An object has no exact description; the message gives the reason."""


def describe_value(value):
    """Describe a value; return None if it may refer to other values.

    Raises
    ------
    Unknown
        If there is no exact description of it.
    """
    if type(value) in PLAIN:
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, np.generic):
        return f"{value.dtype} {value.tobytes().hex()}"
    if isinstance(value, numba.types.Type | np.dtype):
        return f"{name_of(type(value))} {value!r}"
    if type(value) is np.ndarray:
        return _describe_array(value)
    if type(value) is np.ufunc:
        return _describe_ufunc(value)
    if type(value) is types.BuiltinFunctionType:
        return _describe_builtin(value)
    if isinstance(value, types.ModuleType):
        raise Unknown(f"the module {value.__name__} as a whole")
    return None


def describe_builtin_name(function, name):
    """Describe a name that is in no module: one of Python's builtins, unless added later."""
    found = getattr(builtins, name, None)
    is_builtin = root_of(getattr(found, "__module__", None) or "") == "builtins"
    is_builtin = is_builtin or found is NotImplemented or found is Ellipsis
    if name in DYNAMIC or not is_builtin:
        raise Unknown(f"{name_of(function)} uses {name}, which has no exact description")
    return "builtin"


def describe_trusted(module, name):
    """Describe an object of a trusted library by the version of the library."""
    if not answers_from_memory(module, name.split(".")):
        raise Unknown(f"it uses {module}.{name}, whose answer may not be in memory")
    return f"{module}.{name} {version_of(root_of(module))}"


def name_of(thing):
    """Name of a function or a class, after the name of its module."""
    return f"{thing.__module__}.{thing.__qualname__}"


def hash_of(content):
    """SHA-256 of a text or of bytes."""
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def _describe_array(value):
    if value.dtype.hasobject:
        raise Unknown(f"an array of objects, {value!r}")
    layout = value.flags.c_contiguous, value.flags.f_contiguous, value.flags.writeable
    return f"{value.dtype!r} {value.shape} {layout} {hash_of(value.tobytes())}"


def _describe_ufunc(value):
    for library in ("numpy", "scipy.special"):
        if getattr(sys.modules.get(library), value.__name__, None) is value:
            return describe_trusted(library, value.__name__)
    raise Unknown(f"{value!r}, which NumPy does not have under its name")


def _describe_builtin(value):
    if not isinstance(getattr(value, "__self__", None), types.ModuleType | None):
        raise Unknown(f"{value!r}, a method of an object")
    found = trusted_name(value)
    if found is None:
        raise Unknown(f"{value!r}, which is not written in Python")
    return describe_trusted(*found)
