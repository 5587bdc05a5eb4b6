"""The scorecard: what a chapter records, what is refused, and what it writes."""

import numpy as np
import pandas as pd
import pytest
from references.claim_files import COUNT, NUMBER, STATEMENT, TIME, write_blocks

from pareto_book import paths
from pareto_book.claims import scorecard
from pareto_book.claims.criteria import DIFFERS, LEAST_RUNS, NOT_JUDGED, OPEN, REPRODUCED
from pareto_book.claims.scorecard import Scorecard
from pareto_book.records.measurements import Measurement


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.setattr(paths, "DATA", tmp_path)
    monkeypatch.setattr(paths, "SCORECARDS", tmp_path / "scorecard")
    return tmp_path


@pytest.fixture
def card(folder):
    rows = [COUNT, NUMBER | {"others": ["raw", "doubled"]}, STATEMENT, TIME]
    write_blocks(folder / "published" / "chapter.toml", rows)
    return Scorecard("chapter", "fast")


OTHERS = {"raw": Measurement(120, (118, 122.4567), 50), "doubled": 240}


def record_all(card):
    card.record("seconds", 1.25)
    card.record("samples", 120, (118, 122), runs=50, reason="they count otherwise", others=OTHERS)
    card.record("arms", 3)
    card.record("fewer", 0.9, (0.8, 1.1), runs=50, reason="ours are few")


def test_it_writes_one_row_of_each_claim_in_their_order(card, folder):
    record_all(card)
    card.save()
    rows = pd.read_csv(folder / "scorecard" / "chapter-fast.csv").set_index("id")
    assert list(rows.index) == ["arms", "samples", "fewer", "seconds"]
    assert list(rows["verdict"]) == [REPRODUCED, DIFFERS, OPEN, NOT_JUDGED]
    assert list(rows.loc["samples", ["low", "high", "runs"]]) == [118, 122, 50]


def test_a_row_says_why(card):
    record_all(card)
    rows = card.rows().set_index("id")
    assert rows.loc["samples", "reason"] == "they count otherwise"
    assert rows.loc["samples", "others"] == "raw: 120 [118, 122.5]; doubled: 240"
    assert rows.loc["fewer", "reason"].endswith("both answers; ours are few")
    assert rows.loc["arms", "reason"] == ""


def test_a_claim_without_a_measurement_is_named(card):
    card.record("arms", 3)
    with pytest.raises(ValueError, match="no measurement of samples, fewer, seconds"):
        card.save()


def test_a_difference_without_reason_is_marked(card):
    card.record("arms", 4)
    assert card.rows("arms")["reason"].item() == scorecard.UNEXPLAINED


@pytest.mark.parametrize("measured", [100, 150])
def test_few_runs_have_no_verdict(card, measured):
    interval = (measured - 1, measured + 1)
    card.record("samples", measured, interval, LEAST_RUNS - 1, others=OTHERS)
    row = card.rows("samples").iloc[0]
    assert (row["verdict"], row["reason"]) == (OPEN, "fewer than 20 runs")
    card.record("samples", measured, interval, LEAST_RUNS, others=OTHERS)
    assert card.rows("samples")["verdict"].item() != OPEN


@pytest.mark.parametrize("measured", [np.nan, np.inf, "x"])
def test_a_measurement_is_a_finite_number(card, measured):
    with pytest.raises(ValueError):
        card.record("arms", measured)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("fewer", 0.9), "interval of fewer = None; expected an interval, as it is random"),
        (("arms", 3, (3, 3), 30), "expected none, as it is exact"),
        (("fewer", 0.9, (0.8, 1.1)), "runs of fewer = None"),
        (
            ("fewer", 0.9, (1.0, 1.1), 30),
            r"interval of fewer = \[1, 1.1\]; expected one that holds",
        ),
        (("fewer", 0.9, (np.nan, np.nan), 30), "expected one that holds 0.9"),
        (("fewer", 0.9, (0.8, 1.1), 0), "runs of fewer = 0"),
        (
            ("samples", 100, (99, 101), 30),
            "other readings of samples = none; expected raw, doubled",
        ),
        (("frist", 1), "claim = 'frist'"),
    ],
)
def test_what_can_not_be_judged_is_refused(card, arguments, message):
    with pytest.raises(ValueError, match=message):
        card.record(*arguments)


def test_the_table_shows_the_recorded_rows(card):
    record_all(card)
    text = card.table("samples", "arms", caption="Two of them.").data
    assert text.index('id="crepon2024-samples"') < text.index('id="crepon2024-arms"')
    assert "Two of them." in text
    assert "seconds" not in text
