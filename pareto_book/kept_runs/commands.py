"""The command ``arena``: make the kept runs of the arena, or repeat some of them as a check."""

import argparse
import sys

import numpy as np

from pareto_book import paths
from pareto_book.kept_runs.making import instances_of_cases, make_cases, repeat_first
from pareto_book.kept_runs.reading import read_cases
from pareto_core.checks.environment import available_cores

DIFFERENT = 4  # exit status if a repeated run differs from the kept one
EXAMPLES = """examples:
  {0} arena
  {0} arena --on staircase COV-BOOST "staircase, budget" --only TopTwoIDS
  {0} arena --check 20
"""


def add_to(commands, program):
    """Add ``arena`` to the commands of the command line."""
    text = "make the runs of the book's arena that are kept in data/book/arena.csv, or check them"
    sub = commands.add_parser(
        "arena",
        help=text,
        description=f"{text[0].upper()}{text[1:]}. An interrupted call resumes.",
        epilog=EXAMPLES.format(program),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    sub.set_defaults(command=arena)
    some = {"nargs": "+", "default": None}
    sub.add_argument("--on", **some, dest="instances", metavar="INSTANCE", help="default: all")
    sub.add_argument("--only", **some, metavar="ENTRANT", help="default, and with the first: all")
    sub.add_argument("--check", type=int, metavar="N", help="repeat five runs of N random cases")
    sub.add_argument("--jobs", type=int, default=available_cores(), metavar="N", help="threads")
    sub.add_argument("--dask", action="store_true", help="on the cluster of PARETO_DASK_SCHEDULER")
    sub.add_argument(
        "--store", default=paths.BUILD / "arena", metavar="FOLDER", help="finished batches"
    )


def arena(instances, only, check, jobs, dask, store):
    """Make runs and keep their lines, or repeat some of the kept runs."""
    if check is not None:
        found = repeat_first(read_cases(), check, np.random.default_rng())
        different = [each for each in found if not each.is_same]
        print(*different, sep="\n", file=sys.stderr)
        print(f"{len(found)} cases were repeated, {len(different)} came out differently")
        return DIFFERENT if different else 0
    for name in instances_of_cases() if instances is None else instances:
        made = make_cases(name, store, only, jobs, "dask" if dask else None)
        print(f"{name}: {sum(each.runs for each in made)} runs of {len(made)} cases are kept")
    return 0
