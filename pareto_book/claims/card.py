"""The card of a chapter: checks of what papers print and of sentences of ours, in its cells."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from IPython import get_ipython

from pareto_book import paths
from pareto_book.claims.claim_tables import claims_html, claims_text
from pareto_book.claims.claims import Claim, chapters_with_claims, load_claims
from pareto_book.claims.criteria import judged
from pareto_book.records.measurements import Measurement
from pareto_book.records.stamps import PROFILES
from pareto_core.checks.arguments import check_choice, check_count, check_number

SENTENCE = "sentence "  # begins the ids of what `Scorecard.holds` keeps
COLUMNS = ("id", "measured", "low", "high", "runs", "sentence", "others")


class Checks(NamedTuple):
    """Claims that one cell has checked; the last line of the cell shows them as one table."""

    rows: list[tuple[Claim, pd.Series]]

    def _repr_html_(self) -> str:
        return claims_html(self.rows)

    def __repr__(self) -> str:
        return claims_text(self.rows)


class Scorecard:
    """What a chapter measures, under ids of claims, and the sentences that it checks."""

    def __init__(self, chapter: str, profile: str) -> None:
        known = sorted(path.stem for path in paths.NOTEBOOKS.glob("*.md"))
        self.chapter = check_choice(chapter, "chapter", known)
        self.profile = check_choice(profile, "profile", PROFILES)
        self._claims = load_claims(chapter) if chapter in chapters_with_claims() else {}
        self._rows: dict[str, dict[str, Any]] = {}
        self._sentences: dict[str, int] = {}  # their numbers
        self._shell = get_ipython()
        self._begin_table()
        if self._shell is not None:
            self._shell.events.register("pre_run_cell", self._begin_table)

    def _begin_table(self, cell: Any = None) -> None:
        """Begin a table of checks, as each cell does."""
        self._checks = Checks([])

    def check(
        self, name: str, measured: float | Measurement, others: Mapping[str, Any] | None = None
    ) -> Checks:
        """Compare a measurement with what a paper printed; return all checks of the cell so far.

        ``name`` is the id of a claim of ``data/published/<chapter>.csv``. An exact measurement is a
        number; ``others`` are what the other readings gave that the claim names.
        """
        claim = self._claims[check_choice(name, "name", list(self._claims))]
        row = _row(name, measured, others or {})
        self._rows[name] = row
        if self._shell is None:
            self._begin_table()
        self._checks.rows.append((claim, pd.Series(judged(claim, pd.Series(row)))))
        return self._checks

    def holds(self, sentence: str, condition: bool) -> None:
        """Check a sentence of ours, as a page has it word for word; print it if this run fails."""
        name = f"{SENTENCE}{self._sentences.setdefault(sentence, len(self._sentences))}"
        self._rows[name] = _row(name, float(bool(condition)), {}) | {"sentence": sentence}
        if not condition:
            print(f"Not with this seed: {sentence}")

    def save(self) -> None:
        """Write all rows into the folder that ``PARETO_BOOK_FILES`` names, if it does."""
        if path := paths.written_file("scorecard", f"{self.chapter}-{self.profile}.csv"):
            rows = pd.DataFrame(self._rows.values(), columns=COLUMNS)
            rows["others"] = [json.dumps(each, ensure_ascii=False) for each in rows["others"]]
            rows.to_csv(path, index=False)


def read_measurements(path: Any) -> pd.DataFrame:
    """Rows that a chapter saved: the columns of `COLUMNS`, by id."""
    words = {"id": str, "sentence": str, "others": str}
    numbers = dict.fromkeys(("measured", "low", "high", "runs"), float)
    rows = pd.read_csv(path, dtype=words | numbers).fillna({"sentence": ""})
    rows["others"] = [json.loads(others) for others in rows["others"]]
    return rows.set_index("id")


def _row(name, measured, others):
    """What is kept of a measurement, after checking it; NaN for the interval of an exact value."""
    low, high, runs = np.nan, np.nan, np.nan
    if isinstance(measured, Measurement):
        measured, interval, runs = measured
        if interval is None:
            runs = np.nan if runs is None else runs
        else:
            low, high = map(float, interval)
            check_count(runs, f"runs of {name}")
            if not low <= measured <= high:
                raise ValueError(
                    f"interval of {name} = [{low:g}, {high:g}]; "
                    f"expected one that holds {measured:g}"
                )
    return {
        "id": name,
        "measured": check_number(float(measured), f"value of {name}"),
        "low": low,
        "high": high,
        "runs": float(runs),
        "sentence": "",
        "others": {other: _plain(found) for other, found in others.items()},
    }


def _plain(value):
    """A value, or a value and the ends of its interval, as JSON has them."""
    if isinstance(value, Measurement):
        return [float(value.value), *map(float, value.interval)]
    return float(value)
