"""Make or check the kept runs of the arena, and list the chapters, from a shell."""

import argparse
import sys

from pareto_book import paths
from pareto_book.kept_runs import commands as kept_runs_commands
from pareto_core.shell import call

PROGRAM = "python -m pareto_book"


def main(arguments=None):
    """Run a command; see `pareto_core.shell.call` for the exit status."""
    parser = argparse.ArgumentParser(prog=PROGRAM, description=__doc__)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    chapters = commands.add_parser("chapters", help="list the chapters of the book")
    chapters.set_defaults(command=list_chapters)
    kept_runs_commands.add_to(commands, PROGRAM)
    return call(parser, arguments)


def list_chapters():
    """Print name and title of each chapter."""
    files = sorted(paths.NOTEBOOKS.glob("*.md"))
    width = max(len(path.stem) for path in files)
    for path in files:
        lines = path.read_text(encoding="utf-8").splitlines()
        title = next((line[2:] for line in lines if line.startswith("# ")), "")
        print(f"{path.stem:{width}}  {title}")


if __name__ == "__main__":
    sys.exit(main())
