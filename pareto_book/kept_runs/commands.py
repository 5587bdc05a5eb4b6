"""The command ``arena``: make the kept runs of the arena, or repeat some of them as a check."""

import argparse
import sys

import numpy as np

from pareto_book import paths
from pareto_book.kept_runs import competitions
from pareto_book.kept_runs.checking import repeat_share
from pareto_book.kept_runs.making import make_runs, measure_times
from pareto_book.kept_runs.reading import read_instance
from pareto_core.checks.machine import available_cores

DIFFERENT = 4  # exit status if a repeated run differs from the kept one
EXAMPLES = """examples:
  {0} arena
  {0} arena --on staircase COV-BOOST --only APE Racing
  {0} arena --check 0.01
  {0} arena --times --on staircase
"""


def add_to(commands, program):
    """Add ``arena`` to the commands of the command line."""
    text = "make the runs of the book's arena that are kept in data/arena, or check them"
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
    sub.add_argument("--only", **some, metavar="ENTRANT", help="default: all of an instance")
    sub.add_argument("--check", type=float, metavar="SHARE", help="repeat this share of the runs")
    sub.add_argument("--times", action="store_true", help="only measure the time of a sample")
    sub.add_argument("--seed", type=int, default=0, metavar="S", help="default: 0")
    sub.add_argument("--jobs", type=int, default=available_cores(), metavar="N", help="threads")
    sub.add_argument("--dask", action="store_true", help="on the cluster of PARETO_DASK_SCHEDULER")
    sub.add_argument(
        "--store", default=paths.BUILD / "arena", metavar="FOLDER", help="finished batches"
    )


def arena(instances, only, check, times, seed, jobs, dask, store):
    """Make runs and keep them, or repeat a share of the kept runs."""
    if check is not None:
        return _check(check, seed, jobs)
    for name in _all_instances() if instances is None else instances:
        if times:
            kept = measure_times(name)
        else:
            kept = make_runs(name, store, only, seed, jobs, "dask" if dask else None)
        runs = sum(each.samples.size for each in kept)
        print(f"{name}: {runs} runs of {len({each.name for each in kept})} entrants are kept")
    return 0


def _all_instances():
    every = competitions.all_competitions().values()
    return [name for competition in every for name in competition.instances]


def _check(share, seed, jobs):
    kept = [each for name in _all_instances() for each in read_instance(name)]
    found = repeat_share(kept, share, np.random.default_rng(seed), n_jobs=jobs)
    return report_repetitions(found)


def report_repetitions(found):
    """Print how many repeated runs, or answers, differ from those that are kept, and which."""
    different = [each for each in found if not each.is_identical]
    for each in different:
        print(each, file=sys.stderr)
    print(f"{len(found)} results were repeated, {len(different)} came out differently")
    return DIFFERENT if different else 0
