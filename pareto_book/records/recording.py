"""Record or say many measurements in one call."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pareto_book.records.measurements import Measurement, say
from pareto_book.records.scorecard import Scorecard

__all__ = ["Row", "record_rows", "say_numbers"]


class Row(NamedTuple):
    """What was measured of a claim, as `Scorecard.record` takes it.

    Attributes
    ----------
    value : float
        The value.
    interval : tuple of float, optional
        Its interval at 95 %.
    runs : int, optional
        Number of runs or cases.
    others : dict of str to float or Measurement
        What the other readings gave.
    """

    value: float
    interval: tuple[float, float] | None = None
    runs: int | None = None
    others: Mapping[str, Any] = {}

    @property
    def measurement(self) -> Measurement:
        """Value, interval and runs, for the text."""
        return Measurement(self.value, self.interval, self.runs)


def record_rows(card: Scorecard, rows: Mapping[str, Any], said: tuple[str, ...] = ()) -> None:
    """Record measurements, and make some of them available to the text."""
    for name, row in rows.items():
        if isinstance(row, dict):
            card.record(name, **row)
        elif isinstance(row, Row):
            card.record(name, **row._asdict())
        elif isinstance(row, Measurement):
            card.record(name, *row)
        elif isinstance(row, tuple):
            value, cases = row
            card.record(name, value, runs=cases)
        else:
            card.record(name, row)
    for name in said:
        say(name, rows[name].measurement if isinstance(rows[name], Row) else rows[name])


def say_numbers(numbers: Mapping[str, float | Measurement]) -> None:
    """Make numbers available to the text."""
    for name, number in numbers.items():
        say(name, number)
