"""The commands ``instances``, ``algorithms`` and ``compile``."""

import sys
import textwrap

from pareto_core.algorithms.registry import (
    REQUIRED,
    algorithm_named,
    algorithms_by_name,
    defaults_of,
)
from pareto_core.instances.registry import instance_names, instance_parameters, load_instance
from pareto_core.questions import Question
from pareto_core.warm_up import compile_algorithm

WIDTH = 96  # characters of a printed line
MOST_DETAILS = 72  # characters of the parameters and the origin of an instance


def list_instances() -> None:
    """Print a line for each instance that `load_instance` knows by name."""
    names = instance_names()
    width = max(map(len, names))
    print(f"{'name':{width}} {'K':>4} {'d':>2}  features  region  parameters; origin")
    for name in names:
        parameters, sizes, origin = instance_parameters(name), ("-",) * 4, ""
        if REQUIRED not in parameters.values():
            instance = load_instance(name)
            sizes, origin = _sizes(instance), instance.provenance
        n_arms, n_objectives, features, region = sizes
        text = "; ".join(filter(None, [_listed(parameters), origin]))
        head = f"{name:{width}} {n_arms:>4} {n_objectives:>2}  {features:8}  {region:6}  "
        print(head + textwrap.shorten(text, MOST_DETAILS, placeholder=" ..."))


def _sizes(instance):
    """Numbers of arms, objectives and features, and whether there is a region, in words."""
    features = "no" if instance.features is None else f"{instance.features.shape[1]}"
    region = "no" if instance.polyhedron is None else "yes"
    return instance.n_arms, instance.n_objectives, features, region


def _listed(parameters):
    """Parameters with their defaults, as in a signature."""
    return ", ".join(
        name if default is REQUIRED else f"{name}={default!r}"
        for name, default in parameters.items()
    )


def list_algorithms() -> None:
    """Print the purpose, the question and the parameters of each algorithm."""
    for name, kind in algorithms_by_name().items():
        print(f"{name}: {kind.__doc__.splitlines()[0]}")
        print(f"    question: {_question(kind).name}")
        parameters = f"parameters: {_listed(defaults_of(kind))}"
        print(textwrap.indent(textwrap.fill(parameters, WIDTH - 4), "    "))


def _question(kind):
    """The question of a class of algorithms."""
    return kind.question if isinstance(kind.question, Question) else kind().question


def compile_ahead(algorithm, settings):
    """Compile an algorithm, so that its next call does not."""
    chosen = algorithm_named(algorithm, settings)
    print("compiling ...", file=sys.stderr)
    compile_algorithm(chosen)
