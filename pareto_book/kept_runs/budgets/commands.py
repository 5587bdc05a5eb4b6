"""The command ``budgets``: make the answers with fixed budgets, or repeat some as a check."""

import argparse

import numpy as np

from pareto_book.kept_runs.budgets.checking import repeat_answers
from pareto_book.kept_runs.budgets.competitions import LADDERS
from pareto_book.kept_runs.budgets.making import make_answers, read_all_answers
from pareto_book.kept_runs.commands import report_repetitions
from pareto_core.checks.machine import available_cores

EXAMPLES = """examples:
  {0} budgets
  {0} budgets --on staircase --only EGE-SH TopTwoIDS
  {0} budgets --check 1000
"""


def add_to(commands, program):
    """Add ``budgets`` to the commands of the command line."""
    text = "make the runs with fixed budgets that are kept in data/budgets, or check them"
    sub = commands.add_parser(
        "budgets",
        help=text,
        description=f"{text[0].upper()}{text[1:]}. By default only runs that are missing, or whose "
        "settings have changed, are made, so that an interrupted call resumes.",
        epilog=EXAMPLES.format(program),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    sub.set_defaults(command=budgets)
    some = {"nargs": "+", "default": None}
    sub.add_argument("--on", **some, dest="instances", metavar="INSTANCE", help="default: all")
    sub.add_argument(
        "--only", **some, metavar="ENTRANT", help="make these anew, even if they are kept"
    )
    sub.add_argument("--check", type=int, metavar="N", help="repeat this number of runs")
    sub.add_argument("--seed", type=int, default=0, metavar="S", help="default: 0")
    sub.add_argument("--jobs", type=int, default=available_cores(), metavar="N", help="threads")


def budgets(instances, only, check, seed, jobs):
    """Make runs and keep their answers, or repeat some of the kept runs."""
    if check is not None:
        return _check(check, seed)
    for name in LADDERS if instances is None else instances:
        kept = make_answers(name, only, seed, jobs)
        answers = sum(each.which.size for each in kept)
        print(f"{name}: {answers:,} answers of {len(kept)} entrants are kept")
    return 0


def _check(number, seed):
    found = repeat_answers(read_all_answers(), number, np.random.default_rng(seed))
    return report_repetitions(found)
