"""Make or check what the book keeps, and list the chapters, from a shell."""

import argparse
import shutil
import sys

from pareto_book import paths
from pareto_book.building.seeds import count_seeds
from pareto_book.kept_runs import commands as kept_runs_commands
from pareto_book.records.stamps import executed_path, figures_path
from pareto_book.studies.digits_scores import write_scores
from pareto_lab.shell.program import call

PROGRAM = "python -m pareto_book"
IMAGES = {  # of README: chapter and figure
    "cells": ("crepon2024", "scaling"),
    "speed": ("crepon2024", "table1"),
    "cov_boost": ("crepon2024", "fig3"),
    "noc": ("kone2025linear", "fig3"),
}


def main(arguments=None):
    """Run a command; see `pareto_lab.shell.program.call` for the exit status."""
    parser = argparse.ArgumentParser(prog=PROGRAM, description=__doc__)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    chapters = commands.add_parser("chapters", help="list the chapters of the book")
    chapters.set_defaults(command=list_chapters)
    images = commands.add_parser("images", help="copy the figures of README from the chapters")
    images.set_defaults(command=copy_images)
    text = "execute all chapters with several seeds, and count the checks that they confirm"
    seeds = commands.add_parser("seeds", help=text, description=f"{text[0].upper()}{text[1:]}.")
    seeds.set_defaults(command=count_seeds)
    seeds.add_argument("--seeds", type=int, nargs="+", default=range(5), metavar="S")
    seeds.add_argument("--profiles", nargs="+", default=["fast"], metavar="PROFILE")
    kept_runs_commands.add_to(commands, PROGRAM)
    text = "measure the classifiers of data/digits_scores.csv again; needs scikit-learn"
    digits = commands.add_parser("digits", help=text, description=f"{text[0].upper()}{text[1:]}.")
    digits.set_defaults(command=write_scores)
    digits.add_argument("--splits", type=int, default=400, metavar="N", help="default: 400")
    digits.add_argument("--seed", type=int, default=0, metavar="S", help="default: 0")
    return call(parser, arguments)


def copy_images():
    """Copy the figures that README shows from the executed chapters."""
    for name, (chapter, figure) in IMAGES.items():
        source = figures_path(executed_path(chapter, "fast")) / f"{figure}.svg"
        shutil.copyfile(source, paths.ROOT / "book" / "images" / f"{name}.svg")


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
