"""What a chapter reads of the papers: tables, and the numbers of single claims."""

import pytest
from references.claim_files import COUNT, STATEMENT, write_blocks

from pareto_book import paths
from pareto_book.building.chapter_inputs import digest_of_data
from pareto_book.records.published import published_number, read_published


@pytest.fixture
def read(monkeypatch, tmp_path):
    """File that takes the names of what is read of a folder with claims and a table."""
    monkeypatch.setattr(paths, "DATA", tmp_path)
    monkeypatch.setenv("PARETO_DATA_READ_FILE", str(tmp_path / "read"))
    write_blocks(tmp_path / "published" / "paper.toml", [COUNT, STATEMENT])
    (tmp_path / "published" / "paper_fig1.csv").write_text("# a comment\nx,y\n0.10,\n")
    return tmp_path / "read"


def test_tables_are_read_as_text_without_comments(read):
    assert read_published("paper_fig1").to_dict("list") == {"x": ["0.10"], "y": [""]}
    with pytest.raises(ValueError, match=r"name = 'papre_fig1'.*did you mean 'paper_fig1'"):
        read_published("papre_fig1")


def test_a_chapter_depends_on_the_number_and_not_on_the_words(read):
    assert published_number("paper", "arms") == 3
    (name,) = read.read_text().split()
    before = digest_of_data(name)
    path = paths.DATA / "published" / "paper.toml"
    write_blocks(path, [COUNT | {"quantity": "other words", "criterion": "within 1"}, STATEMENT])
    assert digest_of_data(name) == before
    write_blocks(path, [COUNT | {"published": "4"}, STATEMENT])
    assert digest_of_data(name) != before


@pytest.mark.parametrize("claim", ["fewer", "nothing"])
def test_a_claim_without_a_number_is_refused(read, claim):
    with pytest.raises(ValueError, match=rf"^published/paper\.toml#{claim}: .*expected a number"):
        published_number("paper", claim)
