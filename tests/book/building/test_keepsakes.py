"""A reader can download the figures and claims of the chapters that the book has."""

import json

import pandas as pd
import pytest
from references.claim_files import COUNT, NUMBER, write_claims

from pareto_book import paths
from pareto_book.building import keepsakes
from pareto_book.records import stamps
from pareto_book.records.scorecard import Scorecard

CONTENTS = "parts: [{chapters: [{file: book/chapters/paper}, {file: book/chapters/later}]}]"


def shows(*figures):
    """A cell with an output for each figure, and one that shows none."""
    outputs = [{"metadata": {"figure": figure}} for figure in figures]
    return {"outputs": [*outputs, {"metadata": {}}, {"name": "stdout"}]}


@pytest.fixture
def book(monkeypatch, tmp_path):
    """A book with one of its two chapters, executed with the full profile."""
    for name in ("BUILD", "CHAPTERS", "DATA", "NOTEBOOKS"):
        monkeypatch.setattr(paths, name, tmp_path)
    monkeypatch.setenv("PARETO_BOOK_FILES", str(tmp_path))
    monkeypatch.setattr(paths, "TOC", tmp_path / "_toc.yml")
    (tmp_path / "_toc.yml").write_text(CONTENTS)
    for chapter in ("paper", "later"):
        write_claims(tmp_path / "published" / f"{chapter}.csv", [NUMBER, COUNT])
    (tmp_path / "paper.ipynb").write_text("{}")
    (tmp_path / "paper.json").write_text(json.dumps({"inputs": {"profile": "full"}}))
    (tmp_path / "paper.md").touch()
    card = Scorecard("paper", "full")
    card.record("samples", 120, interval=(115, 125), runs=100, others={}, reason="fewer arms")
    card.record("arms", 3)
    card.record("ratio", 1.5)
    card.save()
    kept = stamps.rows_path(stamps.executed_path("paper", "full"))
    kept.parent.mkdir(parents=True)
    (tmp_path / "scorecard" / "paper-full.csv").rename(kept)
    return tmp_path


def test_figures_are_those_of_the_profile_that_the_book_shows(book):
    folder = book / "executed" / "full" / "paper"
    assert keepsakes.figure_files(shows("paper/first", "paper/front")) == [
        folder / "front.svg",
        folder / "front.png",
    ]


def test_a_cell_without_a_figure_has_no_files(book):
    assert keepsakes.figure_files(shows()) == keepsakes.figure_files({}) == []


def test_claims_are_written_with_what_was_measured(book):
    keepsakes.write_claims(book / "claims")
    table = pd.read_csv(book / "claims" / "paper.csv")
    assert list(table["id"]) == ["samples", "arms"]
    first = table.iloc[0]
    assert (first["chapter"], first["place"], first["published"]) == ("paper", "Table 1", 100)
    assert (first["measured"], first["low"], first["high"]) == (120, 115, 125)
    assert (first["verdict"], first["reason"]) == ("differs", "fewer arms")
    assert table.columns.is_unique
    lines = (book / "claims" / "paper.csv").read_text().splitlines()
    assert ",100,differs," in lines[1]  # runs are whole numbers


def test_only_chapters_that_the_book_has_are_written(book):
    keepsakes.write_claims(book / "claims")
    files = sorted(path.name for path in (book / "claims").iterdir())
    assert files == ["paper.csv", "scorecard.csv"]


def test_a_book_without_chapters_has_no_claims(book):
    (book / "paper.json").unlink()
    keepsakes.write_claims(book / "claims")
    assert list((book / "claims").iterdir()) == []
