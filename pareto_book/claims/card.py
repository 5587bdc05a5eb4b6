"""What a chapter concludes, shown by the cell that measured it: checks of claims and sentences."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from IPython import get_ipython

from pareto_book.claims.claim_tables import claims_html, claims_text
from pareto_book.claims.claims import Claim, chapters_with_claims, load_claims
from pareto_book.claims.judging import judged
from pareto_book.records import scorecard
from pareto_book.records.measurements import Measurement
from pareto_core.checks.arguments import check_choice

__all__ = ["SENTENCE", "Checks", "Scorecard"]

SENTENCE = "sentence "  # begins the names of what `Scorecard.holds` records


class Checks:
    """Claims that one cell has checked; the last line of the cell shows them as one table."""

    def __init__(self, cell: int | None) -> None:
        self.cell = cell
        self.rows: list[tuple[Claim, pd.Series]] = []

    def _repr_html_(self) -> str:
        return claims_html(self.rows)

    def __repr__(self) -> str:
        return claims_text(self.rows)


class Scorecard(scorecard.Scorecard):
    """Measurements of one chapter, and what follows from them."""

    def __init__(self, chapter: str, profile: str) -> None:
        super().__init__(chapter, profile)
        self._claims = load_claims(chapter) if chapter in chapters_with_claims() else {}
        self._checks = Checks(None)
        self._sentences: dict[str, int] = {}  # by their numbers

    def check(
        self, name: str, measured: float | Measurement, others: Mapping[str, Any] | None = None
    ) -> Checks:
        """Compare a measurement with what a paper printed."""
        check_choice(name, "name", list(self._claims))
        value = measured if isinstance(measured, Measurement) else Measurement(measured, None, None)
        self.record(name, *value, others=others)
        row = pd.Series(judged(self._claims[name], self.measurement(name)))
        cell = _cell()
        if cell is None or cell != self._checks.cell:
            self._checks = Checks(cell)
        self._checks.rows.append((self._claims[name], row))
        return self._checks

    def holds(self, sentence: str, condition: bool) -> None:
        """Check a sentence of ours that states a number or compares; print it if it fails."""
        number = self._sentences.setdefault(sentence, len(self._sentences))
        self.record(f"{SENTENCE}{number}", float(bool(condition)), reason=sentence)
        if not condition:
            print(f"Not with this seed: {sentence}")


def _cell():
    """Number of the execution of a cell; None outside of a notebook."""
    shell = get_ipython()
    return None if shell is None else shell.execution_count
