"""Time this package and its rivals by turns, and keep the table."""

import os

os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"), "1")
os.environ["RAYON_NUM_THREADS"] = "1"

import argparse
import datetime
import warnings

from pareto_book.paths import DATA
from pareto_core.checks.arguments import check_non_negative

from . import costs, designs, programs, projections, runs
from .contests import race
from .packages import RIVALS, check_installed, version
from .table import in_line, rows_of, write_table

SUBJECTS = {
    "projections": projections,
    "programs": programs,
    "designs": designs,
    "costs": costs,
    "runs": runs,
}


def main(arguments=None):
    """Read the command line, let the programs run and write the table."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.rivals",
        description=__doc__,
        epilog="The rivals, to be installed in an environment of their own: "
        + " ".join(f"{name}=={known}" for name, known in RIVALS.items()),
    )
    parser.add_argument("--only", nargs="+", choices=SUBJECTS)
    parser.add_argument(
        "--seconds", type=float, default=5.0, help="for each contest, at six repetitions or more"
    )
    parser.add_argument(
        "--installed", action="store_true", help="go without the rivals that are not installed"
    )
    parser.add_argument(
        "--to", help="file of the table; by default the one in data/, or none with --only"
    )
    options = parser.parse_args(arguments)
    subjects = [SUBJECTS[name] for name in options.only or SUBJECTS]
    needed = sorted({name for subject in subjects for name in subject.NEEDS})
    try:
        check_non_negative(options.seconds, "seconds")
        if not options.installed:
            check_installed(needed)
    except ValueError as error:
        parser.error(str(error))
    available = {name for name in needed if version(name) is not None}
    rows = measure(subjects, available, options.seconds)
    path = options.to or (None if options.only else DATA / "benchmarks.csv")
    if path is not None:
        write_table(rows, path)


def measure(subjects, available, seconds):
    """Let the programs of all subjects run, and print and return the rows."""
    rows, today = [], datetime.date.today().isoformat()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # warnings of the rivals' libraries are not ours
        for subject in subjects:
            for contest in subject.contests(available):
                for row in rows_of(contest, race(contest, seconds), today):
                    print(in_line(row), flush=True)
                    rows.append(row)
    return rows


if __name__ == "__main__":
    main()
