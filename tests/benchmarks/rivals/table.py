"""The table of all times: a line for each task, size and rival."""

import csv

from .packages import our_versions, processor, version

COLUMNS = (
    "what",
    "size",
    "ours_us",
    "rival",
    "version",
    "rival_us",
    "ratio",
    "ratio_low",
    "ratio_high",
    "ratio_05",
    "ratio_95",
    "repetitions",
    "processor",
    "date",
    "versions",
)
HEADER = """\
# Times of this package beside those of other programs for the same tasks, taken by turns in one
# process on one thread: python -m tests.benchmarks.rivals. Columns:
# what, size: the task; ours_us, rival_us: medians in microseconds; rival, version: the other
# program, how it is called, and its version; ratio: median of its time over ours in the same
# repetition, below 1 if it is the faster one; ratio_low, ratio_high: its interval of 95 %;
# ratio_05, ratio_95: quantiles 0.05 and 0.95 of the ratio over the repetitions; repetitions: how
# many; processor, date, versions: where, when, and what our times depend on.
"""


def rows_of(contest, times, date):
    """The lines of a contest, as dictionaries."""
    rows = []
    for (package, how), one in times.items():
        ratios = one.ratio, one.low, one.high, one.least, one.most
        ours, theirs, *ratios = map("{:.4g}".format, (1e6 * one.ours, 1e6 * one.rival, *ratios))
        name = f"{package}, {how}" if how else package
        cells = contest.what, contest.size, ours, name, version(package), theirs, *ratios
        place = processor(), date, our_versions()
        rows.append(dict(zip(COLUMNS, (*cells, one.repetitions, *place), strict=True)))
    return rows


def in_line(row):
    """A row as it is printed."""
    spread = f"[{row['ratio_low']}, {row['ratio_high']}]"
    names = f"{row['what']:<36} {row['size']:<18} {row['rival']:<34}"
    return f"{names} {row['ours_us']:>9} {row['rival_us']:>9} {row['ratio']:>9} {spread}"


def write_table(rows, path):
    """Write a table, with the comment lines that say what its columns are."""
    with open(path, "w", encoding="utf-8", newline="") as stream:
        stream.write(HEADER)
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
