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
from pareto_lab.shell.program import print_json

WIDTH = 96  # characters of a printed line
MOST_DETAILS = 72  # characters of the parameters and the origin of an instance


def list_instances(json: bool = False) -> None:
    """Print a line for each instance that `load_instance` knows by name."""
    rows = {name: _described(name) for name in instance_names()}
    if json:
        print_json({"instances": [{"name": name, **row} for name, row in rows.items()]})
        return
    width = max(map(len, rows))
    print(f"{'name':{width}} {'K':>4} {'d':>2}  features  region  parameters; origin")
    for name, row in rows.items():
        cells = [row[key] for key in ("arms", "objectives", "features", "region")]
        n_arms, n_objectives, features, region = (_cell(each) for each in cells)
        features = "no" if features == "0" else features
        text = "; ".join(filter(None, [_listed(instance_parameters(name)), row["origin"]]))
        head = f"{name:{width}} {n_arms:>4} {n_objectives:>2}  {features:8}  {region:6}  "
        print(head + textwrap.shorten(text, MOST_DETAILS, placeholder=" ..."))


def _cell(value):
    """A size in words: a dash if it is unknown."""
    words = {True: "yes", False: "no"} if isinstance(value, bool) else {None: "-"}
    return words.get(value, str(value))


def _described(name):
    """What is known of an instance with the default parameters."""
    parameters = instance_parameters(name)
    found = {"parameters": _literals(parameters)}
    sizes = dict.fromkeys(("arms", "objectives", "features", "region", "origin"))
    if REQUIRED not in parameters.values():
        instance = load_instance(name)
        sizes = {
            "arms": instance.n_arms,
            "objectives": instance.n_objectives,
            "features": 0 if instance.features is None else instance.features.shape[1],
            "region": instance.polyhedron is not None,
            "origin": instance.provenance,
        }
    return found | sizes


def _literals(parameters):
    """Defaults as they are written in Python; None for a parameter without a default."""
    return {
        name: None if default is REQUIRED else repr(default) for name, default in parameters.items()
    }


def _listed(parameters):
    """Parameters with their defaults, as in a signature."""
    return ", ".join(
        name if default is REQUIRED else f"{name}={default!r}"
        for name, default in parameters.items()
    )


def list_algorithms(json: bool = False) -> None:
    """Print the purpose, the question and the parameters of each algorithm."""
    found = [
        {
            "name": name,
            "purpose": kind.__doc__.splitlines()[0],
            "question": _question(kind).name,
            "parameters": _literals(defaults_of(kind)),
        }
        for name, kind in algorithms_by_name().items()
    ]
    if json:
        print_json({"algorithms": found})
        return
    for each, kind in zip(found, algorithms_by_name().values(), strict=True):
        print(f"{each['name']}: {each['purpose']}")
        print(f"    question: {each['question']}")
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
