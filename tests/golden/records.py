"""The golden files: what the package computed when they were made.

``PYTHONPATH=tests python -m golden.records runs values rows`` makes them anew, all or some; a
commit that does says why in its message. Of the runs, those of new algorithms only are added by
``runs new``. Rows of chapters that are not executed stay as they are.
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


def record(name, only_new=False):
    context = multiprocessing.get_context("spawn")
    kept = read(name)[1]
    with concurrent.futures.ProcessPoolExecutor(mp_context=context) as pool:
        if name == "runs":
            old = {(row["algorithm"], row["instance"]): row for row in kept if only_new}
            cases = {(repr(case[0]), case[1]): case for case in runs.cases()}
            new = [case for key, case in cases.items() if key not in old]
            measured = pool.map(runs.measure, *zip(*new, strict=True)) if new else ()
            found = old | {(row["algorithm"], row["instance"]): row for row in measured}
            write(name, runs.COLUMNS, [found[key] for key in cases])
        elif name == "values":
            write(name, values.COLUMNS, list(pool.map(values.measure, values.FUNCTIONS)))
        else:
            found = [row for row in kept if row["chapter"] not in rows.chapters()]
            found += [row for each in rows.chapters() for row in rows.read(each)]
            write(name, rows.COLUMNS, sorted(found, key=lambda row: row["chapter"]))


if __name__ == "__main__":
    for name in sys.argv[1:]:
        if name != "new":
            record(name, only_new="new" in sys.argv)
