"""Rows and status of all chapters, names of papers, and the links that lead to sections."""

import json
import re

import pandas as pd
import pytest
from references.claim_files import COUNT, NUMBER, TIME, make_claim, write_claims

from pareto_book import paths
from pareto_book.claims import summary
from pareto_book.claims.criteria import DIFFERS, REPRODUCED, RUN_TIME
from pareto_book.figures.tables import Link, show_table
from pareto_book.records import stamps
from pareto_book.records.scorecard import Scorecard

CONTENTS = """
root: book/intro
parts:
  - chapters: [{file: book/how_to_read}]
  - chapters: [{file: book/chapters/zebra}, {file: book/chapters/paper}]
"""


@pytest.fixture
def paper(monkeypatch, tmp_path):
    """An executed chapter called "paper"."""
    monkeypatch.setattr(paths, "BUILD", tmp_path)
    monkeypatch.setattr(paths, "DATA", tmp_path)
    monkeypatch.setattr(paths, "NOTEBOOKS", tmp_path)
    monkeypatch.setenv("PARETO_BOOK_FILES", str(tmp_path))
    monkeypatch.setattr(paths, "TOC", tmp_path / "_toc.yml")
    (tmp_path / "_toc.yml").write_text(CONTENTS)
    write_claims(tmp_path / "published" / "paper.csv", [COUNT, NUMBER, TIME])
    (tmp_path / "paper.md").touch()
    card = Scorecard("paper", "full")
    card.record("arms", 3)
    card.record("samples", 120, interval=(115, 125), runs=100, reason="they count otherwise")
    card.record("seconds", 2.5)
    card.record("ratio", 1.5, (1.4, 1.6), 30)
    card.save()
    notebook = stamps.executed_path("paper", "full")
    notebook.parent.mkdir(parents=True)
    (tmp_path / "scorecard" / "paper-full.csv").rename(stamps.rows_path(notebook))
    stamp = stamps.make_stamp({"profile": "full", "seed": 4}, "digest", 12.34, 2, 5 * 10**8)
    stamps.stamp_path(notebook).write_text(json.dumps(stamp))
    return notebook


def test_chapters_are_in_the_order_of_the_book(paper):
    assert summary.book_order() == ["zebra", "paper"]


def test_rows_come_from_the_execution_with_their_claims(paper):
    rows = summary.all_rows({"paper": "full"})
    assert list(rows["id"]) == ["arms", "samples", "seconds"]
    assert list(rows["verdict"]) == [REPRODUCED, DIFFERS, RUN_TIME]
    assert list(rows["reason"]) == ["", "they count otherwise", ""]
    assert set(rows["chapter"]) == {"paper"}
    assert set(rows["paper"]) == {"crepon2024"}
    assert [claim.place for claim in rows["claim"]] == ["Table 1"] * 3


def test_findings_are_found_by_name(paper):
    found = summary.findings_of("paper", "full")
    assert list(found.loc["ratio"]) == [1.5, 1.4, 1.6, 30]
    assert found.loc["samples", "measured"] == 120


def test_a_chapter_with_claims_needs_a_place_in_the_book(paper):
    write_claims(paths.DATA / "published" / "new.csv", [COUNT])
    with pytest.raises(ValueError, match=r"'new' has claims .* expected a line '- file: .*new'"):
        summary.all_rows({"paper": "full"})


def test_rows_of_a_chapter_that_was_not_executed_are_refused(paper):
    with pytest.raises(ValueError, match="chapter = 'paper'; expected an executed chapter"):
        summary.all_rows({"paper": "fast"})


def test_a_claim_that_was_not_measured_is_named(paper):
    path = stamps.rows_path(paper)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:2]))
    with pytest.raises(ValueError, match=r"paper \(full\) has not measured samples, seconds"):
        summary.all_rows({"paper": "full"})


def test_a_measurement_that_does_not_fit_is_refused_by_chapter(paper):
    path = paths.DATA / "published" / "paper.csv"
    write_claims(path, [COUNT, NUMBER | {"others": ["raw"]}, TIME])
    with pytest.raises(ValueError, match=r"paper \(full\): other readings of samples = none"):
        summary.all_rows({"paper": "full"})


def test_rows_are_in_the_order_of_the_claims(paper):
    write_claims(paths.DATA / "published" / "paper.csv", [TIME, NUMBER, COUNT])
    assert list(summary.rows_of("paper", "full")["id"]) == ["seconds", "samples", "arms"]


@pytest.mark.parametrize(
    ("key", "label"),
    [
        ("auer2016", "Auer et al. 2016"),
        ("kone2025linear", "Kone et al. 2025a, linear model"),
        ("garivier2016", "Garivier & Kaufmann 2016"),
    ],
)
def test_papers_are_called_by_their_authors(key, label):
    assert summary.paper_label(key) == label


def test_a_paper_that_is_not_in_the_bibliography_is_refused():
    with pytest.raises(
        ValueError, match=r"paper = 'nobody1900'; expected a key of references\.bib"
    ):
        summary.paper_label("nobody1900")


def test_status_is_what_the_stamp_says(paper):
    (row,) = summary.chapter_status(["paper"], {"paper": "full"}).to_dict("records")
    assert (row["profile"], row["seed"], row["seconds"], row["threads"]) == ("full", 4, 12.3, 2)
    assert row["memory (MB)"] == 500
    assert "numba" in row["versions"] and "cores" in row["machine"]


def test_status_of_a_chapter_that_was_not_executed_is_refused(paper):
    with pytest.raises(ValueError, match="profile = 'fast'; expected one that has been executed"):
        summary.chapter_status(["paper"], {})


def test_a_claim_is_found_in_the_section_of_its_table_or_in_the_table_of_its_cell():
    claim = make_claim(section="Samples, and Théo's η (Figure 1)")
    address = summary.claim_address("paper", claim)
    assert address == "paper.html#samples-and-theo-s-figure-1"
    assert summary.claim_address("page", make_claim(section="")) == "page.html#crepon2024-samples"


def test_links_are_escaped():
    table = show_table(pd.DataFrame({"where": [Link("a < b", 'x.html#"')]}), "Links.")
    assert '<td><a href="x.html#&quot;">a &lt; b</a></td>' in table.data


def test_an_interval_is_one_cell_that_does_not_break():
    frame = pd.DataFrame({"interval": [(1000.4, 2000.0), (float("nan"), float("nan"))]})
    cells = re.findall("<td.*?</td>", show_table(frame, "Numbers.", interval=",.0f").data)
    assert cells == ['<td class="number">[1,000,\u00a02,000]</td>', '<td class="number"></td>']


def test_powers_of_ten_are_written_as_such():
    frame = pd.DataFrame({"δ = 0.0001": [3e-7], "at 1e-06": [1.25e10], "0.001": ["1e-5"]})
    text = show_table(frame, "Numbers.", **{"δ = 0.0001": ".0e", "at 1e-06": ".2e"}).data
    heads = re.findall("<th(?: class=.number.)?>(.*?)</th>", text)
    assert heads == ["δ = 10⁻⁴", "at 10⁻⁶", "0.001"]
    cells = re.findall("<td[^>]*>(.*?)</td>", text)
    assert cells == ["3\u00a0×\u00a010⁻⁷", "1.25\u00a0×\u00a010¹⁰", "1e-5"]  # a text stays


def test_numbers_are_shown_by_their_format_and_what_is_missing_by_nothing():
    frame = pd.DataFrame({"mean": [1234.5, float("nan")], "runs": [3, 4]})
    body = show_table(frame, "Numbers.", mean=",.0f").data.split("<tbody>")[1]
    assert body.startswith(
        '<tr><td class="number">1,234</td><td class="number">3</td></tr>'
        '<tr><td></td><td class="number">4</td></tr>'
    )


def test_the_head_of_numbers_stands_above_them():
    frame = pd.DataFrame({"name": ["a", ""], "bound": ["", 3.0], "none": ["", float("nan")]})
    head = show_table(frame, "Numbers.").data.split("<tbody>")[0]
    assert '<th>name</th><th class="number">bound</th><th>none</th>' in head


def test_a_format_is_for_a_column_of_the_table():
    with pytest.raises(ValueError, match=r"^format for 'median'; expected one of mean, runs"):
        show_table(pd.DataFrame({"mean": [1.0], "runs": [3]}), "Numbers.", median=".0f")
