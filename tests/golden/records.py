"""The golden files: what the package computed when they were made.

``PYTHONPATH=tests python -m golden.records runs values rows`` makes them anew, all or some; a
commit that does says why in its message.
"""

import concurrent.futures
import csv
import json
import multiprocessing
import sys
from pathlib import Path

from golden import digests, rows, runs, values

FOLDER = Path(__file__).parent


def read(name):
    """Machine and rows of a golden file."""
    machine, *lines = (FOLDER / f"{name}.csv").read_text(encoding="utf-8").splitlines()
    return json.loads(machine.removeprefix("# ")), list(csv.DictReader(lines))


def write(name, columns, found):
    with (FOLDER / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
        file.write(f"# {json.dumps(digests.machine())}\n")
        table = csv.DictWriter(file, columns, lineterminator="\n")
        table.writeheader()
        table.writerows(found)


def record(name):
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(mp_context=context) as pool:
        if name == "runs":
            found = list(pool.map(runs.measure, *zip(*runs.cases(), strict=True)))
            write(name, runs.COLUMNS, found)
        elif name == "values":
            write(name, values.COLUMNS, list(pool.map(values.measure, values.FUNCTIONS)))
        else:
            write(name, rows.COLUMNS, [row for each in rows.chapters() for row in rows.read(each)])


if __name__ == "__main__":
    for name in sys.argv[1:]:
        record(name)
