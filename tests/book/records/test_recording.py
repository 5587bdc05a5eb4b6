"""Many measurements in one call."""

import json

import pytest

from pareto_book.records import recording
from pareto_book.records.measurements import Measurement
from pareto_book.records.recording import Row, record_rows, say_numbers
from pareto_book.records.scorecard import Scorecard

MEASURED = Measurement(1.0, (0.5, 1.5), 30)
ROWS = {
    "plain": 3.0,
    "cases": (0, 20),
    "measured": MEASURED,
    "row": Row(*MEASURED, others={"c = 1/4": 7.0, "c = 1": MEASURED}),
    "exact": Row(4.0, runs=5),
    "full": {"value": 2.0, "reason": "a reason"},
}


@pytest.fixture
def said(monkeypatch):
    """What the text gets, by name."""
    numbers = {}
    monkeypatch.setattr(recording, "say", numbers.__setitem__)
    return numbers


def test_each_kind_of_row_is_recorded(said):
    card = Scorecard("crepon2024", "fast")
    record_rows(card, ROWS, said=("plain", "measured", "row"))
    found = card.measurements()
    values = {"plain": 3, "cases": 0, "measured": 1, "row": 1, "exact": 4, "full": 2}
    assert found["measured"].to_dict() == values
    assert found["runs"].dropna().to_dict() == {"cases": 20, "measured": 30, "row": 30, "exact": 5}
    assert found["high"].dropna().to_dict() == {"measured": 1.5, "row": 1.5}
    assert json.loads(card._rows["row"]["others"]) == {"c = 1/4": 7.0, "c = 1": [1.0, 0.5, 1.5]}
    assert card._rows["full"]["reason"] == "a reason"
    assert said == {"plain": 3.0, "measured": MEASURED, "row": MEASURED}


def test_numbers_are_said_but_not_recorded(said):
    say_numbers({"few": 3, "measured": MEASURED})
    assert said == {"few": 3, "measured": MEASURED}


def test_a_row_is_a_measurement_for_the_text():
    assert ROWS["row"].measurement == MEASURED
