"""Run the session of an experiment from a shell, list algorithms, and compile them."""

import argparse
import sys
from collections.abc import Sequence

import pareto_core as pc
from pareto_lab.shell import parser as session_parser
from pareto_lab.shell.listing import compile_ahead, list_algorithms
from pareto_lab.shell.program import Parser, call

PROGRAM = "python -m pareto_lab"
EXAMPLES = """examples:
  {0} algorithms
  {0} compile TrackAndStop
  {0} compile EGE budget=2000
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
    for name, command, text in (
        ("algorithms", list_algorithms, "list the algorithms and their parameters"),
        ("compile", compile_ahead, "compile an algorithm before its first call"),
    ):
        sub = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
        sub.set_defaults(command=command)
    sub.add_argument(
        "algorithm", metavar="ALGORITHM", help="see the command algorithms; or module:Class"
    )
    sub.add_argument(
        "settings", nargs="*", metavar="NAME=VALUE", help="a value is a Python literal, or a string"
    )
    session_parser.add_to(commands, program)
    return parser


if __name__ == "__main__":
    sys.exit(main())
