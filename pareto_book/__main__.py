"""Make or check what the book keeps, and list the chapters, from a shell."""

import argparse
import sys

from pareto_book import paths
from pareto_book.building.front_picture import write_front_picture
from pareto_book.kept_runs import commands as kept_runs_commands
from pareto_book.studies.digits_scores import write_scores
from pareto_lab.shell.program import call

PROGRAM = "python -m pareto_book"


def main(arguments=None):
    """Run a command; see `pareto_lab.shell.program.call` for the exit status."""
    parser = argparse.ArgumentParser(prog=PROGRAM, description=__doc__)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    chapters = commands.add_parser("chapters", help="list the chapters of the book")
    chapters.set_defaults(command=list_chapters)
    race = commands.add_parser("race", help="draw the picture of README again")
    race.set_defaults(command=write_front_picture)
    kept_runs_commands.add_to(commands, PROGRAM)
    text = "measure the classifiers of data/digits_scores.csv again; needs scikit-learn"
    digits = commands.add_parser("digits", help=text, description=f"{text[0].upper()}{text[1:]}.")
    digits.set_defaults(command=write_scores)
    digits.add_argument("--splits", type=int, default=400, metavar="N", help="default: 400")
    digits.add_argument("--seed", type=int, default=0, metavar="S", help="default: 0")
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
