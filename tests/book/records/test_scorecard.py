"""What a chapter measures: what is refused, what is written and read, what a notebook shows."""

import json

import myst_nb
import numpy as np
import pandas as pd
import pytest

from pareto_book import paths
from pareto_book.records.measurements import Measurement
from pareto_book.records.scorecard import CLAIMS_TABLE, Scorecard, chosen, read_measurements


@pytest.fixture
def card(monkeypatch, tmp_path):
    monkeypatch.setattr(paths, "NOTEBOOKS", tmp_path)
    monkeypatch.setenv("PARETO_BOOK_FILES", str(tmp_path))
    (tmp_path / "overview.md").write_text("# Overview\n")
    return Scorecard("overview", "full")


def saved(card):
    card.save()
    return read_measurements(paths.NOTEBOOKS / "scorecard" / "overview-full.csv")


def test_measurements_are_read_as_they_were_recorded(card):
    third = 1 / 3
    card.record("ratio", third, (0.25, 2.0), runs=40, reason="they count otherwise")
    card.record("bytes", 368)
    found = saved(card)
    assert list(found.index) == ["ratio", "bytes"]
    assert list(found.loc["ratio", ["measured", "low", "high", "runs"]]) == [third, 0.25, 2.0, 40]
    assert list(found["reason"]) == ["they count otherwise", ""]
    assert found.loc["bytes", "measured"] == 368
    assert found.loc["bytes", ["low", "high", "runs"]].isna().all()


def test_other_readings_are_read_as_they_were_recorded(card):
    others = {"“raw”; as printed": Measurement(120, (118, 122.4567), 50), "doubled": 240}
    card.record("ratio", 1.5, others=others)
    expected = {"“raw”; as printed": [120.0, 118.0, 122.4567], "doubled": 240.0}
    assert saved(card).loc["ratio", "others"] == expected


def test_what_the_text_says_is_recorded_too(card, monkeypatch):
    said = {}
    monkeypatch.setattr(myst_nb, "glue", lambda name, number, display: said.update({name: number}))
    card.say("ratio", Measurement(1.5, (1.25, 2.0), 40))
    assert said == {"ratio": 1.5, "ratio_low": 1.25, "ratio_high": 2.0}
    assert list(saved(card).loc["ratio", ["measured", "low"]]) == [1.5, 1.25]


def test_the_last_value_of_a_name_counts(card):
    card.record("ratio", 1.5)
    card.record("ratio", 1.75)
    assert list(saved(card)["measured"]) == [1.75]


def test_a_chapter_may_measure_nothing(card):
    assert saved(card).empty


def test_nothing_is_written_unless_a_folder_is_named(card, monkeypatch, tmp_path):
    monkeypatch.delenv("PARETO_BOOK_FILES")
    card.save()
    assert [path.name for path in tmp_path.iterdir()] == ["overview.md"]


def test_an_unknown_chapter_or_profile_is_refused(card):
    with pytest.raises(ValueError, match=r"chapter = 'overwiev'; .*did you mean 'overview'"):
        Scorecard("overwiev", "fast")
    with pytest.raises(ValueError, match="profile = 'ful'; expected one of fast, full"):
        Scorecard("overview", "ful")


@pytest.mark.parametrize(
    ("value", "interval", "runs", "message"),
    [
        (np.nan, None, None, "value of ratio"),
        (np.inf, None, None, "value of ratio"),
        (1.5, (1.6, 2.0), 40, r"interval of ratio = \[1.6, 2\]; expected one that holds 1.5"),
        (1.5, (np.nan, np.nan), 1, "interval of ratio"),
        (1.5, (1.25, 2.0), None, "runs of ratio = None"),
        (1.5, (1.25, 2.0), 0, "runs of ratio = 0"),
    ],
)
def test_an_incomplete_measurement_is_refused(card, value, interval, runs, message):
    with pytest.raises(ValueError, match=message):
        card.record("ratio", value, interval, runs)


# In place of a table of claims


def test_a_notebook_shows_measurements_and_which_claims_the_page_is_to_show(card):
    card.record("fig1_a", 1.5, (1.25, 2.0), 40)
    card.record("fig2_a", 2.5)
    shown = card.table("fig1_*", caption="Figure 1.")._repr_mimebundle_()
    assert shown[CLAIMS_TABLE] == {"names": ["fig1_*"], "section": "", "caption": "Figure 1."}
    assert json.dumps(shown[CLAIMS_TABLE])
    assert "1.25" in shown["text/plain"]
    assert "fig2_a" not in shown["text/plain"]


def test_a_table_of_what_was_not_recorded_is_refused(card):
    with pytest.raises(ValueError, match="nothing is called 'fig1_a'"):
        card.table("fig1_a")


def test_patterns_take_names_in_the_known_order_and_each_once():
    known = pd.Index(["b1", "a2", "a1", "c"])
    assert chosen(("c", "a*", "a1"), known) == ["c", "a2", "a1"]
    with pytest.raises(ValueError, match=r"nothing is called 'd\*'; expected one of b1, a2, a1, c"):
        chosen(("d*",), known)
