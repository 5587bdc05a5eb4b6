"""Rows and status of all chapters, and the links that lead to them."""

import json

import pandas as pd
import pytest

from pareto_core import _paths
from pareto_core.publishing import published, stamps, summary
from pareto_core.publishing.published import Scorecard
from pareto_core.publishing.tables import Link, show_table

PUBLISHED = """id,source,quantity,value,spread,rule,verdict,section,stand_in
arms,Table 1,arms,3,,digits,reproduced,How many arms?,
samples,Figure 1,samples,100,5,interval,differs,Samples (Figure 1),the means
time,Figure 2,seconds,1.5,,open,not published in enough detail,Samples (Figure 1),
"""


@pytest.fixture
def paper(monkeypatch, tmp_path):
    """An executed chapter on a paper called "paper"."""
    monkeypatch.setattr(_paths, "BUILD", tmp_path)
    monkeypatch.setattr(_paths, "DATA", tmp_path)
    monkeypatch.setattr(_paths, "SCORECARDS", tmp_path / "executed")
    (tmp_path / "published").mkdir()
    (tmp_path / "published" / "paper.csv").write_text(PUBLISHED)
    card = Scorecard("paper", "full")
    card.record("arms", 3)
    card.record("samples", 120, interval=(115, 125), runs=10, reason="they count otherwise")
    card.record("time", 2.5, reason="the machine is not named")
    card.save()
    notebook = stamps.executed_path("paper", "full")
    notebook.parent.mkdir()
    (tmp_path / "executed" / "paper-full.csv").rename(stamps.rows_path(notebook))
    stamp = stamps.make_stamp({"profile": "full", "seed": 4}, "digest", 12.34, 2, 5 * 10**8)
    stamps.stamp_path(notebook).write_text(json.dumps(stamp))
    return notebook


def test_rows_come_from_the_execution_with_paper_and_section(paper):
    rows = summary.all_rows(["paper"], {"paper": "full"})
    assert list(rows["id"]) == ["arms", "samples", "time"]
    assert list(rows["verdict"]) == [published.REPRODUCED, published.DIFFERS, published.OPEN]
    assert list(rows["section"]) == ["How many arms?", "Samples (Figure 1)", "Samples (Figure 1)"]
    assert list(rows["reason"])[:2] == ["", "they count otherwise"]
    assert list(rows["stand_in"]) == ["", "the means", ""]
    assert set(rows["paper"]) == {"paper"}


def test_rows_of_a_chapter_that_was_not_executed_are_refused(paper):
    with pytest.raises(ValueError, match="paper = 'paper'; expected an executed chapter"):
        summary.all_rows(["paper"], {"paper": "fast"})


@pytest.mark.parametrize("lines", [slice(0, 3), slice(0, 1), [0, 1, 2, 2]])
def test_rows_that_are_not_those_of_the_claims_are_refused(paper, lines):
    path = stamps.rows_path(paper)
    text = path.read_text().splitlines(keepends=True)
    chosen = text[lines] if isinstance(lines, slice) else [text[k] for k in lines]
    path.write_text("".join(chosen))
    with pytest.raises(ValueError, match="does not have one row of every claim"):
        summary.all_rows(["paper"], {"paper": "full"})


def test_totals_add_up(paper):
    rows = summary.all_rows(["paper"], {"paper": "full"})
    totals = summary.verdict_totals(pd.concat([rows, rows.assign(paper="other").iloc[:1]]))
    assert totals.to_dict("list") == {
        "paper": ["paper", "other", "all papers"],
        "rows": [3, 1, 4],
        published.REPRODUCED: [1, 1, 2],
        published.DIFFERS: [1, 0, 1],
        published.OPEN: [1, 0, 1],
    }


def test_status_is_what_the_stamp_says(paper):
    (row,) = summary.chapter_status(["paper"], {"paper": "full"}).to_dict("records")
    assert (row["profile"], row["seed"], row["seconds"], row["threads"]) == ("full", 4, 12.3, 2)
    assert row["memory (MB)"] == 500
    assert "numba" in row["versions"] and "cores" in row["machine"]


def test_status_of_a_chapter_that_was_not_executed_is_refused(paper):
    with pytest.raises(ValueError, match="profile = 'fast'; expected one that has been executed"):
        summary.chapter_status(["paper"], {})


def test_address_of_a_section_is_that_of_its_heading():
    address = summary.section_address("paper", "Samples, and Théo's η (Figure 1)")
    assert address == "paper.html#samples-and-theo-s-figure-1"


def test_links_are_escaped():
    table = show_table(pd.DataFrame({"where": [Link("a < b", 'x.html#"')]}), "Links.")
    assert '<td><a href="x.html#&quot;">a &lt; b</a></td>' in table.data


def test_numbers_are_shown_by_their_format_and_what_is_missing_by_nothing():
    frame = pd.DataFrame({"mean": [1234.5, float("nan")], "runs": [3, 4]})
    body = show_table(frame, "Numbers.", mean=",.0f").data.split("<tbody>")[1]
    assert body.startswith(
        '<tr><td class="number">1,234</td><td class="number">3</td></tr>'
        '<tr><td></td><td class="number">4</td></tr>'
    )


def test_a_format_is_for_a_column_of_the_table():
    with pytest.raises(ValueError, match=r"^format for 'median'; expected one of mean, runs"):
        show_table(pd.DataFrame({"mean": [1.0], "runs": [3]}), "Numbers.", median=".0f")
