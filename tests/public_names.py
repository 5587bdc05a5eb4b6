"""What the package offers: the names of its door, and what the page on the package documents."""

import functools
import importlib
import inspect
import re

import pareto_core
import pareto_lab
from pareto_book.paths import ROOT

DOORS = (pareto_core, pareto_lab)
PAGE = (ROOT / "book" / "api.md").read_text(encoding="utf-8")
DIRECTIVES = re.findall(r"automodule:: (\S+)\n   :members:(.*)\n", PAGE)


def names_of_the_door():
    """Public functions and classes of the packages, and of the modules that they hand on."""
    found = {}
    for package, name in [(each, name) for each in DOORS for name in each.__all__]:
        value = getattr(package, name)
        if inspect.ismodule(value):
            found |= {f"{name}.{each}": getattr(value, each) for each in value.__all__}
        elif callable(value):
            found[name] = value
    return found


def documented():
    """Functions and classes that the page shows, by their full names."""
    found = {}
    for module, only in DIRECTIVES:
        place = importlib.import_module(module)
        for name in only.strip().split(", ") if only.strip() else members(place):
            value = getattr(place, name)
            if callable(value):
                found[f"{module}.{name}"] = value
    return found


def members(module):
    """Names of a module that Sphinx documents: those of ``__all__``, or else its own."""
    own = [name for name, value in vars(module).items() if is_own(value, module)]
    return getattr(module, "__all__", [name for name in own if not name.startswith("_")])


def is_own(value, module):
    return getattr(value, "__module__", None) == module.__name__


def is_kernel(function):
    """Whether Numba compiles a function, which then takes its types from each call."""
    return hasattr(function, "py_func")


def callables_of(value):
    """What a function, or a class of the package, lets one call, by name; without kernels.

    Of a class its constructor, methods and properties, also the inherited ones.
    """
    if not inspect.isclass(value):
        return {} if is_kernel(value) else {"": value}
    found = {}
    for kind in reversed(value.__mro__):
        if kind.__module__.split(".")[0] in ("pareto_core", "pareto_lab"):
            found |= {name: unwrapped(each) for name, each in vars(kind).items() if is_public(name)}
    return {name: each for name, each in found.items() if inspect.isfunction(each)}


def is_public(name):
    return not name.startswith("_") or name in ("__init__", "__call__")


def unwrapped(member):
    """The function behind a member of a class."""
    if isinstance(member, property):
        return member.fget
    if isinstance(member, functools.cached_property):
        return member.func
    return getattr(member, "__func__", member)
