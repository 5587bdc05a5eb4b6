"""What of a class and of its objects decides what they do."""

import dataclasses
import enum
import functools
import inspect
import types

GENERATED = {"__init__", "__repr__", "__eq__", "__hash__", "__setattr__", "__delattr__"}
OF_NAMED_TUPLE = {"__new__", "__repr__", "__getnewargs__", "_make", "_replace", "_asdict"}
WRAPPERS = (
    property,
    staticmethod,
    classmethod,
    functools.cached_property,
    functools.partial,
    type(functools.cache(len)),
    types.MethodType,
)
POINTER = 8  # bytes


def entries(kind, is_made):
    """Entries of a class that decide what its objects do, by name.

    Parameters
    ----------
    kind : type
    is_made : bool
        Whether the object exists already, so that how it is made does not count.
    """
    found = sorted(vars(kind).items())
    return {name: value for name, value in found if not _is_unread(kind, name, value, is_made)}


def attributes(value):
    """Attributes of an object, by name, if there is nothing else of it; None otherwise."""
    slots = _slots(type(value))
    is_bare = type(value).__basicsize__ <= _Bare.__basicsize__ + POINTER * len(slots)
    if not is_bare or not hasattr(value, "__dict__"):
        return None
    names = [name for name in slots if name not in ("__dict__", "__weakref__")]
    return vars(value) | {name: getattr(value, name) for name in names if hasattr(value, name)}


def is_written(value):
    """Whether a method stands in a file, rather than being made by a decorator."""
    code = getattr(getattr(value, "__wrapped__", value), "__code__", None)
    return code is None or not (code.co_filename == "<string>" or _is_makers(code.co_filename))


def _is_unread(kind, name, value, is_made):
    """Whether an entry of a class decides nothing that a run does.

    Python keeps notes of its own there, and some methods are made from fields.
    """
    if name.startswith("__") and not isinstance(value, (types.FunctionType, *WRAPPERS)):
        return name != "__slots__"
    if name in ("__init__", "__post_init__") and is_made:
        return True
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        made = name in OF_NAMED_TUPLE or type(value).__name__ == "_tuplegetter"
        return made or name == "_fields"
    made = "__dataclass_fields__" in vars(kind) and name in GENERATED and not is_written(value)
    return made or name == "_abc_impl" or inspect.ismemberdescriptor(value)


def _is_makers(file):
    """Whether a file is that of the modules that make methods."""
    return file in (dataclasses.__file__, enum.__file__)


class _Bare:
    """An object with attributes and nothing beside them."""


@functools.cache
def _slots(kind):
    names = [vars(each).get("__slots__", ()) for each in kind.__mro__]
    return [each for own in names for each in ((own,) if isinstance(own, str) else own)]
