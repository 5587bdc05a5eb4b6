"""The scorecard of a chapter: what it measured beside what the papers claim, and what it found."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pareto_book import paths
from pareto_book.claims.claim_tables import show_claims
from pareto_book.claims.claims import chapters_with_claims, load_claims
from pareto_book.claims.criteria import DIFFERS, LEAST_RUNS, NOT_JUDGED, OPEN, REPRODUCED
from pareto_book.claims.own_claims import check_own, load_own_claims
from pareto_book.figures.tables import four_digits
from pareto_book.records.measurements import Measurement, say
from pareto_core.checks.arguments import check_choice, check_count, check_number

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = ["Findings", "Scorecard"]

FEW_RUNS = f"fewer than {LEAST_RUNS} runs"
UNEXPLAINED = "no reason known"
FINDING = "finding"  # in place of the kind of a claim
COLUMNS = ("id", "kind", "measured", "low", "high", "runs", "verdict", "reason", "others")


class Findings:
    """Measurements of a chapter that judges no claims, for the page of findings.

    Parameters
    ----------
    chapter : str
        Name of a chapter that has no file in ``data/published/``.
    profile : str
        Profile the chapter runs under.

    Raises
    ------
    ValueError
        If there is no such chapter, or it has claims: those need a `Scorecard`.
    """

    def __init__(self, chapter: str, profile: str) -> None:
        self.chapter = chapter
        self.profile = profile
        self.claims = self._load()
        self._own = load_own_claims(chapter)
        self._findings = {}

    def _load(self):
        """Claims of the chapter, by id: none."""
        known = sorted(path.stem for path in paths.NOTEBOOKS.glob("*.md"))
        if known:  # there are none beside an installed package
            check_choice(self.chapter, "chapter", known)
        if self.chapter in chapters_with_claims():
            raise ValueError(
                f"chapter = {self.chapter!r}; expected one without claims, for the others there "
                "is Scorecard"
            )
        return {}

    def keep(
        self,
        name: str,
        value: float,
        interval: tuple[float, float] | None = None,
        runs: int | None = None,
    ) -> None:
        """Keep a measurement that belongs to no claim, for the page of findings.

        Parameters
        ----------
        name : str
            Short name, unique in the chapter.
        value : float
            Our value.
        interval : tuple of float, optional
            Its interval at 95 %, where it is random.
        runs : int, optional
            Number of runs it comes from.

        Raises
        ------
        ValueError
            If the name is that of a claim, the value is not finite, the interval does not hold
            it or comes without runs, or a sentence of the book rests on it and is not supported.
        """
        if name in self.claims:
            raise ValueError(f"name = {name!r}; expected one that is not the id of a claim")
        value = check_number(float(value), f"value of {name}")
        low, high = _checked_interval(name, value, interval, runs)
        self._findings[name] = self._row(
            name, FINDING, value, low, high, runs, verdict=NOT_JUDGED, reason="", others=""
        )

    def _row(self, name, kind, measured, low, high, runs, **columns):
        """A row to be saved; the sentences of the book that rest on it are checked first."""
        low, high = (np.nan if end is None else end for end in (low, high))
        check_own(self._own, name, measured, low, high, runs)
        measurement = {"measured": measured, "low": low, "high": high, "runs": runs}
        return {"id": name, "kind": kind, **measurement, **columns}

    def say(self, name: str, measurement: Measurement) -> None:
        """Keep a measurement for the page of findings, and say it in the text of this one.

        Parameters
        ----------
        name : str
            Short name, unique in the chapter.
        measurement : Measurement
            What was measured; the text has it as `pareto_book.records.measurements.say` does.

        Raises
        ------
        ValueError
            As `keep` does.
        """
        self.keep(name, *measurement)
        say(name, measurement)

    def measurements(self) -> pd.DataFrame:
        """What was kept so far: ``measured``, ``low``, ``high`` and ``runs`` by name."""
        rows = pd.DataFrame(self._findings.values(), columns=COLUMNS)
        return rows.set_index("id")[["measured", "low", "high", "runs"]]

    def save(self) -> None:
        """Write all findings to ``_build/scorecard/<chapter>-<profile>.csv``."""
        self._write([])

    def _write(self, rows):
        """Write rows of claims, and the findings, whole or not at all."""
        rows = [*rows, *self._findings.values()]
        kept = {row["id"] for row in rows}
        if missing := [own.measured for own in self._own if own.measured not in kept]:
            raise ValueError(
                f"nothing was kept as {', '.join(missing)}, on which rows of the book rest"
            )
        paths.SCORECARDS.mkdir(parents=True, exist_ok=True)
        partial = paths.SCORECARDS / f".{self.chapter}-{self.profile}.part"
        pd.DataFrame(rows, columns=COLUMNS).to_csv(partial, index=False)
        partial.replace(paths.SCORECARDS / f"{self.chapter}-{self.profile}.csv")


class Scorecard(Findings):
    """Measurements of one chapter beside the claims that it is about.

    Parameters
    ----------
    chapter : str
        Name of the chapter's file in ``data/published/``.
    profile : str
        Profile the chapter runs under.

    Raises
    ------
    ValueError
        If there is no such file, or a row contradicts itself.
    """

    def __init__(self, chapter: str, profile: str) -> None:
        super().__init__(chapter, profile)
        self._rows = {}

    def _load(self):
        return load_claims(self.chapter)

    def record(
        self,
        claim: str,
        measured: float,
        interval: tuple[float, float] | None = None,
        runs: int | None = None,
        reason: str = "",
        others: Mapping[str, Any] | None = None,
    ) -> None:
        """Put a measurement beside a claim.

        Parameters
        ----------
        claim : str
            Id of the claim.
        measured : float
            Our value: a number, the worst case of a proof, seconds.
        interval : tuple of float, optional
            Its interval at 95 %, where it is random.
        runs : int, optional
            Number of runs, random instances or cases it comes from.
        reason : str, default ""
            Why it differs, or what was chosen where the paper leaves something open;
            shown only then.
        others : dict of str to float or Measurement, optional
            What the other readings that the row names gave.

        Raises
        ------
        ValueError
            If the claim is unknown, the measurement is not finite, the interval does not hold it,
            a random quantity comes without interval and runs or an exact one with an interval, or
            ``others`` are not those of the row.
        """
        check_choice(claim, "claim", self.claims)
        row = self.claims[claim]
        measured = check_number(float(measured), f"measured value of {claim}")
        low, high = _checked_interval(claim, measured, interval, runs)
        if (low is None) == row.random and row.kind != "time":
            expected = "an interval, as it is random" if row.random else "none, as it is exact"
            raise ValueError(f"interval of {claim} = {interval}; expected {expected}")
        _check_others(row, others or {})
        verdict, because = row.judge(measured, low, high)
        if low is not None and runs < LEAST_RUNS and verdict in (REPRODUCED, DIFFERS):
            verdict, because = OPEN, FEW_RUNS
        if verdict == DIFFERS:
            because = reason or UNEXPLAINED
        elif verdict == OPEN:
            because = "; ".join(filter(None, (because, reason)))
        said = "; ".join(f"{name}: {_said(value)}" for name, value in (others or {}).items())
        self._rows[claim] = self._row(
            claim, row.kind, measured, low, high, runs, verdict=verdict, reason=because, others=said
        )

    def rows(self, *claims: str) -> pd.DataFrame:
        """Recorded rows, of the named claims or of all, as a data frame.

        Raises
        ------
        ValueError
            If a named claim has not been recorded.
        """
        for claim in claims:
            check_choice(claim, "claim", self._rows)
        chosen = claims or [claim for claim in self.claims if claim in self._rows]
        return pd.DataFrame([self._rows[claim] for claim in chosen])

    def table(self, *claims: str, caption: str = "Published and measured.") -> "HTML":
        """Recorded rows as a page shows them."""
        frame = self.rows(*claims)
        pairs = [(self.claims[row.id], row) for row in frame.itertuples()]
        return show_claims(pairs, caption)

    def save(self) -> None:
        """Write all rows and findings to ``_build/scorecard/<chapter>-<profile>.csv``.

        Raises
        ------
        ValueError
            If a claim has not been recorded.
        """
        missing = [claim for claim in self.claims if claim not in self._rows]
        if missing:
            raise ValueError(f"no measurement of {', '.join(missing)}; expected one of every claim")
        self._write([self._rows[claim] for claim in self.claims])


def _checked_interval(name, measured, interval, runs):
    """Ends of an interval, after checking it; a pair of None for an exact value."""
    if runs is not None:
        check_count(int(runs), f"runs of {name}")
    if interval is None:
        return None, None
    low, high = (float(end) for end in interval)
    if not low <= measured <= high:
        raise ValueError(
            f"interval of {name} = [{low:g}, {high:g}]; expected one that holds {measured:g}"
        )
    if runs is None:
        raise ValueError(f"runs of {name} = None; expected their number beside an interval")
    return low, high


def _check_others(row, others):
    expected = row.other_readings
    if sorted(others) != sorted(expected):
        raise ValueError(
            f"other readings of {row.id} = {', '.join(others) or 'none'}; "
            f"expected {', '.join(expected) or 'none'}, as its row names them"
        )


def _said(value):
    """A value, or a value and its interval, in words."""
    if not isinstance(value, Measurement):
        return four_digits(value)
    low, high = value.interval
    return f"{four_digits(value.value)} [{four_digits(low)}, {four_digits(high)}]"
