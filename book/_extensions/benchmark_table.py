"""The directive ``benchmark-table``: lines of ``data/benchmarks.csv`` whose task begins so.

Each is shown as the file has it; the caption says where and when they were taken.
"""

import itertools
from pathlib import Path

import pandas as pd
from docutils import nodes
from docutils.parsers.rst import Directive

from pareto_book.figures.tables import show_table, three_digits, with_interval

TABLE = Path(__file__).resolve().parents[2] / "data" / "benchmarks.csv"
KEPT = "\N{NO-BREAK SPACE}"  # no line ends there
UNITS = {"µs": 1.0, "ms": 1e3, "s": 1e6}


def setup(app):
    """Register the extension with Sphinx."""
    app.add_directive("benchmark-table", BenchmarkTable)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class BenchmarkTable(Directive):
    """A table of the lines whose task begins with the words of the argument."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self):
        """Read the file, of which the page is made anew when it changes."""
        self.state.document.settings.env.note_dependency(str(TABLE))
        rows = read_benchmarks(self.arguments[0])
        shown = show_table(as_shown(rows), caption_of(rows, self.arguments[0]))
        return [nodes.raw("", shown.data, format="html")]


def read_benchmarks(task):
    """Lines of the file whose task begins with these words.

    Raises
    ------
    ValueError
        If there are none.
    """
    rows = pd.read_csv(TABLE, comment="#")
    found = rows[rows.what.str.startswith(task)]
    if found.empty:
        raise ValueError(f"task = {task!r}; expected the beginning of one of {set(rows.what)}")
    return found


def as_shown(rows):
    """The columns that a reader compares, in words."""
    spreads = zip(rows.ratio, rows.ratio_low, rows.ratio_high, strict=True)
    return pd.DataFrame(
        {
            "task": rows.what.str.partition(", ")[2],
            "size": rows["size"].str.replace(r"(?<!,) ", KEPT, regex=True),
            "ours": rows.ours_us.map(duration),
            "other program": rows.rival + " (" + rows.version + ")",
            "their time": rows.rival_us.map(duration),
            "theirs over ours": [
                f"{value}{KEPT}[{low},{KEPT}{high}]"
                for value, low, high in itertools.starmap(with_interval, spreads)
            ],
            "faster": [faster(*ends) for ends in zip(rows.ratio_low, rows.ratio_high, strict=True)],
        }
    )


def faster(low, high):
    """Who is, unless the interval of the ratio holds 1."""
    if low > 1:
        return "ours"
    return "theirs" if high < 1 else "neither for sure"


def duration(microseconds):
    """A duration with three digits and a unit."""
    unit = max((name for name in UNITS if microseconds >= UNITS[name]), key=UNITS.get, default="µs")
    return f"{three_digits(microseconds / UNITS[unit])}{KEPT}{unit}"


def caption_of(rows, task):
    """Where and when the lines were taken."""
    places = rows[["processor", "date", "versions"]].drop_duplicates()
    taken = "; ".join(f"{one.processor}, {one.date}: {one.versions}" for one in places.itertuples())
    return f"{task[0].upper()}{task[1:]}: medians, and intervals of 95 %. {taken}."
