"""What the package offers: the names of its door, and what the page on the package documents.

``python tests/public_names.py > tests/public_names.txt`` lists the names, after one is added.
"""

import functools
import importlib
import inspect
import re

import pareto_core
import pareto_lab
from pareto_book.paths import ROOT

DOORS = (pareto_core, pareto_lab)
PAGE = (ROOT / "book" / "api.md").read_text(encoding="utf-8")
OURS = ("pareto_core", "pareto_lab")
LISTED = ROOT / "tests" / "public_names.txt"
DIRECTIVES = re.findall(r"automodule:: (\S+)\n   :members:(.*)\n", PAGE)


def values_of_the_door():
    """Values of the packages, and of the modules that they hand on, by full name."""
    found = {}
    for package, name in [(each, name) for each in DOORS for name in each.__all__]:
        value = getattr(package, name)
        if inspect.ismodule(value):
            parts = {f"{name}.{each}": getattr(value, each) for each in value.__all__}
        else:
            parts = {name: value}
        found |= {f"{package.__name__}.{each}": part for each, part in parts.items()}
    return found


def names_of_the_door():
    """Public functions and classes, by name without that of the package."""
    values = values_of_the_door().items()
    return {name.partition(".")[2]: value for name, value in values if callable(value)}


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
    own = [
        name
        for name, value in vars(module).items()
        if getattr(value, "__module__", None) == module.__name__ and not name.startswith("_")
    ]
    return getattr(module, "__all__", own)


def is_kernel(function):
    """Whether Numba compiles a function, which then takes its types from each call."""
    return hasattr(function, "py_func")


def callables_of(value):
    """Callables that a function or a class of the package offers, by name, without kernels.

    For a class: its constructor, methods and properties, including inherited ones.
    """
    if not inspect.isclass(value):
        return {} if is_kernel(value) else {"": value}
    found = {}
    for kind in reversed(value.__mro__):
        if kind.__module__.split(".")[0] in OURS:
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


def listing():
    """A line for each public name, with the parameters that a caller can state.

    Classes have a line for their constructor, and one for each method and attribute that they do
    not share with a public class above them, but for the fields that their constructor states.
    """
    values = values_of_the_door().items()
    return sorted(line for name, value in values for line in lines_of(name, value))


def lines_of(name, value):
    """Lines of a constant, a function or a class."""
    if not callable(value) or is_kernel(value):
        return [name]
    if not inspect.isclass(value):
        return [f"{name}({parameters_of(value)})"]
    inherited = names_of_members(each for each in value.__mro__[1:] if is_public_class(each))
    names = names_of_members(value.__mro__) - inherited - fields_of(value)
    lines = [f"{name}({parameters_of(value)})"]
    for each in sorted(names):
        member = inspect.getattr_static(value, each, None)
        method = inspect.isfunction(getattr(member, "__func__", member))
        lines.append(
            f"{name}.{each}({parameters_of(unwrapped(member))})" if method else f"{name}.{each}"
        )
    return lines


def is_public_class(kind):
    return any(getattr(package, kind.__name__, None) is kind for package in DOORS)


def fields_of(kind):
    """Fields of a dataclass or a named tuple that its constructor takes under the same name."""
    fields = getattr(kind, "__dataclass_fields__", getattr(kind, "_fields", ()))
    return {*fields} & {*inspect.signature(kind).parameters}


def names_of_members(kinds):
    """Public attributes and methods of those classes that are the packages' own."""
    own = [kind for kind in kinds if kind.__module__.split(".")[0] in OURS]
    found = {each for kind in own for each in (*vars(kind), *vars(kind).get("__annotations__", ()))}
    return {each for each in found if not each.startswith("_")}


def parameters_of(function):
    """Names of parameters; those by name only after a star, optional ones with an equals sign."""
    found = []
    for each in inspect.signature(function).parameters.values():
        if each.kind is each.KEYWORD_ONLY and "*" not in found:
            found.append("*")
        optional = "=" if each.default is not each.empty else ""
        found.append("*" * (each.kind - 1 if each.kind in (2, 4) else 0) + each.name + optional)
    return ", ".join(each for each in found if each not in ("self", "cls"))


if __name__ == "__main__":
    print("\n".join(listing()))
