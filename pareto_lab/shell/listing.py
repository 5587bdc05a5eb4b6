"""The commands ``algorithms`` and ``compile``."""

import sys
import textwrap

from pareto_core.algorithms.registry import (
    REQUIRED,
    algorithm_named,
    algorithms_by_name,
    defaults_of,
)
from pareto_core.questions import Question
from pareto_core.warm_up import compile_algorithm

WIDTH = 96  # characters of a printed line


def list_algorithms() -> None:
    """Print the purpose, the question and the parameters of each algorithm."""
    for name, kind in algorithms_by_name().items():
        print(f"{name}: {kind.__doc__.splitlines()[0]}")
        print(f"    question: {_question(kind).name}")
        parameters = ", ".join(
            name if default is REQUIRED else f"{name}={default!r}"
            for name, default in defaults_of(kind).items()
        )
        print(textwrap.indent(textwrap.fill(f"parameters: {parameters}", WIDTH - 4), "    "))


def _question(kind):
    """The question of a class of algorithms."""
    return kind.question if isinstance(kind.question, Question) else kind().question


def compile_ahead(algorithm, settings):
    """Compile an algorithm, so that its next call does not."""
    chosen = algorithm_named(algorithm, settings)
    print("compiling ...", file=sys.stderr)
    compile_algorithm(chosen)
