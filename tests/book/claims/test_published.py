"""What a chapter reads of the papers: tables, and the numbers of single claims."""

import pytest
from references.claim_files import COUNT, STATEMENT, write_claims

from pareto_book import paths
from pareto_book.claims.published import published_number, read_published


@pytest.fixture(autouse=True)
def data(monkeypatch, tmp_path):
    """A folder with claims and a table."""
    monkeypatch.setattr(paths, "DATA", tmp_path)
    write_claims(tmp_path / "published" / "paper.csv", [COUNT, STATEMENT])
    (tmp_path / "published" / "tables").mkdir()
    (tmp_path / "published" / "tables" / "paper_fig1.csv").write_text("# a comment\nx,y\n0.10,\n")


def test_tables_are_read_as_text_without_comments():
    assert read_published("paper_fig1").to_dict("list") == {"x": ["0.10"], "y": [""]}
    with pytest.raises(ValueError, match=r"name = 'papre_fig1'.*did you mean 'paper_fig1'"):
        read_published("papre_fig1")


def test_the_number_of_a_claim_is_read():
    assert published_number("paper", "arms") == 3
