"""The algorithms by name, for files and the command line."""

import ast
import dataclasses
import inspect

from pareto_core import algorithms
from pareto_core.checks.arguments import check_choice
from pareto_core.checks.environment import import_named
from pareto_core.loop.algorithm import Algorithm

__all__ = ["algorithm_named", "algorithms_by_name", "class_named", "defaults_of", "value_of"]

REQUIRED = inspect.Parameter.empty


def algorithms_by_name():
    """Classes of the public algorithms of the package, by name."""
    public = {name: getattr(algorithms, name) for name in algorithms.__all__}
    return {name: kind for name, kind in public.items() if dataclasses.is_dataclass(kind)}


def class_named(name):
    """Class of an algorithm of the package, or ``module:Class`` of the user's own."""
    if ":" not in name:
        known = algorithms_by_name()
        return known[check_choice(name, "algorithm", known)]
    kind = import_named(name, "algorithm")
    if not (isinstance(kind, type) and issubclass(kind, Algorithm)):
        raise ValueError(f"algorithm = {name!r} is {kind!r}; expected a subclass of Algorithm")
    return kind


def defaults_of(kind):
    """Default of each parameter of an algorithm's constructor; `REQUIRED` if it has no default."""
    parameters = inspect.signature(kind).parameters.values()
    return {parameter.name: parameter.default for parameter in parameters}


def algorithm_named(name, settings):
    """Construct an algorithm from its name and a sequence of ``name=value``."""
    kind = class_named(name)
    defaults = defaults_of(kind)
    parameters = {}
    for setting in settings:
        parameter, equals, value = setting.partition("=")
        if not equals:
            raise ValueError(f"--set {setting}; expected NAME=VALUE")
        check_choice(parameter, f"parameter of {name}", defaults)
        if parameter in parameters:
            raise ValueError(f"{parameter} is given twice; expected one value")
        parameters[parameter] = value_of(value)
    for parameter, default in defaults.items():
        if default is REQUIRED and parameter not in parameters:
            raise ValueError(f"{name} has no default {parameter}; expected {parameter}=VALUE")
    return kind(**parameters)


def value_of(text):
    """Value of a Python literal; any other text unchanged."""
    try:
        return ast.literal_eval(text)
    except (MemoryError, RecursionError, SyntaxError, TypeError, ValueError):
        return text
