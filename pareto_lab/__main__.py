"""Compare algorithms, and run the session of an experiment, from a shell."""

import argparse
import sys
from collections.abc import Sequence

import pareto_core as pc
from pareto_core.algorithms.registry import algorithm_named
from pareto_lab.comparison.comparing import compare
from pareto_lab.shell import parser as session_parser
from pareto_lab.shell.listing import compile_ahead, list_algorithms, list_instances
from pareto_lab.shell.program import (
    INSTANCE,
    Parser,
    add_json_option,
    add_simulation_options,
    call,
    print_json,
)

PROGRAM = "python -m pareto_lab"
ALGORITHM = "see the command algorithms; or module:Class"
EXAMPLES = """examples:
  {0} instances
  {0} compile TrackAndStop
  {0} compare TrackAndStop --on cov_boost --runs 200 --deltas 0.05
  {0} compare TrackAndStop mymodule:TopTwo --on cov_boost --runs 100
  {0} compare EGE budget=2000 schedule=halving --on cov_boost "staircase_front(4)"
  {0} compare APE --on "mymodule:arms(n=5, seed=1)"
  {0} session --help
"""


def script() -> int:
    """Run `main` under the name ``pareto-lab``."""
    return main(program="pareto-lab")


def main(arguments: Sequence[str] | None = None, program: str = PROGRAM) -> int:
    """Run a command."""
    return call(_parser(program), arguments)


def _parser(program):
    parser = Parser(
        prog=program,
        description=__doc__,
        epilog=EXAMPLES.format(program),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {pc.__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for name, command, add_options, text in (
        ("instances", list_instances, None, "list the instances that can be loaded by name"),
        ("algorithms", list_algorithms, None, "list the algorithms and their parameters"),
        (
            "compare",
            _compare_all,
            _add_compare_options,
            "run algorithms many times, from the same seeds, and compare them",
        ),
    ):
        sub = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
        sub.set_defaults(command=command)
        if add_options:
            add_options(sub)
            add_simulation_options(sub)
            add_json_option(sub)
    text = "compile an algorithm before its first call"
    sub = commands.add_parser("compile", help=text, description=f"{text[0].upper()}{text[1:]}.")
    sub.set_defaults(command=compile_ahead)
    sub.add_argument("algorithm", metavar="ALGORITHM", help=ALGORITHM)
    sub.add_argument(
        "settings", nargs="*", metavar="NAME=VALUE", help="a value is a Python literal, or a string"
    )
    session_parser.add_to(commands, program)
    return parser


def _add_compare_options(sub):
    sub.add_argument(
        "algorithms",
        nargs="+",
        metavar="ALGORITHM [NAME=VALUE ...]",
        help=f"{ALGORITHM}; then its parameters",
    )
    sub.add_argument(
        "--on",
        dest="instances",
        nargs="+",
        required=True,
        metavar="INSTANCE",
        help=INSTANCE,
    )
    sub.add_argument(
        "--deltas",
        nargs="+",
        type=float,
        metavar="D",
        help="risks of all algorithms; default: the risk of each",
    )


def _compare_all(
    algorithms, instances, deltas, runs, seed, jobs, store, store_key, max_samples, json
):
    """Compare algorithms, and print their samples and the differences from the first algorithm."""
    chosen = {}
    for name, settings in _with_settings(algorithms):
        label = " ".join([name, *settings])
        if label in chosen:
            raise ValueError(f"{label} is given twice; expected different algorithms")
        chosen[label] = algorithm_named(name, settings)
    keys = dict.fromkeys(chosen, store_key) if store_key is not None else None
    table = compare(chosen, instances, deltas, runs, seed, jobs, max_samples, store, store_key=keys)
    if json:
        rows, differences = table.frame, table.differences()
        print_json({"rows": rows.to_dict("records"), "differences": differences.to_dict("records")})
    else:
        print(table)


def _with_settings(words):
    """Pairs of a name and the settings that follow it."""
    pairs = []
    for word in words:
        if "=" not in word:
            pairs.append((word, []))
        elif pairs:
            pairs[-1][1].append(word)
        else:
            raise ValueError(f"{word} comes first; expected the name of an algorithm before it")
    return pairs


if __name__ == "__main__":
    sys.exit(main())
