"""What a chapter measures: values, intervals and runs, under names and without any verdict.

The claims that they are about are in ``data/``; `pareto_book.claims` joins the two when the pages
are built, so that a chapter is not executed again when the words of a claim change.
"""

import fnmatch
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from pareto_book import paths
from pareto_book.records.measurements import Measurement, say
from pareto_core.checks.arguments import check_choice, check_count, check_number

__all__ = ["CLAIMS_TABLE", "PROFILES", "ClaimsTable", "Scorecard", "chosen", "read_measurements"]

COLUMNS = ("id", "measured", "low", "high", "runs", "reason", "others")
PROFILES = ("fast", "full")  # how many runs a chapter makes
NUMBERS = ["measured", "low", "high", "runs"]
CLAIMS_TABLE = "application/vnd.pareto-book.claims+json"  # what a page shows as a table of claims


class Scorecard:
    """Measurements of one chapter, each under the id of a claim or another name.

    Parameters
    ----------
    chapter : str
        Name of the chapter.
    profile : {"fast", "full"}
        Profile the chapter runs under.

    Raises
    ------
    ValueError
        If there is no such chapter or profile.
    """

    def __init__(self, chapter: str, profile: str) -> None:
        known = sorted(path.stem for path in paths.NOTEBOOKS.glob("*.md"))
        check_choice(chapter, "chapter", known)
        check_choice(profile, "profile", PROFILES)
        self.chapter = chapter
        self.profile = profile
        self._rows = {}
        self._n_shown = 0  # measurements that tables have shown

    def record(
        self,
        name: str,
        value: float,
        interval: tuple[float, float] | None = None,
        runs: int | None = None,
        reason: str = "",
        others: Mapping[str, Any] | None = None,
    ) -> None:
        """Record a measurement; the last one of a name counts."""
        value = check_number(float(value), f"value of {name}")
        low, high = _checked_interval(name, value, interval, runs)
        kept = {other: _plain(found) for other, found in (others or {}).items()}
        self._rows[name] = {
            "id": name,
            "measured": value,
            "low": low,
            "high": high,
            "runs": runs,
            "reason": reason,
            "others": json.dumps(kept, ensure_ascii=False) if kept else "",
        }

    def say(self, name: str, measurement: Measurement) -> None:
        """Record a measurement and make it available to the text of the chapter."""
        self.record(name, *measurement)
        say(name, measurement)

    def measurement(self, name: str) -> pd.Series:
        """One measurement, as `read_measurements` has it."""
        row = pd.Series(self._rows[name])
        row["others"] = json.loads(row["others"] or "{}")
        row["runs"] = np.nan if row["runs"] is None else float(row["runs"])
        return row

    def measurements(self) -> pd.DataFrame:
        """Measurements so far: ``measured``, ``low``, ``high`` and ``runs`` by name."""
        rows = pd.DataFrame(self._rows.values(), columns=COLUMNS)
        return rows.set_index("id")[NUMBERS].astype(float)

    def table(
        self, *names: str, section: str = "", caption: str = "Published and measured."
    ) -> "ClaimsTable":
        """Make a table of claims and what was measured of them, which the page shows here."""
        if not names and not section:
            raise ValueError(f"section = {section!r} without names; expected one of the two")
        rows = pd.DataFrame(self._rows.values(), columns=COLUMNS).set_index("id")
        shown = rows.loc[chosen(names, rows.index)] if names else rows[self._n_shown :]
        self._n_shown = len(rows)
        return ClaimsTable(names, section, caption, shown)

    def save(self) -> None:
        """Write all measurements to ``scorecard/<chapter>-<profile>.csv``."""
        if path := paths.written_file("scorecard", f"{self.chapter}-{self.profile}.csv"):
            pd.DataFrame(self._rows.values(), columns=COLUMNS).to_csv(path, index=False)


class ClaimsTable:
    """Stands for a table of claims; a notebook shows what was measured in its place."""

    def __init__(self, names, section, caption, shown):
        self.names, self.section, self.caption = names, section, caption
        self._shown = shown

    def _repr_mimebundle_(self, **options):
        """What is shown, and what the page is to show instead."""
        wanted = {"names": list(self.names), "section": self.section, "caption": self.caption}
        return {"text/plain": repr(self), CLAIMS_TABLE: wanted}

    def __repr__(self):
        return f"{self.caption} The page adds claims and verdicts.\n{self._shown.to_string()}"


def chosen(names: tuple, known: Any) -> list[str]:
    """Known names that match the names and patterns, each once; those of a pattern in order."""
    meant = {}
    for name in names:
        found = fnmatch.filter(known, name)
        if not found:
            raise ValueError(f"nothing is called {name!r}; expected one of {', '.join(known)}")
        meant |= dict.fromkeys(found)
    return list(meant)


def read_measurements(path: Any) -> pd.DataFrame:
    """Read measurements that a chapter saved, in the order in which it recorded them."""
    words = {"id": str, "reason": str, "others": str}
    rows = pd.read_csv(path, dtype=words | dict.fromkeys(NUMBERS, float)).fillna(
        dict.fromkeys(words, "")
    )
    rows["others"] = [json.loads(others or "{}") for others in rows["others"]]
    return rows.set_index("id")


def _checked_interval(name, measured, interval, runs):
    """Ends of an interval, after checking it; a pair of NaN for an exact value."""
    if runs is not None:
        check_count(int(runs), f"runs of {name}")
    if interval is None:
        return np.nan, np.nan
    low, high = (float(end) for end in interval)
    if not low <= measured <= high:
        raise ValueError(
            f"interval of {name} = [{low:g}, {high:g}]; expected one that holds {measured:g}"
        )
    if runs is None:
        raise ValueError(f"runs of {name} = None; expected their number beside an interval")
    return low, high


def _plain(value):
    """A value, or a value and the ends of its interval, as JSON has them."""
    if isinstance(value, Measurement):
        return [float(value.value), *map(float, value.interval)]
    return float(value)
