"""The arena from a shell: make the runs that it keeps, or make some of them again."""

import argparse
import os
import sys

import numpy as np

from pareto_book import paths
from pareto_book.kept_runs.field import GAMES
from pareto_book.kept_runs.repetition import repeat_share
from pareto_book.kept_runs.season import make_runs, measure_times, read_all

DIFFERENT = 4  # exit status if a run did not come out as it is kept
EXAMPLES = """examples:
  {0} arena
  {0} arena --on staircase COV-BOOST --only APE Racing
  {0} arena --check 0.01
  {0} arena --times --on staircase
"""


def add_to(commands, program):
    """Add ``arena`` to the commands of the command line.

    Parameters
    ----------
    commands
        What ``add_subparsers`` of the parser returned.
    program : str
        What the caller typed, for the help.
    """
    text = "make the runs of the book's arena, which are kept in data/arena, or check them"
    sub = commands.add_parser(
        "arena",
        help=text,
        description=f"{text[0].upper()}{text[1:]}. It goes on where it was killed.",
        epilog=EXAMPLES.format(program),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    sub.set_defaults(command=arena)
    some = {"nargs": "+", "default": None}
    sub.add_argument("--on", **some, dest="places", metavar="INSTANCE", help="default: all")
    sub.add_argument("--only", **some, metavar="ENTRANT", help="default: all of an instance")
    sub.add_argument("--check", type=float, metavar="SHARE", help="make this share of runs again")
    sub.add_argument("--times", action="store_true", help="measure only what a sample takes")
    sub.add_argument("--seed", type=int, default=0, metavar="S", help="default: 0")
    sub.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="threads")
    sub.add_argument("--dask", action="store_true", help="on the cluster of PARETO_DASK_SCHEDULER")
    sub.add_argument(
        "--store", default=paths.BUILD / "arena", metavar="FOLDER", help="finished batches"
    )


def arena(places, only, check, times, seed, jobs, dask, store):
    """Make runs and keep them, or make a share of them again.

    Parameters
    ----------
    places, only : sequence of str or None
        Names of instances and of entrants; all by default.
    check : float or None
        Share of the kept runs that is to be made again, in place of new ones.
    times : bool
        Whether the time of a sample is measured again, and no run is made.
    seed, jobs, store
        See `simulate`.
    dask : bool
        Whether a cluster makes the runs.

    Returns
    -------
    int
        Exit status: 0; `DIFFERENT` if a run that was made again is another one.

    Raises
    ------
    ValueError
        If a name is unknown, or the kept runs are not what they should be.
    """
    if check is not None:
        return _check(check, seed, jobs)
    names = [place for game in GAMES.values() for place in game.places]
    for place in names if places is None else places:
        if times:
            kept = measure_times(place)
        else:
            kept = make_runs(place, store, only, seed, jobs, "dask" if dask else None)
        runs = sum(each.samples.size for each in kept)
        print(f"{place}: {runs} runs of {len({each.name for each in kept})} entrants are kept")
    return 0


def _check(share, seed, jobs):
    kept = [each for runs in read_all().values() for each in runs]
    found = repeat_share(kept, share, np.random.default_rng(seed), n_jobs=jobs)
    different = [each for each in found if not each.is_same]
    for each in different:
        print(each, file=sys.stderr)
    print(f"{len(found)} runs were made again, {len(different)} came out differently")
    return DIFFERENT if different else 0
